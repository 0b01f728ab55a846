/** Statements of SQLite, with the type of the rows they give. */
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'

type Named = Record<string, SQLInputValue>

/** A statement of the driver, whose own types know nothing of its rows; `never` where it gives none. */
export interface Statement<Row> extends Pick<StatementSync, 'run'> {
  get(...values: SQLInputValue[]): Row | undefined
  get(named: Named): Row | undefined
  all(...values: SQLInputValue[]): Row[]
  iterate(...values: SQLInputValue[]): NodeJS.Iterator<Row>
}

/** A statement whose rows come as arrays, which are read twice as fast as objects. */
export function prepare<Row extends readonly unknown[] = never>(db: DatabaseSync, sql: string): Statement<Row> {
  const statement = db.prepare(sql)
  statement.setReturnArrays(true)
  return statement as unknown as Statement<Row>
}
