/** A store in memory: hundreds of them fit into one process, each small and opened within a few milliseconds. */
import { DatabaseSync } from 'node:sqlite'
import type { Time } from '../../time.ts'
import type { MemoryStore } from '../store.ts'
import { inMemory } from './file.ts'
import { markNew, migrate } from './migrate.ts'
import { storeOn } from './sqlite.ts'

/** An empty store has 43 pages; with SQLite's default of 4,096 bytes it would take three times the memory. */
const pageBytes = 1024
/** Then writes get 503: 16 MiB, some 30,000 animals. */
const pagesMax = 16 * 1024

export function openMemory(time: Time, frozen?: Uint8Array): MemoryStore {
  const db = new DatabaseSync(inMemory)
  db.function('unixepoch', { deterministic: true }, (_subsec) => time.now() / 1000)
  if (frozen) db.deserialize(frozen)
  else {
    db.exec(`PRAGMA page_size = ${pageBytes}`)
    markNew(db, inMemory)
    migrate(db, inMemory)
  }
  db.exec(`PRAGMA synchronous = OFF; PRAGMA foreign_keys = ON; PRAGMA max_page_count = ${pagesMax}`)
  let content = new Uint8Array()
  const store = storeOn(
    db,
    () => {},
    () => [],
    time,
    () => {
      content = db.serialize()
    },
  )
  return {
    ...store,
    async freeze() {
      await store.close()
      return content
    },
  }
}
