/** What is shown, as the address says it: animals or orders, filters, search and order, and the animal that is open. */
import { computed, signal } from '@preact/signals'
import { parseJson, stringifyJson } from '../../../client/src/json.ts'
import type { PetFilter } from '../../../client/src/petstore.ts'
import type { OrderStatus, PetStatus } from '../../../client/src/types.ts'

export interface Address {
  readonly status?: PetStatus | undefined
  readonly category?: bigint | undefined
  readonly search?: string | undefined
  readonly sort?: (typeof sorts)[number] | undefined
  readonly show?: (typeof views)[number] | undefined
  /** Which orders; those that are open unless given. */
  readonly tab?: OrderStatus | undefined
  /** What is searched for among the orders. */
  readonly find?: string | undefined
  /** Of the report. */
  readonly day?: string | undefined
  readonly pet?: bigint | undefined
}

export const statuses = ['available', 'pending', 'sold'] as const
/** Other orders of the list than the newest first. */
const sorts = ['oldest', 'name'] as const
/** Other things to see than the animals. */
const views = ['orders', 'report'] as const
export const orderTabs = ['placed', 'completed', 'returned', 'cancelled', 'expired'] as const

export const int64 = (text: string | null): bigint | undefined => {
  if (text === null || !/^-?\d{1,19}$/.test(text)) return undefined
  const id = BigInt.asIntN(64, BigInt(text))
  return String(id) === text ? id : undefined
}

/** As many characters as the service searches for. */
export const searchLength = 128

const query = signal(location.search)
/** Whether what is open is about to be closed. */
let isClosing = false
addEventListener('popstate', () => {
  isClosing = false
  query.value = location.search
})

/** Without what the page does not know. */
export const address = computed((): Address => {
  const given = new URLSearchParams(query.value)
  return {
    category: int64(given.get('category')),
    status: statuses.find((status) => status === given.get('status')),
    search: given.get('search')?.trim().slice(0, searchLength) || undefined,
    sort: sorts.find((sort) => sort === given.get('sort')),
    show: views.find((view) => view === given.get('show')),
    tab: orderTabs.find((tab) => tab === given.get('tab') && tab !== 'placed'),
    find: given.get('find')?.trim().slice(0, searchLength) || undefined,
    day: /^\d{4}-\d\d-\d\d$/.exec(given.get('day') ?? '')?.[0],
    pet: int64(given.get('pet')),
  }
})

/** Fills whole rows of one to four cards. */
export const pageSize = 48
/** As many as one request can ask for. */
export const pageMax = 100

// As text, which stays the same when other parts of the address change: then no list is loaded anew.
const filterText = computed(() => {
  const { status, category, search, sort } = address.value
  // Of what is searched for, as much as can be: an exact name comes first in it.
  const limit = search || sort === 'name' ? pageMax : pageSize
  return stringifyJson({ limit, status, categoryId: category, search, order: sort === 'oldest' ? 'asc' : 'desc' })
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

/**
 * What is opened over the list has an entry of its own in the history, with a state: going back closes it. What is
 * being typed has
 * none.
 */
export function go(parts: Address, isTyped = false): void {
  const isOver = parts.pet !== undefined
  if (isTyped || (isOver && address.value.pet !== undefined)) history.replaceState(history.state, '', hrefOf(parts))
  else history.pushState(isOver ? {} : null, '', hrefOf(parts))
  query.value = location.search
}

// What a link has opened lies over the list, too: going back closes it, and does not leave the shop.
if (history.state === null && address.value.pet !== undefined) {
  const { href } = location
  history.replaceState(null, '', hrefOf({ pet: undefined }))
  history.pushState({}, '', href)
}

/**
 * Closes what is open as going back does: a second time, or where the page began with it, that would leave the page.
 */
export function close(): void {
  if (history.state === null) {
    history.replaceState(null, '', hrefOf({ pet: undefined }))
    query.value = location.search
  } else if (!isClosing) {
    isClosing = true
    history.back()
  }
}
