/** What both databases share: statements that are written once, with values $1, $2 and so on, and schema versions. */
import { DatabaseUnusable, type SchemaChange } from './store.ts'
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

/** What a transaction has read holds no longer: it is rolled back, and done again. Only on PostgreSQL. */
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
  /** For what no page and no event shows: not counted as a write, and keeps pages cached. */
  readonly upkeep: Writes
  /** Whether so many writes are waiting that optional ones should be left out. */
  isCrowded(): boolean
  /** The clock of the database in milliseconds, as those of processes may differ; constant within a statement. */
  readonly now: string
  /** The same as text, as the times of an order are. */
  readonly nowText: string
  /** The id of a new row. */
  nextId(table: 'pets' | 'orders'): string
  /** The id of the event that the previous statement of this transaction has written. */
  readonly lastEventId: string
  /** Ends a SELECT in a transaction: others wait until its end before they change or lock the rows. */
  readonly forUpdate: string
  /** The same, but rows that others have locked are left out. */
  readonly forUpdateSkipLocked: string
  /** A step: nobody else writes to the table until the end of the transaction. */
  lockTable(table: 'webhooks'): Steps<void>
  /** A JSON array in a value as rows of `listed`: `value` is an item, `key` rises with its index. */
  listed(placeholder: string): string
  /** A JSON array of texts in a value, as a list for IN. */
  oneOf(placeholder: string): string
}

/** Sets in an UPDATE by which key it is made: its name is in a value, null if there is none. */
export const changedBy = (value: string): string => `changed_by = ${value}, writes = writes + 1`

/** After a DELETE of one row: says in its event by which key it was made, as the row has no place for that. */
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

/** Rows removed at a time: about 2 ms, during which a process on SQLite answers no request. */
const portionRows = 250

interface Purged {
  readonly table: string
  readonly key: string
  readonly at: string
  /** What else must hold for a row to be removed. */
  readonly condition?: string
}

/**
 * Removes the rows that are older, by the clock of the database, a portion at a time. Of two processes that do it at
 * once, one may find its portion removed, and leaves the rest to the other.
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

/**
 * A step of the schema, and the version that it leads to. Within a hundred, which is a major version of the program, it
 * only adds tables, indexes, and columns that may be null or have a default: all programs of that major version run on
 * the database side by side. Any other step (it drops or renames something, or asks more of a row) begins the next
 * hundred.
 */
export interface Migration {
  readonly version: number
  readonly sql: string
}

export const baselineVersion = 100

/** Refuses the schema of a development version, or of a later major version. */
export function assertUsable(version: number, all: readonly Migration[], database: string): void {
  if (version !== 0 && version < baselineVersion)
    throw new DatabaseUnusable(
      `${database} was written by a development version of petstore (schema ${version}). ` +
        'Save its animals with "petstore export" of that version, and names of categories with --categories, ' +
        'and import them into a new database.',
    )
  if (Math.floor(version / 100) > Math.floor(lastOf(all) / 100))
    throw newer(version, all, database, 'Run that version, or restore a backup')
}

/**
 * The migrations to run next, in one transaction, on a database of a version; 0 if it is new. A new one gets all of
 * them, so that nobody finds it half made; another only the first that it lacks, so that no lock is held during the
 * second.
 */
export function nextMigrations(
  version: number,
  all: readonly Migration[],
  database: string,
  change: SchemaChange,
): readonly Migration[] {
  assertUsable(version, all, database)
  const missing = all.filter((migration) => migration.version > version)
  if (missing.length === 0 || change === 'migrate') return version === 0 ? missing : missing.slice(0, 1)
  if (version > 0)
    throw new DatabaseUnusable(
      `${database} has the schema of an older petstore (schema ${version}, ` +
        `this program has ${lastOf(all)}). Run "petstore migrate" on it.`,
    )
  if (change === 'create') return missing
  throw new DatabaseUnusable(
    `${database} is empty. Check the name; "petstore serve" or "migrate" creates the tables of a new one.`,
  )
}

/**
 * For what needs to know all that a database has: this program could use it, but does not know what a newer one has
 * added.
 */
export function refuseNewer(version: number, all: readonly Migration[], database: string, instead: string): void {
  if (version > lastOf(all)) throw newer(version, all, database, instead)
}

const lastOf = (all: readonly Migration[]): number => all.at(-1)?.version ?? 0

const newer = (version: number, all: readonly Migration[], database: string, instead: string): DatabaseUnusable =>
  new DatabaseUnusable(
    `${database} was written by a newer petstore (schema ${version}, this program knows ${lastOf(all)}). ${instead}.`,
  )
