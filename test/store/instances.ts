/** Several instances of the store on one PostgreSQL. */
import type postgres from 'postgres'
import { viaPgbouncer } from '../../harness/pgbouncer.ts'
import { openedDatabase, type PostgresDatabase } from '../../harness/postgres.ts'
import { openPostgres } from '../../src/store/postgres/postgres.ts'
import type { Store } from '../../src/store/store.ts'
import { systemTime } from '../../src/time.ts'

export const open = (url: string, timeoutMilliseconds = 30_000): Promise<Store> =>
  openPostgres({ time: systemTime, url, connections: 10, timeoutMilliseconds, prepare: !viaPgbouncer })

/** Opens two instances on one new database, and one connection of the test. */
export async function withInstances(
  work: (
    instances: { first: Store; second: Store; sql: postgres.Sql } & Pick<PostgresDatabase, 'url' | 'connect'>,
  ) => Promise<void>,
  timeoutMilliseconds = 30_000,
): Promise<void> {
  const { url, connect, setTimeouts, remove } = await openedDatabase()
  await setTimeouts(timeoutMilliseconds)
  const sql = connect()
  const [first, second] = await Promise.all([open(url, timeoutMilliseconds), open(url, timeoutMilliseconds)])
  try {
    await work({ first, second, sql, url, connect })
  } finally {
    await Promise.all([first.close(), second.close(), sql.end({ timeout: 1 })])
    await remove()
  }
}
