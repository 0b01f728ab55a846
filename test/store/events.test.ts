/** Whoever follows the events misses none and sees none out of order, whoever writes and whoever commits first. */
import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { after, describe, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Page, Store } from '../../src/store/store.ts'
import { databases } from '../support/databases.ts'
import { Follower } from '../support/follower.ts'
import { withStores } from '../support/in-process.ts'
import { eventually } from '../support/load.ts'
import { releasePostgres } from '../support/postgres.ts'
import { projectFile } from '../support/project.ts'
import { anySeed, randomFrom } from '../support/random.ts'
import { times } from '../support/scope.ts'
import { withInstances } from './instances.ts'
import { rex, rowOf, statuses } from './subject.ts'

after(releasePostgres)

/** Makes one change after another, of any kind; those of all writers meet on the same few animals. */
function writerOf(seed: number): (store: Store) => Promise<unknown> {
  const random = randomFrom(seed)
  const below = (max: number): number => Math.floor(random() * max)
  const one = <T>(all: readonly T[]): T => all[below(all.length)] as T
  const ids: bigint[] = []
  return async ({ pets, orders, categories }) => {
    const [pet, categoryId, status] = [one(ids.slice(-20)), BigInt(below(4)), one(statuses)]
    if (pet === undefined || random() < 0.3) {
      const added = rowOf(await pets.insert({ name: 'Rex', categoryId, status }, undefined))
      return ids.push(BigInt(added.id))
    }
    return one([
      () => pets.update(pet, one([{ status }, { categoryId }, { name: `Rex ${below(3)}` }, {}]), undefined),
      () => pets.remove(pet, undefined),
      () => orders.place(pet, 't', undefined),
      () => orders.end(BigInt(1 + below(40)), one(['completed', 'cancelled']), 't', undefined),
      () => categories.put(categoryId, one(['Dogs', 'Cats']), undefined),
      () => categories.remove(categoryId, undefined),
    ])()
  }
}

const rounds = times(60, 6)

/** Writes to all stores at once while `meanwhile` goes on, again and again, until told that all is written. */
async function whileWriting(
  stores: readonly Store[],
  meanwhile: (isOver: () => boolean) => Promise<void>,
): Promise<void> {
  const seed = anySeed()
  const write = writerOf(seed)
  let isOver = false
  const writing = (async () => {
    for (let round = 0; round < rounds; round++)
      await Promise.all(Array.from({ length: 30 }, (_, i) => write(stores[i % stores.length] as Store)))
  })().finally(() => {
    isOver = true
  })
  try {
    await Promise.all([writing, meanwhile(() => isOver)])
  } catch (error) {
    throw new Error(`seed ${seed}`, { cause: error })
  }
}

for (const database of databases)
  describe(`events on ${database.name}`, () => {
    test('give whoever follows them the catalogue, byte for byte, while three instances write', () =>
      withStores(database, 3, async (stores) => {
        const follower = new Follower()
        let turn = 0
        const next = () => stores[turn++ % 3] as Store
        await whileWriting(stores, async (isOver) => {
          while (!isOver()) {
            await follower.step(next().events, 7)
            await nextTurn()
          }
        })
        await follower.check(next())
        assert.ok(follower.events > 0)
      }))

    test('from the present on, after a walk over the catalogue, leave no gap, while three instances write', () =>
      withStores(database, 3, async (stores) => {
        const [store] = stores
        const write = writerOf(anySeed())
        for (let i = 0; i < 50; i++) await write(store)
        await whileWriting(stores, async (isOver) => {
          const follower = new Follower(await store.events.present(), false)
          const keep = (kind: 'pet' | 'order' | 'category', json: string) => {
            for (const text of json === '[]' ? [] : json.slice(1, -1).split(/(?<=\}),(?=\{)/)) {
              const [, id = assert.fail(text)] = /^\{"id":(\d+)/.exec(text) ?? []
              follower.copy[kind].set(id, text)
            }
          }
          for (const kind of ['pet', 'order'] as const)
            for (let after: number | undefined = 0; after !== undefined; ) {
              const page: Page | undefined = await stores[1]?.[kind === 'pet' ? 'pets' : 'orders'].page({
                after,
                limit: 5,
              })
              keep(kind, page?.json ?? assert.fail())
              after = page?.next
            }
          keep('category', (await store.categories.page({ after: undefined, limit: 100 })).json)
          while (!isOver()) {
            await follower.step(store.events, 7)
            await nextTurn()
          }
          await follower.check(store)
        })
      }))

    test('are also of writes that know nothing of them, as an instance of the version before makes them', () =>
      withStores(database, 1, async ([store], url) => {
        const follower = new Follower()
        for (const write of [
          `INSERT INTO pets (id, name, category_id, status) VALUES (1, 'a', 1, 'available'), (2, 'b', 1, 'sold'), (3, 'c', 2, 'pending')`,
          `UPDATE pets SET status = 'sold', category_id = 3 WHERE id IN (1, 3)`,
          `UPDATE pets SET status = 'sold'`,
          `UPDATE pets SET sale = NULL`,
          `INSERT INTO orders (id, pet_id, status, created_at, updated_at) VALUES (1, 1, 'placed', 't', 't'), (2, 2, 'placed', 't', 't')`,
          `UPDATE orders SET status = 'completed'`,
          `INSERT INTO categories (id, name) VALUES (-9223372036854775808, 'least')`,
          'DELETE FROM pets WHERE id = 3',
        ])
          await run(url, write)
        await follower.check(store)
        assert.deepEqual([follower.events, follower.copy.pet.size], [3 + 2 + 2 + 2 + 1 + 1, 2])
      }))

    test('are looked at ten thousand at a time: a page without a match moves on', () =>
      withStores(database, 1, async ([store], url) => {
        await run(url, `INSERT INTO categories (id, name) VALUES (1, '0')`)
        const numbers = `WITH RECURSIVE s(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM s WHERE i < 10500) SELECT i, 'n' FROM s`
        await run(url, `INSERT INTO categories (id, name) ${numbers}`)
        await nextTurn()
        const page = (after: number) => store.events.page({ after, limit: 100, types: ['pet.created'] })
        assert.deepEqual(await page(0), { events: [], position: 10_000 })
        assert.deepEqual(await page(10_000), { events: [], position: 10_500 })
        assert.deepEqual(await page(10_500), { events: [], position: 10_500 })
      }))

    test('are removed to the last one before the given time, in portions, and no later one', () =>
      withStores(database, 2, async ([store, other], url) => {
        const numbers = `WITH RECURSIVE s(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM s WHERE i < 12000) SELECT i, 'n' FROM s`
        await run(url, `INSERT INTO categories (id, name) ${numbers}`)
        await run(url, 'UPDATE events SET at = id')
        // A clock that was set back: the event before it is kept with it.
        await run(url, 'UPDATE events SET at = 500000 WHERE id = 11001')
        await nextTurn()
        await Promise.all([store.events.purge(11_500), other?.events.purge(11_500)])
        await nextTurn()
        assert.equal(await store.events.oldest(), 11_000)
        assert.equal(await store.events.page({ after: 10_999, limit: 1 }), 'events_expired')
        const page = await store.events.page({ after: 11_000, limit: 1 })
        assert.ok(typeof page === 'object' && page.events[0]?.id === 11_001)
        assert.equal((await store.bulk.counts()).events, 1_000)
      }))
  })

async function run(url: string, statement: string): Promise<void> {
  if (url.startsWith('sqlite:')) {
    using db = new DatabaseSync(url.slice('sqlite:'.length))
    db.exec(statement)
    return
  }
  const { default: postgres } = await import('postgres')
  const sql = postgres(url, { max: 1, fetch_types: false })
  await sql.unsafe(statement)
  await sql.end()
}

test('an event whose transaction commits late is not missed by one who follows meanwhile, on PostgreSQL', () =>
  withInstances(async ({ first, second, sql }) => {
    const follower = new Follower()
    await first.categories.put(1n, 'Dogs', undefined)
    await sql.unsafe(`BEGIN; UPDATE categories SET name = 'Late' WHERE id = 1`)
    await second.categories.put(2n, 'Overtaking', undefined)
    await follower.catchUp(first.events)
    assert.deepEqual([...follower.copy.category.values()], ['{"id":1,"name":"Dogs"}'])
    await first.events.purge(Date.UTC(2100, 0))
    assert.equal(await first.events.oldest(), follower.position)
    await sql`COMMIT`
    await follower.check(second)
    assert.equal(follower.events, 3)
  }))

test('the statements for a restored database make followers start over, on PostgreSQL', () =>
  withInstances(async ({ first, sql }) => {
    for (let i = 0; i < 3; i++) await first.pets.insert(rex, undefined)
    const [, statements = ''] = /```sql\n([^`]+)```/.exec(projectFile('docs/events.md')) ?? []
    for (let times = 0; times < 2; times++) {
      await sql.unsafe(statements)
      assert.equal(await first.events.page({ after: 3, limit: 1 }), 'events_expired')
      const present = await first.events.present()
      assert.deepEqual(await first.events.page({ after: present, limit: 1 }), { events: [], position: present })
      await first.pets.insert(rex, undefined)
      const page = await first.events.page({ after: await first.events.oldest(), limit: 9 })
      assert.ok(typeof page === 'object' && page.events.length === 1)
    }
  }))

test('a page that one instance has shown is not ahead of another that knows less, on PostgreSQL', () =>
  withInstances(async ({ first, second, sql }) => {
    for (let i = 0; i < 3; i++) await first.pets.insert(rex, undefined)
    const follower = new Follower()
    await follower.catchUp(first.events)
    // Of a writer that read the last id long ago, and takes its own only now.
    await sql`BEGIN`
    await sql`SELECT pg_advisory_xact_lock_shared((69::bigint << 56) + 1)`
    assert.equal(await second.events.present(), 1)
    assert.deepEqual(await second.events.page({ after: 3, limit: 1 }), { events: [], position: 3 })
    await sql`COMMIT`
    await eventually(
      async () => second.events.present(),
      (present) => present === 3,
    )
  }))
