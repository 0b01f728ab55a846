/** What is shown and may be outdated, until one refresh reads it again. */
import { type ReadonlySignal, signal } from '@preact/signals'
import type { Event, Order } from '../../../../client/src/types.ts'

export interface Stale {
  /** Everything that is shown, with each row in its place. */
  readonly everything: boolean
  /** Everything, as if it was just opened, because nobody is about to click on a row. */
  readonly anew: boolean
  /** The animals that have changed. */
  readonly pets: Iterable<bigint>
  /** The number of animals. */
  readonly counts: boolean
  /** The names of categories, and the number of animals in each. */
  readonly categories: boolean
  /** The number of orders. */
  readonly orderCounts: boolean
  /** Orders that were just placed and whose animals are not known. */
  readonly newOrders: readonly Order[]
  readonly report: boolean
  /** Sales and returns that events have just reported, so that the report need not ask for them. */
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

/** Takes what must be read. What becomes stale from now on is read by the next refresh. */
export function takeStale(): Stale {
  const taken = current.peek()
  current.value = nothing
  return taken
}
