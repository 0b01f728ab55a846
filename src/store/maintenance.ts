/** The part of a store for commands: importing into a database, copying it, checking it. */
import type { PetStatus } from '../model/pet.ts'
import type { countedTables, TableName } from './tables.ts'

export interface ImportState {
  /** Rows of the file that were added or rejected. */
  readonly rowsDone: number
  readonly finishedAt: number | undefined
}

/** The id of a category is text, as it may not fit in a number. */
export type ImportedPet = readonly [name: string, categoryId: string, status: PetStatus]

/** Files that are imported, by the hash of their content. */
export interface ImportTable {
  /** The state from which to continue; with `again`, a finished import begins from the start. */
  begin(hash: string, again: boolean): Promise<ImportState>
  /** How much of a file one call should add. With more, other writers wait longer for its transaction. */
  readonly bytesAtOnce: number
  /**
   * Adds animals, advances `rowsDone` by `rows`, and stores `finishedAt`, in one transaction.
   * False, with nothing done, if another process has advanced it. Calls may overlap: they take effect in their order.
   */
  add(hash: string, state: ImportState, pets: readonly ImportedPet[], rows: number): Promise<boolean>
}

/** Rows of one table, as column values in order; integers are text, so that none is rounded. */
export interface Chunk {
  readonly table: TableName
  readonly rows: readonly (readonly (string | null)[])[]
}
export type WriteChunk = (chunk: Chunk) => Promise<void>
export type Counts = Readonly<Record<TableName, number>>

/** The last id assigned in each table; an id must never be assigned again, even after its row was deleted. */
export type LastIds = Readonly<Record<(typeof countedTables)[number], number>>

type Fill = (write: WriteChunk) => Promise<LastIds>

export interface Bulk {
  counts(): Promise<Counts>
  /** Passes every row, as of one moment, to `write`; others may write meanwhile. */
  export(write: WriteChunk): Promise<LastIds>
  /**
   * Stores all that `fill` writes, in one transaction, without the events and counts of its rows; refuses a database
   * that already has rows, except in `kept` tables, which stay as they are.
   */
  import(fill: Fill, kept?: readonly (keyof LastIds)[]): Promise<void>
  /** Passes columns of rows, as of one moment, to `write` in ascending order of id; others may write meanwhile. */
  read(
    table: 'pets' | 'orders' | 'categories',
    columns: readonly string[],
    write: (rows: Chunk['rows']) => Promise<void>,
  ): Promise<void>
}

export interface DatabaseCheck {
  readonly name: string
  /** The table whose rows are checked in portions; without one, the query runs once. */
  readonly table?: 'pets' | 'orders'
  /** Returns one text per fault; with a table, for the rows with $1 < id <= $2. */
  readonly faults: string
  /** Decides what SQL cannot decide: the fault in a returned text, if there is one. */
  readonly faultIn?: (text: string) => string | undefined
}

export interface Inspection {
  readonly checks: readonly DatabaseCheck[]
  /** The first column of each row. Without a timeout, which would look like a fault. */
  texts(text: string, ...values: readonly number[]): Promise<string[]>
}
