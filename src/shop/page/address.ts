/** What is shown, as the address says it: filters, search and order, cards or table, and the animal that is open. */
import { computed, signal } from '@preact/signals'
import { parseJson, stringifyJson } from '../../../client/src/json.ts'
import type { PetFilter } from '../../../client/src/petstore.ts'
import type { PetStatus } from '../../../client/src/types.ts'

export interface Address {
  readonly status?: PetStatus | undefined
  readonly category?: bigint | undefined
  readonly search?: string | undefined
  readonly sort?: 'oldest' | undefined
  readonly view?: 'table' | undefined
  readonly pet?: bigint | undefined
}

export const statuses = ['available', 'pending', 'sold'] as const

export const int64 = (text: string | null): bigint | undefined => {
  if (text === null || !/^-?\d{1,19}$/.test(text)) return undefined
  const id = BigInt.asIntN(64, BigInt(text))
  return String(id) === text ? id : undefined
}

/** As many characters as the service searches for. */
export const searchLength = 128

const query = signal(location.search)
addEventListener('popstate', () => {
  query.value = location.search
})

/** Without what the page does not know. */
export const address = computed((): Address => {
  const given = new URLSearchParams(query.value)
  return {
    category: int64(given.get('category')),
    status: statuses.find((status) => status === given.get('status')),
    search: given.get('search')?.trim().slice(0, searchLength) || undefined,
    sort: given.get('sort') === 'oldest' ? 'oldest' : undefined,
    view: given.get('view') === 'table' ? 'table' : undefined,
    pet: int64(given.get('pet')),
  }
})

/** Fills whole rows of one to four cards. */
export const pageSize = 48

// As text, which stays the same when other parts of the address change: then no list is loaded anew.
const filterText = computed(() => {
  const { status, category, search, sort } = address.value
  return stringifyJson({ limit: pageSize, status, categoryId: category, search, order: sort ? 'asc' : 'desc' })
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

/** Without a place of its own in the history, if it is what is being typed. */
export function go(parts: Address, isTyped = false): void {
  history[isTyped ? 'replaceState' : 'pushState'](null, '', hrefOf(parts))
  query.value = location.search
}
