/** The embedded store: one SQLite file, opened so that acknowledged writes survive a power cut. */
import { DatabaseSync } from 'node:sqlite'
import type { Collect } from '../../observe/metrics.ts'
import { createCategories } from '../categories.ts'
import { type Check, createInspection } from '../checks.ts'
import { createEvents } from '../events.ts'
import { createImports, type PetIds } from '../imports.ts'
import { createInventory } from '../inventory.ts'
import { createKeys } from '../keys.ts'
import { createProbe } from '../probe.ts'
import { purgeIdempotencyRecords } from '../sql.ts'
import { type Store, StoreRefused } from '../store.ts'
import { createWebhooks, withDeliveries } from '../webhooks.ts'
import { createBulk } from './bulk.ts'
import { createWriter, type Writer } from './commit.ts'
import { createEventSource } from './events.ts'
import { createFileWatch, createWatch, fileSamples, makeFile, removeFiles, type Watch } from './file.ts'
import { createIdempotencyRecords } from './idempotency.ts'
import { createOrders } from './orders.ts'
import { createPets } from './pets.ts'
import { createReading } from './reading.ts'
import { addWords, docs, eachWord, idsPerBlock, migrate, migrationsIn } from './schema.ts'
import { createSql } from './sql.ts'
import { isBusy, prepare, reasonOf } from './statement.ts'

/** How long opening may wait while another process opens the same file. */
const openingMilliseconds = 5_000
const openingRetryMilliseconds = 5
/** SQLite's page cache; with its default of 2 MiB most rows are read from the operating system again and again. */
const cacheKibibytes = 16 * 1024
/** The size to which the log is truncated after a long read has made it grow. */
const logBytesMax = 16 * 1024 * 1024

const fileIsIntact: Check = {
  name: 'the file is intact',
  faults: `SELECT integrity_check FROM pragma_integrity_check WHERE integrity_check <> 'ok'`,
}

/** Entries of the index, in the blocks that `condition` means, that are of no word of their animal. */
const strayWords = (condition: string): string =>
  `SELECT 'Animal ' || pet_id || ' is found by ' || word || ', which is not in its name.'
   FROM pet_words LEFT JOIN pets ON id = pet_id
   WHERE ${condition} AND (id IS NULL OR block <> id / ${idsPerBlock} OR instr(' ' || words || ' ', ' ' || word || ' ') = 0)`
/** The first block without ids below the given one, which the driver passes as a number with a fraction. */
const blockAfter = (id: string): string => `(CAST(${id} AS INTEGER) + ${idsPerBlock - 1}) / ${idsPerBlock}`

const wordsAreIndexed: readonly Check[] = [
  {
    name: 'every animal is found by its words',
    table: 'pets',
    faults: `
      SELECT 'Animal ' || pets.id || ' is not found by ' || value || '.' FROM pets, ${eachWord('words')}
      WHERE pets.id > $1 AND pets.id <= $2 AND value <> ''
        AND NOT EXISTS (SELECT 1 FROM pet_words WHERE block = pets.id / ${idsPerBlock} AND word = value AND pet_id = pets.id)
      UNION ALL ${strayWords(`block >= ${blockAfter('$1')} AND block < ${blockAfter('$2')}`)}`,
  },
  {
    name: 'no animal is found that is gone',
    faults: strayWords(`block >= (SELECT ${blockAfter('coalesce(max(id), 0)')} FROM pets)`),
  },
]

const petIds: PetIds = {
  next: 'NULL',
  isNew: `NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = 'pets' AND seq > 0)`,
  reserve: `INSERT OR REPLACE INTO sqlite_sequence (rowid, name, seq)
    SELECT (SELECT rowid FROM sqlite_sequence WHERE name = 'pets'), 'pets', $2 FROM imports WHERE hash = $1 AND keeps_ids = 1`,
  afterInsert: {
    ofNew: addWords(`pets.id > (SELECT seq FROM sqlite_sequence WHERE name = 'pets') - json_array_length($5)`),
    withIds: addWords('pets.id IN (SELECT value ->> 4 FROM json_each($5))'),
  },
}

export interface SqliteOptions {
  /** Fail if the file does not exist, instead of creating it. */
  readonly mustExist?: boolean
}

export function openSqlite(path: string, { mustExist = false }: SqliteOptions = {}): Store {
  let db: DatabaseSync | undefined
  let isNew = false
  try {
    isNew = makeFile(path, mustExist)
    const watch = createFileWatch(path)
    db = new DatabaseSync(path, { timeout: openingMilliseconds })
    // First, so that a file of another program is not changed.
    migrationsIn(db, path)
    // `petstore restore` may have replaced the file while we waited for its lock.
    watch()
    useLog(db)
    // FULL: a commit returns only after the log is on disk. With NORMAL, a power cut loses acknowledged rows.
    db.exec(`PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA cache_size = -${cacheKibibytes};
             PRAGMA journal_size_limit = ${logBytesMax}`)
    migrate(db, path)
    // From here on SQLite never waits for a lock, which would block the event loop; writes are retried on a timer.
    db.exec('PRAGMA busy_timeout = 0')
    assertWritable(db)
    const store = storeOn(db, createWatch(path, watch), () => fileSamples(path))
    return {
      ...store,
      async discard() {
        await store.close()
        if (isNew) removeFiles(path)
      },
    }
  } catch (error) {
    db?.close()
    if (isNew) removeFiles(path)
    if (error instanceof StoreRefused) throw error
    throw new StoreRefused(
      `Cannot open ${path} (${reasonOf(error)}). Check that it is a petstore database and is writable.`,
      {
        cause: error,
      },
    )
  }
}

/** A write that is rolled back shows now, not at the first POST, whether the file is writable. */
function assertWritable(db: DatabaseSync): void {
  try {
    db.exec('BEGIN IMMEDIATE; PRAGMA user_version = 0; ROLLBACK')
  } catch (error) {
    // A file that may only be read fails before the lock is tried. SQLite would wait for it in vain: it tries every 100 ms,
    // and an import leaves it free for a few at a time.
    if (!isBusy(error)) throw error
  }
}

/** Switches a new file to WAL mode. That needs an exclusive lock, for which SQLite ignores the busy timeout. */
function useLog(db: DatabaseSync): void {
  const deadline = performance.now() + openingMilliseconds
  for (;;)
    try {
      db.exec('PRAGMA journal_mode = WAL')
      return
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, openingRetryMilliseconds)
    }
}

function storeOn(db: DatabaseSync, watch: Watch, ofFiles: Collect): Omit<Store, 'discard'> {
  const reading = createReading(db)
  const writer = createWriter(db, {
    beforeBegin: reading.end,
    afterCommit(isUpkeep) {
      if (!isUpkeep) reading.clearCache()
      watch()
    },
  })
  const records = createIdempotencyRecords(db)
  const sql = createSql(db, writer, reading)
  const webhooks = createWebhooks(sql)

  return {
    pets: createPets(db, writer, records, reading),
    orders: createOrders(db, writer, records, reading),
    categories: createCategories(sql),
    inventory: createInventory(sql),
    events: withDeliveries(createEvents(sql, createEventSource(db, writer, reading)), webhooks),
    keys: createKeys(sql),
    webhooks,
    bulk: createBulk(db),
    inspection: createInspection(sql, [fileIsIntact, ...wordsAreIndexed], docs),
    imports: createImports(sql, petIds),
    ready: createProbe(probeWrite(db, writer), 'SQLite: another process holds the write lock'),
    purgeIdempotencyRecords: (before) => purgeIdempotencyRecords(sql, before),
    samples: () => [...writer.samples(), ...reading.samples(), ...ofFiles()],
    async close() {
      await writer.drained()
      reading.end()
      db.close()
    },
  }
}

/**
 * Writes the version that the file has: one page in the log, and one fsync. It is read each time, as a newer version of the
 * program may have migrated the file.
 */
function probeWrite(db: DatabaseSync, writer: Writer): () => Promise<void> {
  const version = prepare<[number]>(db, 'PRAGMA user_version')
  return () => writer.write(() => db.exec(`PRAGMA user_version = ${version.get()?.[0]}`), true)
}
