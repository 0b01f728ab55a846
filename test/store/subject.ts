/** A store under test, and how its rows are read. */
import assert from 'node:assert/strict'
import { type Key, newToken } from '../../src/model/key.ts'
import type { NewPet, PetStatus } from '../../src/model/pet.ts'
import { wordsOf } from '../../src/model/words.ts'
import { type JsonObject, parseJson } from '../../src/schema/json.ts'
import type { IdempotencyClaim, Outcome, Page, PetQuery, Rendered, Store } from '../../src/store/store.ts'

export interface OpenedStore {
  /** The URL of its database. */
  readonly url: string
  /** An empty store. */
  readonly store: Store
  /** Closes the store and opens it again on the same data. */
  reopen(): Promise<Store>
  /** Closes the store and removes its data. */
  remove(): Promise<void>
}

export interface Pet extends Required<NewPet> {
  readonly id: bigint
}

export const statuses: readonly PetStatus[] = ['available', 'pending', 'sold']
export const int64Min = -(2n ** 63n)
export const int64Max = 2n ** 63n - 1n
/**
 * The ages for a purge: nothing is older than the first, and everything, up to a year from now, is older than the
 * second.
 */
export const [ofNone, ofAll] = [100 * 365 * 86_400_000, -365 * 86_400_000]
export const rex: Required<NewPet> = { name: 'Rex', categoryId: 1n, status: 'available' }

/** Reads animals from their JSON, which must contain exactly the four members in their order. */
export const petsOf = (json: string): Pet[] =>
  (parseJson(json).value as JsonObject[]).map((members) => {
    assert.deepEqual([...members.keys()], ['id', 'name', 'categoryId', 'status'])
    return Object.fromEntries(members) as unknown as Pet
  })

export function rowOf(outcome: Outcome): Rendered & { replayed: boolean } {
  assert.ok(typeof outcome !== 'string', `refused: ${outcome}`)
  return outcome
}

/** Returns what a plain comparison finds among animals in the order of their ids. */
export function matching(all: readonly Pet[], query: Partial<PetQuery>): Pet[] {
  const { status, categoryId, ids, search, after, isDescending } = query
  const found = all.filter(
    (pet) =>
      (after === undefined || (isDescending ? pet.id < after : pet.id > after)) &&
      (search?.every((each) => wordsOf(pet.name).some((word) => word.startsWith(each))) ?? true) &&
      (status === undefined || pet.status === status) &&
      (categoryId === undefined || pet.categoryId === categoryId) &&
      (ids === undefined || ids.includes(pet.id)),
  )
  return isDescending ? found.reverse() : found
}

/** Returns what the pages show, one after another, and the number of pages. */
export async function walk(
  { pets }: Store,
  query: Partial<PetQuery>,
  limit = 100,
): Promise<{ seen: Pet[]; pages: number }> {
  const seen: Pet[] = []
  let next: number | undefined = query.after
  let pages = 0
  do {
    const page: Page = await pets.page({ ...query, after: next, limit })
    assert.ok(petsOf(page.json).length <= limit)
    const isFurther = (to: number, from: number) => (query.isDescending ? to < from : to > from)
    assert.ok(
      page.next === undefined || next === undefined || isFurther(page.next, next),
      'the next page is further on',
    )
    seen.push(...petsOf(page.json))
    next = page.next
  } while (next !== undefined && ++pages < 2_500)
  return { seen, pages }
}

export class Subject {
  store: Store
  readonly #opened: OpenedStore

  constructor(opened: OpenedStore) {
    this.#opened = opened
    this.store = opened.store
  }

  get url(): string {
    return this.#opened.url
  }

  async reopen(): Promise<void> {
    this.store = await this.#opened.reopen()
  }

  remove(): Promise<void> {
    return this.#opened.remove()
  }

  addKey(key: Partial<Key> = {}): Promise<Key> {
    return this.store.keys.insert({
      name: 'key',
      prefix: 'pst_abcd',
      hash: newToken(),
      scopes: ['pets:read', 'pets:write'],
      createdAt: 1_800_000_000_000,
      expiresAt: undefined,
      ...key,
    })
  }

  /** Returns a claim that was never made before, because its API key is new. */
  async newClaim(): Promise<IdempotencyClaim> {
    const { id } = await this.addKey()
    return { keyId: id, route: 'POST /v1/pets', idempotencyKey: 'first', fingerprint: 'a' }
  }
}
