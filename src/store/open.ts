/** Opens the database that a URL names, or one in memory. */
import type { Time } from '../time.ts'
import type { PostgresOptions } from './postgres/postgres.ts'
import type { MemoryStore, Store } from './store.ts'

/** SQLite uses only `url`, `schema`, `time` and `search` of the options. */
export async function openStore(options: PostgresOptions): Promise<Store> {
  const { url } = options
  if (url.startsWith('sqlite:'))
    return (await import('./sqlite/sqlite.ts')).openSqlite(url.slice('sqlite:'.length), options)
  return (await import('./postgres/postgres.ts')).openPostgres(options)
}

/** A store that exists only in memory: new, or with the content of another store. */
export async function openMemory(time: Time, content?: Uint8Array): Promise<MemoryStore> {
  return (await import('./sqlite/memory.ts')).openMemory(time, content)
}
