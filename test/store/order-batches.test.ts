/** Orders on PostgreSQL are placed in batches, and a locked animal or key affects only its own order. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type postgres from 'postgres'
import { eventually } from '../../harness/patience.ts'
import { releasePostgres } from '../../harness/postgres.ts'
import type { Outcome, Store } from '../../src/store/store.ts'
import { withInstances } from './instances.ts'
import { rex, rowOf } from './subject.ts'

after(releasePostgres)

/** Adds this many animals, and returns their ids. */
const stock = async ({ pets }: Store, count: number): Promise<bigint[]> =>
  (await Promise.all(Array.from({ length: count }, () => pets.insert(rex, undefined)))).map((outcome) =>
    BigInt(rowOf(outcome).id),
  )
/** Waits until somebody waits for a lock of this connection. */
const untilSomeoneWaits = (sql: postgres.Sql) =>
  eventually(
    () => sql`SELECT 1 FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid))`,
    ({ length }) => length > 0,
  )
const petOf = (outcome: Outcome) =>
  typeof outcome === 'string' ? outcome : BigInt(JSON.parse(rowOf(outcome).json).petId)

test('Orders that arrive together are placed by one statement, and of two for one animal the first succeeds', () =>
  withInstances(async ({ first, sql }) => {
    const ids = await stock(first, 20)
    const wanted = [...ids.toReversed(), ids[3] as bigint, 999n]
    const outcomes = await Promise.all(wanted.map((id) => first.orders.place({ petId: id }, undefined)))
    assert.deepEqual(outcomes.map(petOf), [...ids.toReversed(), 'pet_not_available', 'unknown_pet'])
    const [orders] = await sql`SELECT count(DISTINCT xmin::text)::int AS transactions, count(*)::int FROM orders`
    assert.deepEqual({ ...orders }, { transactions: 1, count: 20 })
  }))

test('A locked animal delays only the order on it, which sees what became of the animal', () =>
  withInstances(async ({ first, sql }) => {
    const ids = (await stock(first, 3)) as [bigint, bigint, bigint]
    const place = () =>
      ids.map((id) => first.orders.place({ petId: id }, undefined)) as [Promise<Outcome>, ...Promise<Outcome>[]]
    await sql`BEGIN`
    await sql`SELECT FROM pets WHERE id = ${String(ids[0])} FOR UPDATE`
    const [held, ...others] = place()
    assert.deepEqual((await Promise.all(others)).map(petOf), ids.slice(1))
    // The order does not delay the answers to others, because it has not taken its id yet.
    await untilSomeoneWaits(sql)
    const [another] = await stock(first, 1)
    assert.equal(petOf(await first.orders.place({ petId: another as bigint }, undefined)), another)
    await sql`ROLLBACK`
    assert.equal(petOf(await held), ids[0])

    const last = (await stock(first, 1))[0] as bigint
    await sql`BEGIN`
    await sql`UPDATE pets SET status = 'sold' WHERE id = ${String(last)}`
    const late = first.orders.place({ petId: last }, undefined)
    await untilSomeoneWaits(sql)
    await sql`COMMIT`
    assert.equal(await late, 'pet_not_available')
  }))

test('An order repeated with its Idempotency-Key does not affect others placed at the same moment', () =>
  withInstances(async ({ first, second, sql }) => {
    // The moment in which the other instance commits between two polls occurs once in a few rounds.
    for (let round = 1; round <= 10; round++) {
      const ids = await stock(first, 20)
      const claimOf = (id: bigint) => ({
        keyId: 1,
        route: 'POST /v1/store/orders',
        idempotencyKey: `k${id}`,
        fingerprint: 'f',
        now: 1000,
      })
      const placed = await first.orders.place({ petId: ids[0] as bigint }, claimOf(ids[0] as bigint))
      const both = await Promise.all(
        [first, second].map((store) => Promise.all(ids.map((id) => store.orders.place({ petId: id }, claimOf(id))))),
      )
      assert.deepEqual(both[0]?.[0], { ...rowOf(placed), replayed: true })
      // Whichever instance was first, both return the same order.
      assert.deepEqual(both[0]?.map(petOf), ids)
      assert.deepEqual(
        both[0]?.map((outcome) => rowOf(outcome).json),
        both[1]?.map((outcome) => rowOf(outcome).json),
      )
      assert.equal((await sql`SELECT FROM orders`).length, round * ids.length)
    }
  }))
