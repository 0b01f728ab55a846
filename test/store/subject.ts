/** A store under test beside a plain model of what it must hold. */
import assert from 'node:assert/strict'
import { type Key, newToken } from '../../src/model/key.ts'
import { type NewPet, type PetStatus, wordsOf } from '../../src/model/pet.ts'
import { type JsonObject, parseJson } from '../../src/schema/json.ts'
import type { IdempotencyClaim, Outcome, Page, PetQuery, Rendered, Store } from '../../src/store/store.ts'

export interface OpenedStore {
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
export const rex: Required<NewPet> = { name: 'Rex', categoryId: 1n, status: 'available' }

/** A pet from its JSON, which holds the four members in their order and nothing else. */
export const petOf = (json: string): Pet => petIn(parseJson(json).value as JsonObject)
export const petsOf = (json: string): Pet[] => (parseJson(json).value as JsonObject[]).map(petIn)

function petIn(members: JsonObject): Pet {
  assert.deepEqual([...members.keys()], ['id', 'name', 'categoryId', 'status'])
  return Object.fromEntries(members) as unknown as Pet
}

export function rowOf(outcome: Outcome): Rendered & { replayed: boolean } {
  assert.ok(typeof outcome !== 'string', `refused: ${outcome}`)
  return outcome
}

export const byId = (a: { id: bigint }, b: { id: bigint }): number => (a.id < b.id ? -1 : 1)

const hasWords = (name: string, search: readonly string[]): boolean => {
  const words = wordsOf(name)
  return search.every((each) => words.some((word) => word.startsWith(each)))
}

export class Subject {
  store: Store
  /** Every animal the store must hold. */
  readonly model: Pet[] = []
  readonly #opened: OpenedStore

  constructor(opened: OpenedStore) {
    this.#opened = opened
    this.store = opened.store
  }

  async reopen(): Promise<void> {
    this.store = await this.#opened.reopen()
  }

  remove(): Promise<void> {
    return this.#opened.remove()
  }

  /** The model, in ascending order of id. */
  all(): Pet[] {
    return this.model.toSorted(byId)
  }

  /** What a plain search gives. */
  matching({ status, categoryId, ids, search }: Partial<PetQuery>, from = 0n): Pet[] {
    return this.all().filter(
      (pet) =>
        pet.id > from &&
        (search === undefined || hasWords(pet.name, search)) &&
        (status === undefined || pet.status === status) &&
        (categoryId === undefined || pet.categoryId === categoryId) &&
        (ids === undefined || ids.includes(pet.id)),
    )
  }

  /** What became of an animal. */
  replace(id: bigint, pet: Pet | undefined): void {
    const at = this.model.findIndex((each) => each.id === id)
    this.model.splice(at, 1, ...(pet ? [pet] : []))
  }

  async add(pet: Required<NewPet> = rex): Promise<Pet> {
    const row = rowOf(await this.store.pets.insert(pet, undefined))
    const added = petOf(row.json)
    assert.deepEqual(added, { id: BigInt(row.id), ...pet })
    assert.equal(row.replayed, false)
    this.model.push(added)
    return added
  }

  async claim(pet: Required<NewPet>, claim: IdempotencyClaim): Promise<Outcome> {
    const outcome = await this.store.pets.insert(pet, claim)
    if (typeof outcome !== 'string' && !outcome.replayed) this.model.push(petOf(outcome.json))
    return outcome
  }

  async found(id: bigint): Promise<Pet | undefined> {
    const json = await this.store.pets.find(id)
    return json === undefined ? undefined : petOf(json)
  }

  /** Every animal the pages show. */
  async walk(query: Partial<PetQuery> = {}, limit = 100): Promise<Pet[]> {
    const seen: Pet[] = []
    let next: number | undefined = query.after
    do {
      const page: Page = await this.store.pets.page({ ...query, after: next, limit })
      assert.ok(petsOf(page.json).length <= limit)
      seen.push(...petsOf(page.json))
      next = page.next
    } while (next !== undefined)
    return seen
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

  /** A claim that was never made before, as its API key is new. */
  async newClaim(): Promise<IdempotencyClaim> {
    const { id } = await this.addKey()
    return { keyId: id, route: 'POST /v1/pets', idempotencyKey: 'first', fingerprint: 'a', now: 1_800_000_000_000 }
  }
}
