/**
 * Small parts that several views share, and what they say: what was just done, and whether the service can be reached.
 */
import htm from 'htm'
import { type ComponentChildren, h, type TargetedMouseEvent, type VNode } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { edited, newPet } from './drafts.ts'
import { readAt, refresh } from './load.ts'
import { can, isOnline } from './session.ts'
import { faults, isLive, message, type ShownPet, showMessage } from './state.ts'

export const html = htm.bind(h) as (texts: TemplateStringsArray, ...values: unknown[]) => VNode

/** A count with its thousands set apart. */
export const number = (count: number): string => count.toLocaleString('en')
export const animals = (count: number): string => `${number(count)} animal${count === 1 ? '' : 's'}`

/** In UTF-16 units, of which a character of the 1024 that the service takes may have two. */
export const nameLength = 2048

/** Takes what is typed or chosen to a function. */
export const typed =
  (take: (text: string) => void) =>
  ({ currentTarget }: { readonly currentTarget: HTMLInputElement | HTMLSelectElement }): void =>
    take(currentTarget.value)

export const ReferenceLink = (): VNode => html`<a class="reference" href="docs">API reference</a>`

export const columnHeader = (name: string): VNode => html`<th role="columnheader" scope="col">${name}</th>`

export const Status = ({ status }: Pick<ShownPet, 'status'>): VNode =>
  html`<span class="status ${status}">${status}</span>`

const segmenter = new Intl.Segmenter()

/** The first character of a name on a tint of its category. */
export function Initial({ pet }: { pet: ShownPet }): VNode {
  // Marks that turn the writing around, and other characters that nobody sees, are no initial.
  const [first] = segmenter.segment(pet.name.replace(/^[\p{C}\p{Z}]+/u, '').slice(0, 32))
  const hue = (Number(BigInt.asUintN(16, pet.categoryId)) * 67 + 20) % 360
  return html`<span class="initial" aria-hidden="true" style=${{ '--hue': hue }}>${first?.segment.toUpperCase()}</span>`
}

/** What is wrong with a field, beside it; `of` is what its form does. */
export function Fault({ of, field }: { of: string; field: string }): VNode | undefined {
  const text = faults.value?.of === of && faults.value.fields.get(field)
  return text ? html`<p role="alert" class="refusal" id="${field}-fault">${text}</p>` : undefined
}

interface SheetProps {
  readonly title: string
  /** Whether the focus goes to a field of its own. */
  readonly isForm?: boolean
  readonly onClose: () => void
  readonly children: ComponentChildren
}

/** A dialog over the page; Escape, its button and a press beside it close it. */
export function Sheet({ title, isForm, onClose, children }: SheetProps): VNode {
  const dialog = useRef<HTMLDialogElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  const isPressed = useRef(false)
  useEffect(() => {
    dialog.current?.showModal()
    return () => {
      faults.value = null
    }
  }, [])
  useEffect(() => {
    // A button that was pressed may be gone.
    if (!dialog.current?.contains(document.activeElement)) heading.current?.focus()
  })
  const onCancel = (event: Event) => {
    event.preventDefault()
    onClose()
  }
  type Press = TargetedMouseEvent<HTMLDialogElement>
  const isBeside = ({ target }: Press) => target === dialog.current
  // A press that began inside, such as to select a text, may end beside it.
  return html`<dialog ref=${dialog} aria-labelledby="sheet-title" onCancel=${onCancel}
    onMouseDown=${(event: Press) => (isPressed.current = isBeside(event))}
    onClick=${(event: Press) => isPressed.current && isBeside(event) && onClose()}>
    <div class="sheet">
      <div class="head">
        <h2
          id="sheet-title"
          ref=${heading}
          dir="auto"
          tabindex=${title.length > 99 ? 0 : -1}
          autofocus=${!isForm}
        >
          ${title}
        </h2>
        <button type="button" class="plain" onClick=${onClose}>
          <span aria-hidden="true">✕</span>
          <span class="hidden">Close</span>
        </button>
      </div>
      ${children}
      <${Messages} />
    </div>
  </dialog>`
}

const clock = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' })
const short = { day: 'numeric', month: 'short', hour: 'numeric', minute: '2-digit' } as const
const ofThisYear = new Intl.DateTimeFormat(undefined, short)
const ofOtherYears = new Intl.DateTimeFormat(undefined, { ...short, year: 'numeric' })

export function Time({ at }: { at: string }): VNode {
  const time = new Date(at)
  const format = time.getFullYear() === new Date().getFullYear() ? ofThisYear : ofOtherYears
  return html`<time datetime=${at}>${format.format(time)}</time>`
}

/** Whether the list is live; to a key that may not follow what others do, when it is from, and what that key lacks. */
export const Freshness = (): VNode | false =>
  can('events:read')
    ? isLive.value && isOnline.value && html`<span class="freshness live quiet">Live</span>`
    : readAt.value !== null &&
      html`<span class="freshness quiet">
        As of <time datetime=${readAt.value.toISOString()}>${clock.format(readAt.value)}</time>
        <button type="button" class="plain" onClick=${refresh}>Refresh</button>
        <span>Not live: this key lacks <code>events:read</code>.</span>
      </span>`

/** How long a message stays that tells of no error, while nobody points at it and it does not have the focus. */
const messageSeconds = 8

/** Within a sheet, the focus that has gone with something stays there. */
function focusSheet(): void {
  if (document.activeElement === document.body) document.querySelector<HTMLElement>('dialog #sheet-title')?.focus()
}

/** The way back stays. */
function skip(): void {
  const { text = '', undo } = message.peek() ?? {}
  showMessage({ text, undo })
}

/** Whose the order is that was just placed: typed, or skipped with Enter or Escape. */
function Reference({ onSave }: { onSave: (reference: string) => unknown }): VNode {
  const field = useRef<HTMLInputElement>(null)
  const isDone = useRef(false)
  useEffect(() => {
    // A keyboard on the screen would cover what comes next.
    if (matchMedia('(pointer: fine)').matches) field.current?.focus({ preventScroll: true })
    return () => setTimeout(focusSheet)
  }, [])
  const end = () => {
    const text = field.current?.value.trim()
    if (isDone.current) return
    isDone.current = true
    if (text) onSave(text)
    else skip()
  }
  const submit = (event: Event) => {
    event.preventDefault()
    end()
  }
  const press = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return
    event.preventDefault()
    event.stopPropagation()
    isDone.current = true
    skip()
  }
  // What was typed is not lost when something else is pressed.
  const leave = () => field.current?.value.trim() && end()
  return html`<form onSubmit=${submit}>
    <input
      ref=${field}
      aria-label="For whom (Enter skips it)"
      placeholder="For whom? Enter skips"
      dir="auto"
      maxlength="256"
      autocomplete="off"
      onKeyDown=${press}
      onBlur=${leave}
    />
  </form>`
}

/** What was just done, with its way back; and whether the service can be reached. */
export function Messages(): VNode {
  const region = useRef<HTMLDivElement>(null)
  const { text, undo, isError, refer } = message.value ?? {}
  useEffect(() => {
    if (!text || isError || !isOnline.value) return
    let left = messageSeconds
    const timer = setInterval(() => {
      if (!region.current?.matches(':hover, :focus-within') && --left <= 0) showMessage(null)
    }, 1_000)
    return () => clearInterval(timer)
  }, [message.value, isOnline.value])
  return html`<div class="messages" role="status" ref=${region}>
    ${
      !isOnline.value &&
      html`<p class="message offline">
        No connection. ${(newPet.value?.name || edited.value) && 'What you typed is kept. '}
        <button type="button" onClick=${refresh}>Try again</button>
      </p>`
    }
    ${
      text &&
      html`<div class="message ${isError ? 'failed' : ''}"><span dir="auto">${text}</span>
        ${refer && html`<${Reference} key=${message.value} onSave=${refer} />`}
        ${undo && html`<button type="button" aria-keyshortcuts="Control+Z Meta+Z" onClick=${undo}>Undo</button>`}
        <button type="button" class="plain" onClick=${() => showMessage(null)}>
          <span aria-hidden="true">✕</span>
          <span class="hidden">Dismiss</span>
        </button>
      </div>`
    }
  </div>`
}
