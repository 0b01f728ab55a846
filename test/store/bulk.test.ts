/** Moving whole tables. Nobody else writes to the target, and the source is read as of one moment. */
import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { after, describe, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import postgres from 'postgres'
import { databases } from '../../harness/databases.ts'
import { faultsIn } from '../../harness/faults.ts'
import { withStores } from '../../harness/in-process.ts'
import { viaPgbouncer } from '../../harness/pgbouncer.ts'
import { postgresDatabase, releasePostgres } from '../../harness/postgres.ts'
import { runSql } from '../../harness/sql.ts'
import { isEmpty } from '../../src/store/bulk.ts'
import type { Chunk } from '../../src/store/maintenance.ts'
import { createPool } from '../../src/store/postgres/pool.ts'
import { tableNames } from '../../src/store/tables.ts'
import { systemTime } from '../../src/time.ts'
import { rex } from './subject.ts'

after(releasePostgres)

/** Returns whether another connection may write to each table immediately. */
async function writable(url: string): Promise<boolean[]> {
  if (url.startsWith('sqlite:')) {
    using db = new DatabaseSync(url.slice('sqlite:'.length), { timeout: 0 })
    try {
      db.exec('BEGIN IMMEDIATE; ROLLBACK')
      return all
    } catch (error) {
      assert.match(String(error), /database is locked/)
      return none
    }
  }
  const sql = postgres(url, { max: 1, fetch_types: false })
  const outcomes: boolean[] = []
  // INSERT, UPDATE and DELETE take this lock.
  for (const table of tableNames)
    await sql
      .begin((begun) => begun.unsafe(`LOCK TABLE ${table} IN ROW EXCLUSIVE MODE NOWAIT`))
      .then(
        () => outcomes.push(true),
        ({ code }) => outcomes.push(code !== '55P03' && assert.fail(code)),
      )
  await sql.end()
  return outcomes
}

const all = tableNames.map(() => true)
const none = tableNames.map(() => false)
const options = { connections: 1, prepare: !viaPgbouncer }
const lastIds = { api_keys: 0, pets: 0, orders: 0, events: 0, webhooks: 0 }

/** Makes an order for animal 1. */
const order = (id: string, as: string, petId = '1') => [id, petId, as, null, null, 't', 't', null]

/** Returns the definitions of all tables, indexes and foreign keys. */
const definitions = (url: string): Promise<string[]> =>
  runSql(
    url,
    url.startsWith('sqlite:')
      ? 'SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name'
      : `SELECT indexdef FROM pg_indexes WHERE schemaname = 'public'
         UNION ALL SELECT conname || ' ' || pg_get_constraintdef(oid) FROM pg_constraint
         WHERE conrelid <> 0 ORDER BY 1`,
  )

const animal = (id: string, status = 'pending') => ({ table: 'pets', rows: [[id, 'Rex', '1', status]] }) as const
const ordered = (...orders: (string | null)[][]) => ({ table: 'orders', rows: orders }) as const
/** Rows that a database refuses, and why. */
const refused: readonly (readonly [Chunk, RegExp])[] = [
  [animal('3', 'lost'), /check constraint/i],
  [ordered(order('1', 'placed', '9')), /foreign key/i],
  [ordered(order('1', 'placed'), order('2', 'placed')), /unique/i],
  [ordered(order('1', 'placed'), order('2', 'completed')), /unique/i],
]

for (const database of databases)
  describe(`whole tables, on ${database.name}`, () => {
    test(`Nobody else can write while tables are imported, on ${database.name}`, () =>
      withStores(database, 1, async ([{ bulk }], url) => {
        const seen: boolean[][] = []
        const look = async () => void seen.push(await writable(url))
        await bulk.import(async () => {
          await look()
          return lastIds
        })
        await look()
        assert.deepEqual(seen, [none, all])
      }))

    test(`Tables are exported as they were at one moment while others write, on ${database.name} [decision 28]`, () =>
      withStores(database, 2, async ([{ bulk, pets }, other]) => {
        await pets.insert(rex, undefined)
        const copied: Record<string, number> = {}
        const { pets: lastPet } = await bulk.export(async ({ table, rows }) => {
          copied[table] = (copied[table] ?? 0) + rows.length
          if (table === 'pets') await other?.pets.insert(rex, undefined)
        })
        assert.deepEqual([copied.pets, copied.events], [1, 1])
        assert.ok(lastPet >= 1)
        assert.equal((await bulk.counts()).pets, 2)
      }))

    test(`Imported tables compute the words of names again, whatever words the source has, on ${database.name} [decision 28]`, () =>
      withStores(database, 1, async ([{ bulk, pets }], url) => {
        await pets.insert({ ...rex, name: 'Bellà 7' }, undefined)
        await runSql(url, `UPDATE pets SET words = 'max'`)
        await withStores(database, 1, async ([copy], ofCopy) => {
          await copy.bulk.import((write) => bulk.export(write))
          assert.deepEqual(await runSql(ofCopy, 'SELECT words FROM pets'), ['bella 7'])
          assert.deepEqual(await faultsIn(copy), [])
        })
      }))

    test(`An export of tables that cannot be finished leaves the source usable, on ${database.name}`, () =>
      withStores(database, 1, async ([{ bulk, pets }], url) => {
        await pets.insert(rex, undefined)
        const failure = new Error('the disk is full')
        await assert.rejects(
          bulk.export(() => Promise.reject(failure)),
          failure,
        )
        assert.deepEqual(await writable(url), all)
        await pets.insert(rex, undefined)
      }))

    test(`Tables are imported completely or not at all, sell no animal twice, and keep all indexes and keys, on ${database.name} [decision 12]`, () =>
      withStores(database, 1, async ([{ bulk, orders }], url) => {
        await runSql(url, 'CREATE UNIQUE INDEX "Of an ""operator""" ON orders (id, created_at) WHERE id > 7')
        const before = await definitions(url)
        assert.equal(before.filter((text) => text.includes('Of an')).length, 1)
        const filling = (chunk: Chunk) =>
          bulk.import(async (write) => {
            await write(animal('1'))
            await write(chunk)
            return { ...lastIds, pets: 3, orders: 2 }
          })
        for (const [chunk, reason] of refused) {
          await assert.rejects(filling(chunk), reason)
          assert.ok(isEmpty(await bulk.counts()))
          assert.deepEqual(await definitions(url), before)
        }
        await filling(ordered(order('1', 'cancelled'), order('2', 'completed')))
        assert.deepEqual(await definitions(url), before)
        assert.ok(await orders.find(2n))
      }))

    for (const last of [0, 7])
      test(`Imported tables keep the last id of each table, ${last}, even through a second copy, on ${database.name} [decision 28]`, () =>
        withStores(database, 1, async ([{ bulk, keys, events }]) => {
          const expected = { api_keys: last, pets: last, orders: last, events: last, webhooks: last }
          await bulk.import(async (write) => {
            if (last > 0) await write({ table: 'events_purged', rows: [[String(last - 1), '5']] })
            return expected
          })
          const purged = last > 0 ? { id: last - 1, at: 5 } : { id: 0, at: 0 }
          assert.deepEqual([await events.oldest(), await events.present()], [purged, purged])
          // The reads of one turn share a transaction on SQLite.
          await nextTurn()
          assert.deepEqual(await bulk.export(async () => {}), expected)
          const key = { name: 'k', prefix: 'p', hash: 'h', scopes: [], createdAt: 1, expiresAt: undefined }
          assert.equal((await keys.insert(key)).id, last + 1)
        }))

    test(`Tables are not exported from a schema with more columns than this program knows, on ${database.name} [decision 28]`, () =>
      withStores(database, 1, async ([{ bulk }], url) => {
        const isSqlite = url.startsWith('sqlite:')
        await runSql(url, isSqlite ? 'PRAGMA user_version = 101' : 'UPDATE schema_version SET version = 101')
        await assert.rejects(
          bulk.export(async () => assert.fail('a row was read')),
          /The database to copy from was written by a newer petstore \(schema 101, .+\)\. Copy it with that version/,
        )
      }))
  })

test('A transaction of an operator on PostgreSQL has no time limit, and later requests have their usual limits', async () => {
  const { url, setTimeouts, remove } = await postgresDatabase()
  await setTimeouts(40_000)
  const pool = createPool({ time: systemTime, ...options, url, timeoutMilliseconds: 40_000 })
  const limits = `SELECT name, setting FROM pg_settings WHERE name IN
    ('statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout') ORDER BY name`
  const settings = (rows: { name: string; setting: string }[]) => rows.map(({ setting }) => setting)
  try {
    assert.deepEqual(settings(await pool.longTransaction(({ query }) => query(limits))), ['0', '0', '0'])
    assert.deepEqual(settings(await pool.query(limits)), ['60000', '10000', '40000'])
  } finally {
    await pool.end()
    await remove()
  }
})
