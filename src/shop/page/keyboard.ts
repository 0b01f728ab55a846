/** The keyboard: what the keys do, and where the focus goes when its element is removed. */
import { address, go } from './state/address.ts'
import { isLoading } from './state/animals.ts'
import { message } from './state/messages.ts'
import { orders } from './state/orders.ts'
import { hasShortcuts } from './state/preferences.ts'
import { typeSearch } from './state/search.ts'
import { can, me } from './state/session.ts'
import { openSheet } from './state/sheets.ts'

const inList = (selector: string): HTMLElement[] => [
  ...document.querySelectorAll<HTMLElement>(`.catalogue ${selector}`),
]
const names = (): HTMLElement[] => inList('.name')
const rows = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>('main .item')]

/** Moves to the name in the next row, or from a checkbox to the next checkbox. */
function moveFocus(step: 1 | -1, from: HTMLElement): void {
  const selector = isCheckbox(from) ? '.pick input' : '.name'
  const items = inList(selector)
  const here = from.closest('.item')?.querySelector<HTMLElement>(selector)
  const at = here ? items.indexOf(here) : -1
  items[at < 0 ? 0 : at + step]?.focus()
}

const steps: Readonly<Record<string, 1 | -1>> = { ArrowDown: 1, ArrowUp: -1 }

/**
 * Moves from the search to its results. Enter opens the first result of the present text, and not of an earlier text.
 */
function onSearchKey(pressed: string, typed: string): boolean {
  const [first] = names()
  const isOfOrders = address.value.show === 'orders'
  if (pressed === 'Escape') {
    typeSearch(isOfOrders ? 'find' : 'search', '')
    document.querySelector('main')?.focus()
  } else if (pressed === 'ArrowDown') first?.focus()
  else if (pressed === 'Enter') {
    const given = isOfOrders ? address.value.find : address.value.search
    const isBusy = isOfOrders ? orders.value.isLoading : isLoading.value
    if (given && typed.trim() === given && !isBusy) first?.click()
  } else return false
  return true
}

/** The field whose text was just deleted by hand. There, Ctrl+Z restores the text. */
let emptied: EventTarget | null = null

/**
 * Whether Ctrl+Z belongs to the field. A field that nobody has typed into, or that the page has emptied, has nothing to
 * undo.
 */
const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLSelectElement ||
  (target instanceof HTMLInputElement && !isCheckbox(target) && (target.value !== '' || target === emptied))

const isCheckbox = (target: EventTarget | null): boolean =>
  target instanceof HTMLInputElement && target.type === 'checkbox'
/** Whether a letter belongs to the element. */
const isField = (target: HTMLElement): boolean =>
  /^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName) && !isCheckbox(target)

/** Carries out the shortcut of a letter or digit, unless shortcuts are turned off. Returns false if there is none. */
function onLetter(pressed: string, target: HTMLElement): boolean {
  const dialog = document.querySelector('dialog[open]')
  const button = { r: '.reserve', s: '.sell' }[pressed]
  if (button) {
    const found = (dialog ?? target.closest('.item'))?.querySelector<HTMLElement>(button)
    found?.click()
    return found !== undefined && found !== null
  }
  if (dialog) return false
  if (pressed === '/') document.querySelector<HTMLInputElement>('#search')?.select()
  else if (pressed === 'n' && can('pets:write')) openSheet('add')
  else if (pressed === '?') openSheet('shortcuts')
  else if (pressed === '1') go({ show: undefined, pet: undefined })
  else if (pressed === '2') go({ show: 'orders', pet: undefined })
  else if (pressed === '3') go({ show: 'report', pet: undefined })
  else return false
  return true
}

function onKey(event: KeyboardEvent): void {
  const { target, key: pressed } = event
  // Keys that compose a character do not belong to the page.
  if (event.isComposing || event.keyCode === 229) return
  const isCommand = event.ctrlKey || event.metaKey
  if (isCommand && pressed === 'z' && !event.shiftKey && !isTyping(target) && me.value && message.value?.undo) {
    event.preventDefault()
    message.value.undo()
  }
  if (!me.value || isCommand || event.altKey || !(target instanceof HTMLElement)) return
  const isOpen = document.querySelector('dialog[open]') !== null
  if (target instanceof HTMLInputElement && target.id === 'search' && !isOpen) {
    if (onSearchKey(pressed, target.value)) event.preventDefault()
  } else if (isField(target)) return
  else if (steps[pressed] && !isOpen) {
    moveFocus(steps[pressed], target)
    event.preventDefault()
  } else if (hasShortcuts.value && !event.repeat && onLetter(pressed, target)) event.preventDefault()
}

/**
 * Moves the focus if its element was removed: to the same row or to the one that has taken its place, and after a sheet
 * or a message has closed, to the element that had the focus before.
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
  // After a click outside of everything, the focus must be nowhere.
  addEventListener('pointerdown', ({ target }) => {
    if (target instanceof Element && !target.closest('a, button, label, input, select, dialog, [tabindex]'))
      last = undefined
  })
  const restore = () => {
    isWaiting = false
    if (!last || document.activeElement !== document.body || document.querySelector('dialog[open]')) return
    const { element, id, at } = last
    const all = rows()
    const row = all.find(({ dataset }) => id && dataset.id === id) ?? all[Math.min(at, all.length - 1)]
    const found = element?.matches('html :not(:disabled)')
      ? element
      : (row?.querySelector('.name') ?? document.querySelector('main [autofocus]') ?? document.querySelector('main'))
    if (found instanceof HTMLElement) found.focus({ preventScroll: true })
  }
  // This waits, because while the focus moves from one element to another, neither has it. Redrawing in that moment has
  // removed nothing.
  let isWaiting = false
  const restoreSoon = () => {
    if (!isWaiting) setTimeout(restore)
    isWaiting = true
  }
  new MutationObserver(restoreSoon).observe(document.body, { childList: true, subtree: true })
}

export function startKeyboard(): void {
  keepFocus()
  addEventListener('input', (event) => {
    const { target } = event
    // A field that Ctrl+Z itself has emptied counts as untouched.
    const isBack = event instanceof InputEvent && event.inputType === 'historyUndo'
    emptied = target instanceof HTMLInputElement && target.value === '' && !isBack ? target : null
  })
  addEventListener('focusout', () => {
    emptied = null
  })
  addEventListener('keydown', onKey)
}
