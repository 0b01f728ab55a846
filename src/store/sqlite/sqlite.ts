/** The embedded store: one SQLite file, opened so that what was acknowledged survives a power cut. */
import { DatabaseSync } from 'node:sqlite'
import { type Store, StoreRefused } from '../store.ts'
import { createAttempts } from './attempts.ts'
import { createWriter } from './commit.ts'
import { unavailable } from './faults.ts'
import { createKeys } from './keys.ts'
import { migrate } from './migrations.ts'
import { createPets } from './pets.ts'

const busyMilliseconds = 5_000

export function openSqlite(path: string): Store {
  const db = open(path)
  const writer = createWriter(db)
  const attempts = createAttempts(db)
  const ping = db.prepare('SELECT 1 FROM pets LIMIT 1')

  return {
    pets: createPets(db, writer, attempts),
    keys: createKeys(db, writer),
    async ready() {
      try {
        ping.get()
      } catch (error) {
        throw unavailable(error) ?? error
      }
    },
    forget: (before) => writer.write(() => attempts.forget(before)),
    async close() {
      writer.flush()
      db.close()
    },
  }
}

function open(path: string): DatabaseSync {
  let db: DatabaseSync | undefined
  try {
    db = new DatabaseSync(path, { timeout: busyMilliseconds })
    // FULL: a commit returns only after the log is on the disk. NORMAL lost acknowledged rows when the power went.
    db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON')
    migrate(db, path)
    return db
  } catch (error) {
    db?.close()
    if (error instanceof StoreRefused) throw error
    const reason = unavailable(error)?.message ?? (error instanceof Error ? error.message : String(error))
    throw new StoreRefused(
      `Cannot open ${path} (${reason}). Check that it is a petstore database and may be written.`,
      {
        cause: error,
      },
    )
  }
}
