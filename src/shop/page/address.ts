// @ts-nocheck
/** What is shown, as the address says it: filters, cards or table, and the animal that is open. */
import { computed, signal } from '@preact/signals'
import { isInt64 } from './api.ts'

export const statuses = ['available', 'pending', 'sold']

/** Without a prototype: an address may name its members. */
const allowed = {
  __proto__: null,
  status: (text) => statuses.includes(text),
  category: isInt64,
  view: (text) => text === 'table',
  pet: isInt64,
}

const search = signal(location.search)
addEventListener('popstate', () => {
  search.value = location.search
})

export const address = computed(() => {
  const given = new URLSearchParams(search.value)
  return Object.fromEntries([...given].filter(([name, value]) => allowed[name]?.(value)))
})

/** Fills whole rows of one to four cards. */
export const pageSize = 48

/** The filters alone, as the query of GET /pets. */
export const filters = computed(() => {
  const { status, category } = address.value
  return String(
    new URLSearchParams({ limit: pageSize, ...(status && { status }), ...(category && { categoryId: category }) }),
  )
})

/** The address with some parts changed; undefined removes one. */
export function hrefOf(parts) {
  const next = Object.entries({ ...address.value, ...parts }).filter(([, value]) => value !== undefined)
  return `${location.pathname}${next.length > 0 ? `?${new URLSearchParams(next)}` : ''}`
}

export function go(parts) {
  history.pushState(null, '', hrefOf(parts))
  search.value = location.search
}
