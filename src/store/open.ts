/** Opens the database that a URL names. */
import type { Store } from './store.ts'

export interface StoreOptions {
  readonly url: string
  readonly connections: number
  readonly timeoutMilliseconds: number
  /** Fail if the file does not exist, instead of creating it. */
  readonly mustExist?: boolean
}

export async function openStore(options: StoreOptions): Promise<Store> {
  const { url } = options
  if (url.startsWith('sqlite:'))
    return (await import('./sqlite/sqlite.ts')).openSqlite(url.slice('sqlite:'.length), options)
  return (await import('./postgres/postgres.ts')).openPostgres(options)
}
