/** Opens the database that a URL names. */
import type { PostgresOptions } from './postgres/postgres.ts'
import type { Store } from './store.ts'

/** For SQLite, only `url`, `schema` and `time` count. */
export async function openStore(options: PostgresOptions): Promise<Store> {
  const { url } = options
  if (url.startsWith('sqlite:'))
    return (await import('./sqlite/sqlite.ts')).openSqlite(url.slice('sqlite:'.length), options)
  return (await import('./postgres/postgres.ts')).openPostgres(options)
}
