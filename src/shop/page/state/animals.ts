/** The listed animals: the loaded pages, the animals that were just added, and those that others have added. */
import { batch, computed, type ReadonlySignal, signal } from '@preact/signals'
import { stringifyJson } from '../../../../client/src/json.ts'
import type { CallOptions } from '../../../../client/src/options.ts'
import type { Inventory, Pet, PetStatus } from '../../../../client/src/types.ts'
import { numberIn, wordsIn } from '../words.ts'
import { address, filter, pageMax } from './address.ts'
import { categories, countOf, inventory } from './catalogue.ts'
import { beforeAsking, isCurrent, learn } from './known.ts'
import { createQuestions } from './latest.ts'
import { noteLimit, petstore } from './session.ts'

/** An animal as it is shown. A removed animal keeps its place. */
export type ShownPet = Omit<Pet, 'status'> & { readonly status: PetStatus | 'removed' }

/** A page of the list. A page that changes is replaced, so that the other pages are not drawn again. */
export interface Chunk {
  readonly pets: readonly ShownPet[]
  /** The cursor of the next page, or undefined on the last one. */
  readonly next: string | undefined
}

interface Listed {
  readonly chunks: readonly Chunk[]
  /** The animals that were added here since the list was loaded, the newest first. */
  readonly added: readonly ShownPet[]
  /** The animals that others have added meanwhile, the newest first. They are shown on request. */
  readonly newcomers: readonly Pet[]
  /** Whether there may be further animals between these and the list. */
  readonly hasGap: boolean
}

const none: Listed = { chunks: [], added: [], newcomers: [], hasGap: false }
const state = {
  listed: signal(none),
  failure: signal<unknown>(null),
  isLoading: signal(false),
  readAt: signal<Date | null>(null),
}
const questions = createQuestions()

/** Whether there are more new animals than the page knows. */
export const hasGap = computed(() => state.listed.value.hasGap)
export const chunks = computed(() => state.listed.value.chunks)
export const added = computed(() => state.listed.value.added)
export const newcomers = computed(() => {
  const mine = new Set(added.value.map(({ id }) => id))
  return state.listed.value.newcomers.filter(({ id }) => !mine.has(id))
})
/** The reason why the list could not be loaded. */
export const failure: ReadonlySignal<unknown> = state.failure
export const isLoading: ReadonlySignal<boolean> = state.isLoading
/** When the list was read, or null before that. */
export const readAt: ReadonlySignal<Date | null> = state.readAt
/** Whether there is another page to load. */
export const hasMore = computed(() => chunks.value.at(-1)?.next !== undefined)

/** The loaded animals: those that were just added, and then those of each page. */
export const lists = computed((): readonly (readonly ShownPet[])[] => {
  const mine = new Set(added.value.map(({ id }) => id))
  const others = (pets: readonly ShownPet[]) =>
    pets.some(({ id }) => mine.has(id)) ? pets.filter(({ id }) => !mine.has(id)) : pets
  return [added.value, ...chunks.value.map(({ pets }) => others(pets))]
})
/** Whether an animal matches the filters. Only the service knows what matches a search. */
export function isFitting({ categoryId, status }: ShownPet): boolean {
  const chosen = filter.value
  const isOf = chosen.categoryId === undefined || chosen.categoryId === categoryId
  return status !== 'removed' && isOf && (chosen.status === undefined || chosen.status === status)
}
export const petShown = (id: bigint): ShownPet | undefined => lists.value.flat().find((pet) => pet.id === id)

/**
 * The number of animals of each status that match. The service counts none for a search, so this is known only after
 * everything that was found is loaded.
 */
export const counts = computed((): Inventory | undefined => {
  const { status, category, search } = address.value
  if (search) {
    if (status || hasMore.value || isLoading.value || failure.value) return undefined
    const found = chunks.value.flatMap(({ pets }) => pets).filter(isFitting)
    const count = (wanted: PetStatus) => found.filter((pet) => pet.status === wanted).length
    return { available: count('available'), pending: count('pending'), sold: count('sold') }
  }
  if (category === undefined || categories.value.length === 0) return inventory.value ?? undefined
  const nothing = { available: 0, pending: 0, sold: 0 }
  return categories.value.find(({ categoryId }) => categoryId === category) ?? nothing
})
/** The number of matching animals, if it is known. */
export const total = computed(() => {
  const { status } = address.value
  return counts.value && (status ? counts.value[status] : countOf(counts.value))
})

export const isSame = (one: unknown, other: unknown): boolean => stringifyJson(one) === stringifyJson(other)

/** Whether the service can find anything. It finds only words, and so nothing for a text without any. */
const isSearchable = (text: string): boolean => /[\p{L}\p{N}]/u.test(text.normalize('NFKD'))

/** Returns the animal whose number is searched for. */
async function numbered(options?: CallOptions): Promise<Pet[]> {
  const { search, ...others } = filter.value
  const id = search === undefined ? undefined : numberIn(search)
  if (id === undefined) return []
  const { items } = await petstore()
    .pets.list({ ...others, id: [id] }, options)
    .page()
  return items
}

/** Puts the animals first whose name equals the search text. */
function exactFirst(pets: readonly Pet[], search: string | undefined): Pet[] {
  if (search === undefined) return [...pets]
  const wanted = wordsIn(search).join(' ')
  const isExact = ({ name }: Pet) => wordsIn(name).join(' ') === wanted
  return [...pets.filter(isExact), ...pets.filter((pet) => !isExact(pet))]
}

/** Returns the next matching animals that were not seen yet. The result is empty only at the end. */
export async function readPage(cursor: string | undefined, seen: Set<bigint>, options?: CallOptions) {
  const { search } = filter.value
  const asked = { ...filter.value, limit: pageMax }
  const pets = cursor ? [] : await numbered(options)
  let next = cursor
  if (search === undefined || isSearchable(search))
    do {
      const page = await petstore()
        .pets.list({ ...asked, cursor: next }, options)
        .page()
      for (const { id } of pets) seen.add(id)
      const fresh = page.items.filter(({ id }) => !seen.has(id))
      pets.push(...exactFirst(fresh, search))
      next = page.next
    } while (next && pets.length === 0)
  for (const { id } of pets) seen.add(id)
  return { pets, next }
}

const idsIn = (list: readonly Chunk[]): Set<bigint> => new Set(list.flatMap(({ pets }) => pets.map(({ id }) => id)))

/** Keeps what was learned since the request was sent. */
function asKnown(pets: readonly Pet[], at: number): ShownPet[] {
  return pets.map((pet) => (isCurrent(pet.id, at) ? pet : (petShown(pet.id) ?? pet)))
}

/**
 * Loads the list. What is shown stays until the answer arrives, because a list that disappears with each letter cannot
 * be read.
 */
async function load(cursor: string | undefined): Promise<void> {
  const isLatest = questions.ask()
  const at = beforeAsking()
  batch(() => {
    state.isLoading.value = true
    state.failure.value = null
  })
  try {
    const { pets, next } = await readPage(cursor, idsIn(cursor ? chunks.peek() : []))
    if (!isLatest()) return
    const chunk = { pets: asKnown(pets, at), next }
    batch(() => {
      state.isLoading.value = false
      state.listed.value = cursor
        ? { ...state.listed.peek(), chunks: [...chunks.peek(), chunk] }
        : { ...none, chunks: [chunk] }
      if (!cursor) state.readAt.value = new Date()
    })
    if (!cursor) scrollTo(0, 0)
  } catch (error) {
    if (!isLatest()) return
    noteLimit(error)
    batch(() => {
      state.isLoading.value = false
      if (!cursor) state.listed.value = none
      state.failure.value = error
    })
  }
}
export const loadFirst = (): Promise<void> => load(undefined)
export async function loadMore(): Promise<void> {
  const { next } = chunks.peek().at(-1) ?? {}
  if (next && !isLoading.peek()) await load(next)
}
/** Loads again what has failed. */
export const loadAgain = (): Promise<void> => (chunks.peek().length > 0 ? loadMore() : loadFirst())

/** Shows the current state of an animal wherever it is listed. */
export function putPet(pet: ShownPet, at?: number): void {
  learn(pet.id, at)
  const isOld = (each: ShownPet) => each.id === pet.id && !isSame(each, pet)
  const put = (pets: readonly ShownPet[]) =>
    pets.some(isOld) ? pets.map((each) => (each.id === pet.id ? pet : each)) : pets
  const { chunks, added } = state.listed.peek()
  if (![added, ...chunks.map(({ pets }) => pets)].some((pets) => pets.some(isOld))) return
  const putInChunk = (chunk: Chunk) => (chunk.pets.some(isOld) ? { ...chunk, pets: put(chunk.pets) } : chunk)
  state.listed.value = { ...state.listed.peek(), chunks: chunks.map(putInChunk), added: put(added) }
}

export function addToList(pet: Pet): void {
  learn(pet.id)
  state.listed.value = { ...state.listed.peek(), added: [pet, ...added.peek()] }
}
export function takeFromList(id: bigint): void {
  const without = <T extends ShownPet>(pets: readonly T[]) => pets.filter((pet) => pet.id !== id)
  const { chunks, added, newcomers } = state.listed.peek()
  state.listed.value = {
    ...state.listed.peek(),
    chunks: chunks.map((chunk) => ({ ...chunk, pets: without(chunk.pets) })),
    added: without(added),
    newcomers: without(newcomers),
  }
}

/** Shows what others have added. If this happened by itself, it would move what somebody is about to click. */
export function showNewcomers(): void {
  if (hasGap.peek()) return void loadFirst()
  state.listed.value = { ...state.listed.peek(), added: [...newcomers.peek(), ...added.peek()], newcomers: [] }
}

/** Adds matching animals of other people: at the end of the list, or as an announcement if the newest come first. */
export function announce(pets: readonly Pet[]): void {
  const { chunks, newcomers } = state.listed.peek()
  const last = chunks.at(-1)
  if (filter.peek().order === 'desc') {
    const others = newcomers.filter(({ id }) => pets.every((pet) => pet.id !== id))
    const fresh = pets.toSorted((one, other) => (one.id < other.id ? 1 : -1))
    state.listed.value = { ...state.listed.peek(), newcomers: [...fresh, ...others] }
  } else if (last && last.next === undefined) {
    const fresh = pets.toSorted((one, other) => (one.id < other.id ? -1 : 1))
    const end = { ...last, pets: [...last.pets, ...fresh] }
    state.listed.value = { ...state.listed.peek(), chunks: [...chunks.slice(0, -1), end] }
  }
}

/** Whether an animal that is not listed may have to be announced. */
export function mayBeNew(id: bigint): boolean {
  const { chunks, newcomers } = state.listed.peek()
  const isNewestFirst = filter.peek().order === 'desc'
  const end = (isNewestFirst ? chunks[0] : chunks.at(-1))?.pets ?? []
  if (!isNewestFirst && hasMore.peek()) return false
  return [...newcomers, ...end].every((pet) => pet.id < id)
}

/**
 * Returns the animals that are shown but were not among those just read, by their numbers. Removed animals are missing
 * from the result.
 */
async function readLeft(ids: readonly bigint[]): Promise<Map<bigint, Pet>> {
  if (ids.length === 0) return new Map()
  const { items } = await petstore().pets.list({ limit: pageMax, id: ids }).page()
  return new Map(items.map((pet) => [pet.id, pet]))
}

/**
 * Returns what is shown in its current state, with each animal in its place. Animals after the last one are added at
 * the end, and new ones before it wait until they are requested. Returns undefined if nothing is shown, or if too many
 * animals have left the list.
 */
async function inPlace(fresh: readonly Chunk[], at: number): Promise<Listed | undefined> {
  const drawn = chunks.peek()
  const found = fresh.flatMap(({ pets }) => pets)
  const now = new Map(found.map((pet) => [pet.id, pet]))
  const isShown = idsIn(drawn)
  const left = [...isShown].filter((id) => !now.has(id))
  if (isShown.size === 0 || left.length > pageMax) return undefined
  const others = await readLeft(left)
  const asShown = (pet: ShownPet): ShownPet => {
    const known = now.get(pet.id) ?? others.get(pet.id) ?? { ...pet, status: 'removed' }
    return isCurrent(pet.id, at) ? known : (petShown(pet.id) ?? known)
  }
  const kept = drawn.map((chunk) => ({ ...chunk, pets: chunk.pets.map(asShown) }))
  const last = found.findLastIndex(({ id }) => isShown.has(id))
  const [before, after] = last < 0 ? [found, []] : [found.slice(0, last), found.slice(last + 1)]
  const { next } = fresh.at(-1) ?? {}
  // If none of the animals that were read is shown yet, the list continues where it did.
  const end = { pets: [...(kept.at(-1)?.pets ?? []), ...after], next: last < 0 ? drawn.at(-1)?.next : next }
  return {
    chunks: [...kept.slice(0, -1), end],
    added: [],
    newcomers: before.filter(({ id }) => !isShown.has(id)) as Pet[],
    hasGap: last < 0 && next !== undefined,
  }
}

/**
 * Reads again what is shown, page by page, because the beginning of a page depends on which animals have left or joined
 * the pages before it. Each animal stays in its place, unless `isAnew`.
 */
export async function reloadList(isAnew: boolean): Promise<void> {
  const source = filter.peek()
  const at = beforeAsking()
  const wanted = chunks.peek().length
  const isLatest = questions.ask()
  const fresh: Chunk[] = []
  let cursor: string | undefined
  do {
    const { pets, next } = await readPage(cursor, idsIn(fresh))
    if (!isLatest() || source !== filter.peek()) return
    fresh.push({ pets: asKnown(pets, at), next })
    cursor = next
  } while (cursor && fresh.length < wanted)
  const mine = await readAdded()
  const placed = isAnew ? undefined : await inPlace(fresh, at)
  if (!isLatest()) return
  const next = placed ?? { ...none, chunks: fresh }
  batch(() => {
    state.readAt.value = new Date()
    state.failure.value = null
    state.isLoading.value = false
    state.listed.value = {
      ...next,
      // A part that has not changed is not drawn again.
      chunks: next.chunks.map((chunk, i) => {
        const drawn = chunks.peek()[i]
        return drawn && isSame(chunk, drawn) ? drawn : chunk
      }),
      added: mine,
    }
  })
}

/** Reads the animals that were just added, which the pages may not contain yet. */
async function readAdded(): Promise<readonly ShownPet[]> {
  const before = added.peek()
  if (before.length === 0) return before
  const id = before.slice(0, pageMax).map((pet) => pet.id)
  const at = beforeAsking()
  const { items } = await petstore().pets.list({ limit: pageMax, id, order: 'desc' }).page()
  const later = added.peek().filter(({ id }) => before.every((pet) => pet.id !== id))
  return [...later, ...asKnown(items, at), ...before.slice(pageMax)]
}

export function forgetAnimals(): void {
  questions.ask()
  batch(() => {
    state.listed.value = none
    state.failure.value = state.readAt.value = null
    state.isLoading.value = false
  })
}
