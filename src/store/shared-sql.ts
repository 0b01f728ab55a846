/** Statements and transactions that are written once for both databases, with values $1, $2 and so on. */
import { tables } from './tables.ts'

/** An int64 is passed as text. */
export type SqlValue = string | number | null

export interface Statement {
  readonly text: string
  readonly values: readonly SqlValue[]
}

/**
 * A transaction, written once for both databases: each `yield* query(…)` runs a statement and gives its rows. SQLite
 * runs all of them within one turn of the event loop, in its group commit; PostgreSQL one after another, on one
 * connection.
 */
export type Steps<Result> = Generator<Statement, Result, object[]>

/** Runs one statement of a transaction. */
export function* query<Row extends object>(text: string, ...values: readonly SqlValue[]): Steps<Row[]> {
  return (yield { text, values }) as Row[]
}

/** A transaction has read rows that are outdated. It is rolled back and repeated. This happens only on PostgreSQL. */
export class Outdated extends Error {
  override readonly name = 'Outdated'
}

interface Writes {
  /** Runs one statement that writes, as a transaction by itself. */
  write<Row extends object>(text: string, ...values: readonly SqlValue[]): Promise<Row[]>
  /** Does all steps or, if one throws, none. After a collision with another transaction, it begins again. */
  transaction<Result>(steps: () => Steps<Result>): Promise<Result>
}

export interface Sql extends Writes {
  read<Row extends object>(text: string, ...values: readonly SqlValue[]): Promise<Row[]>
  /** Writes something that no page and no event shows. It is not counted as a write, and pages stay cached. */
  readonly upkeep: Writes
  /** Whether many writes are waiting, so that optional writes should be omitted. */
  isCrowded(): boolean
  /** The clock of the database in milliseconds, as those of processes may differ; constant within a statement. */
  readonly now: string
  /** The same as text, as the times of an order are. */
  readonly nowText: string
  /** 24 hours later. */
  readonly tomorrowText: string
  /** The id of a new row. */
  nextId(table: 'pets' | 'orders'): string
  /** The id of the event that the previous statement of this transaction has written. */
  readonly lastEventId: string
  /** Ends a SELECT in a transaction: others wait until its end before they change or lock the rows. */
  readonly forUpdate: string
  /** The same, but rows that others have locked are left out. */
  readonly forUpdateSkipLocked: string
  /** A step: nobody else writes to the table until the end of the transaction. */
  lockTable(table: 'webhooks' | 'categories'): Steps<void>
  /** A JSON array in a value as rows of `listed`: `value` is an item, `key` rises with its index. */
  listed(placeholder: string): string
  /** A JSON array of texts in a value, as a list for IN. */
  oneOf(placeholder: string): string
}

/** Sets in an UPDATE by which key it is made: its name is in a value, null if there is none. */
export const changedBy = (value: string): string => `changed_by = ${value}, writes = writes + 1`

/**
 * Used after a DELETE of one row. It writes the name of the key into the event, because the row has no place for it.
 */
export function* setEventBy({ lastEventId }: Sql, by: string | undefined): Steps<void> {
  if (by !== undefined) yield* query(`UPDATE events SET by = $1 WHERE id = ${lastEventId}`, by)
}

/** A member of an item that is an array itself. */
export const itemAt = (index: number, type: 'text' | 'bigint' = 'text'): string =>
  `CAST(listed.value ->> ${index} AS ${type})`

/**
 * Reads a row by the names of members, such as `createdAt`. SQLite returns integers as numbers, PostgreSQL as texts.
 */
export function createMembersOf(table: keyof typeof tables): (row: object) => Record<string, unknown> {
  const columns = Object.entries(tables[table]).map(
    ([column, type]) => [column, column.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase()), type] as const,
  )
  return (row) => {
    const members: Record<string, unknown> = {}
    for (const [column, member, type] of columns) {
      const value = (row as Record<string, SqlValue>)[column]
      members[member] = value === null ? undefined : type === 'text' ? value : Number(value)
    }
    return members
  }
}

/** The rows that one statement removes. It takes about 2 ms, during which a process on SQLite answers no request. */
const portionRows = 250

interface Purged {
  readonly table: string
  readonly key: string
  readonly at: string
  /** A further condition for a row to be removed. */
  readonly condition?: string
}

/**
 * Removes the rows that are older, by the clock of the database, a portion at a time. If two processes do this
 * concurrently, one of them may find its portion removed, and leaves the rest to the other.
 */
export async function purge(
  { upkeep, now }: Pick<Sql, 'upkeep' | 'now'>,
  { table, key, at, condition = 'true' }: Purged,
  olderThanMilliseconds: number,
): Promise<void> {
  const text = `
    DELETE FROM ${table} WHERE (${key}) IN (
      SELECT ${key} FROM ${table} WHERE ${at} < ${now} - CAST($1 AS bigint) AND ${condition} LIMIT ${portionRows}
    ) RETURNING 1`
  while ((await upkeep.write(text, olderThanMilliseconds)).length > 0);
}

export const purgeIdempotencyRecords = (sql: Sql, olderThanMilliseconds: number): Promise<void> =>
  purge(
    sql,
    { table: 'idempotency_records', key: 'key_id, route, idempotency_key', at: 'created_at' },
    olderThanMilliseconds,
  )
