/** The stored counts include what anybody writes, wrong counts are found, and no writer waits for another. */
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import fc from 'fast-check'
import { withClock } from '../../harness/database-clock.ts'
import { databases } from '../../harness/databases.ts'
import { faultsIn as allFaultsIn } from '../../harness/faults.ts'
import { withStores } from '../../harness/in-process.ts'
import { eventually } from '../../harness/patience.ts'
import { releasePostgres } from '../../harness/postgres.ts'
import { times } from '../../harness/scope.ts'
import { runSql } from '../../harness/sql.ts'
import type { DaySales } from '../../src/model/pet.ts'
import type { Store } from '../../src/store/store.ts'
import { withInstances } from './instances.ts'
import { ofNone, rex, rowOf, statuses, walk } from './subject.ts'

after(releasePostgres)

/** Leaves out the faults of ids, because these tests assign ids themselves. */
const faultsIn = async (store: Store) => (await allFaultsIn(store)).filter((fault) => fault.startsWith('The counts'))

/**
 * Writes of a program that knows nothing of the counts, and how many animals are added, sold and returned on the day
 * after each of them.
 */
const otherWrites = [
  [
    `INSERT INTO pets (id, name, words, category_id, status)
     VALUES (1000001, 'Old', '', 1, 'available'), (1000002, 'Old', '', 1, 'sold'), (1000003, 'Old', '', 2, 'pending')`,
    [3, 0, 0],
  ],
  [`UPDATE pets SET status = 'sold', category_id = 3 WHERE id IN (1000001, 1000003)`, [3, 2, 0]],
  [`UPDATE pets SET name = 'Older', category_id = 4`, [3, 2, 0]],
  [`UPDATE pets SET status = 'available'`, [3, 2, 3]],
  [`UPDATE pets SET status = 'sold' WHERE id < 1000003`, [3, 4, 3]],
  [`UPDATE pets SET status = CASE status WHEN 'sold' THEN 'pending' ELSE 'sold' END`, [3, 5, 5]],
  ['DELETE FROM pets WHERE id = 1000003', [3, 5, 5]],
] as const

/**
 * The same with orders, each for a different animal. The counts are placed, completed, cancelled, returned and expired.
 */
const otherOrderWrites = [
  [
    `INSERT INTO orders (id, pet_id, status, created_at, updated_at)
     VALUES (1, 1, 'placed', '', ''), (2, 2, 'completed', '', ''), (3, 3, 'expired', '', ''), (4, 3, 'placed', '', '')`,
    [2, 1, 0, 0, 1],
  ],
  [`UPDATE orders SET reference = 'Novak'`, [2, 1, 0, 0, 1]],
  [`UPDATE orders SET status = CASE status WHEN 'placed' THEN 'cancelled' ELSE 'returned' END`, [0, 0, 2, 2, 0]],
  [`UPDATE orders SET status = 'completed' WHERE id = 1`, [0, 1, 1, 2, 0]],
  ['DELETE FROM orders WHERE id < 3', [0, 0, 1, 1, 0]],
] as const

/** Returns what happened on all days together. */
function totalOf(days: readonly DaySales[]): Omit<DaySales, 'day'> {
  const total = { added: 0, sold: 0, returned: 0 }
  for (const { day, ...counts } of days)
    for (const [what, count] of Object.entries(counts) as [keyof typeof total, number][]) {
      assert.ok(count >= 0, `${day}: ${count} ${what}`)
      total[what] += count
    }
  return total
}

type Step = (store: Store, idAt: (place: number) => bigint) => Promise<unknown>
const anyStatus = fc.constantFrom(...statuses)
const place = fc.nat(5)
let files = 0

/** Any of the ways in which animals are added, changed and removed. Half of the orders are refused. */
const step: fc.Arbitrary<Step> = fc.oneof(
  anyStatus.map(
    (status): Step =>
      (store) =>
        store.pets.insert({ ...rex, status }, undefined),
  ),
  fc.array(anyStatus, { minLength: 1, maxLength: 3 }).map(
    (rows): Step =>
      async ({ imports }) => {
        const hash = String(files++)
        const pets = rows.map((status) => ['Rex', '1', status] as const)
        return imports.add(hash, await imports.begin(hash, false), pets, pets.length)
      },
  ),
  fc.tuple(place, anyStatus).map(
    ([which, status]): Step =>
      ({ pets }, idAt) =>
        pets.update(idAt(which), { status }, undefined),
  ),
  place.map(
    (which): Step =>
      ({ pets }, idAt) =>
        pets.remove(idAt(which), undefined),
  ),
  place.map(
    (which): Step =>
      async ({ orders }, idAt) => {
        const placed = await orders.place({ petId: idAt(which) }, undefined)
        if (typeof placed === 'object') await orders.move(BigInt(placed.id), 'completed')
      },
  ),
  fc.constant<Step>(async ({ orders }) => {
    const [last] = JSON.parse((await orders.page({ after: 0, limit: 1, status: 'completed' })).json)
    if (last) await orders.move(BigInt(last.id), 'returned')
  }),
)

for (const database of databases)
  describe(`counts on ${database.name}`, () => {
    test(`Counts include what another program writes, and empty categories leave nothing, on ${database.name} [decision 14]`, () =>
      withStores(database, 1, async ([store], url) => {
        const today = () => new Date().toISOString().slice(0, 10)
        const began = today()
        for (const [write, sales] of otherWrites) {
          await runSql(url, write)
          await nextTurn()
          const days = await store.inventory.sales('2026-01-01')
          // The counts may be those of two days, if one of them ends meanwhile.
          assert.ok(days.every(({ day }) => day === began || day === today()))
          assert.deepEqual(Object.values(totalOf(days)), sales, write)
          assert.deepEqual(await faultsIn(store), [])
          await nextTurn()
        }
        assert.equal(await store.inventory.total(), '{"available":0,"pending":2,"sold":0}')
        await runSql(url, `DELETE FROM sales; UPDATE pets SET status = 'available'`)
        await nextTurn()
        assert.deepEqual(await store.inventory.sales('2026-01-01'), [])
        await runSql(url, 'DELETE FROM pets')
        await nextTurn()
        assert.equal((await store.inventory.page({ after: undefined, limit: 5 })).json, '[]')
        await store.events.purge(ofNone)
        assert.deepEqual(await runSql(url, 'SELECT count(*) FROM inventory'), ['0'])
        assert.deepEqual(await faultsIn(store), [])
      }))

    test(`Counts of a day are never negative: becoming sold counts as sold, and the reverse as returned, on ${database.name} [decision 14]`, () =>
      withStores(database, 1, async ([store]) => {
        const read = async () => {
          const pets = new Map((await walk(store, {})).seen.map(({ id, status }) => [id, status]))
          return { pets, total: totalOf(await store.inventory.sales('2026-01-01')) }
        }
        const property = fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 20 }), async (steps) => {
          for (const run of steps) {
            const before = await read()
            // The newest animals come first, because most steps are about the same few animals.
            const ids = [...before.pets.keys()].reverse()
            await run(store, (place) => ids[place] ?? 0n)
            const { pets, total } = await read()
            const expected = { ...before.total }
            for (const [id, status] of pets) {
              const was = before.pets.get(id)
              if (was === undefined) expected.added++
              else if (was !== 'sold' && status === 'sold') expected.sold++
              else if (was === 'sold' && status !== 'sold') expected.returned++
            }
            assert.deepEqual(total, expected)
          }
        })
        await fc.assert(property, { numRuns: times(40, 8) })
        const { sold, returned } = (await read()).total
        assert.ok(sold > 0 && returned > 0)
        assert.deepEqual(await faultsIn(store), [])
      }))

    test(`petstore check reports counts that differ from a recount, on ${database.name} [decision 14]`, () =>
      withStores(database, 1, async ([store], url) => {
        for (const categoryId of [1n, 2n ** 62n]) await store.pets.insert({ ...rex, categoryId }, undefined)
        await nextTurn()
        await runSql(url, 'UPDATE inventory SET sold = 5 WHERE category_id > 1; UPDATE inventory_total SET pending = 7')
        await nextTurn()
        assert.deepEqual(await faultsIn(store), [
          `The counts of category ${2n ** 62n} are 1, 0, 5 available, pending and sold, but there are 1, 0, 0.`,
          'The counts of all animals are 2, 7, 0 available, pending and sold, but there are 2, 0, 0.',
        ])
      }))

    test(`Counts of orders include what other programs write, and are compared with a recount, on ${database.name} [decision 14]`, () =>
      withStores(database, 1, async ([store], url) => {
        for (let id = 1; id <= 3; id++) await store.pets.insert(rex, undefined)
        for (const [write, counts] of otherOrderWrites) {
          await nextTurn()
          await runSql(url, write)
          await nextTurn()
          assert.deepEqual(Object.values(JSON.parse(await store.orders.counts())), [...counts, 0], write)
          assert.deepEqual(await faultsIn(store), [])
        }
        await nextTurn()
        await runSql(url, 'UPDATE order_counts SET placed = 7, expired = 5')
        await nextTurn()
        // On PostgreSQL, a count has a row for each slot that was ever used, which is one here.
        assert.deepEqual(await faultsIn(store), [
          'The counts of all orders are 7, 0, 1, 1, 5 placed, completed, cancelled, returned and expired, ' +
            'but there are 0, 0, 1, 1, 0.',
        ])
      }))

    test(`Counts of orders include those that end within 24 hours and are not over yet, on ${database.name} [decision 14]`, () =>
      withStores(withClock(database), 1, async ([store], _url, clock) => {
        const [start, day] = [Date.UTC(2027, 0, 1), 86_400_000]
        await clock.set(start)
        const place = async (milliseconds: number | undefined) => {
          const heldUntil = milliseconds === undefined ? undefined : new Date(start + milliseconds).toISOString()
          const { id } = rowOf(await store.pets.insert(rex, undefined))
          return rowOf(await store.orders.place({ petId: BigInt(id), heldUntil }, undefined)).id
        }
        for (const end of [1, 1_000, day, day + 1, 2 * day, undefined]) await place(end)
        await store.orders.move(BigInt(await place(1_000)), 'completed')
        const states = { placed: 6, completed: 1, cancelled: 0, returned: 0, expired: 0 }
        assert.equal(await store.orders.counts(), JSON.stringify({ ...states, dueToday: 3 }))
        await clock.set(start + 1)
        assert.equal(await store.orders.counts(), JSON.stringify({ ...states, dueToday: 3 }), 'one over, one more due')
        await store.orders.expire()
        const expired = { ...states, placed: 5, expired: 1 }
        assert.equal(await store.orders.counts(), JSON.stringify({ ...expired, dueToday: 3 }))
      }))
  })

test('Writers that count in the same category do not wait for each other, on PostgreSQL [decision 14]', () =>
  withInstances(async ({ first, second, sql }) => {
    await first.pets.insert(rex, undefined)
    await sql.unsafe(
      `BEGIN; INSERT INTO pets (id, name, words, category_id, status) VALUES (1000000, 'Held', '', 1, 'available')`,
    )
    await Promise.all([first.pets.insert(rex, undefined), second.pets.insert(rex, undefined)])
    assert.equal(await first.inventory.total(), '{"available":3,"pending":0,"sold":0}')
    await sql.unsafe('COMMIT')
    assert.equal(await second.inventory.total(), '{"available":4,"pending":0,"sold":0}')
    assert.deepEqual(await faultsIn(first), [])
  }))

test('Orders that are counted do not wait for each other, on PostgreSQL [decision 14]', () =>
  withInstances(async ({ first, second, sql }) => {
    const ids = await Promise.all(
      Array.from({ length: 3 }, async () => rowOf(await first.pets.insert(rex, undefined)).id),
    )
    await sql.unsafe(`BEGIN; INSERT INTO orders (id, pet_id, status, created_at, updated_at)
      VALUES (1000000, ${ids[0]}, 'placed', '', '')`)
    for (const [i, store] of [first, second].entries())
      await store.orders.place({ petId: BigInt(ids[i + 1] as number) }, undefined)
    assert.equal(JSON.parse(await second.orders.counts()).placed, 2)
    await sql.unsafe('COMMIT')
    assert.equal(JSON.parse(await first.orders.counts()).placed, 3)
    assert.deepEqual(await faultsIn(first), [])
  }))

test('If more transactions count than there are slots, they wait and are counted, on PostgreSQL [decision 14]', () =>
  withInstances(async ({ first, sql }) => {
    const slots = Array.from({ length: 64 }, (_, slot) => `pg_advisory_lock('inventory'::regclass::int, ${slot})`)
    await sql.unsafe(`SELECT ${slots.join()}`)
    let isAdded = false
    const adding = first.pets.insert(rex, undefined).then(() => {
      isAdded = true
    })
    const waiting = () => sql`SELECT FROM pg_locks WHERE NOT granted AND classid = 'inventory'::regclass`
    await eventually(waiting, ({ length }) => length > 0)
    assert.equal(isAdded, false)
    await sql.unsafe('SELECT pg_advisory_unlock_all()')
    await adding
    assert.equal(await first.inventory.total(), '{"available":1,"pending":0,"sold":0}')
  }))

test('A category that several writers have emptied leaves no counts behind, on PostgreSQL', () =>
  withInstances(async ({ first, sql }) => {
    const rows = async () => (await sql`SELECT FROM inventory`).length
    // Another writer has the first slot while the animal is added, but no longer when it is removed.
    await sql`SELECT pg_advisory_lock('inventory'::regclass::int, 0)`
    const { id } = rowOf(await first.pets.insert(rex, undefined))
    await first.pets.insert({ ...rex, categoryId: 2n }, undefined)
    await sql`SELECT pg_advisory_unlock_all()`
    await first.pets.remove(BigInt(id), undefined)
    assert.equal(await rows(), 3)
    await first.events.purge(ofNone)
    assert.equal(await rows(), 1)
    assert.deepEqual(await faultsIn(first), [])
  }))
