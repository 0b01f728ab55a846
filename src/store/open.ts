/** Opens the database that a URL names. */
import type { Time } from '../time.ts'
import type { SchemaChange, Store } from './store.ts'

interface StoreOptions {
  readonly url: string
  readonly connections: number
  readonly timeoutMilliseconds: number
  readonly prepare?: boolean
  readonly schema: SchemaChange
  readonly time: Time
}

export async function openStore(options: StoreOptions): Promise<Store> {
  const { url } = options
  if (url.startsWith('sqlite:'))
    return (await import('./sqlite/sqlite.ts')).openSqlite(url.slice('sqlite:'.length), options)
  return (await import('./postgres/postgres.ts')).openPostgres(options)
}
