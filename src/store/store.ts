/** What the service asks of a database. Every implementation passes the one suite in test/store. */
import type { ErrorCode } from '../errors.ts'
import type { Key } from '../keys/key.ts'
import type { NewPet, PetStatus } from '../pets/pet.ts'
import type { Bulk } from './tables.ts'

export interface Store {
  readonly pets: PetTable
  readonly keys: KeyTable
  readonly bulk: Bulk
  /** Rejects while the database cannot answer. */
  ready(): Promise<void>
  /** Forgets idempotency records older than `before`. */
  forget(before: number): Promise<void>
  /** Finishes what is under way, then lets go of the database. */
  close(): Promise<void>
}

/** An answer now or later: an embedded store need not wait, a remote one must. */
export type Eventually<T> = T | Promise<T>

/** One row, already rendered as the JSON clients see: it is written once and read many times. */
export interface Rendered {
  readonly id: number
  readonly json: string
}

/** A POST that may be repeated: who sent it, to where, under which Idempotency-Key, with which body. */
export interface Attempt {
  readonly keyId: number
  readonly route: string
  readonly idempotencyKey: string
  readonly fingerprint: string
  readonly now: number
}
export const attemptMilliseconds = 24 * 60 * 60 * 1000

/** What became of an attempt: the row (again, where `replayed`), or the code that says why not. */
export type Outcome = (Rendered & { readonly replayed: boolean }) | ErrorCode

export interface PetQuery {
  readonly after: number
  readonly limit: number
  readonly status?: PetStatus | undefined
  readonly categoryId?: bigint | undefined
  readonly ids?: readonly bigint[] | undefined
}

export interface Page {
  /** A JSON array of the rows, in ascending order of id. */
  readonly json: string
  /** The id of the last row where more rows follow it. */
  readonly next: number | undefined
}

export interface PetTable {
  /** Resolves once the animal is durable. */
  insert(pet: Required<NewPet>, attempt: Attempt | undefined): Promise<Outcome>
  find(id: bigint): Eventually<string | undefined>
  page(query: PetQuery): Eventually<Page>
}

export interface KeyTable {
  insert(key: Omit<Key, 'id' | 'revokedAt' | 'lastUsedAt'>): Promise<Key>
  find(id: number): Promise<Key | undefined>
  findByHash(hash: string): Promise<Key | undefined>
  list(): Promise<Key[]>
  revoke(id: number, at: number): Promise<void>
  expire(id: number, at: number): Promise<void>
  touch(id: number, at: number): Promise<void>
}

/** The database cannot do its work now: a full disk, a lost connection. Answered with 503. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable'
}

/** The database cannot be opened at all; the message says what to do. */
export class StoreRefused extends Error {
  override readonly name = 'StoreRefused'
}
