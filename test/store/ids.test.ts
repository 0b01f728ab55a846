/** Ids from a sequence become visible in their order, whoever commits first. */
import assert from 'node:assert/strict'
import { after, afterEach, beforeEach, describe, test } from 'node:test'
import type postgres from 'postgres'
import { createPool } from '../../src/store/postgres/connection.ts'
import { createIds, type Ids, nextId, taking } from '../../src/store/postgres/ids.ts'
import { migrate } from '../../src/store/postgres/migrate.ts'
import type { Pool } from '../../src/store/postgres/pool.ts'
import type { Outcome, Page } from '../../src/store/store.ts'
import { eventually } from '../support/load.ts'
import { viaPgbouncer } from '../support/pgbouncer.ts'
import { postgresDatabase, releasePostgres } from '../support/postgres.ts'
import { withInstances } from './instances.ts'
import { petsOf, rex, rowOf } from './subject.ts'

after(releasePostgres)

/** An instance stands still between taking its id and its commit; its animal is called Late. */
async function takeIdAndStop(sql: postgres.Sql): Promise<void> {
  await sql`BEGIN`
  await sql.unsafe(`WITH ${taking('pets')} INSERT INTO pets (id, name, category_id, status)
    SELECT ${nextId('pets')}, 'Late', 1, 'available' FROM taking`)
}
const namesOf = (page: Page) => petsOf(page.json).map(({ name }) => name)

test('an animal whose transaction commits late is not missed by a client that follows the pages meanwhile', () =>
  withInstances(async ({ first, second, sql }) => {
    rowOf(await first.pets.insert(rex, undefined))
    await takeIdAndStop(sql)
    const overtaking = second.pets.insert({ ...rex, name: 'Overtaking' }, undefined)
    await eventually(
      async () => second.pets.find(3n),
      (pet) => pet !== undefined,
    )
    for (const query of [{}, { status: 'available' }, { categoryId: 1n }, { ids: [1n, 2n, 3n] }] as const)
      for (const limit of [1, 2, 100])
        assert.deepEqual(await first.pets.page({ after: 0, limit, ...query }), {
          json: `[${await first.pets.find(1n)}]`,
          next: undefined,
        })
    await sql`COMMIT`
    await overtaking
    for (const store of [first, second])
      assert.deepEqual(namesOf(await store.pets.page({ after: 1, limit: 100 })), ['Late', 'Overtaking'])
  }))

test('what is acknowledged is on the pages of every instance: an insert is answered after those that took their ids before', () =>
  withInstances(async ({ first, second, sql }) => {
    await takeIdAndStop(sql)
    let isAnswered = false
    const overtaking = second.pets.insert(rex, undefined).finally(() => (isAnswered = true))
    await eventually(
      async () => second.pets.find(2n),
      (pet) => pet !== undefined,
    )
    // Whoever repeats the request learns of the animal no sooner.
    for (let i = 0; i < 20; i++) await first.ready()
    assert.equal(isAnswered, false)
    await sql`ROLLBACK`
    assert.equal(rowOf(await overtaking).id, 2)
    assert.deepEqual(namesOf(await first.pets.page({ after: 0, limit: 100 })), ['Rex'])
  }))

test('a write that does not end keeps later ones from being acknowledged, for no longer than the timeout', () =>
  withInstances(async ({ first, sql }) => {
    await takeIdAndStop(sql)
    await assert.rejects(first.pets.insert(rex, undefined), /an earlier write does not end/)
    await sql`COMMIT`
    assert.equal(rowOf(await first.pets.insert(rex, undefined)).id, 3)
  }, 1_000))

test('locks that are not on ids of animals in this database hold nobody up', () =>
  withInstances(async ({ first, sql }) => {
    await withInstances(async ({ sql: elsewhere }) => {
      await takeIdAndStop(elsewhere)
      await sql`BEGIN`
      await sql.unsafe(`WITH ${taking('orders')} SELECT ${nextId('orders')} FROM taking`)
      await sql`SELECT pg_advisory_xact_lock(1), pg_advisory_xact_lock(${0x50 << 24}, 0)`
      assert.equal(rowOf(await first.pets.insert(rex, undefined)).id, 1)
      await Promise.all([sql`COMMIT`, elsewhere`ROLLBACK`])
    })
  }))

test('what a page has shown it shows again, though a writer begins with an id that was the last one long ago', () =>
  withInstances(async ({ first, second, sql }) => {
    for (let i = 0; i < 3; i++) await first.pets.insert(rex, undefined)
    await sql`BEGIN`
    await sql`SELECT pg_advisory_xact_lock_shared((80::bigint << 56) + 1)`
    const held = second.pets.insert(rex, undefined)
    await eventually(
      async () => second.pets.find(4n),
      (pet) => pet !== undefined,
    )
    assert.equal(petsOf((await first.pets.page({ after: 0, limit: 100 })).json).length, 3)
    await sql`COMMIT`
    await held
  }))

describe('the horizon of one instance', () => {
  let pool: Pool
  let ids: Ids
  let remove: () => Promise<void>
  beforeEach(async () => {
    const database = await postgresDatabase()
    remove = database.remove
    pool = createPool({ url: database.url, connections: 2, timeoutMilliseconds: 5_000, prepare: !viaPgbouncer })
    await migrate(pool)
    ids = createIds(pool, 'pets')
  })
  afterEach(async () => {
    await pool.end()
    await remove()
  })

  test('is read anew after a lost connection, as the next server may not have all ids', async () => {
    await pool.query(`SELECT setval('pet_ids', 7)`)
    assert.equal(await ids.read(), 7)
    assert.equal(ids.known(), 7)
    await assert.rejects(pool.query('SELECT pg_terminate_backend(pg_backend_pid())'))
    await eventually(
      async () => ids.known(),
      (known) => known === 0,
    )
    assert.equal(await ids.read(), 7)
  })

  test('is drained when every outcome that was awaited has been given', async () => {
    await ids.drained()
    const [one, other] = [Promise.withResolvers<Outcome>(), Promise.withResolvers<Outcome>()]
    const given = [ids.shown(one.promise), ids.shown(other.promise)]
    let isDrained = false
    const drained = ids.drained().then(() => (isDrained = true))
    one.resolve('unknown_pet')
    assert.equal(await given[0], 'unknown_pet')
    await pool.query('SELECT 1')
    assert.equal(isDrained, false)
    other.reject(new Error('refused'))
    await assert.rejects(given[1] as Promise<Outcome>)
    await drained
  })
})

const writers = 8
const rowsEach = 12

/** Writers that take an id and commit a while later, and a client that follows the pages meanwhile: the ids it missed. */
async function missed(insert: string): Promise<number> {
  let missing = 0
  await withInstances(async ({ first, connect }) => {
    const sql = connect(writers)
    const seen: number[] = []
    const follow = async () => {
      const { json } = await first.pets.page({ after: seen.at(-1) ?? 0, limit: 5 })
      seen.push(...petsOf(json).map(({ id }) => Number(id)))
    }
    let isOver = false
    const following = (async () => {
      while (!isOver) await follow()
    })()
    await Promise.all(
      Array.from({ length: writers }, async () => {
        for (let i = 0; i < rowsEach; i++)
          await sql.begin(async (begun) => {
            await begun.unsafe(insert)
            await begun`SELECT pg_sleep(random() * 0.01)`
          })
      }),
    )
    isOver = true
    await following
    const all = await sql<{ id: string }[]>`SELECT id FROM pets ORDER BY id`
    while ((await first.pets.page({ after: seen.at(-1) ?? 0, limit: 1 })).json !== '[]') await follow()
    missing = all.length - seen.length
    assert.deepEqual(
      seen,
      seen.toSorted((a, b) => a - b),
    )
    await sql.end()
  })
  return missing
}

const inserting = (from: string) =>
  `INSERT INTO pets (id, name, category_id, status) SELECT ${nextId('pets')}, 'Rex', 1, 'available' FROM ${from}`

test('a client that follows the pages misses none of many that commit in any order', async () => {
  assert.equal(await missed(`WITH ${taking('pets')} ${inserting('taking')}`), 0)
})

test('the check would see ids that are taken without a lock', async () => {
  // Each round is likely to miss some; one has to.
  let rounds = 0
  while ((await missed(inserting('(SELECT) AS nothing'))) === 0) assert.ok(++rounds < 20, 'none was missed')
})
