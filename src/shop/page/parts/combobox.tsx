/** A field with suggestions for the typed text, which can be chosen with the keyboard or the pointer. */
import type { TargetedEvent, TargetedKeyboardEvent } from 'preact'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { folded } from '../words.ts'

export interface Choice {
  readonly value: string
  readonly text: string
  readonly note?: string | undefined
}

interface ComboboxProps {
  readonly label: string
  /** The chosen or typed text. */
  readonly text: string
  readonly choices: readonly Choice[]
  readonly placeholder?: string | undefined
  readonly required?: boolean
  readonly onPick: (value: string) => void
  /** Also accepts typed text. Without this, typed text is dropped unless a suggestion is chosen. */
  readonly onType?: (text: string) => void
  /** Called when the suggestions are about to be shown. */
  readonly onOpen?: () => void
}

/** If there are fewer pixels than this below the field and more above it, the list opens above. */
const roomWanted = 280
/** The distance of the list from the field and from the edge of the window or of the sheet. */
const distance = 8

/** Returns the matching choices. Those that begin with the text come before those that contain it elsewhere. */
function fitting(choices: readonly Choice[], typed: string): readonly Choice[] {
  const wanted = folded(typed.trim())
  if (!wanted) return choices
  const found = choices
    .map((choice) => ({ choice, at: folded(choice.text).indexOf(wanted) }))
    .filter(({ at }) => at >= 0)
  return found.sort((one, other) => Math.min(one.at, 1) - Math.min(other.at, 1)).map(({ choice }) => choice)
}

/** Returns where the list opens, and how high it may be. A sheet cuts off what extends beyond it. */
function placeOf(field: Element | null): { isAbove: boolean; room: number } {
  const { top = 0, bottom = 0 } = field?.getBoundingClientRect() ?? {}
  const sheet = field?.closest('.sheet')?.getBoundingClientRect()
  const above = top - (sheet?.top ?? 0) - distance
  const below = (sheet?.bottom ?? innerHeight) - bottom - distance
  const isAbove = below < roomWanted && above > below
  return { isAbove, room: isAbove ? above : below }
}

/** The state of the field: whether it shows suggestions, what is typed, and which suggestion is marked. */
function useChoosing({ text, choices, onPick, onType, onOpen }: ComboboxProps) {
  const field = useRef<HTMLInputElement>(null)
  const [isOpen, setOpen] = useState(false)
  const [place, setPlace] = useState({ isAbove: false, room: roomWanted })
  /** Null until something is typed. Then all choices are suggested. */
  const [typed, setTyped] = useState<string | null>(null)
  const [at, setAt] = useState(0)
  const found = isOpen ? fitting(choices, typed ?? '') : []
  const show = () => {
    if (!isOpen) onOpen?.()
    setPlace(placeOf(field.current))
    setOpen(true)
  }
  const close = () => {
    setOpen(false)
    setTyped(null)
  }
  const open = () => {
    show()
    setAt(Math.max(0, typed === null ? choices.findIndex((choice) => choice.text === text) : 0))
  }
  const pick = (choice: Choice | undefined) => {
    if (choice) onPick(choice.value)
    close()
  }
  const input = ({ currentTarget: { value } }: TargetedEvent<HTMLInputElement>) => {
    setTyped(value)
    show()
    setAt(0)
    onType?.(value)
  }
  const press = (event: TargetedKeyboardEvent<HTMLInputElement>) => {
    // While a character is being composed, Enter accepts the composition and chooses nothing.
    if (event.isComposing) return
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step && !isOpen) open()
    else if (step) setAt((at + step + found.length) % Math.max(1, found.length))
    else if (isOpen && event.key === 'Enter') pick(found[at])
    else if (isOpen && event.key === 'Escape') close()
    else return
    // In a sheet, Escape would close the sheet, and Enter would send its form.
    event.preventDefault()
    event.stopPropagation()
  }
  return { field, isOpen, place, typed, at, found, open, close, pick, input, press }
}

export function Combobox(props: ComboboxProps) {
  const { label, text, placeholder, required = false } = props
  const id = useId()
  const list = useRef<HTMLUListElement>(null)
  const { field, isOpen, place, typed, at, found, open, close, pick, input, press } = useChoosing(props)
  useEffect(() => {
    list.current?.children[at]?.scrollIntoView({ block: 'nearest' })
  }, [at, isOpen])
  const isShown = isOpen && found.length > 0
  return (
    <div class={`combobox ${place.isAbove ? 'above' : ''}`} style={{ '--room': `${place.room}px` }}>
      <input
        ref={field}
        role="combobox"
        dir="auto"
        aria-label={label}
        aria-expanded={isShown}
        aria-controls={id}
        aria-autocomplete="list"
        aria-activedescendant={isShown ? `${id}-${at}` : undefined}
        autocomplete="off"
        placeholder={placeholder}
        required={required}
        value={typed ?? text}
        onInput={input}
        onKeyDown={press}
        onClick={open}
        onFocus={({ currentTarget }) => currentTarget.select()}
        onBlur={close}
      />
      <ul id={id} role="listbox" aria-label={`${label}: what fits`} hidden={!isShown} ref={list}>
        {found.map(({ value, text, note }, i) => (
          <li
            key={value}
            id={`${id}-${i}`}
            role="option"
            dir="auto"
            tabIndex={-1}
            aria-selected={i === at}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => pick(found[i])}
            onKeyDown={() => {}}
          >
            {text}
            {note !== undefined && <small> {note}</small>}
          </li>
        ))}
      </ul>
    </div>
  )
}
