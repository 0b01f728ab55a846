/** Runs the statements that both databases share on SQLite. Writes are made one after another, so each is alone. */
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { Sql, SqlValue, Write } from '../sql.ts'
import type { Writer } from './commit.ts'
import type { Snapshot } from './snapshot.ts'

export function createSql(db: DatabaseSync, writer: Writer, snapshot: Snapshot): Sql {
  const prepared = new Map<string, StatementSync>()

  function run(text: string, values: readonly SqlValue[]): object[] {
    let statement = prepared.get(text)
    if (!statement) {
      statement = db.prepare(text)
      // Of two statements with the same values, one may need only some of them.
      statement.setAllowUnknownNamedParameters(true)
      prepared.set(text, statement)
    }
    return statement.all(Object.fromEntries(values.map((value, index) => [`$${index + 1}`, value])))
  }

  const writing =
    (isUpkeep: boolean): Write =>
    (values, first, second) =>
      writer.write(() => {
        const rows = run(first, values)
        if (second && rows.length > 0) run(second, values)
        return rows
      }, isUpkeep)
  const upkeep = writing(true)

  return {
    read: async (text, ...values) => snapshot.read(() => run(text, values)),
    write: writing(false),
    upkeep,
    alone: () => upkeep,
    isCrowded: writer.isCrowded,
    ifFirst: 'true',
    listed: (place) => `json_each(${place}) AS listed`,
    oneOf: (place) => `(SELECT value FROM json_each(${place}))`,
  }
}
