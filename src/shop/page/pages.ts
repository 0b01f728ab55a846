/**
 * The pages of animals that fit: of a search, those with its number, then those with its words in their names, then
 * those of categories whose names it has.
 */
import { computed } from '@preact/signals'
import { parseJson, stringifyJson } from '../../../client/src/json.ts'
import type { CallOptions } from '../../../client/src/options.ts'
import type { PetFilter } from '../../../client/src/petstore.ts'
import type { Pet } from '../../../client/src/types.ts'
import { address, filter, int64 } from './address.ts'
import { petstore } from './session.ts'
import { categoryNames, type Place } from './state.ts'

const categoriesMax = 5
export const byName = new Intl.Collator(undefined, { numeric: true })
/** So many are sorted by their names at once; the service lists them by their numbers alone. */
export const sortedMax = 1_000

export const folded = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
const wordsIn = (text: string): string[] => folded(text).match(/[\p{L}\p{N}]+/gu) ?? []

/** Of a text that has none the service could search for, nothing is found. */
const isSearchable = (text: string): boolean => /[\p{L}\p{N}]/u.test(text.normalize('NFKD'))

/** Whether a word of the search means the category: three letters of one of its words, or a whole one. */
const isMeant = (part: string, words: readonly string[]): boolean =>
  words.some((word) => word === part || (part.length > 2 && word.startsWith(part)))

/** The categories that a search names, with what else it has to be searched for in them; the closest first. */
function categoriesIn(search: string): { categoryId: bigint; search: string | undefined; others: number }[] {
  const parts = search.split(/\s+/)
  return [...categoryNames.value]
    .flatMap(([categoryId, name]) => {
      const words = wordsIn(name)
      const others = parts.filter((part) => !wordsIn(part).some((each) => isMeant(each, words)))
      if (others.length === parts.length) return []
      const text = others.join(' ')
      return { categoryId, search: isSearchable(text) ? text : undefined, others: words.length + others.length }
    })
    .sort((one, other) => one.others - other.others)
    .slice(0, categoriesMax)
}

// As text, which stays the same when only other names change: then no list is loaded anew.
const sourcesText = computed(() => {
  const { search, ...others } = filter.value
  if (search === undefined) return stringifyJson([filter.value])
  const named = others.categoryId === undefined ? categoriesIn(search) : []
  const inNames = isSearchable(search) ? [filter.value] : []
  return stringifyJson([...inNames, ...named.map(({ categoryId, search }) => ({ ...others, categoryId, search }))])
})
/** What is asked for, one after the other. */
export const sources = computed(() => parseJson(sourcesText.value) as PetFilter[])

/** The animal whose number is searched for. */
async function numbered(options?: CallOptions): Promise<Pet[]> {
  const { search, ...others } = filter.value
  const id = int64(search?.replace(/^#/, '') ?? null)
  if (id === undefined) return []
  const { items } = await petstore()
    .pets.list({ ...others, id: [id] }, options)
    .page()
  return items
}

/** Those first that are called exactly so. */
function exactFirst(pets: readonly Pet[], search: string): Pet[] {
  const wanted = wordsIn(search).join(' ')
  const [exact = [], others = []] = [true, false].map((isExact) =>
    pets.filter(({ name }) => (wordsIn(name).join(' ') === wanted) === isExact),
  )
  return [...exact, ...others]
}

export interface Page {
  readonly pets: Pet[]
  readonly next: Place | undefined
}

/** The next animals that fit and are not seen yet; empty only at the end. */
export async function readPage(
  place: Place | undefined,
  seen: Set<bigint>,
  options?: CallOptions,
  limit?: number,
): Promise<Page> {
  let at: Place | undefined = place ?? { source: 0, cursor: undefined }
  const pets = place ? [] : await numbered(options)
  while (at) {
    const source: PetFilter | undefined = sources.value[at.source]
    if (!source) return { pets, next: undefined }
    const { items, next }: { items: Pet[]; next: string | undefined } = await petstore()
      .pets.list({ ...source, ...(limit && { limit }), cursor: at.cursor }, options)
      .page()
    const isLast: boolean = at.source + 1 >= sources.value.length
    const later: Place | undefined = isLast ? undefined : { source: at.source + 1, cursor: undefined }
    for (const { id } of pets) seen.add(id)
    const fresh = items.filter(({ id }) => !seen.has(id))
    pets.push(...(filter.value.search ? exactFirst(fresh, filter.value.search) : fresh))
    at = next ? { source: at.source, cursor: next } : later
    const wanted = address.value.sort === 'name' ? sortedMax : 1
    if (pets.length >= wanted) break
  }
  for (const { id } of pets) seen.add(id)
  return { pets, next: at }
}
