/** The kept counts equal a recount: with instances side by side, with writers that know nothing of them, and after the migration that began them. */
import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { after, describe, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { migrations as postgresMigrations } from '../../src/store/postgres/migrations.ts'
import { migrations as sqliteMigrations } from '../../src/store/sqlite/migrations.ts'
import { openSqlite } from '../../src/store/sqlite/sqlite.ts'
import { type ImportedPet, type Store, StoreUnavailable } from '../../src/store/store.ts'
import { databases } from '../support/databases.ts'
import { withStores } from '../support/in-process.ts'
import { postgresDatabase, releasePostgres } from '../support/postgres.ts'
import { Folder } from '../support/process.ts'
import { anySeed, randomFrom } from '../support/random.ts'
import { times } from '../support/scope.ts'
import { open, withInstances } from './instances.ts'
import { rowOf, statuses } from './subject.ts'

after(releasePostgres)

/** As the version before wrote them, that knows of no counts. */
const oldWrites = [
  `INSERT INTO pets (id, name, category_id, status) VALUES (1000001, 'Old', 1, 'available'), (1000002, 'Old', 1, 'sold'), (1000003, 'Old', 2, 'pending')`,
  `UPDATE pets SET status = 'sold', category_id = 3 WHERE id IN (1000001, 1000003)`,
  `UPDATE pets SET name = 'Older'`,
  'DELETE FROM pets WHERE id = 1000002',
]
const oldTotal = { available: 0, pending: 0, sold: 2 }

async function assertCounts(store: Store, expected: object): Promise<void> {
  // The reads of one turn share a snapshot.
  await nextTurn()
  for (let i = 0; i < 2; i++) {
    assert.deepEqual(JSON.parse(await store.inventory.total()), expected)
    assert.deepEqual(await store.inventory.discrepancies(), [])
    await store.inventory.fold()
  }
}

for (const database of databases)
  describe(`counts of animals on ${database.name}`, () => {
    test('equal a recount whenever several instances rest, whatever they have written and folded at once', () =>
      withStores(database, 3, async (stores) => {
        const seed = anySeed()
        const random = randomFrom(seed)
        const below = (max: number): number => Math.floor(random() * max)
        const one = <T>(all: readonly T[]): T => all[below(all.length)] as T
        const ids: bigint[] = []
        const step = async (store: Store): Promise<unknown> => {
          const { pets, orders, inventory } = store
          const [pet, categoryId, status] = [one(ids), BigInt(below(4)), one(statuses)]
          if (pet === undefined || random() < 0.4) {
            const added = rowOf(await pets.insert({ name: 'Rex', categoryId, status }, undefined))
            return ids.push(BigInt(added.id))
          }
          const all = [
            () => pets.update(pet, random() < 0.5 ? { status } : { categoryId }, undefined),
            () => pets.remove(pet, undefined),
            () => orders.place(pet, 't', undefined),
            () => orders.end(BigInt(1 + below(20)), one(['completed', 'cancelled']), 't', undefined),
            () => inventory.fold(),
          ]
          return one(all)()
        }
        for (let round = 0; round < times(50, 3); round++) {
          await Promise.all(Array.from({ length: 60 }, (_, i) => step(stores[i % 3] as Store)))
          for (const { inventory } of stores) assert.deepEqual(await inventory.discrepancies(), [], `seed ${seed}`)
        }
      }))

    test('tell where they differ from a recount', () =>
      withStores(database, 1, async ([store], url) => {
        for (const categoryId of [1n, 2n ** 62n])
          await store.pets.insert({ name: 'Rex', categoryId, status: 'available' }, undefined)
        await store.inventory.fold()
        assert.deepEqual(await store.inventory.discrepancies(), [])
        await nextTurn()
        const statement = `UPDATE inventory SET sold = 5 WHERE category_id > 1`
        if (url.startsWith('sqlite:')) new DatabaseSync(url.slice('sqlite:'.length)).exec(statement)
        else {
          const { default: postgres } = await import('postgres')
          const sql = postgres(url, { max: 1, fetch_types: false })
          await sql.unsafe(statement)
          await sql.end()
        }
        const counted = { available: 1, pending: 0, sold: 0 }
        assert.deepEqual(await store.inventory.discrepancies(), [
          { categoryId: 2n ** 62n, kept: { ...counted, sold: 5 }, counted },
        ])
      }))
  })

describe('counts of animals while a program of the version before writes', () => {
  test('include its writes, on SQLite', async () => {
    using folder = new Folder()
    const before = new DatabaseSync(folder.database)
    for (const step of sqliteMigrations.slice(0, 6)) before.exec(step)
    before.exec('PRAGMA user_version = 6; PRAGMA journal_mode = WAL')
    before.exec(`INSERT INTO pets (id, name, category_id, status) VALUES (7, 'Rex', 5, 'pending')`)
    const store = openSqlite(folder.database)
    await assertCounts(store, { available: 0, pending: 1, sold: 0 })
    for (const write of oldWrites) before.exec(write)
    await assertCounts(store, { available: 0, pending: 1, sold: 2 })
    before.exec('DELETE FROM pets')
    await assertCounts(store, { available: 0, pending: 0, sold: 0 })
    before.close()
    await store.close()
  })

  test('include its writes during and after the migration, which no writer waits for, on PostgreSQL', async () => {
    const database = await postgresDatabase()
    const sql = database.connect(2)
    const triggers = postgresMigrations.findIndex((step) => step.includes('inventory_changes')) + 1
    for (const step of postgresMigrations.slice(0, triggers)) await sql.unsafe(step)
    await sql.unsafe(`CREATE TABLE schema_version (version integer); INSERT INTO schema_version VALUES (${triggers})`)
    for (const write of oldWrites) await sql.unsafe(write)
    const underWay = await sql.reserve()
    await underWay.unsafe(`BEGIN; INSERT INTO pets (id, name, category_id, status) VALUES (7, 'Rex', 5, 'pending')`)
    // Those that write events come later, and wait for a moment without writers.
    const events = postgresMigrations.findIndex((step) => step.includes('event_ids'))
    for (const step of postgresMigrations.slice(triggers, events)) await sql.unsafe(step)
    await underWay.unsafe('COMMIT')
    await sql.unsafe(`UPDATE schema_version SET version = ${events}`)
    const store = await open(database.url)
    try {
      await assertCounts(store, { ...oldTotal, pending: 1 })
      await sql.unsafe('DELETE FROM pets')
      await assertCounts(store, { available: 0, pending: 0, sold: 0 })
      assert.equal((await sql`SELECT FROM inventory`).length, 0, 'no category is left over')
    } finally {
      underWay.release()
      await store.close()
      await sql.end()
      await database.remove()
    }
  })

  test('begin with the animals there were when the first triggers were made, on PostgreSQL', async () => {
    const database = await postgresDatabase()
    const sql = database.connect()
    const before = postgresMigrations.findIndex((step) => step.includes('inventory_changes'))
    for (const step of postgresMigrations.slice(0, before)) await sql.unsafe(step)
    await sql.unsafe(`CREATE TABLE schema_version (version integer); INSERT INTO schema_version VALUES (${before})`)
    for (const write of oldWrites) await sql.unsafe(write)
    const store = await open(database.url)
    await assertCounts(store, oldTotal)
    await store.close()
    await sql.end()
    await database.remove()
  })
})

test('no writer waits for another that counts in the same category, nor for a fold, on PostgreSQL', () =>
  withInstances(async ({ first, second, sql }) => {
    const rex = { name: 'Rex', categoryId: 1n, status: 'available' as const }
    await first.pets.insert(rex, undefined)
    await sql.unsafe(`BEGIN; INSERT INTO pets (id, name, category_id, status) VALUES (1000000, 'Held', 1, 'available')`)
    await first.pets.insert(rex, undefined)
    await Promise.all([first.inventory.fold(), second.inventory.fold(), second.pets.insert(rex, undefined)])
    assert.equal(await first.inventory.total(), '{"available":3,"pending":0,"sold":0}')
    await sql.unsafe('COMMIT')
    assert.equal(await second.inventory.total(), '{"available":4,"pending":0,"sold":0}')
    // Nor for one that folds, and does not end.
    await sql.unsafe(
      'BEGIN; DELETE FROM inventory_changes; UPDATE inventory_total SET sold = sold; UPDATE inventory SET sold = sold',
    )
    await second.pets.insert(rex, undefined)
    await sql.unsafe('ROLLBACK')
    assert.deepEqual(await first.inventory.discrepancies(), [])
  }))

for (const database of databases)
  test(`an import that keeps the ids of its animals is counted while others add and fold, on ${database.name}`, () =>
    withStores(database, 1, async ([store]) => {
      const { imports, inventory, pets } = store
      const state = await imports.begin('file', false, 100)
      await pets.insert({ name: 'Rex', categoryId: 1n, status: 'available' }, undefined)
      await inventory.fold()
      // Not folded yet.
      await pets.insert({ name: 'Bello', categoryId: 1n, status: 'pending' }, undefined)
      const rows: ImportedPet[] = [
        ['Ada', '1', 'sold', 7],
        ['Max', '2', 'available', 8],
      ]
      await imports.add('file', state, rows, rows.length)
      await assertCounts(store, { available: 2, pending: 1, sold: 1 })
      const [today] = await inventory.sales('2026-01-01')
      assert.deepEqual([today?.added, today?.sold], [4, 0])
    }))

test('a fold adds more changes than one portion has, on SQLite', async () => {
  using folder = new Folder()
  const store = openSqlite(folder.database)
  const animal = { name: 'Rex', categoryId: 1n, status: 'sold' as const }
  await Promise.all(Array.from({ length: 2_500 }, () => store.pets.insert(animal, undefined)))
  await store.inventory.fold()
  const db = new DatabaseSync(folder.database)
  assert.deepEqual(
    { ...db.prepare('SELECT sold, counted_to FROM inventory_total').get() },
    { sold: 2_500, counted_to: 2_500 },
  )
  db.close()
  await assertCounts(store, { available: 0, pending: 0, sold: 2_500 })
  await store.close()
})

test('a fold adds more changes than one portion has, and leaves a database at rest alone, on PostgreSQL', () =>
  withInstances(async ({ first, sql }) => {
    await sql.unsafe(
      `INSERT INTO pets (id, name, category_id, status) SELECT i, 'Rex', i, 'sold' FROM generate_series(1, 12000) AS i`,
    )
    await first.inventory.fold()
    assert.equal((await sql`SELECT FROM inventory_changes`).length, 0)
    await assertCounts(first, { available: 0, pending: 0, sold: 12_000 })
    await first.inventory.fold()
    await sql.unsafe(`DELETE FROM pets WHERE id = 1`)
    await first.inventory.fold()
    assert.equal((await sql`SELECT FROM inventory_changes`).length, 1, 'nothing was written or read here')
    await first.inventory.total()
    await first.inventory.fold()
    assert.equal((await sql`SELECT FROM inventory_changes`).length, 0)
  }))

test('a category whose animals came and went between two folds leaves nothing behind, on PostgreSQL', () =>
  withInstances(async ({ first, sql }) => {
    for (const categoryId of [1n, 2n]) {
      const { id } = rowOf(await first.pets.insert({ name: 'Rex', categoryId, status: 'available' }, undefined))
      await first.pets.remove(BigInt(id), undefined)
    }
    await first.inventory.fold()
    assert.equal((await sql`SELECT FROM inventory`).length, 0)
    await assertCounts(first, { available: 0, pending: 0, sold: 0 })
  }))

test('a fold that failed is made up for, also by an instance that rests, on PostgreSQL', () =>
  withInstances(async ({ first, sql }) => {
    await first.pets.insert({ name: 'Rex', categoryId: 1n, status: 'available' }, undefined)
    await sql.unsafe('BEGIN; LOCK TABLE sales')
    await assert.rejects(first.inventory.fold(), StoreUnavailable)
    await sql.unsafe('COMMIT')
    await first.inventory.fold()
    assert.equal((await sql`SELECT FROM inventory_changes`).length, 0)
  }, 1_000))

test('an import dates its animals when it adds them, on SQLite', async () => {
  using folder = new Folder()
  const store = openSqlite(folder.database)
  const { imports, inventory } = store
  const state = await imports.begin('file', false, undefined)
  const rows = Array.from({ length: 1_500 }, (): ImportedPet => ['Rex', '1', 'sold'])
  await imports.add('file', state, rows, rows.length)
  const db = new DatabaseSync(folder.database)
  assert.equal(db.prepare('SELECT added FROM sales').get()?.added, rows.length)
  db.close()
  assert.deepEqual(await inventory.discrepancies(), [])
  await store.close()
})
