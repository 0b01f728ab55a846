/**
 * Whoever follows the events misses none and sees them in order, and the stored counts are right, whoever writes and
 * whoever commits first.
 */
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { CatalogueCopy } from '../../harness/catalogue-copy.ts'
import { databases } from '../../harness/databases.ts'
import { faultsIn } from '../../harness/faults.ts'
import { withStores } from '../../harness/in-process.ts'
import { releasePostgres } from '../../harness/postgres.ts'
import { projectFile } from '../../harness/project.ts'
import { randomFrom, seedOf } from '../../harness/random.ts'
import { times } from '../../harness/scope.ts'
import { runSql } from '../../harness/sql.ts'
import type { EventPosition } from '../../src/model/event.ts'
import type { Outcome, Page, Store } from '../../src/store/store.ts'
import { withInstances } from './instances.ts'
import { ofAll, rex, rowOf, statuses } from './subject.ts'

const day = 86_400_000

after(releasePostgres)

/** Makes one change of any kind after another. All writers change the same few animals. */
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
      () => orders.place({ petId: pet }, undefined),
      () => orders.move(BigInt(1 + below(40)), one(['completed', 'cancelled', 'returned'])),
      () => categories.put(categoryId, one(['Dogs', 'Cats']), undefined),
      () => categories.remove(categoryId, undefined),
    ])()
  }
}

const rounds = times(30, 3)

/** Writes to all stores concurrently while `meanwhile` runs repeatedly, until it is told that everything is written. */
async function whileWriting(
  seed: number,
  stores: readonly Store[],
  meanwhile: (isOver: () => boolean) => Promise<void>,
): Promise<void> {
  const write = writerOf(seed)
  let isOver = false
  const writing = (async () => {
    for (let round = 0; round < rounds; round++) {
      await Promise.all(Array.from({ length: 30 }, (_, i) => write(stores[i % stores.length] as Store)))
      if (round % 5 === 0) assert.deepEqual(await faultsIn(stores[round % stores.length] as Store), [])
    }
  })().finally(() => {
    isOver = true
  })
  await Promise.all([writing, meanwhile(() => isOver)])
}

function keep({ copy }: CatalogueCopy, kind: keyof CatalogueCopy['copy'], json: string): void {
  for (const row of JSON.parse(json)) copy[kind].set(String(row.id), JSON.stringify(row))
}

for (const database of databases)
  describe(`events on ${database.name}`, () => {
    test(`A follower of events gets the same catalogue, byte for byte, while three instances write, on ${database.name} [decision 14, 15]`, (t) =>
      withStores(database, 3, async (stores) => {
        const follower = new CatalogueCopy()
        let turn = 0
        const next = () => stores[turn++ % 3] as Store
        await whileWriting(seedOf(t), stores, async (isOver) => {
          while (!isOver()) {
            await follower.step(next().events, 7)
            await nextTurn()
          }
        })
        await follower.check(next())
        assert.ok(follower.events > 0)
      }))

    test(`Events that follow a walk over the catalogue have no gap while three instances write, on ${database.name} [decision 15]`, (t) =>
      withStores(database, 3, async (stores) => {
        const [store] = stores
        const seed = seedOf(t)
        const write = writerOf(seed)
        for (let i = 0; i < 50; i++) await write(store)
        await whileWriting(seed + 1, stores, async (isOver) => {
          const follower = new CatalogueCopy(await store.events.present(), false)
          for (const [kind, table] of [
            ['pet', store.pets],
            ['order', stores[1]?.orders ?? store.orders],
          ] as const)
            for (let after: number | undefined = 0; after !== undefined; ) {
              const { json, next }: Page = await table.page({ after, limit: 5 })
              keep(follower, kind, json)
              after = next
            }
          keep(follower, 'category', (await store.categories.page({ after: undefined, limit: 100 })).json)
          while (!isOver()) {
            await follower.step(store.events, 7)
            await nextTurn()
          }
          await follower.check(store)
        })
      }))

    test(`Writes of another program, which knows nothing of events, also cause events, on ${database.name} [decision 15]`, () =>
      withStores(database, 1, async ([store], url) => {
        const follower = new CatalogueCopy()
        for (const write of [
          `INSERT INTO pets (id, name, words, category_id, status)
           VALUES (1, 'a', '', 1, 'available'), (2, 'b', '', 1, 'sold'), (3, 'c', '', 2, 'pending')`,
          `UPDATE pets SET status = 'sold', category_id = 3 WHERE id IN (1, 3)`,
          `UPDATE pets SET status = 'sold'`,
          `UPDATE pets SET writes = 0`,
          `INSERT INTO orders (id, pet_id, status, created_at, updated_at)
           VALUES (1, 1, 'placed', 't', 't'), (2, 2, 'placed', 't', 't')`,
          `UPDATE orders SET status = 'completed'`,
          `INSERT INTO categories (id, name, words) VALUES (-9223372036854775808, 'least', 'least')`,
          'DELETE FROM pets WHERE id = 3',
        ])
          await runSql(url, write)
        await follower.check(store)
        assert.deepEqual([follower.events, follower.copy.pet.size], [3 + 2 + 2 + 2 + 1 + 1, 2])
      }))

    test(`The field by of an event names the key of its write, even within a batch, on ${database.name} [decision 15]`, () =>
      withStores(database, 1, async ([store], url) => {
        const { pets, orders, categories, imports, events } = store
        const idOf = (outcome: Outcome | undefined) => BigInt(rowOf(outcome ?? assert.fail('nothing was written')).id)
        const numbers = Array.from({ length: 30 }, (_, i) => i)
        const deskOf = (i: number) => ['Front desk', 'Größe "2"', undefined][i % 3]
        const claimOf = (i: number, route = 'r') =>
          i % 2 ? { keyId: 1, route, idempotencyKey: `${i}`, fingerprint: 'f' } : undefined
        let position = await events.present()
        /** Returns the events that `work` caused: for each type, the number of each animal and the name of the key. */
        async function bys(work: () => Promise<unknown>): Promise<object> {
          await work()
          const page = await events.page({ after: position, limit: 100 })
          assert.ok(typeof page === 'object')
          position = page.position
          const found: Record<string, [animal: number, by: unknown][]> = {}
          for (const { type, petId = 0, json } of page.events)
            (found[type] ??= []).push([ids.indexOf(BigInt(petId)), JSON.parse(json).by])
          for (const each of Object.values(found)) each.sort(([a], [b]) => a - b)
          return found
        }
        const each = (offset: number) => numbers.map((i) => [i, deskOf(i + offset)])
        const ids: bigint[] = []
        const placed: bigint[] = []

        for (const claim of [claimOf, () => undefined]) {
          const add = async (i: number) => {
            ids[i] = idOf(await pets.insert(rex, claim(i), deskOf(i)))
          }
          assert.deepEqual(await bys(() => Promise.all(numbers.map(add))), { 'pet.created': each(0) })
        }
        const rename = (name: string, offset: number) => () =>
          Promise.all(ids.map((id, i) => pets.update(id, { name }, undefined, deskOf(i + offset))))
        assert.deepEqual(await bys(rename('Max', 1)), { 'pet.updated': each(1) })
        assert.deepEqual(await bys(rename('Rex', 1)), { 'pet.updated': each(1) })
        assert.deepEqual(await bys(rename('Rex', 2)), {})
        const place = async (id: bigint, i: number) => {
          placed[i] = idOf(await orders.place({ petId: id }, claimOf(i, 'orders'), deskOf(i)))
        }
        assert.deepEqual(await bys(() => Promise.all(ids.map(place))), {
          'pet.updated': each(0),
          'order.placed': each(0),
        })
        const note = (id: bigint, i: number) => orders.update(id, { reference: 'Novak' }, deskOf(i + 1))
        assert.deepEqual(await bys(() => Promise.all(placed.map(note))), { 'order.updated': each(1) })
        const cancel = (id: bigint, i: number) => orders.move(id, 'cancelled', deskOf(i + 2))
        const cancelled = await bys(() => Promise.all(placed.map(cancel)))
        assert.deepEqual(cancelled, { 'pet.updated': each(2), 'order.cancelled': each(2) })

        const other = await bys(async () => {
          await runSql(url, `UPDATE orders SET status = 'returned'`)
          await runSql(url, 'DELETE FROM orders')
          await runSql(url, `UPDATE pets SET name = 'Max' WHERE id IN (${ids.join()})`)
          await runSql(url, `DELETE FROM pets WHERE id = ${ids[29]}`)
        })
        const ofNone = each(2).map(([i]) => [i, undefined])
        assert.deepEqual(other, { 'order.returned': ofNone, 'pet.updated': ofNone, 'pet.deleted': [[29, undefined]] })
        const remove = (id: bigint, i: number) => pets.remove(id, undefined, deskOf(i + 1))
        assert.deepEqual(await bys(() => Promise.all(ids.map(remove))), { 'pet.deleted': each(1).slice(0, -1) })

        const named = await bys(async () => {
          for (const [i, name] of ['Dogs', 'Cats'].entries()) await categories.put(1n, name, undefined, deskOf(i))
          await categories.create('Rabbits')
          await runSql(url, `UPDATE categories SET name = 'Dogs' WHERE id = 1`)
          for (const [i, id] of [1n, 2n].entries()) await categories.remove(id, undefined, deskOf(i + 1))
          await imports.add('h', await imports.begin('h', false), [['Rex', '1', 'available']], 1)
        })
        assert.deepEqual(named, {
          'category.named': [deskOf(0), deskOf(1), undefined, undefined].map((by) => [-1, by]),
          'category.unnamed': [deskOf(1), undefined].map((by) => [-1, by]),
          'pet.created': [[-1, undefined]],
        })
      }))

    test(`A page of events without a match advances by ten thousand events, on ${database.name} [decision 15]`, () =>
      withStores(database, 1, async ([store], url) => {
        await runSql(url, `INSERT INTO categories (id, name, words) VALUES (1, '0', '0')`)
        const numbers = `WITH RECURSIVE s(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM s WHERE i < 10500)
          SELECT i, 'n', 'n' FROM s`
        await runSql(url, `INSERT INTO categories (id, name, words) ${numbers}`)
        await nextTurn()
        const pageFrom = async (after: EventPosition) => {
          const page = await store.events.page({ after, limit: 100, types: ['pet.created'] })
          assert.ok(typeof page === 'object' && page.events.length === 0)
          return page.position
        }
        const first = await pageFrom({ id: 0, at: 0 })
        const second = await pageFrom(first)
        assert.deepEqual([first.id, second.id, (await pageFrom(second)).id], [10_000, 10_500, 10_500])
      }))

    test(`A purge removes exactly the events before the given time, in portions, on ${database.name} [decision 15]`, () =>
      withStores(database, 2, async ([store, other], url) => {
        const numbers = `WITH RECURSIVE s(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM s WHERE i < 12000)
          SELECT i, 'n', 'n' FROM s`
        await runSql(url, `INSERT INTO categories (id, name, words) ${numbers}`)
        // There is one event per day, so that half a day is left for the test.
        await runSql(url, `UPDATE events SET at = id * ${day}`)
        await nextTurn()
        const age = Date.now() - 11_000.5 * day
        await Promise.all([store.events.purge(age), other?.events.purge(age)])
        await nextTurn()
        const oldest = await store.events.oldest()
        assert.deepEqual(oldest, { id: 11_000, at: 11_000 * day })
        assert.equal(await store.events.page({ after: { id: 10_999, at: 10_999 * day }, limit: 1 }), 'events_expired')
        const page = await store.events.page({ after: oldest, limit: 1 })
        assert.ok(typeof page === 'object' && page.events[0]?.id === 11_001)
        assert.equal((await store.bulk.counts()).events, 1_000)
        // This removes a single event.
        await store.events.purge(Date.now() - 11_001.5 * day)
        await nextTurn()
        assert.deepEqual(await store.events.oldest(), { id: 11_001, at: 11_001 * day })
      }))

    test(`If times of events are not in order, a purge stops at the first event that is kept, on ${database.name} [decision 15]`, () =>
      withStores(database, 1, async ([store], url) => {
        for (let i = 0; i < 5; i++) await store.categories.put(1n, `name ${i}`, undefined)
        const now = Date.now()
        await runSql(url, `UPDATE events SET at = ${now - 2 * day} + id WHERE id <> 3`)
        await nextTurn()
        await store.events.purge(day)
        await nextTurn()
        assert.deepEqual(await store.events.oldest(), { id: 2, at: now - 2 * day + 2 })
        const page = await store.events.page({ after: await store.events.oldest(), limit: 9 })
        assert.deepEqual(typeof page === 'object' && page.events.map(({ id }) => id), [3, 4, 5])
        assert.equal(await store.events.positionOf(1), 'events_expired')
        await store.events.purge(ofAll)
        await nextTurn()
        const present = await store.events.present()
        assert.equal(present.id, 5)
        assert.deepEqual(await store.events.positionOf(5), present)
        assert.deepEqual(await store.events.page({ after: present, limit: 9 }), { events: [], position: present })
      }))

    test(`Events since a time begin with the first one at or after it, even if their times are not in order, on ${database.name} [decision 15]`, () =>
      withStores(database, 1, async ([store], url) => {
        const count = 300
        const numbers = `WITH RECURSIVE s(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM s WHERE i < ${count})
          SELECT i, 'n', 'n' FROM s`
        await runSql(url, `INSERT INTO categories (id, name, words) ${numbers}`)
        // The times are 200 ms apart, and each is up to 900 ms early or late.
        const timeOf = (id: number): number => 1_000_000 + id * 200 + ((id * 7919) % 1_800) - 900
        await runSql(url, `UPDATE events SET at = 1000000 + id * 200 + (id * 7919) % 1800 - 900`)
        // PostgreSQL leaves out some ids.
        await runSql(url, 'DELETE FROM events WHERE id % 4 = 1 AND id < 280')
        await nextTurn()
        const left = Array.from({ length: count }, (_, i) => i + 1).filter((id) => id % 4 !== 1 || id >= 280)
        for (let time = timeOf(1) - 5_000; time < timeOf(count) + 5_000; time += times(333, 1_999)) {
          const after = await store.events.positionBefore(time)
          const page = await store.events.page({ after, limit: 1 })
          assert.ok(typeof page === 'object')
          assert.equal(
            page.events[0]?.id,
            left.find((id) => timeOf(id) >= time),
            `since ${time}`,
          )
        }
        const last = { id: count, at: timeOf(count) }
        assert.deepEqual(await store.events.positionBefore(2 ** 53), last, 'all are older')
        await store.events.purge(ofAll)
        await nextTurn()
        assert.deepEqual(await store.events.positionBefore(0), last, 'all were removed')
      }))

    test(`Events that were lost and whose ids were assigned again leave no silent gap, on ${database.name} [decision 15]`, () =>
      withStores(database, 1, async ([store], url) => {
        for (let i = 0; i < 5; i++) await store.categories.put(1n, `name ${i}`, undefined)
        const kept = await store.events.positionOf(3)
        const lost = await store.events.present()
        assert.ok(typeof kept === 'object')
        await nextTurn()
        // The last two events are missing, as after the restore of a backup or the promotion of a standby.
        const last = url.startsWith('sqlite:')
          ? `UPDATE sqlite_sequence SET seq = 3 WHERE name = 'events'`
          : `SELECT setval('event_ids', 3)`
        for (const statement of ['DELETE FROM events WHERE id > 3', last]) await runSql(url, statement)
        // The time differs from that of the lost event, because the clock counts milliseconds.
        while (Date.now() <= lost.at + 1) await nextTurn()
        assert.equal(await store.events.page({ after: lost, limit: 10 }), 'events_expired', 'ahead of all there are')
        for (let i = 5; i < 8; i++) await store.categories.put(1n, `name ${i}`, undefined)
        assert.equal(await store.events.page({ after: lost, limit: 10 }), 'events_expired', 'another one with its id')
        const page = await store.events.page({ after: kept, limit: 10 })
        assert.ok(typeof page === 'object')
        assert.deepEqual(
          page.events.map(({ json }) => JSON.parse(json).data.name),
          ['name 5', 'name 6', 'name 7'],
        )
      }))
  })

test('A position that one instance has shown is known to an instance that sees fewer events, on PostgreSQL', () =>
  withInstances(async ({ first, second, sql }) => {
    for (let i = 0; i < 3; i++) await first.pets.insert(rex, undefined)
    const follower = new CatalogueCopy()
    await follower.catchUp(first.events)
    // A writer read the last id long ago, and takes its own id only now.
    await sql`BEGIN`
    await sql`SELECT pg_advisory_xact_lock_shared('event_ids'::regclass::int, 1)`
    assert.equal((await second.events.present()).id, 1)
    const { position } = follower
    assert.deepEqual(await second.events.page({ after: position, limit: 1 }), { events: [], position })
    assert.deepEqual(await second.events.positionOf(position.id), position)
    await sql`COMMIT`
    assert.deepEqual(await second.events.present(), position)
  }))

/** Another program locks ids of events in another database, or an id that has been assigned since. */
test('Advisory locks of other programs do not hold back events, on PostgreSQL', () =>
  withInstances(async ({ first, sql }) =>
    withInstances(async ({ sql: elsewhere }) => {
      await elsewhere.unsafe(`BEGIN; INSERT INTO categories (id, name, words) VALUES (1, 'Held', 'held')`)
      await sql`BEGIN`
      await sql`SELECT pg_advisory_xact_lock_shared('event_ids'::regclass::bigint << 32),
        pg_advisory_xact_lock_shared('inventory'::regclass::int, 0),
        pg_advisory_xact_lock_shared('event_ids'::regclass::int, 2)`
      await first.pets.insert(rex, undefined)
      assert.equal((await first.events.present()).id, 1)
      await Promise.all([sql`COMMIT`, elsewhere`ROLLBACK`])
    }),
  ))

test('An animal is acknowledged and on every page although a foreign transaction is open, on PostgreSQL [decision 15]', () =>
  withInstances(async ({ first, second, sql }) => {
    await sql.unsafe(
      `BEGIN; INSERT INTO pets (id, name, words, category_id, status)
       VALUES (nextval('pet_ids'), 'Late', '', 1, 'available')`,
    )
    const { id } = rowOf(await first.pets.insert(rex, undefined))
    for (const query of [{}, { status: 'available' }, { categoryId: 1n }, { ids: [BigInt(id)] }] as const)
      assert.equal(
        (await second.pets.page({ after: 0, limit: 9, ...query })).json,
        `[${await first.pets.find(BigInt(id))}]`,
      )
    await sql`COMMIT`
  }))

test('A transaction with many statements takes one lock, even after a rollback to a savepoint, on PostgreSQL', () =>
  withInstances(async ({ first, sql }) => {
    const add = () =>
      sql`INSERT INTO pets (id, name, words, category_id, status) VALUES (nextval('pet_ids'), 'Rex', 'rex', 1, 'sold')`
    const locks = async () =>
      (
        await sql`SELECT FROM pg_locks WHERE pid = pg_backend_pid() AND locktype = 'advisory'
        AND classid = 'event_ids'::regclass`
      ).length
    for (let tries = 0; tries < 2; tries++) {
      await sql`BEGIN`
      await sql`SAVEPOINT before`
      await add()
      await sql`ROLLBACK TO before`
      assert.equal(await locks(), 0)
      await add()
      const { id } = await first.events.present()
      for (let i = 0; i < 20; i++) await add()
      assert.equal(await locks(), 1)
      await first.pets.insert(rex, undefined)
      assert.equal((await first.events.present()).id, id)
      await sql`COMMIT`
      assert.equal((await first.events.present()).id, id + 23)
    }
  }))

test('An event that commits late is not missed, and the delay that it causes is measured, on PostgreSQL [decision 15]', () =>
  withInstances(async ({ first, second, sql }) => {
    const heldSeconds = () => first.samples().find(([name]) => name === 'petstore_events_held_seconds')?.[1]
    assert.equal(heldSeconds(), 0)
    const follower = new CatalogueCopy()
    await first.categories.put(1n, 'Dogs', undefined)
    await sql.unsafe(`BEGIN; UPDATE categories SET name = 'Late' WHERE id = 1`)
    await second.categories.put(2n, 'Overtaking', undefined)
    await follower.catchUp(first.events)
    assert.deepEqual([...follower.copy.category.values()], ['{"id":1,"name":"Dogs"}'])
    await first.events.present()
    assert.ok((heldSeconds() as number) > 0)
    const [finding = ''] = /SELECT pid, usename[^;]+/.exec(projectFile('docs/runbook.md')) ?? []
    const [{ pid } = { pid: 0 }] = await sql`SELECT pg_backend_pid() AS pid`
    assert.deepEqual(
      (await sql.unsafe(finding)).map((owner) => owner.pid),
      [pid],
    )
    await sql`COMMIT`
    await first.events.present()
    assert.equal(heldSeconds(), 0)
    await follower.check(second)
    assert.equal(follower.events, 3)
  }))

test('An open transaction holds the feed back even while event ids pass 2^32, on PostgreSQL [decision 15]', () =>
  withInstances(async ({ first, sql }) => {
    const last = 2 ** 32 - 2
    await sql`SELECT setval('event_ids', ${last})`
    await sql.unsafe(`BEGIN; INSERT INTO categories (id, name, words) VALUES (1, 'Held', 'held')`)
    for (let i = 0; i < 5; i++) await first.pets.insert(rex, undefined)
    assert.equal(await first.events.positionOf(last + 1), 'events_expired', 'it is not known yet')
    const page = () => first.events.page({ after: { id: 0, at: 0 }, limit: 9 })
    assert.deepEqual(await page(), { events: [], position: { id: 0, at: 0 } })
    await sql`COMMIT`
    const all = await page()
    assert.equal(typeof all === 'object' && all.events.length, 6)
  }))
