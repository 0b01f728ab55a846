/** What is shown, as the address says it: filters, cards or table, and the animal that is open. */
import { computed, signal } from '@preact/signals'
import { parseJson, stringifyJson } from '../../../client/src/json.ts'
import type { PetFilter } from '../../../client/src/petstore.ts'
import type { PetStatus } from '../../../client/src/types.ts'

export interface Address {
  readonly status?: PetStatus | undefined
  readonly category?: bigint | undefined
  readonly view?: 'table' | undefined
  readonly pet?: bigint | undefined
}

export const statuses = ['available', 'pending', 'sold'] as const

const int64 = (text: string | null): bigint | undefined => {
  if (text === null || !/^-?\d{1,19}$/.test(text)) return undefined
  const id = BigInt.asIntN(64, BigInt(text))
  return String(id) === text ? id : undefined
}

const search = signal(location.search)
addEventListener('popstate', () => {
  search.value = location.search
})

/** Without what the page does not know. */
export const address = computed((): Address => {
  const given = new URLSearchParams(search.value)
  return {
    category: int64(given.get('category')),
    status: statuses.find((status) => status === given.get('status')),
    view: given.get('view') === 'table' ? 'table' : undefined,
    pet: int64(given.get('pet')),
  }
})

/** Fills whole rows of one to four cards. */
export const pageSize = 48

// As text, which stays the same when other parts of the address change: then no list is loaded anew.
const filterText = computed(() => {
  const { status, category } = address.value
  return stringifyJson({ limit: pageSize, status, categoryId: category })
})
/** Which animals are listed. */
export const filter = computed(() => parseJson(filterText.value) as PetFilter)

/** The address with some parts changed; undefined removes one. */
export function hrefOf(parts: Address): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries({ ...address.value, ...parts }))
    if (value !== undefined) query.set(name, String(value))
  return `${location.pathname}${query.size > 0 ? `?${query}` : ''}`
}

export function go(parts: Address): void {
  history.pushState(null, '', hrefOf(parts))
  search.value = location.search
}
