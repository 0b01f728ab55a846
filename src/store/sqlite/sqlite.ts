/** The embedded store: one SQLite file, opened so that what was acknowledged survives a power cut. */
import { DatabaseSync } from 'node:sqlite'
import { type Store, StoreRefused } from '../store.ts'
import { createBulk } from './bulk.ts'
import { createWriter } from './commit.ts'
import { isBusy, unavailable } from './errors.ts'
import { createIdempotencyRecords } from './idempotency.ts'
import { createKeys } from './keys.ts'
import { knownVersion, migrate } from './migrations.ts'
import { createOrders } from './orders.ts'
import { createPageCache } from './page-cache.ts'
import { createPets } from './pets.ts'
import { createSnapshot } from './snapshot.ts'
import { prepare } from './statement.ts'

const busyMilliseconds = 5_000
const busyRetryMilliseconds = 5
/** Of the file, kept in memory; SQLite's own default of 2 MiB reads most rows from the system again and again. */
const cacheKibibytes = 16 * 1024

export function openSqlite(path: string): Store {
  let db: DatabaseSync | undefined
  try {
    db = new DatabaseSync(path, { timeout: busyMilliseconds })
    // First of all, so that a file that is not ours is left as it was found.
    knownVersion(db, path)
    useLog(db)
    // FULL: a commit returns only after the log is on the disk. NORMAL lost acknowledged rows when the power went.
    db.exec(`PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA cache_size = -${cacheKibibytes}`)
    migrate(db, path)
    // A write that is taken back shows now, rather than at the first POST, whether the file may be written.
    db.exec('BEGIN IMMEDIATE; PRAGMA user_version = 0; ROLLBACK')
    return storeOn(db)
  } catch (error) {
    db?.close()
    if (error instanceof StoreRefused) throw error
    const reason = unavailable(error)?.message ?? (error instanceof Error ? error.message : String(error))
    throw new StoreRefused(
      `Cannot open ${path} (${reason}). Check that it is a petstore database and may be written.`,
      { cause: error },
    )
  }
}

/** Gives a new file its write-ahead log. That needs the file alone, and SQLite does not wait for it by itself. */
function useLog(db: DatabaseSync): void {
  const deadline = performance.now() + busyMilliseconds
  for (;;)
    try {
      db.exec('PRAGMA journal_mode = WAL')
      return
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, busyRetryMilliseconds)
    }
}

function storeOn(db: DatabaseSync): Store {
  const snapshot = createSnapshot(db)
  const cache = createPageCache(db)
  const writer = createWriter(db, { beforeBegin: snapshot.end, afterCommit: cache.clear })
  const records = createIdempotencyRecords(db)
  const reading = { snapshot, cache }
  const ping = prepare(db, 'SELECT 1 FROM pets LIMIT 1')

  return {
    pets: createPets(db, writer, records, reading),
    orders: createOrders(db, writer, records, reading),
    keys: createKeys(db, writer, snapshot),
    bulk: createBulk(db),
    async ready() {
      snapshot.read(() => ping.get())
    },
    purgeIdempotencyRecords: (before) => writer.write(() => records.purge(before)),
    async close() {
      writer.flush()
      snapshot.end()
      db.close()
    },
  }
}
