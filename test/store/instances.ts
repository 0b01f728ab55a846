/** Several instances of the store on one PostgreSQL. */
import postgres from 'postgres'
import { openPostgres } from '../../src/store/postgres/postgres.ts'
import type { Store } from '../../src/store/store.ts'
import { postgresDatabase } from '../support/postgres.ts'

export const open = (url: string, timeoutMilliseconds = 5_000): Promise<Store> =>
  openPostgres({ url, connections: 10, timeoutMilliseconds })

/** Two instances on one new database, and one connection of the test's own. */
export async function withInstances(
  work: (instances: { first: Store; second: Store; sql: postgres.Sql; url: string }) => Promise<void>,
  timeoutMilliseconds?: number,
): Promise<void> {
  const { url, remove } = await postgresDatabase()
  const sql = postgres(url, { max: 1, fetch_types: false, onnotice: () => {} })
  const [first, second] = await Promise.all([open(url, timeoutMilliseconds), open(url, timeoutMilliseconds)])
  try {
    await work({ first, second, sql, url })
  } finally {
    await Promise.all([first.close(), second.close(), sql.end({ timeout: 1 })])
    await remove()
  }
}
