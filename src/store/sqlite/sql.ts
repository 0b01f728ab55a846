/** Runs the statements and transactions that both databases share, on SQLite. */
import type { DatabaseSync } from 'node:sqlite'
import type { Sql, SqlValue, Steps } from '../shared-sql.ts'
import type { Writer } from './group-commit.ts'
import type { Reader } from './reader.ts'
import { now, nowText, prepare, tomorrowText } from './statement.ts'

export interface SqliteSql extends Sql {
  /** Runs steps in the transaction of a job of the writer. */
  run<Result>(steps: Steps<Result>): Result
}

/** Only one transaction writes at a time, so nothing is locked. */
export function createSql(db: DatabaseSync, writer: Writer, reader: Reader): SqliteSql {
  const statements = new Map<string, (values: readonly SqlValue[]) => object[]>()

  /** Values by position, as SQLite takes $1 for a name, and rows as arrays: each halves the time of a small query. */
  function prepared(text: string): (values: readonly SqlValue[]) => object[] {
    let execute = statements.get(text)
    if (execute) return execute
    // `+ 0` keeps SQLite from preparing the statement again whenever a limit is bound, which takes 50 µs.
    const own = text.replaceAll(/LIMIT \$\d+/g, '$& + 0').replaceAll(/\$(\d+)/g, '?$1')
    const statement = prepare<SqlValue[]>(db, own)
    const columns = statement.columns().map(({ name }) => name)
    execute = (values) => statement.all(...values).map((row) => objectOf(columns, row))
    statements.set(text, execute)
    return execute
  }

  function run<Result>(steps: Steps<Result>): Result {
    let step = steps.next()
    while (!step.done) step = steps.next(prepared(step.value.text)(step.value.values))
    return step.value
  }

  const writes = (isUpkeep: boolean): Sql['upkeep'] => ({
    write: <Row extends object>(text: string, ...values: readonly SqlValue[]) =>
      writer.write(() => prepared(text)(values) as Row[], isUpkeep),
    transaction: (steps) => writer.write(() => run(steps()), isUpkeep),
  })

  return {
    ...writes(false),
    read: async <Row extends object>(text: string, ...values: readonly SqlValue[]) =>
      reader.read(() => prepared(text)(values) as Row[]),
    run,
    upkeep: writes(true),
    isCrowded: writer.isCrowded,
    now,
    nowText,
    tomorrowText,
    nextId: () => 'NULL',
    lastEventId: '(SELECT max(id) FROM events)',
    forUpdate: '',
    forUpdateSkipLocked: '',
    *lockTable() {},
    // In the order of the rowid, SQLite does not need to sort them.
    listed: (placeholder) => `(SELECT rowid AS key, value FROM json_each(${placeholder})) AS listed`,
    oneOf: (placeholder) => `(SELECT value FROM json_each(${placeholder}))`,
  }
}

function objectOf(columns: readonly string[], row: readonly SqlValue[]): object {
  const object: Record<string, SqlValue> = {}
  for (let i = 0; i < columns.length; i++) object[columns[i] as string] = row[i] as SqlValue
  return object
}
