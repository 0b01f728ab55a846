/** The text in the search field. The address follows it a moment after the last letter. */
import { computed, effect, type ReadonlySignal, type Signal, signal, untracked } from '@preact/signals'
import { address, go } from './address.ts'

/** How long somebody must pause typing before the search begins. */
const pauseMs = 250

const typed = { search: signal(''), find: signal('') }
type Field = keyof typeof typed
/** The text in the search for animals. */
export const searched: ReadonlySignal<string> = typed.search
/** The text in the search for orders. */
export const sought: ReadonlySignal<string> = typed.find

export function typeSearch(field: Field, text: string): void {
  typed[field].value = text
}
export function forgetSearch(): void {
  for (const field of Object.values(typed)) field.value = ''
}

/** Shows a search from the address as if it had been typed. */
function follow(field: Signal<string>, name: Field): void {
  const given = computed(() => address.value[name] ?? '')
  effect(() => {
    const search = given.value
    untracked(() => {
      if (field.value.trim() !== search) field.value = search
    })
  })
  // Text that was typed just before an animal was opened is searched for after the animal is closed, because going back
  // would undo it.
  const isOver = computed(() => address.value.pet !== undefined)
  effect(() => {
    const text = field.value.trim()
    if (isOver.value || text === untracked(() => given.value)) return
    const pause = setTimeout(() => go({ [name]: text || undefined }, true), text ? pauseMs : 0)
    return () => clearTimeout(pause)
  })
}

export function startSearch(): void {
  follow(typed.search, 'search')
  follow(typed.find, 'find')
}
