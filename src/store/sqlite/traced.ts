/** Has a tracer record the statements of a database. Its methods are replaced, so that nothing is slower without a tracer. */
import type { DatabaseSync } from 'node:sqlite'
import type { Tracer } from '../tracer.ts'

export function traceStatements(db: DatabaseSync, tracer: Tracer): void {
  const prepare = db.prepare.bind(db)
  db.prepare = (sql: string) => {
    const statement = prepare(sql)
    if (/^(?:BEGIN|ROLLBACK|PRAGMA)\b/.test(sql)) return statement
    for (const method of ['get', 'all', 'run'] as const) {
      const call = statement[method].bind(statement) as (...values: unknown[]) => unknown
      statement[method] = ((...values: unknown[]) => tracer.record('sqlite', sql, () => call(...values))) as never
    }
    return statement
  }
}
