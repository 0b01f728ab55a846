/** Imports in a store: animals and progress are written together, or not at all. */
import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { after, describe, test } from 'node:test'
import type postgres from 'postgres'
import { ImportBatch, type ImportedPet } from '../../src/store/import-batch.ts'
import { openStore } from '../../src/store/open.ts'
import { type ImportTable, type Outcome, type Store, StoreUnavailable } from '../../src/store/store.ts'
import { databases } from '../support/databases.ts'
import { withStores } from '../support/in-process.ts'
import { eventually } from '../support/load.ts'
import { viaPgbouncer } from '../support/pgbouncer.ts'
import { postgresDatabase, releasePostgres } from '../support/postgres.ts'
import { petsOf, rex, rowOf } from './subject.ts'

after(releasePostgres)

/** The last arguments of `add`. */
const batch = (rows: number, ...animals: readonly ImportedPet[]) => [new ImportBatch().add(animals), rows] as const
const start = { rowsDone: 0, keepsIds: false, finishedAt: undefined }

for (const database of databases)
  describe(`an import on ${database.name}`, () => {
    test('adds animals and advances together; with a state that is not current, neither', () =>
      withStores(database, 1, async ([{ imports, ...store }]) => {
        assert.deepEqual(await imports.begin('a', false, undefined), start)
        assert.equal(
          await imports.add(
            'a',
            start,
            ...batch(3, ['Rex', '9223372036854775807', 'sold'], ['"\\é𝔊', '-1', 'available']),
          ),
          true,
        )
        assert.equal(await imports.add('a', start, ...batch(1, ['Lady', '1', 'available'])), false)
        assert.equal(await imports.add('b', start, ...batch(1, ['Lady', '1', 'available'])), false)
        for (const again of [false, true])
          assert.deepEqual(
            await imports.begin('a', again, undefined),
            { ...start, rowsDone: 3 },
            'it is not begun anew',
          )
        assert.deepEqual(petsOf((await store.pets.page({ after: 0, limit: 10 })).json), [
          { id: 1n, name: 'Rex', categoryId: 2n ** 63n - 1n, status: 'sold' },
          { id: 2n, name: '"\\é𝔊', categoryId: -1n, status: 'available' },
        ])
      }))

    test('adds nothing once it is finished, until it is begun again', () =>
      withStores(database, 1, async ([{ imports }]) => {
        await imports.begin('a', false, undefined)
        const ended = { ...start, finishedAt: 1_800_000_000_000 }
        assert.equal(await imports.add('a', ended, ...batch(0)), true)
        assert.deepEqual(await imports.begin('a', false, undefined), ended)
        assert.equal(await imports.add('a', start, ...batch(1)), false)
        assert.deepEqual(await imports.begin('a', true, undefined), start)
        assert.equal(await imports.add('a', start, ...batch(1)), true)
      }))

    test('reserves the ids of the file if none was ever assigned: others get those after them', () =>
      withStores(database, 2, async ([{ imports, ...store }, ...others]) => {
        const add = () => others[0]?.pets.insert(rex, undefined)
        assert.equal(await imports.isNew(), true)
        const state = await imports.begin('a', false, 40)
        assert.equal(state.keepsIds, true)
        assert.equal(await imports.isNew(), false)
        assert.equal(rowOf((await add()) as Outcome).id, 41)
        await imports.add('a', state, ...batch(2, ['Rex', '1', 'sold', 7], ['Lady', '1', 'sold', 40]))
        const { json } = await store.pets.page({ after: 0, limit: 10 })
        assert.deepEqual(
          petsOf(json).map(({ id }) => id),
          [7n, 40n, 41n],
        )
        assert.equal((await imports.begin('b', false, 100)).keepsIds, false)
        assert.equal(rowOf((await add()) as Outcome).id, 42)
      }))

    test('counts an id as assigned, also when its animal is gone', () =>
      withStores(database, 1, async ([{ imports, ...store }]) => {
        await store.pets.insert(rex, undefined)
        await store.pets.remove(1n, undefined)
        assert.equal(await imports.isNew(), false)
        assert.equal((await imports.begin('a', false, 40)).keepsIds, false)
      }))
  })

describe('two transactions of an import on PostgreSQL', () => {
  const rex = (count: number): ImportedPet[] => Array(count).fill(['Rex', '1', 'sold'])
  const lady: ImportedPet = ['Lady', '1', 'sold']
  const done = (rowsDone: number) => ({ ...start, rowsDone })
  /** That a transaction waits for the one before, after the given statement. */
  const waitsAfter = (sql: postgres.Sql, statement: string, count = 1) =>
    eventually(
      () =>
        sql`SELECT FROM pg_stat_activity WHERE datname = current_database() AND state = 'idle in transaction'
            AND query LIKE ${`%${statement}%`}`,
      (found) => found.length === count,
    )

  /** Whatever isolation the operator has chosen. */
  async function withImport(
    timeoutMilliseconds: number,
    work: (imports: ImportTable, sql: postgres.Sql) => Promise<void>,
  ): Promise<void> {
    const { url, connect, remove } = await postgresDatabase()
    const sql = connect(2)
    const open = (milliseconds: number) =>
      openStore({ url, connections: 2, timeoutMilliseconds: milliseconds, prepare: !viaPgbouncer })
    try {
      await sql.unsafe(`ALTER DATABASE ${sql.options.database} SET default_transaction_isolation = 'repeatable read'`)
      const first = await open(30_000)
      await first.imports.begin('a', false, undefined)
      await first.close()
      const store = await open(timeoutMilliseconds)
      await work(store.imports, sql).finally(() => store.close())
    } finally {
      await sql.end()
      await remove()
    }
  }
  /** While `work` runs, no transaction can note how many rows are done. */
  const holding = (sql: postgres.Sql, work: (begun: postgres.TransactionSql) => Promise<void>) =>
    sql.begin(async (begun) => {
      await begun`SELECT FROM imports FOR UPDATE`
      await work(begun)
    })
  const names = async (sql: postgres.Sql) => (await sql`SELECT name FROM pets ORDER BY id`).map(({ name }) => name)

  test('are under way together, and their animals have ids in the order of the file', () =>
    withImport(30_000, async (imports, sql) => {
      let adding: Promise<boolean>[] = []
      await holding(sql, async (begun) => {
        // Nor can any take an id.
        await begun`SELECT pg_advisory_lock((${0x50}::bigint << 56) + last_value) FROM pet_ids`
        adding = [imports.add('a', start, ...batch(500, ...rex(500))), imports.add('a', done(500), ...batch(1, lady))]
        await waitsAfter(sql, 'SET TRANSACTION')
        await begun`SELECT pg_advisory_unlock_all()`
        await waitsAfter(sql, 'INSERT INTO pets')
      })
      assert.deepEqual(await Promise.all(adding), [true, true])
      assert.deepEqual(await names(sql), [...Array(500).fill('Rex'), 'Lady'])
    }))

  test('add nothing where the first does not', () =>
    withImport(30_000, async (imports, sql) => {
      const adding = [1, 2].map((rowsDone) => imports.add('a', done(rowsDone), ...batch(1, lady)))
      assert.deepEqual(await Promise.all(adding), [false, false])
      assert.deepEqual(await names(sql), [])
    }))

  test('leave the rest to another process that has added what the first would, though it stands where the second begins', () =>
    withImport(30_000, async (imports, sql) => {
      await sql`UPDATE imports SET rows_done = 1`
      const adding = [0, 1].map((rowsDone) => imports.add('a', done(rowsDone), ...batch(1, lady)))
      assert.deepEqual(await Promise.all(adding), [false, false])
      assert.equal(await imports.add('a', done(1), ...batch(1, lady)), true, 'the next is not one of them')
    }))

  test('that do not end fail, and the server ends the one that waits, as it holds back ids of others', () =>
    withImport(500, (imports, sql) =>
      holding(sql, async () => {
        const adding = [0, 1].map((rowsDone) => imports.add('a', done(rowsDone), ...batch(1, lady)))
        for (const { status, reason } of (await Promise.allSettled(adding)) as PromiseRejectedResult[])
          assert.ok(status === 'rejected' && reason instanceof StoreUnavailable, `${reason}`)
        await waitsAfter(sql, 'INSERT INTO pets', 0)
      }),
    ))
})

describe('the first import of a SQLite file', () => {
  const [sqlite] = databases
  const open = (url: string) => openStore({ url, connections: 1, timeoutMilliseconds: 5_000 })
  const all = ['events_pets_insert', 'pets_by_category', 'pets_by_category_and_status', 'pets_by_status']

  /** What of the indexes and the trigger is there. */
  function present(url: string): unknown[] {
    using db = new DatabaseSync(url.replace('sqlite:', ''), { readOnly: true })
    const found = db.prepare(`SELECT name FROM sqlite_schema WHERE name IN (${all.map(() => '?')}) ORDER BY name`)
    return found.all(...all).map(({ name }) => name)
  }

  /** Each animal has one event, in the order of the ids, with the animal as it is. */
  async function assertEvents({ pets, events }: Store): Promise<void> {
    const page = await events.page({ after: 0, limit: 10 })
    assert.ok(typeof page === 'object')
    const created = page.events.map(({ json }) => json.replace(/.*"data":(.*)\}$/, '$1'))
    assert.equal(`[${created.join()}]`, (await pets.page({ after: 0, limit: 10 })).json)
    assert.ok(page.events.every(({ type }) => type === 'pet.created'))
  }

  const add = async ({ imports }: Store, rowsDone: number, finishedAt?: number) =>
    assert.equal(await imports.add('a', { ...start, rowsDone, finishedAt }, ...batch(1, ['Rex', '1', 'sold'])), true)

  test('goes without indexes and trigger, which are there again at its end; every animal has its event', () =>
    withStores(sqlite, 1, async ([store], url) => {
      await store.imports.begin('a', false, undefined)
      assert.deepEqual(present(url), [])
      await add(store, 0)
      await add(store, 1)
      assert.deepEqual(present(url), [])
      await add(store, 2, 1)
      assert.deepEqual(present(url), all)
      await store.pets.insert(rex, undefined)
      await assertEvents(store)
      assert.equal(await store.inventory.total(), '{"available":1,"pending":0,"sold":3}')
      assert.deepEqual(await store.inventory.discrepancies(), [])
    }))

  test('goes with them once another process has opened the file', () =>
    withStores(sqlite, 1, async ([store], url) => {
      await store.imports.begin('a', false, undefined)
      await add(store, 0)
      assert.equal(store.imports.rowsPerBatch, 40_000)
      const other = await open(url)
      assert.deepEqual(present(url), all)
      assert.equal(store.imports.rowsPerBatch, 10_000)
      await add(store, 1)
      await other.pets.insert(rex, undefined)
      await add(store, 2, 1)
      await assertEvents(store)
      await other.close()
    }))

  test('keeps them where another process has the file open, or an animal was ever added', async () => {
    await withStores(sqlite, 2, async ([store], url) => {
      await store.imports.begin('a', false, undefined)
      assert.deepEqual(present(url), all)
      await add(store, 0, 1)
      await assertEvents(store)
    })
    await withStores(sqlite, 1, async ([store], url) => {
      await store.pets.insert(rex, undefined)
      await store.imports.begin('a', false, undefined)
      assert.deepEqual(present(url), all)
    })
  })

  test('leaves the file to others as soon as it has begun', () =>
    withStores(sqlite, 1, async ([store], url) => {
      const begun = store.imports.begin('a', false, undefined)
      // Within the same turn: it would wait in vain for a lock of this process.
      const other = await open(url)
      await begun
      await other.pets.insert(rex, undefined)
      await assertEvents(store)
      await other.close()
    }))
})
