/** What is shown, as the address says it: animals, orders or the report, their filters, and the animal that is open. */
import { computed, signal } from '@preact/signals'
import { parseJson, stringifyJson } from '../../../../client/src/json.ts'
import type { PetFilter } from '../../../../client/src/petstore.ts'
import type { OrderStatus, PetStatus } from '../../../../client/src/types.ts'
import { int64 } from '../words.ts'

export interface Address {
  readonly status?: PetStatus | undefined
  readonly category?: bigint | undefined
  readonly search?: string | undefined
  /** The newest come first unless given. */
  readonly sort?: 'oldest' | undefined
  /** What is shown; the animals unless given. */
  readonly show?: 'orders' | 'report' | undefined
  /** Which orders; those that are open unless given. */
  readonly tab?: Exclude<OrderTab, 'placed'> | undefined
  /** What is searched for among the orders. */
  readonly find?: string | undefined
  /** Of the report: today unless given, and a day unless given. */
  readonly day?: string | undefined
  readonly span?: Exclude<Span, 'day'> | undefined
  readonly pet?: bigint | undefined
}

export const statuses = ['available', 'pending', 'sold'] as const
export const orderTabs = ['due', 'placed', 'completed', 'returned', 'cancelled', 'expired'] as const
export type OrderTab = 'due' | OrderStatus
export const spans = ['day', 'week', 'month'] as const
export type Span = (typeof spans)[number]

/** As many characters as the service searches for. */
export const searchLength = 128
/** As many as one request can ask for. */
export const pageMax = 100

const query = signal(location.search)
const readable = (text: string | null): string | undefined => text?.trim().slice(0, searchLength) || undefined
const oneOf = <T extends string>(all: readonly T[], text: string | null): T | undefined =>
  all.find((each) => each === text)

/** Without what the page does not know. */
export const address = computed((): Address => {
  const given = new URLSearchParams(query.value)
  return {
    category: int64(given.get('category')),
    status: oneOf(statuses, given.get('status')),
    search: readable(given.get('search')),
    sort: oneOf(['oldest'], given.get('sort')),
    show: oneOf(['orders', 'report'], given.get('show')),
    tab: oneOf(['due', 'completed', 'returned', 'cancelled', 'expired'], given.get('tab')),
    find: readable(given.get('find')),
    day: /^\d{4}-\d\d-\d\d$/.exec(given.get('day') ?? '')?.[0],
    span: oneOf(['week', 'month'], given.get('span')),
    pet: int64(given.get('pet')),
  }
})

// As text, which stays the same when other parts of the address change: then no list is loaded again.
const filterText = computed(() => {
  const { status, category, search, sort } = address.value
  return stringifyJson({ status, categoryId: category, search, order: sort === 'oldest' ? 'asc' : 'desc' })
})
/** Which animals are listed. */
export const filter = computed(() => parseJson(filterText.value) as PetFilter)

/** The address with some parts changed; undefined removes one. */
export function hrefOf(parts: Address): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries({ ...address.value, ...parts }))
    if (value !== undefined) parameters.set(name, String(value))
  return `${location.pathname}${parameters.size > 0 ? `?${parameters}` : ''}`
}

const isClosing = signal(false)

/**
 * What is opened over the list has an entry of its own in the history, with a state: going back closes it. What is
 * being typed has none.
 */
export function go(parts: Address, isTyped = false): void {
  const isOver = parts.pet !== undefined
  if (isTyped || (isOver && address.value.pet !== undefined)) history.replaceState(history.state, '', hrefOf(parts))
  else history.pushState(isOver ? {} : null, '', hrefOf(parts))
  query.value = location.search
}

/** Closes what is open as going back does, but once: a second time would leave the page. */
export function close(): void {
  if (history.state === null) {
    history.replaceState(null, '', hrefOf({ pet: undefined }))
    query.value = location.search
  } else if (!isClosing.value) {
    isClosing.value = true
    history.back()
  }
}

/** Follows the browser's history. */
export function startAddress(): void {
  addEventListener('popstate', () => {
    isClosing.value = false
    query.value = location.search
  })
  // What a link has opened lies over the list, too: going back closes it, and does not leave the shop.
  if (history.state === null && address.value.pet !== undefined) {
    const { href } = location
    history.replaceState(null, '', hrefOf({ pet: undefined }))
    history.pushState({}, '', href)
  }
}
