/** The interface between the service and a database. Both implementations pass the same tests, in test/store. */
import type { HighestNumbers } from '../model/category-numbers.ts'
import type { OrderMove, OrderStatus } from '../model/order.ts'
import type { DaySales, NewPet, PetPatch, PetStatus } from '../model/pet.ts'
import type { Sample } from '../observe/metrics.ts'
import type { EventTable } from './event-table.ts'
import type { KeyTable, ShareRates } from './key-table.ts'
import type { Bulk, ImportTable, Inspection } from './maintenance.ts'
import type { WebhookTable } from './webhook-table.ts'

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
  /**
   * Why the last read or write failed, if the database caused the failure and no write has succeeded since. Failures do
   * not count if the request itself was refused, if it waited for another transaction in vain, or if there were too
   * many requests.
   */
  fault(): StoreUnavailable | undefined
  /** Writes something that nobody sees, to find out whether the database accepts writes again. */
  tryWrite(): Promise<void>
  /**
   * Only on PostgreSQL. On SQLite, one commit a second by each process would clear the page caches of the other
   * processes.
   */
  readonly shareRates?: ShareRates
  /** Deletes idempotency records that are older, by the clock of the database. */
  purgeIdempotencyRecords(olderThanMilliseconds: number): Promise<void>
  /**
   * Changes with every commit, of any process, that changes what lists show: until then they may be cached. On
   * PostgreSQL, asking for it would take as long as reading a page. There it changes with every turn of the event loop
   * instead, and pages are read when the turn is over: a page that the requests of one turn share contains every commit
   * that any of them knows of.
   */
  version(): number
  samples(): Sample[]
  /** Lets statements in progress finish first. */
  close(): Promise<void>
}

/** A store that exists only in memory. */
export interface MemoryStore extends Store {
  /** The memory that its rows take. */
  bytes(): number
  /** Its whole content, from which a copy can be opened. */
  content(): Uint8Array
}

export interface Rendered {
  readonly id: number
  readonly json: string
}

/**
 * A request with an Idempotency-Key. `fingerprint` is a hash of its body. Its age is measured by the clock of the
 * database.
 */
export interface IdempotencyClaim {
  readonly keyId: number
  readonly route: string
  readonly idempotencyKey: string
  readonly fingerprint: string
}

/** The row that was written or replayed from an earlier request, or the code of the refusal. */
export type Outcome = (Rendered & { readonly replayed: boolean }) | Refusal

export type Refusal =
  | 'pet_not_available'
  | 'unknown_pet'
  | 'order_state_conflict'
  | 'precondition_failed'
  | 'invalid_field'
  | 'idempotency_in_progress'
  | 'idempotency_key_reused'

export interface PageRange {
  /** The id after which the page begins; undefined on the first page. */
  readonly after: number | undefined
  readonly limit: number
  readonly isDescending?: boolean | undefined
}

export interface PetQuery extends PageRange {
  readonly status?: PetStatus | undefined
  readonly categoryId?: bigint | undefined
  readonly ids?: readonly bigint[] | undefined
  /**
   * The words from `searchWordsOf`. The name must contain, for each of them, a word that begins with it. A page may be
   * short although it has a `next`.
   */
  readonly search?: readonly string[] | undefined
}

export interface Page<Id = number> {
  /** A JSON array of the rows, in the order of their ids. */
  readonly json: string
  /** If more rows follow, the id of the last row. In a search, it is the id of the last row that was examined. */
  readonly next: Id | undefined
}

/** The range of a list whose ids clients choose. They may be negative. */
export interface Int64Query {
  /** The id after which the page begins; undefined on the first page. */
  readonly after: bigint | undefined
  readonly limit: number
}

/** In each write, `by` is the name of the key that causes it, for its events. It is undefined if no key does. */
export interface PetTable {
  /** Resolves once the animal is durable. */
  insert(pet: Required<NewPet>, claim: IdempotencyClaim | undefined, by?: string): Promise<Outcome>
  find(id: bigint): Promise<string | undefined>
  page(query: PetQuery): Promise<Page>
  /**
   * Changes an animal if `version` is undefined or is still the current version. Codes: precondition_failed;
   * order_state_conflict for a new status while an order reserves the animal.
   */
  update(id: bigint, patch: PetPatch, version: string | undefined, by?: string): Promise<Outcome | undefined>
  /** Like `update`, with order_state_conflict if the animal was ever ordered. */
  remove(id: bigint, version: string | undefined, by?: string): Promise<Outcome | undefined>
}

export interface OrderQuery extends PageRange {
  readonly status?: OrderStatus | undefined
  readonly petId?: bigint | undefined
  readonly reference?: string | undefined
  /**
   * The words from `wordsOf`. Each must begin a word of the reference or of the animal's name, or be the id of the
   * order or the animal. A page may be short although it has a `next`.
   */
  readonly search?: readonly string[] | undefined
}

/** A time is text that sorts by time: RFC 3339 in UTC, with milliseconds. */
export interface Placement {
  readonly petId: bigint
  readonly reference?: string | undefined
  readonly heldUntil?: string | undefined
  /** How long the order is held without a `heldUntil`. Without both, it does not expire. */
  readonly holdMilliseconds?: number | undefined
}

/** Members that are undefined stay as they are; `null` means that the order does not expire. */
interface OrderChange {
  readonly reference?: string | undefined
  readonly heldUntil?: string | null | undefined
}

/**
 * Times are those of the clock of the database. An order is held until its `heldUntil`. From then on it can neither be
 * completed nor cancelled, even if `expire` has not ended it yet. `by` is as in `PetTable`.
 */
export interface OrderTable {
  /**
   * Of concurrent calls for one animal, exactly one succeeds. Codes: pet_not_available, unknown_pet; invalid_field if
   * its `heldUntil` has already passed.
   */
  place(order: Placement, claim: IdempotencyClaim | undefined, by?: string): Promise<Outcome>
  /**
   * Moves an order to a later state, together with its animal. `replayed` if it already is in that state. Code:
   * order_state_conflict.
   */
  move(id: bigint, to: OrderMove, by?: string): Promise<Outcome | undefined>
  /**
   * Changes an order if `version` is undefined or is still the current version. Codes: invalid_field if its new
   * `heldUntil` has already passed; precondition_failed; order_state_conflict for `heldUntil`, unless the order is
   * placed and held.
   */
  update(id: bigint, change: OrderChange, by?: string, version?: string): Promise<Outcome | undefined>
  /**
   * Ends up to `expiredMax` orders whose time has passed. Orders that another transaction has locked are left for
   * later.
   */
  expire(): Promise<Expiry>
  /**
   * The number of orders in each state, kept by the database in the transaction of each change, and of those placed
   * orders that end within 24 hours; as JSON.
   */
  counts(): Promise<string>
  find(id: bigint): Promise<string | undefined>
  page(query: OrderQuery): Promise<Page>
}

interface Expiry {
  readonly expired: number
  /**
   * The milliseconds until the next order is due, which is at most 0 if an order is due now. Undefined if no order will
   * be due.
   */
  readonly nextIn: number | undefined
}

/** How many orders expire in one transaction: a process on SQLite answers no request meanwhile. */
export const expiredMax = 250

/** The names of categories. Writes check the version as `PetTable.update` does; `by` is as there. */
export interface CategoryTable {
  find(id: bigint): Promise<string | undefined>
  page(query: Int64Query): Promise<Page<bigint>>
  /**
   * The category whose name has the same words. A name that is written exactly like this comes first, and then the
   * lowest number. A name without words must be exactly the same.
   */
  findNamed(name: string): Promise<NumberedCategory | undefined>
  /**
   * The category of a name, found as `findNamed` does. If there is none, it is created with a number that no other
   * category, no animal and none of `others` uses. Of concurrent calls for one name, exactly one creates the category.
   */
  create(name: string, by?: string, others?: HighestNumbers): Promise<NumberedCategory & NamedCategory>
  /** `isNew` if it had no name. With a version, it must already have a name. */
  put(
    id: bigint,
    name: string,
    version: string | undefined,
    by?: string,
  ): Promise<NamedCategory | 'precondition_failed'>
  /** Undefined if it had no name. */
  remove(id: bigint, version: string | undefined, by?: string): Promise<true | 'precondition_failed' | undefined>
}

interface NamedCategory {
  readonly json: string
  readonly isNew: boolean
}

interface NumberedCategory {
  readonly id: bigint
  readonly json: string
}

/**
 * The number of animals in each status, kept by the database in the transaction of each change. Days are those of its
 * clock, in UTC.
 */
export interface InventoryTable {
  total(): Promise<string>
  /** The categories that have animals or a name. */
  page(query: Int64Query): Promise<Page<bigint>>
  /** The days since the given one, such as 2026-11-15, on which something happened. */
  sales(since: string): Promise<readonly DaySales[]>
}

/**
 * The database is temporarily unavailable, for example because of a full disk or a lost connection. The client gets
 * 503.
 */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable'
}

/** The database is permanently damaged. Lost rows can be restored only from a backup. The client gets 500. */
export class StoreDamaged extends StoreUnavailable {
  static readonly advice = 'run "petstore check" to see what cannot be read, and restore a backup'
}

/**
 * A database or a backup cannot be used, for example because it is the file of another program. The message tells the
 * operator what to do.
 */
export class DatabaseUnusable extends Error {
  override readonly name = 'DatabaseUnusable'
}

/**
 * What opening a database may do to its schema: bring it up to date, or create one only where there is none, or
 * nothing. A schema that is older than the program and may not be changed is refused. With `read`, nothing at all is
 * written, and a SQLite file stays as it is to the byte.
 */
export type SchemaChange = 'migrate' | 'create' | 'none' | 'read'
