/** SQL on a database of either kind, past the store. */
import { DatabaseSync } from 'node:sqlite'
import postgres from 'postgres'

export async function runSql(url: string, statements: string): Promise<void> {
  if (url.startsWith('sqlite:')) {
    const db = new DatabaseSync(url.slice('sqlite:'.length), { timeout: 5_000 })
    db.exec(statements)
    return db.close()
  }
  const sql = postgres(url, { max: 1, fetch_types: false, onnotice: () => {} })
  await sql.unsafe(statements).finally(() => sql.end())
}

/** Events from this one on are others with the same ids, as after a restore or a failover that has lost some. */
export const replaceEvents = (url: string, from: number): Promise<void> =>
  runSql(url, `UPDATE events SET at = at - 1 WHERE id >= ${from}`)

/** Locks of deliveries end now, as those of a process that was killed a while ago. */
export const endLocks = (url: string): Promise<void> => runSql(url, 'UPDATE deliveries SET locked_until = 0')
