/** The store on PostgreSQL: the common suite, and what is PostgreSQL's own. */
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import postgres from 'postgres'
import { openPostgres } from '../../src/store/postgres/postgres.ts'
import { type Store, StoreRefused } from '../../src/store/store.ts'
import { postgresDatabase, releasePostgres } from '../support/postgres.ts'
import { petsOf, rex, rowOf } from './subject.ts'
import { storeSuite } from './suite.ts'

const open = (url: string, timeoutMilliseconds = 5_000) => openPostgres({ url, connections: 10, timeoutMilliseconds })

storeSuite('PostgreSQL', async () => {
  const { url, remove } = await postgresDatabase()
  let store = await open(url)
  return {
    store,
    async reopen() {
      await store.close()
      store = await open(url)
      return store
    },
    async remove() {
      await store.close()
      await remove()
    },
  }
})

/** Two instances on one new database, and one connection of the test's own. */
async function withInstances(
  work: (instances: { first: Store; second: Store; sql: postgres.Sql; url: string }) => Promise<void>,
  timeoutMilliseconds?: number,
): Promise<void> {
  const { url, remove } = await postgresDatabase()
  const sql = postgres(url, { max: 1, fetch_types: false, onnotice: () => {} })
  const [first, second] = await Promise.all([open(url, timeoutMilliseconds), open(url, timeoutMilliseconds)])
  try {
    await work({ first, second, sql, url })
  } finally {
    await Promise.all([first.close(), second.close(), sql.end({ timeout: 1 })])
    await remove()
  }
}

describe('several instances on one PostgreSQL', () => {
  after(releasePostgres)

  test('ten that start at once on an empty database all find it ready', async () => {
    const { url, remove } = await postgresDatabase()
    const stores = await Promise.all(Array.from({ length: 10 }, () => open(url)))
    await Promise.all(stores.map((store) => store.ready()))
    await Promise.all(stores.map((store) => store.close()))
    await remove()
  })

  test('a newer schema is refused', () =>
    withInstances(async ({ sql, url }) => {
      await sql`UPDATE schema_version SET version = 9999`
      await assert.rejects(
        open(url),
        (error: Error) => error instanceof StoreRefused && /newer petstore/.test(error.message),
      )
    }))

  test('an animal whose transaction commits late is not skipped by a walk that goes on meanwhile', () =>
    withInstances(async ({ first, second, sql }) => {
      rowOf(await first.pets.insert(rex, undefined))
      // An instance stands still between taking its id and its commit.
      await sql`BEGIN`
      await sql`UPDATE counters SET last = last + 1 WHERE name = 'pets'`
      await sql`INSERT INTO pets (id, name, category_id, status) SELECT last, 'late', 1, 'available' FROM counters WHERE name = 'pets'`
      const overtaking = second.pets.insert({ ...rex, name: 'overtaking' }, undefined)
      const shown: string[] = []
      const page = await first.pets.page({ after: 0, limit: 100 })
      shown.push(...petsOf(page.json).map(({ name }) => name))
      const passed = Number(petsOf(page.json).at(-1)?.id)
      await sql`COMMIT`
      const { id } = rowOf(await overtaking)
      const rest = await first.pets.page({ after: passed, limit: 100 })
      shown.push(...petsOf(rest.json).map(({ name }) => name))
      assert.deepEqual(shown, ['Rex', 'late', 'overtaking'])
      assert.equal(id, passed + 2)
    }))

  test('the same Idempotency-Key to two instances at once makes one animal', () =>
    withInstances(async ({ first, second, sql }) => {
      for (let round = 0; round < 50; round++) {
        const claim = { keyId: 1, route: 'POST /v1/pets', idempotencyKey: `k${round}`, fingerprint: 'f', now: 1000 }
        const outcomes = await Promise.all([first, second, first, second].map((store) => store.pets.insert(rex, claim)))
        const rows = outcomes.map(rowOf)
        assert.equal(new Set(rows.map(({ json }) => json)).size, 1)
        assert.equal(rows.filter(({ replayed }) => !replayed).length, 1)
      }
      const [count] = await sql`SELECT count(*)::int AS n FROM pets`
      assert.equal(count?.n, 50)
    }))

  test('an Idempotency-Key that another transaction still holds is reported as in progress, and works once that has ended', () =>
    withInstances(async ({ first, sql }) => {
      const claim = { keyId: 1, route: 'POST /v1/pets', idempotencyKey: 'held', fingerprint: 'f', now: 1000 }
      await sql`BEGIN`
      await sql`INSERT INTO attempts VALUES (1, 'POST /v1/pets', 'held', 'f', 1, '{}', 1000)`
      const [held, free] = await Promise.all([first.pets.insert(rex, claim), first.pets.insert(rex, undefined)])
      assert.equal(held, 'idempotency_in_progress')
      assert.equal(rowOf(free).replayed, false)
      await sql`ROLLBACK`
      assert.equal(rowOf(await first.pets.insert(rex, claim)).replayed, false)
    }, 1_000))

  test('more old idempotency keys than one statement removes are forgotten by two at once, and the young ones kept', () =>
    withInstances(async ({ first, second, sql }) => {
      await sql`INSERT INTO attempts SELECT 1, 'POST /v1/pets', 'k' || i, 'f', i, '{}', i FROM generate_series(1, 12000) AS i`
      await Promise.all([first.purgeIdempotencyRecords(11_991), second.purgeIdempotencyRecords(11_991)])
      const [count] = await sql`SELECT count(*)::int AS n FROM attempts`
      assert.equal(count?.n, 10)
    }))

  test('a key made by one opens the other at once, and its end is seen there', () =>
    withInstances(async ({ first, second }) => {
      const key = await first.keys.insert({
        name: 'k',
        prefix: 'p',
        hash: 'h',
        scopes: [],
        createdAt: 1,
        expiresAt: undefined,
      })
      assert.deepEqual(await second.keys.findByHash('h'), key)
      await second.keys.revoke(key.id, 7)
      assert.equal((await first.keys.findByHash('h'))?.revokedAt, 7)
    }))
})
