/** A field that offers what fits what is typed into it, to be chosen with the keyboard or the pointer. */
import type { TargetedEvent, TargetedKeyboardEvent, VNode } from 'preact'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { folded } from './pages.ts'
import { html } from './parts.ts'

export interface Choice {
  readonly value: string
  readonly text: string
  readonly note?: string | undefined
}

interface ComboboxProps {
  readonly label: string
  /** What is chosen, or typed. */
  readonly text: string
  readonly choices: readonly Choice[]
  readonly placeholder?: string | undefined
  readonly required?: boolean
  readonly onPick: (value: string) => void
  /** Takes what is typed as well; without it, that is dropped unless something is chosen. */
  readonly onType?: (text: string) => void
}

/** Those that begin so before those that have it elsewhere. */
function fitting(choices: readonly Choice[], typed: string): readonly Choice[] {
  const wanted = folded(typed.trim())
  if (!wanted) return choices
  const found = choices
    .map((choice) => ({ choice, at: folded(choice.text).indexOf(wanted) }))
    .filter(({ at }) => at >= 0)
  return found.sort((one, other) => Math.min(one.at, 1) - Math.min(other.at, 1)).map(({ choice }) => choice)
}

export function Combobox({ label, text, choices, placeholder, required, onPick, onType }: ComboboxProps): VNode {
  const id = useId()
  const list = useRef<HTMLUListElement>(null)
  const [isOpen, setOpen] = useState(false)
  /** Null until something is typed: then all are offered. */
  const [typed, setTyped] = useState<string | null>(null)
  const [at, setAt] = useState(0)
  const found = isOpen ? fitting(choices, typed ?? '') : []
  useEffect(() => {
    list.current?.children[at]?.scrollIntoView({ block: 'nearest' })
  }, [at, isOpen])
  const close = () => {
    setOpen(false)
    setTyped(null)
  }
  const open = () => {
    setOpen(true)
    setAt(Math.max(0, typed === null ? choices.findIndex((choice) => choice.text === text) : 0))
  }
  const pick = (choice: Choice | undefined) => {
    if (choice) onPick(choice.value)
    close()
  }
  const input = ({ currentTarget: { value } }: TargetedEvent<HTMLInputElement>) => {
    setTyped(value)
    setOpen(true)
    setAt(0)
    onType?.(value)
  }
  const press = (event: TargetedKeyboardEvent<HTMLInputElement>) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step && !isOpen) open()
    else if (step) setAt((at + step + found.length) % Math.max(1, found.length))
    else if (isOpen && event.key === 'Enter') pick(found[at])
    else if (isOpen && event.key === 'Escape') close()
    else return
    // Within a sheet, Escape would close that, and Enter send its form.
    event.preventDefault()
    event.stopPropagation()
  }
  const isShown = isOpen && found.length > 0
  return html`<div class="combobox">
    <input
      role="combobox"
      dir="auto"
      aria-label=${label}
      aria-expanded=${isShown}
      aria-controls=${id}
      aria-autocomplete="list"
      aria-activedescendant=${isShown ? `${id}-${at}` : undefined}
      autocomplete="off"
      placeholder=${placeholder}
      required=${required}
      value=${typed ?? text}
      onInput=${input}
      onKeyDown=${press}
      onClick=${open}
      onFocus=${({ currentTarget }: TargetedEvent<HTMLInputElement>) => currentTarget.select()}
      onBlur=${close}
    />
    <ul id=${id} role="listbox" aria-label="${label}: what fits" hidden=${!isShown} ref=${list}>
      ${found.map(
        ({ value, text, note }, i) => html`<li
          key=${value}
          id="${id}-${i}"
          role="option"
          dir="auto"
          aria-selected=${i === at}
          onMouseDown=${(event: Event) => event.preventDefault()}
          onClick=${() => pick(found[i])}
        >
          ${text}${note !== undefined && html` <small>${note}</small>`}
        </li>`,
      )}
    </ul>
  </div>`
}
