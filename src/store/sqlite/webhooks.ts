/** Runs the statements of webhooks on SQLite. */
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { Sql, SqlValue } from '../webhooks.ts'
import type { Writer } from './commit.ts'
import type { Snapshot } from './snapshot.ts'

export function sqlOn(db: DatabaseSync, writer: Writer, snapshot: Snapshot): Sql {
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

  return {
    listed: (place) => `json_each(${place}) AS listed`,
    ifFirst: 'true',
    read: async (text, ...values) => snapshot.read(() => run(text, values)),
    // Upkeep: pages of animals and orders stay cached.
    write: (values, first, second) =>
      writer.write(() => {
        const rows = run(first, values)
        if (second && rows.length > 0) run(second, values)
        return rows
      }, true),
  }
}
