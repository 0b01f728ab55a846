/** What is shown, according to the address: animals, orders or the report, their filters, and the open animal. */
import { computed, signal } from '@preact/signals'
import { parseJson, stringifyJson } from '../../../../client/src/json.ts'
import type { PetFilter } from '../../../../client/src/petstore.ts'
import type { OrderStatus, PetStatus } from '../../../../client/src/types.ts'
import { int64 } from '../words.ts'

export interface Address {
  readonly status?: PetStatus | undefined
  readonly category?: bigint | undefined
  readonly search?: string | undefined
  /** The order of the list. By default, the newest animals come first. */
  readonly sort?: 'oldest' | undefined
  /** What is shown. The default is the animals. */
  readonly show?: 'orders' | 'report' | undefined
  /** The state of the orders. The default is the open orders. */
  readonly tab?: Exclude<OrderTab, 'placed'> | undefined
  /** The search text for orders. */
  readonly find?: string | undefined
  /** The day of the report, which is today by default, and the span, which is a day by default. */
  readonly day?: string | undefined
  readonly span?: Exclude<Span, 'day'> | undefined
  readonly pet?: bigint | undefined
}

export const statuses = ['available', 'pending', 'sold'] as const
export const orderTabs = ['due', 'placed', 'completed', 'returned', 'cancelled', 'expired'] as const
export type OrderTab = 'due' | OrderStatus
export const spans = ['day', 'week', 'month'] as const
export type Span = (typeof spans)[number]

/** The most characters that the service accepts in a search. */
export const searchLength = 128
/** The most items that one request can ask for. */
export const pageMax = 100

const query = signal(location.search)
const readable = (text: string | null): string | undefined => text?.trim().slice(0, searchLength) || undefined
const oneOf = <T extends string>(all: readonly T[], text: string | null): T | undefined =>
  all.find((each) => each === text)

/** The parts of the address that the page knows. */
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

// A text stays equal when other parts of the address change, so that no list is loaded again.
const filterText = computed(() => {
  const { status, category, search, sort } = address.value
  return stringifyJson({ status, categoryId: category, search, order: sort === 'oldest' ? 'asc' : 'desc' })
})
/** The filter of the listed animals. */
export const filter = computed(() => parseJson(filterText.value) as PetFilter)

/** Returns the address with some parts changed. A part that is undefined is removed. */
export function hrefOf(parts: Address): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries({ ...address.value, ...parts }))
    if (value !== undefined) parameters.set(name, String(value))
  return `${location.pathname}${parameters.size > 0 ? `?${parameters}` : ''}`
}

const isClosing = signal(false)

/**
 * Changes the address. Something that opens over the list gets its own entry in the history with a state, so that going
 * back closes it. Typing creates no entries.
 */
export function go(parts: Address, isTyped = false): void {
  const isOver = parts.pet !== undefined
  const { show } = address.value
  if (isTyped || (isOver && address.value.pet !== undefined)) history.replaceState(history.state, '', hrefOf(parts))
  else history.pushState(isOver ? {} : null, '', hrefOf(parts))
  query.value = location.search
  // Another view begins at its top.
  if (address.value.show !== show) scrollTo(0, 0)
}

/** Closes what is open like going back does, but only once, because a second time would leave the page. */
export function close(): void {
  if (history.state === null) {
    history.replaceState(null, '', hrefOf({ pet: undefined }))
    query.value = location.search
  } else if (!isClosing.value) {
    isClosing.value = true
    history.back()
  }
}

/** Follows the history of the browser. */
export function startAddress(): void {
  addEventListener('popstate', () => {
    isClosing.value = false
    query.value = location.search
  })
  // An animal that a link has opened also lies over the list. Going back must close it without leaving the shop.
  if (history.state === null && address.value.pet !== undefined) {
    const { href } = location
    history.replaceState(null, '', hrefOf({ pet: undefined }))
    history.pushState({}, '', href)
  }
}
