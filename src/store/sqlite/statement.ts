/** Statements of SQLite: typed rows, the time in SQL, and which errors are transient. */
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import type { Time } from '../../time.ts'
import { StoreDamaged, StoreUnavailable } from '../store.ts'

/** How long a write, opening or a copy waits for a lock that another process holds. */
export const busyMilliseconds = 5_000

/** The time in milliseconds, constant within a statement. */
export const now = `CAST(unixepoch('subsec') * 1000 AS INTEGER)`

const textOf = (seconds: string): string => `strftime('%Y-%m-%dT%H:%M:%fZ', ${seconds}, 'unixepoch')`
/** The same as text, as the times of an order are. */
export const nowText = textOf(`unixepoch('subsec')`)
export const tomorrowText = textOf(`unixepoch('subsec') + 86400`)

/** Lets a connection take the time from `time` instead of the system. */
export const setClock = (db: DatabaseSync, time: Time): void =>
  db.function('unixepoch', { deterministic: true }, (_subsec) => time.now() / 1000)

type Named = Record<string, SQLInputValue>

/** A statement with the type of its rows, which the driver's types lack. The type is `never` if it returns no rows. */
export interface Statement<Row> extends Pick<StatementSync, 'run' | 'columns'> {
  get(...values: SQLInputValue[]): Row | undefined
  get(named: Named): Row | undefined
  all(...values: SQLInputValue[]): Row[]
  iterate(...values: SQLInputValue[]): NodeJS.Iterator<Row>
}

/** A statement that returns rows as arrays, which are read twice as fast as objects. */
export function prepare<Row extends readonly unknown[] = never>(db: DatabaseSync, sql: string): Statement<Row> {
  const statement = db.prepare(sql)
  statement.setReturnArrays(true)
  return statement as unknown as Statement<Row>
}

// Primary result codes, https://www.sqlite.org/rescode.html
const transient = new Map([
  [5, 'busy'],
  [6, 'locked'],
  [8, 'read-only'],
  [10, 'disk I/O error'],
  [13, 'disk full'],
  [14, 'cannot open the file'],
  [15, 'locking protocol'],
])

const damaged = new Map([
  [11, 'corrupt'],
  [26, 'not a database'],
])

/** The error as StoreUnavailable if it is transient or reports damage, otherwise undefined. */
export function unavailable(error: unknown): StoreUnavailable | undefined {
  if (error instanceof StoreUnavailable) return error
  const code = resultCodeOf(error)
  const [reason, damage] = [transient.get(code), damaged.get(code)]
  if (reason !== undefined) return new StoreUnavailable(`SQLite: ${reason}`, { cause: error })
  return damage === undefined ? undefined : new StoreDamaged(`SQLite: ${damage}`, { cause: error })
}

export const reasonOf = (error: unknown): string =>
  unavailable(error)?.message ?? (error instanceof Error ? error.message : String(error))

export const isBusy = (error: unknown): boolean => resultCodeOf(error) === 5

function resultCodeOf(error: unknown): number {
  const code = error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' ? error.errcode : 0
  return code & 0xff
}
