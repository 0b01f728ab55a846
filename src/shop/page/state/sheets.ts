/** Which sheet is open besides that of an animal: it is opened by its name, and closed by going back. */
import { effect, type ReadonlySignal, signal } from '@preact/signals'

export type SheetName = 'add' | 'categories' | 'shortcuts' | 'refused' | 'reserve'

const given = history.state?.sheet
// What was refused is not kept over a reload.
const open = signal<SheetName | null>(given === 'refused' || given === 'reserve' ? null : (given ?? null))
export const sheet: ReadonlySignal<SheetName | null> = open

export function openSheet(name: SheetName): void {
  open.value = name
}
export function forgetSheet(): void {
  open.value = null
}

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
}
