/** What is shown and may not be true any more, until one refresh reads it again. */
import { type ReadonlySignal, signal } from '@preact/signals'
import type { Order } from '../../../../client/src/types.ts'

export interface Stale {
  /** Everything that is shown. */
  readonly everything: boolean
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
}

const nothing: Stale = {
  everything: false,
  pets: new Set(),
  counts: false,
  categories: false,
  orderCounts: false,
  newOrders: [],
  report: false,
}

const current = signal(nothing)
export const stale: ReadonlySignal<Stale> = current
export const isNothing = (one: Stale): boolean => one === nothing

export function markStale(part: Partial<Stale>): void {
  const before = current.peek()
  const pets = new Set([...before.pets, ...(part.pets ?? [])])
  const newOrders = [...before.newOrders, ...(part.newOrders ?? [])]
  current.value = { ...before, ...part, pets, newOrders }
}

/** Takes what has to be read: what becomes stale from now on is read by the next refresh. */
export function takeStale(): Stale {
  const taken = current.peek()
  current.value = nothing
  return taken
}
