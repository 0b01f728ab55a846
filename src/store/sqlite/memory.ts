/** A store in memory: small, opened within a few milliseconds, and smaller still while it is frozen. */
import { DatabaseSync } from 'node:sqlite'
import type { Time } from '../../time.ts'
import type { MemoryStore } from '../store.ts'
import { inMemory } from './file.ts'
import { markNew, migrate } from './migrate.ts'
import { storeOn } from './sqlite.ts'
import { prepare, setClock } from './statement.ts'

/** An empty store has 48 pages; with SQLite's default of 4,096 bytes it would take three times the memory. */
const pageBytes = 1024
/** 32 MiB, for what asks for no room before it writes, such as deliveries to webhooks. */
const pagesMax = 32 * 1024

export function openMemory(time: Time, frozen?: Uint8Array): MemoryStore {
  const db = new DatabaseSync(inMemory)
  setClock(db, time)
  if (frozen) db.deserialize(frozen)
  else {
    db.exec(`PRAGMA page_size = ${pageBytes}`)
    markNew(db, inMemory)
    migrate(db, inMemory)
  }
  db.exec(`PRAGMA synchronous = OFF; PRAGMA foreign_keys = ON; PRAGMA max_page_count = ${pagesMax}`)
  const used = prepare<[pages: number]>(
    db,
    'SELECT page_count - freelist_count FROM pragma_page_count, pragma_freelist_count',
  )
  let content = new Uint8Array()
  const onClosing = () => {
    content = db.serialize()
  }
  const store = storeOn(db, { time, isPrivate: true, onClosing })
  return {
    ...store,
    bytes: () => (used.get()?.[0] ?? 0) * pageBytes,
    dueAt() {
      const [held, next] = prepare<[held: string | null, next: number | null]>(db, dueNext).get() ?? []
      const times = [held ? Date.parse(held) : undefined, next ?? undefined].filter((at) => at !== undefined)
      return times.length > 0 ? Math.min(...times) : undefined
    },
    async freeze() {
      await store.close()
      return content
    },
  }
}

const dueNext = `
  SELECT
    (SELECT min(held_until) FROM orders WHERE status = 'placed' AND held_until IS NOT NULL),
    (SELECT min(max(next_try_at, locked_until)) FROM deliveries JOIN webhooks ON webhooks.id = webhook_id
     WHERE status = 'pending' AND enabled = 1)`
