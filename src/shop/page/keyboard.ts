/** The keyboard: what its keys do, and the sheet that says so. */
import type { VNode } from 'preact'
import { address, go } from './address.ts'
import { listenForPresses } from './guard.ts'
import { areOrdersShown } from './load-orders.ts'
import { html, Sheet } from './parts.ts'
import { printChosen } from './save.ts'
import { can, me } from './session.ts'
import { isLoading, message, searched, sheet, sought } from './state.ts'

const shortcuts = [
  ['/', 'Search'],
  ['↓', 'From the search to what was found'],
  ['← ↑ → ↓', 'Go from animal to animal'],
  ['Enter', 'Open the animal; in the search, the first'],
  ['o', 'Order the animal'],
  ['n', 'Add an animal'],
  ['1 2 3', 'Animals, orders, the report of a day'],
  ['Ctrl P', 'Print'],
  ['Ctrl Z', 'Undo what was just done'],
  ['Esc', 'Close, or clear the search'],
  ['?', 'This sheet'],
]

export const Shortcuts = ({
  onClose,
}: {
  onClose: () => void
}): VNode => html`<${Sheet} title="Keyboard" onClose=${onClose}>
  <dl class="shortcuts">
    ${shortcuts.map(([keys, meaning]) => html`<div><dt><kbd>${keys}</kbd></dt><dd>${meaning}</dd></div>`)}
  </dl>
<//>`

/** The place of the item in the next or former row that is below or above the given one. */
function acrossRows(items: readonly Element[], from: number, step: 1 | -1): number {
  const place = (at: number) => items[at]?.closest('.item')?.getBoundingClientRect()
  const { top, left } = place(from) ?? { top: 0, left: 0 }
  let at = from + step
  while (place(at)?.top === top) at += step
  const row = place(at)?.top
  while (place(at + step)?.top === row && step * (left - (place(at)?.left ?? left)) > 0) at += step
  return at
}

const sideways: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1 }

function moveFocus(arrow: string): void {
  const items = [...document.querySelectorAll<HTMLElement>('.catalogue .name')]
  const name = document.activeElement?.closest('.item')?.querySelector<HTMLElement>('.name')
  const at = name ? items.indexOf(name) : -1
  const step = sideways[arrow]
  const to = at < 0 ? 0 : step ? at + step : acrossRows(items, at, arrow === 'ArrowDown' ? 1 : -1)
  items[to]?.focus()
}

const views = new Map([
  ['1', () => go({ show: undefined, pet: undefined })],
  ['2', () => can('orders:read') && go({ show: 'orders', pet: undefined })],
  ['3', () => can('events:read') && go({ show: 'report', pet: undefined })],
])

/** From the search to what was found; opened is the first of what is typed, and not of what was typed before. */
function onSearchKey(pressed: string): boolean {
  const first = document.querySelector<HTMLElement>('.catalogue .name')
  const [field, given, isBusy] = areOrdersShown()
    ? [sought, address.value.find, false]
    : [searched, address.value.search, isLoading.value]
  if (pressed === 'Escape') {
    field.value = ''
    document.querySelector('main')?.focus()
  } else if (pressed === 'ArrowDown') first?.focus()
  else if (pressed === 'Enter') {
    if (given && field.value.trim() === given && !isBusy) first?.click()
  } else return false
  return true
}

/** A field that is still empty has nothing of its own to undo. */
const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLSelectElement || (target instanceof HTMLInputElement && target.value !== '')

function onKey(event: KeyboardEvent): void {
  const { target, key: pressed } = event
  const isCommand = event.ctrlKey || event.metaKey
  if (
    isCommand &&
    pressed === 'p' &&
    can('pets:read') &&
    address.value.show === undefined &&
    !document.querySelector('dialog[open]')
  ) {
    event.preventDefault()
    printChosen()
  }
  if (isCommand && pressed === 'z' && !event.shiftKey && !isTyping(target) && message.value?.undo) {
    event.preventDefault()
    message.value.undo()
  }
  if (!me.value || isCommand || event.altKey || !(target instanceof HTMLElement)) return
  const dialog = document.querySelector('dialog[open]')
  if (pressed === 'o' && !event.repeat && !/^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName))
    (dialog ?? target.closest('.item'))?.querySelector<HTMLElement>('.order')?.click()
  if (dialog) return
  if (target.id === 'search' && onSearchKey(pressed)) event.preventDefault()
  // In an empty field for whom an order is, it means the search as everywhere else.
  const isSkipped = pressed === '/' && target.matches('.messages input:placeholder-shown')
  if (/^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName) && !isSkipped) return
  if (pressed === '/') document.querySelector<HTMLInputElement>('#search')?.select()
  else if (pressed === 'n' && can('pets:write')) sheet.value = 'add'
  else if (pressed === '?') sheet.value = 'shortcuts'
  else if (pressed.startsWith('Arrow')) moveFocus(pressed)
  else if (views.has(pressed)) views.get(pressed)?.()
  else return
  event.preventDefault()
}

const rows = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>('main .item')]

/**
 * When what has the focus is taken away, it goes to the same row, or to the one that has taken its place; from a sheet
 * or a message
 * that goes, to what had it before.
 */
function keepFocus(): void {
  let last: { element: Element | null; id: string | undefined; at: number } | undefined
  addEventListener('focusin', ({ target }) => {
    if (!(target instanceof HTMLElement)) return
    if (target.closest('dialog, .messages')) {
      last ??= { element: null, id: undefined, at: -1 }
      return
    }
    const row = target.closest<HTMLElement>('.item')
    last = { element: target, id: row?.dataset.id, at: row ? rows().indexOf(row) : -1 }
  })
  // Who presses beside everything wants the focus nowhere.
  addEventListener('pointerdown', ({ target }) => {
    if (target instanceof Element && !target.closest('a, button, label, input, select, dialog, [tabindex]'))
      last = undefined
  })
  const restore = () => {
    waiting = false
    if (!last || document.activeElement !== document.body || document.querySelector('dialog[open]')) return
    const { element, id, at } = last
    const all = rows()
    const row = all.find(({ dataset }) => id && dataset.id === id) ?? all[Math.min(at, all.length - 1)]
    const found = element?.isConnected
      ? element
      : (row?.querySelector('.name') ?? document.querySelector('main [autofocus]') ?? document.querySelector('main'))
    if (found instanceof HTMLElement) found.focus({ preventScroll: true })
  }
  // Later: while the focus goes from one element to another, neither has it, and what is drawn anew meanwhile has taken
  // nothing away.
  let waiting = false
  const restoreSoon = () => {
    if (!waiting) setTimeout(restore)
    waiting = true
  }
  new MutationObserver(restoreSoon).observe(document.body, { childList: true, subtree: true })
}

export function listen(): void {
  keepFocus()
  addEventListener('keydown', onKey)
  listenForPresses()
}
