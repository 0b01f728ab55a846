/** What is typed into the search: the address has what is searched for, a moment after the last letter. */
import { computed, effect, type ReadonlySignal, type Signal, signal, untracked } from '@preact/signals'
import { address, go } from './address.ts'

/** How long somebody who types pauses when what is typed is to be searched for. */
const pauseMs = 250

const typed = { search: signal(''), find: signal('') }
type Field = keyof typeof typed
/** In the search for animals. */
export const searched: ReadonlySignal<string> = typed.search
/** In the search for orders. */
export const sought: ReadonlySignal<string> = typed.find

export function typeSearch(field: Field, text: string): void {
  typed[field].value = text
}
export function forgetSearch(): void {
  for (const field of Object.values(typed)) field.value = ''
}

/** A search that comes with the address is shown as if it had been typed. */
function follow(field: Signal<string>, name: Field): void {
  const given = computed(() => address.value[name] ?? '')
  effect(() => {
    const search = given.value
    untracked(() => {
      if (field.value.trim() !== search) field.value = search
    })
  })
  // What is typed just before an animal is opened is searched for when that is closed: going back would undo it.
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
