/** The embedded store: one SQLite file, opened so that acknowledged writes survive a power cut. */
import { DatabaseSync } from 'node:sqlite'
import type { Collect } from '../../observe/metrics.ts'
import { isSystem, type Time } from '../../time.ts'
import { createImports } from '../bulk.ts'
import { createCategories } from '../categories.ts'
import { createInspection } from '../checks.ts'
import { createEvents } from '../events.ts'
import { createInventory } from '../inventory.ts'
import { createKeys } from '../keys.ts'
import type { DatabaseCheck } from '../maintenance.ts'
import { nextMigrations } from '../migrations.ts'
import { type SearchLimits, wordsAreListed } from '../search.ts'
import { purgeIdempotencyRecords } from '../shared-sql.ts'
import { DatabaseUnusable, type SchemaChange, type Store } from '../store.ts'
import { createWebhooks, withDeliveries } from '../webhooks.ts'
import { createBulk } from './bulk.ts'
import { createEventSource } from './events.ts'
import { fileSamples, makeFile, OpenFiles, openToRead, refuseOthers, requireFolder } from './file.ts'
import { createWriter, type Writer } from './group-commit.ts'
import { createIdempotencyRecords } from './idempotency.ts'
import { bytesAtOnce, createImportAdd } from './imports.ts'
import { assertWhole, markNew, migrate, versionOf } from './migrate.ts'
import { createOrders } from './orders.ts'
import { createPets } from './pets.ts'
import { createReader, type Reader } from './reader.ts'
import { eachWord, migrations, rowJson } from './schema.ts'
import { createSearches } from './search.ts'
import { createSql } from './sql.ts'
import { busyMilliseconds, isBusy, prepare, reasonOf, setClock } from './statement.ts'

const openingRetryMilliseconds = 5
/** SQLite's page cache; with its default of 2 MiB most rows are read from the operating system again and again. */
const cacheKibibytes = 16 * 1024
/** The size to which the log is truncated after a long read has made it grow. */
const logBytesMax = 16 * 1024 * 1024

const fileIsIntact: DatabaseCheck = {
  name: 'the file is intact',
  faults: `SELECT integrity_check FROM pragma_integrity_check WHERE integrity_check <> 'ok'`,
}

interface SqliteOptions {
  readonly time: Time
  readonly schema?: SchemaChange
  /** Opens the file. Tests replace it to keep the connection. */
  readonly connect?: (path: string) => DatabaseSync
  /** Other limits of a search, for tests. */
  readonly search?: SearchLimits | undefined
}

const connectTo = (path: string): DatabaseSync => new DatabaseSync(path, { timeout: busyMilliseconds })

export function openSqlite(path: string, options: SqliteOptions): Store {
  const { time, schema = 'migrate', connect = connectTo, search } = options
  const isReading = schema === 'read'
  let db: DatabaseSync | undefined
  try {
    refuseOthers(path)
    if (!isReading) requireFolder(path)
    makeFile(path, isReading || schema === 'none')
    const files = new OpenFiles()
    files.add(path)
    db = isReading ? openToRead(path) : connect(path)
    // This comes first, because a refused file must not be changed.
    const missing = nextMigrations(versionOf(db, path), migrations, path, schema)
    if (missing.length === 0 && !isReading) assertWhole(db, path)
    // `petstore restore` may have replaced the file while we waited for its lock.
    files.check()
    // SQLite asks the system by itself, which takes 2 µs less for each animal.
    if (!isSystem(time)) setClock(db, time)
    // What undoes a statement with triggers that fails is kept in memory; beyond 64 KiB it would go to a file.
    db.exec(`PRAGMA cache_size = -${cacheKibibytes}; PRAGMA temp_store = MEMORY`)
    if (!isReading) prepareToWrite(db, path, schema)
    // From here on SQLite never waits for a lock, which would block the event loop.
    db.exec('PRAGMA busy_timeout = 0')
    if (!isReading) {
      assertWritable(db)
      files.addLogOf(path)
    }
    return storeOn(db, { time, files, samples: () => fileSamples(path), search })
  } catch (error) {
    db?.close()
    if (error instanceof DatabaseUnusable) throw error
    const wanted = `a petstore database${isReading ? '' : ' and is writable'}`
    throw new DatabaseUnusable(`Cannot open ${path} (${reasonOf(error)}). Check that it is ${wanted}.`, {
      cause: error,
    })
  }
}

function prepareToWrite(db: DatabaseSync, path: string, schema: SchemaChange): void {
  markNew(db, path)
  useLog(db)
  // FULL: a commit returns only after the log is on disk. With NORMAL, a power cut loses acknowledged rows.
  db.exec(`PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA journal_size_limit = ${logBytesMax}`)
  migrate(db, path, migrations, schema)
}

/** Shows now, not at the first POST, whether the file is writable. */
function assertWritable(db: DatabaseSync): void {
  try {
    db.exec('BEGIN IMMEDIATE; PRAGMA user_version = 0; ROLLBACK')
  } catch (error) {
    // A read-only file fails before the lock is tried, so a busy one is writable. SQLite is not made to wait for the
    // lock: it would retry every 100 ms, while an import frees the lock for only a few milliseconds at a time.
    if (!isBusy(error)) throw error
  }
}

/** Switches a new file to WAL mode. That needs an exclusive lock, for which SQLite ignores the busy timeout. */
function useLog(db: DatabaseSync): void {
  for (let waited = 0; ; waited += openingRetryMilliseconds)
    try {
      db.exec('PRAGMA journal_mode = WAL')
      return
    } catch (error) {
      if (!isBusy(error) || waited >= busyMilliseconds) throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, openingRetryMilliseconds)
    }
}

interface StoreOptions extends Pick<SqliteOptions, 'time' | 'search'> {
  /** A store in memory has no file. */
  readonly files?: OpenFiles
  /** Further metrics. */
  readonly samples?: Collect
  /** Whether no other process can write to the store. */
  readonly isPrivate?: boolean
}

export function storeOn(db: DatabaseSync, options: StoreOptions): Store {
  const { time, files = new OpenFiles(), samples = () => [], isPrivate = false } = options
  const reader = createReader(db)
  const writer = createWriter(db, reader, files, time)
  const records = createIdempotencyRecords(db)
  const sql = createSql(db, writer, reader)
  const webhooks = createWebhooks(sql)
  const searches = createSearches(db, reader, time, options.search)

  return {
    pets: createPets(db, writer, records, reader, sql, searches.pets),
    orders: createOrders(db, writer, records, reader, sql, searches.orders),
    categories: createCategories(sql),
    inventory: createInventory(sql),
    events: withDeliveries(createEvents(sql, createEventSource(db, writer, reader, isPrivate), time), webhooks),
    keys: createKeys(sql),
    webhooks,
    bulk: createBulk(db, time),
    inspection: createInspection(sql, [fileIsIntact, ...wordsAreListed(eachWord)], rowJson),
    imports: createImports(sql, { add: createImportAdd(sql), bytesAtOnce }),
    fault: () => reader.health.fault,
    tryWrite: createTryWrite(db, writer, reader),
    purgeIdempotencyRecords: (olderThanMilliseconds) => purgeIdempotencyRecords(sql, olderThanMilliseconds),
    version: reader.version,
    samples: () => [...writer.samples(), ...samples()],
    async close() {
      await writer.drained()
      reader.end()
      db.close()
    },
  }
}

/**
 * A new animal takes some ten pages of the log. On a full disk, one page may still fit into what a failed write has
 * left.
 */
const triedPages = 32

/**
 * Writes the version that the file has, once for each page: that is one page of the log. It is read each time, because
 * a newer program may have migrated the file.
 */
function createTryWrite(db: DatabaseSync, writer: Writer, { health }: Reader): () => Promise<void> {
  const version = prepare<[number]>(db, 'PRAGMA user_version')
  const writePage = () => db.exec(`PRAGMA user_version = ${version.get()?.[0]}`)
  return async () => {
    for (let pages = 0; pages < triedPages; pages++) await writer.write(writePage, true)
    health.wrote()
  }
}
