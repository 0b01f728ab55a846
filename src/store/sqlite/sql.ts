/** Runs the statements that both databases share on SQLite. Writes are made one after another, so each is alone. */
import type { DatabaseSync } from 'node:sqlite'
import type { Sql, SqlValue, Write } from '../sql.ts'
import type { Writer } from './commit.ts'
import type { Reading } from './reading.ts'
import { prepare } from './statement.ts'

export function createSql(db: DatabaseSync, writer: Writer, { read }: Reading): Sql {
  const statements = new Map<string, (values: readonly SqlValue[]) => object[]>()

  /** Values by place, as SQLite takes $1 for a name, and rows as arrays: both take half the time of names in a small query. */
  function prepared(text: string): (values: readonly SqlValue[]) => object[] {
    let run = statements.get(text)
    if (run) return run
    // Of two statements with the same values, one may need only the first of them.
    const places = Math.max(0, ...Array.from(text.matchAll(/\$(\d+)/g), ([, place]) => Number(place)))
    const statement = prepare<SqlValue[]>(db, text.replaceAll(/\$(\d+)/g, '?$1'))
    const columns = statement.columns().map(({ name }) => name)
    run = (values) => statement.all(...values.slice(0, places)).map((row) => objectOf(columns, row))
    statements.set(text, run)
    return run
  }

  const writing =
    (isUpkeep: boolean): Write =>
    (values, first, ...others) =>
      writer.write(() => {
        const rows = prepared(first)(values)
        if (rows.length > 0) for (const text of others) if (text) prepared(text)(values)
        return rows
      }, isUpkeep)
  const upkeep = writing(true)

  return {
    read: async (text, ...values) => read(() => prepared(text)(values)),
    write: writing(false),
    upkeep,
    alone: () => upkeep,
    isCrowded: writer.isCrowded,
    ifFirst: 'true',
    now: `CAST(unixepoch('subsec') * 1000 AS INTEGER)`,
    tryLock: () => 'true',
    listed: (place) => `json_each(${place}) AS listed`,
    oneOf: (place) => `(SELECT value FROM json_each(${place}))`,
  }
}

function objectOf(columns: readonly string[], row: readonly SqlValue[]): object {
  const object: Record<string, SqlValue> = {}
  for (let i = 0; i < columns.length; i++) object[columns[i] as string] = row[i] as SqlValue
  return object
}
