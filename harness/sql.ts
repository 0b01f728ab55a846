/** Runs SQL on a database of either kind without going through the store. */
import { DatabaseSync } from 'node:sqlite'
import postgres from 'postgres'

/** Runs statements, and returns the first column of each row of the last statement as text. */
export async function runSql(url: string, statements: string): Promise<string[]> {
  const firstOf = (rows: readonly object[]) => rows.map((row) => String(Object.values(row)[0]))
  if (url.startsWith('sqlite:')) {
    using db = new DatabaseSync(url.slice('sqlite:'.length), { timeout: 5_000 })
    if (/^SELECT/.test(statements)) return firstOf(db.prepare(statements).all())
    db.exec(statements)
    return []
  }
  const sql = postgres(url, { max: 1, fetch_types: false, onnotice: () => {} })
  return firstOf(await sql.unsafe(statements).finally(() => sql.end()))
}

/**
 * Changes the times of all events from this id on, so that they are other events with the same ids, as after a restore
 * or a failover that has lost some.
 */
export const replaceEvents = (url: string, from: number): Promise<unknown> =>
  runSql(url, `UPDATE events SET at = at - 1 WHERE id >= ${from}`)

/** Ends the locks of deliveries now, like those of a process that was killed some time ago. */
export const endLocks = (url: string): Promise<unknown> => runSql(url, 'UPDATE deliveries SET locked_until = 0')
