/** What is shown and may not be true any more, until one refresh reads it again. */
import { type ReadonlySignal, signal } from '@preact/signals'
import type { Event, Order } from '../../../../client/src/types.ts'

export interface Stale {
  /** Everything that is shown, each row in its place. */
  readonly everything: boolean
  /** Everything, as if it was just opened: nobody is about to click on a row. */
  readonly anew: boolean
  /** The animals that changed. */
  readonly pets: Iterable<bigint>
  /** How many animals there are. */
  readonly counts: boolean
  /** The names of categories, and how many animals each has. */
  readonly categories: boolean
  /** How many orders there are. */
  readonly orderCounts: boolean
  /** Those that were just placed, whose animals are not known. */
  readonly newOrders: readonly Order[]
  readonly report: boolean
  /** Sales and returns that events have just told: the report need not ask for them. */
  readonly sales: readonly Event[]
}

const nothing: Stale = {
  everything: false,
  anew: false,
  pets: new Set(),
  counts: false,
  categories: false,
  orderCounts: false,
  newOrders: [],
  report: false,
  sales: [],
}

const current = signal(nothing)
export const stale: ReadonlySignal<Stale> = current
export const isNothing = (one: Stale): boolean => one === nothing

export function markStale(part: Partial<Stale>): void {
  const before = current.peek()
  const pets = new Set([...before.pets, ...(part.pets ?? [])])
  const newOrders = [...before.newOrders, ...(part.newOrders ?? [])]
  const sales = [...before.sales, ...(part.sales ?? [])]
  current.value = { ...before, ...part, pets, newOrders, sales }
}

/** Takes what has to be read: what becomes stale from now on is read by the next refresh. */
export function takeStale(): Stale {
  const taken = current.peek()
  current.value = nothing
  return taken
}
