/** A store in memory: a thousand of them fit into one process, each opened within a few milliseconds. */
import { DatabaseSync } from 'node:sqlite'
import type { Time } from '../../time.ts'
import type { MemoryStore } from '../store.ts'
import { inMemory } from './file.ts'
import { markNew, migrate } from './migrate.ts'
import { storeOn } from './sqlite.ts'
import { prepare, setClock } from './statement.ts'

/** An empty store has 48 pages; with SQLite's default of 4,096 bytes it would take three times the memory. */
const pageBytes = 1024
/** 32 MiB: the bound for writes that no other limit checks before, such as deliveries to webhooks. */
const pagesMax = 32 * 1024
/** The pages of a store that was opened from a copy are in memory already: a cache would keep them twice. */
const cacheKibibytes = 64

export function openMemory(time: Time, content?: Uint8Array): MemoryStore {
  const db = new DatabaseSync(inMemory)
  setClock(db, time)
  if (content) db.deserialize(content)
  else {
    db.exec(`PRAGMA page_size = ${pageBytes}`)
    markNew(db, inMemory)
    migrate(db, inMemory)
  }
  db.exec(`PRAGMA synchronous = OFF; PRAGMA foreign_keys = ON; PRAGMA max_page_count = ${pagesMax}`)
  db.exec(`PRAGMA cache_size = -${cacheKibibytes}`)
  const used = prepare<[pages: number]>(
    db,
    'SELECT page_count - freelist_count FROM pragma_page_count, pragma_freelist_count',
  )
  return {
    ...storeOn(db, { time, isPrivate: true }),
    bytes: () => (used.get()?.[0] ?? 0) * pageBytes,
    // A transaction ends in the callback in which it began, so this has all that was acknowledged.
    content: () => db.serialize(),
  }
}
