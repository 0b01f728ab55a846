/** Opens the database a DATABASE_URL names; the one place where a kind of database is chosen. */
import { openSqlite } from './sqlite/sqlite.ts'
import type { Store } from './store.ts'

export async function openStore(databaseUrl: string): Promise<Store> {
  return openSqlite(databaseUrl.slice('sqlite:'.length))
}
