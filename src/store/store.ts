/** What the service asks of a database. Every implementation passes the one suite in test/store. */
import type { Key, NewKey } from '../model/key.ts'
import type { OrderEnd, OrderStatus } from '../model/order.ts'
import type { NewPet, PetPatch, PetStatus } from '../model/pet.ts'
import type { Bulk } from './tables.ts'

export interface Store {
  readonly pets: PetTable
  readonly orders: OrderTable
  readonly keys: KeyTable
  readonly bulk: Bulk
  /** Rejects while the database cannot answer. */
  ready(): Promise<void>
  /** Removes idempotency records made before an instant. */
  purgeIdempotencyRecords(before: number): Promise<void>
  /** Finishes what is under way, then lets go of the database. */
  close(): Promise<void>
  /** As `close`; a database that did not exist before it was opened is removed. */
  discard(): Promise<void>
}

/** An answer now or later: an embedded store need not wait, a remote one must. */
export type Eventually<T> = T | Promise<T>

/** One row, already rendered as the JSON clients see: it is written once and read many times. */
export interface Rendered {
  readonly id: number
  readonly json: string
}

/** A request with an Idempotency-Key: who sent it, to where, under which key, with which body, and when. */
export interface IdempotencyClaim {
  readonly keyId: number
  readonly route: string
  readonly idempotencyKey: string
  readonly fingerprint: string
  readonly now: number
}

/** What became of an claim: the row (again, where `replayed`), or the code that says why not. */
export type Outcome = (Rendered & { readonly replayed: boolean }) | Refusal

/** Why a store writes nothing. */
export type Refusal =
  | 'pet_not_available'
  | 'unknown_pet'
  | 'order_state_conflict'
  | 'precondition_failed'
  | 'idempotency_in_progress'
  | 'idempotency_key_reused'

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
  insert(pet: Required<NewPet>, claim: IdempotencyClaim | undefined): Promise<Outcome>
  find(id: bigint): Eventually<string | undefined>
  page(query: PetQuery): Eventually<Page>
  /**
   * Changes an animal, in one step with the check that it still is the `version` given (any, where undefined).
   * Codes: precondition_failed; order_state_conflict where an open order alone may move the status.
   */
  update(id: bigint, patch: PetPatch, version: string | undefined): Promise<Outcome | undefined>
  /** As `update`; order_state_conflict where the animal has ever been ordered. */
  remove(id: bigint, version: string | undefined): Promise<Outcome | undefined>
}

export interface OrderQuery {
  readonly after: number
  readonly limit: number
  readonly status?: OrderStatus | undefined
  readonly petId?: bigint | undefined
}

/** Times are RFC 3339 texts. */
export interface OrderTable {
  /** Decides in one step who gets the animal. Codes: pet_not_available, unknown_pet. */
  place(petId: bigint, at: string, claim: IdempotencyClaim | undefined): Promise<Outcome>
  /** Ends an open order and moves its animal with it; one that ended so before is returned as it is. Code: order_state_conflict. */
  end(id: bigint, end: OrderEnd, at: string, claim: IdempotencyClaim | undefined): Promise<Outcome | undefined>
  find(id: bigint): Eventually<string | undefined>
  page(query: OrderQuery): Eventually<Page>
}

export interface KeyTable {
  insert(key: NewKey): Promise<Key>
  find(id: number): Promise<Key | undefined>
  findByHash(hash: string): Promise<Key | undefined>
  list(): Promise<Key[]>
  revoke(id: number, at: number): Promise<void>
  /** Adds a key and sets the end of the one it replaces: both, or neither. */
  rotate(id: number, endsAt: number, key: NewKey): Promise<Key>
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
