/** Which sheet is open besides that of an animal. It is opened by its name, and closed by going back. */
import { effect, type ReadonlySignal, signal } from '@preact/signals'
import { address } from './address.ts'

export type SheetName = 'add' | 'categories' | 'shortcuts' | 'refused' | 'reserve'

const given = history.state?.sheet
// The refused animals are not kept after a reload.
const open = signal<SheetName | null>(given === 'refused' || given === 'reserve' ? null : (given ?? null))
export const sheet: ReadonlySignal<SheetName | null> = open

export function openSheet(name: SheetName): void {
  open.value = name
}

/** The sheet that opens without a request of the user. */
const announced = signal<SheetName | null>(null)
const isTyping = signal(false)

/**
 * Opens a sheet that the user has not requested, as soon as nothing else is open and no field has the focus. Earlier,
 * it would interrupt what is being typed. A field of the selection itself does not count, because it has just been
 * used.
 */
export function announceSheet(name: SheetName): void {
  if (open.value !== name) announced.value = name
}
export function forgetSheet(): void {
  open.value = announced.value = null
}

const isOwnField = (target: EventTarget | null): boolean =>
  target instanceof HTMLInputElement && target.type !== 'checkbox' && !target.closest('.bulk')

export function startSheets(): void {
  effect(() => {
    const state = open.value && { sheet: open.value }
    if (state?.sheet === history.state?.sheet) return
    if (state) history.pushState(state, '')
    else history.replaceState(null, '')
  })
  addEventListener('popstate', () => {
    open.value = history.state?.sheet ?? null
  })
  addEventListener('focusin', ({ target }) => {
    isTyping.value = isOwnField(target)
  })
  addEventListener('focusout', () => {
    isTyping.value = false
  })
  effect(() => {
    if (!announced.value || open.value || address.value.pet !== undefined || isTyping.value) return
    open.value = announced.value
    announced.value = null
  })
}
