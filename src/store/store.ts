/** What the service needs from a database. Both implementations pass the same test suite, test/store. */

import type { EventPosition, EventType } from '../model/event.ts'
import type { DeprecatedCall, Key, NewKey } from '../model/key.ts'
import type { OrderMove, OrderStatus } from '../model/order.ts'
import type { DaySales, NewPet, PetPatch, PetStatus } from '../model/pet.ts'
import type { Sample } from '../observe/metrics.ts'
import type { Bulk } from './bulk.ts'
import type { Inspection } from './checks.ts'
import type { WebhookTable } from './webhooks.ts'

export interface Store {
  readonly pets: PetTable
  readonly orders: OrderTable
  readonly categories: CategoryTable
  readonly inventory: InventoryTable
  readonly events: EventTable
  readonly keys: KeyTable
  readonly webhooks: WebhookTable
  readonly bulk: Bulk
  readonly inspection: Inspection
  readonly imports: ImportTable
  /** Rejects while the database does not accept writes. */
  ready(): Promise<void>
  /** PostgreSQL only: on a SQLite file a commit a second of each process would empty the page caches of the others. */
  readonly shareRates?: ShareRates
  /** Deletes idempotency records created before the given time. */
  purgeIdempotencyRecords(before: number): Promise<void>
  /** What it has counted since it was opened. */
  samples(): Sample[]
  /** Finishes statements in progress, then closes the database. */
  close(): Promise<void>
  /** Like `close`; also removes a SQLite file that opening it created. */
  discard(): Promise<void>
}

/** One row, already rendered as the JSON that clients see: it is written once and read many times. */
export interface Rendered {
  readonly id: number
  readonly json: string
}

/** A request with an Idempotency-Key: API key, route, Idempotency-Key, hash of the body, time. */
export interface IdempotencyClaim {
  readonly keyId: number
  readonly route: string
  readonly idempotencyKey: string
  readonly fingerprint: string
  readonly now: number
}

/** The row that was written (or replayed from an earlier request), or the code that says why not. */
export type Outcome = (Rendered & { readonly replayed: boolean }) | Refusal

/** Why a store writes nothing. */
export type Refusal =
  | 'pet_not_available'
  | 'unknown_pet'
  | 'order_state_conflict'
  | 'precondition_failed'
  | 'idempotency_in_progress'
  | 'idempotency_key_reused'

/** Where a page begins, and how many rows it has. */
export interface PageRange {
  /** The id after which it begins; undefined on the first page. */
  readonly after: number | undefined
  readonly limit: number
  /** From the highest id to the lowest. */
  readonly isDescending?: boolean | undefined
}

export interface PetQuery extends PageRange {
  readonly status?: PetStatus | undefined
  readonly categoryId?: bigint | undefined
  readonly ids?: readonly bigint[] | undefined
  /** Of `searchWordsOf`: for each, the name has a word that begins with it. With it a page may be short though it has a `next`. */
  readonly search?: readonly string[] | undefined
}

export interface Page<Id = number> {
  /** A JSON array of the rows, in the order of their ids. */
  readonly json: string
  /** The id of the last row, if more rows follow; of a search, that of the last row that was looked at. */
  readonly next: Id | undefined
}

/** A page of a list whose ids are chosen by clients, and may be negative. */
export interface Int64Query {
  /** The id after which the page begins; undefined on the first page. */
  readonly after: bigint | undefined
  readonly limit: number
}

export interface PetTable {
  /** Resolves once the animal is durable. */
  insert(pet: Required<NewPet>, claim: IdempotencyClaim | undefined): Promise<Outcome>
  find(id: bigint): Promise<string | undefined>
  page(query: PetQuery): Promise<Page>
  /**
   * Changes an animal, atomically with the check that it is still the given `version` (any, if undefined).
   * Codes: precondition_failed; order_state_conflict if the status is given while an order holds the animal.
   */
  update(id: bigint, patch: PetPatch, version: string | undefined): Promise<Outcome | undefined>
  /** Like `update`; order_state_conflict if the animal was ever ordered. */
  remove(id: bigint, version: string | undefined): Promise<Outcome | undefined>
}

export interface OrderQuery extends PageRange {
  readonly status?: OrderStatus | undefined
  readonly petId?: bigint | undefined
}

/** Times are RFC 3339 strings. */
export interface OrderTable {
  /** Decides atomically who gets the animal. Codes: pet_not_available, unknown_pet. */
  place(petId: bigint, at: string, claim: IdempotencyClaim | undefined): Promise<Outcome>
  /** Moves an order to a later state, and its animal with it; one that is there already is `replayed`. Code: order_state_conflict. */
  move(id: bigint, to: OrderMove, at: string): Promise<Outcome | undefined>
  find(id: bigint): Promise<string | undefined>
  page(query: OrderQuery): Promise<Page>
}

/** The names of categories. Writes check the version as `PetTable.update` does. */
export interface CategoryTable {
  find(id: bigint): Promise<string | undefined>
  page(query: Int64Query): Promise<Page<bigint>>
  /** False, with nothing done, if the category has a name. */
  add(id: bigint, name: string): Promise<boolean>
  /** `isNew` if it had no name. With a version it must have one. */
  put(id: bigint, name: string, version: string | undefined): Promise<NamedCategory | 'precondition_failed'>
  /** Undefined if it had no name. */
  remove(id: bigint, version: string | undefined): Promise<true | 'precondition_failed' | undefined>
}

interface NamedCategory {
  readonly json: string
  readonly isNew: boolean
}

/** The number of animals in each status, kept by the database in the transaction of each change. Days are those of its clock, in UTC. */
export interface InventoryTable {
  /** All animals, as JSON. */
  total(): Promise<string>
  /** The categories that have animals or a name. */
  page(query: Int64Query): Promise<Page<bigint>>
  /** The days since the given one, such as 2026-11-15, on which something happened. */
  sales(since: string): Promise<readonly DaySales[]>
  /** Replaces what has been counted on all days so far: for data whose dates are known otherwise. */
  setSales(days: readonly DaySales[]): Promise<void>
}

export interface EventQuery {
  /** The event after which the page begins. */
  readonly after: EventPosition
  readonly limit: number
  readonly types?: readonly EventType[] | undefined
  /** Those of an animal, and of orders on it. */
  readonly petId?: bigint | undefined
}

/** The whole event, as clients see it. */
export interface StoredEvent extends Rendered, EventPosition {
  readonly type: EventType
  /** The animal, also of an order on it. */
  readonly petId: number | undefined
}

export interface EventPage {
  readonly events: readonly StoredEvent[]
  /** Everything up to here was looked at: where the next page begins. Never before `after`. */
  readonly position: EventPosition
}

/**
 * Every change of an animal, an order or the name of a category, written by the database in the transaction of the change,
 * whoever makes it. Whoever has passed an id never misses one below it.
 */
export interface EventTable {
  /** The last event: all up to it are visible, none before it is still to come. */
  present(): Promise<EventPosition>
  /** The position before the oldest event that is kept. */
  oldest(): Promise<EventPosition>
  /** The position of an event by its id alone, which cannot tell it from an earlier one with the same id. */
  positionOf(id: number): Promise<EventPosition | 'events_expired'>
  /**
   * Looks at a limited number of events: with filters, a page may be short or empty though more follow; the end is where its
   * position is `after`. Code: events_expired if events after `after` were removed, or if `after` is no event of this database.
   */
  page(query: EventQuery): Promise<EventPage | 'events_expired'>
  /** Calls `onChange` soon after a commit: a hint, which may come in vain or, of another process, not at all. Returns how to stop. */
  watch(onChange: () => void): () => void
  /** Removes events from before the given time, and their deliveries, a portion at a time. */
  purge(before: number): Promise<void>
}

export interface KeyTable {
  insert(key: NewKey): Promise<Key>
  find(id: number): Promise<Key | undefined>
  /** Those of the given ids that exist. */
  findAll(ids: readonly number[]): Promise<Key[]>
  findByHash(hash: string): Promise<Key | undefined>
  list(): Promise<Key[]>
  revoke(id: number, at: number): Promise<void>
  /** Adds a key and sets when the replaced one expires, atomically. */
  rotate(id: number, endsAt: number, key: NewKey): Promise<Key>
  /** Notes its last use, unless too much else is waiting to be written. */
  touch(id: number, at: number): Promise<void>
  /** Keeps the last call of each key and operation, unless the one that is kept is later than `before`; like `touch`. */
  noteDeprecatedCall(call: DeprecatedCall, before: number): Promise<void>
  deprecatedCalls(): Promise<DeprecatedCall[]>
}

/** What one instance has let through of the rate limit of a key since it last said so, as the time that it takes up; all in nanoseconds. */
interface RateUse {
  readonly keyId: number
  readonly used: number
  /** How far ahead of now it reaches by what this instance knows; below 0 if all of it has come back. */
  readonly ahead: number
  /** How far ahead of now what all have used may have reached before; if the clock was set back, it is further. */
  readonly aheadMax: number
}

/** Adds what one instance has used to what all have. Resolves with how far ahead of now that reaches, for each. */
export type ShareRates = (uses: readonly RateUse[]) => Promise<readonly number[]>

/** How far the import of a file has come. */
export interface ImportState {
  /** Rows of the file whose animals were added, or that were rejected. */
  readonly rowsDone: number
  /** Whether the animals have the ids of the file. */
  readonly keepsIds: boolean
  readonly finishedAt: number | undefined
}

/** An animal of a file; with an id if the import keeps ids. The id of a category is text, as it may not fit in a number. */
export type ImportedPet = readonly [name: string, categoryId: string, status: PetStatus, id?: number]

/** Files that are imported, by the hash of their content. */
export interface ImportTable {
  /** Whether no id of an animal was ever assigned. */
  isNew(): Promise<boolean>
  /** The state from which to go on. If none was ever assigned, all ids up to `lastId` are reserved for the file. */
  begin(hash: string, again: boolean, lastId: number | undefined): Promise<ImportState>
  /**
   * Adds animals, advances `rowsDone` by `rows`, and notes `finishedAt`, in one transaction.
   * False, with nothing done, if another process has advanced it.
   */
  add(hash: string, state: ImportState, pets: readonly ImportedPet[], rows: number): Promise<boolean>
}

/** The database is unavailable for now: a full disk, a lost connection. The client gets 503. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable'
}

/** The database cannot be opened at all; the message says what to do. */
export class StoreRefused extends Error {
  override readonly name = 'StoreRefused'
}

interface StoreOptions {
  readonly url: string
  readonly connections: number
  readonly timeoutMilliseconds: number
  readonly prepare?: boolean
  readonly readUrl?: string | undefined
  /** Refuse a file that is not there, instead of making one. */
  readonly mustExist?: boolean
}

/** Opens the database that a URL names. */
export async function openStore(options: StoreOptions): Promise<Store> {
  const { url } = options
  if (url.startsWith('sqlite:'))
    return (await import('./sqlite/sqlite.ts')).openSqlite(url.slice('sqlite:'.length), options)
  return (await import('./postgres/postgres.ts')).openPostgres(options)
}
