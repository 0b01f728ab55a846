/**
 * Completes orders at the moment of their expiry, through several instances. Each order ends in one way, and all
 * instances agree on it.
 */
import assert from 'node:assert/strict'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { CatalogueCopy } from '../catalogue-copy.ts'
import { withClock } from '../database-clock.ts'
import type { Database } from '../databases.ts'
import { faultsIn } from '../faults.ts'
import { InProcess, withStores } from '../in-process.ts'
import { expireAll } from '../orders.ts'
import type { Run } from '../random.ts'
import { runSql } from '../sql.ts'

/** The number of orders that are due at the same moment. */
const atOnce = 200
/** How many of these orders are certainly completed in time, and how many are certainly late. */
const certain = 5

const rex = { name: 'Rex', categoryId: 1n, status: 'available' } as const

/** Returns how many orders were completed. The others have expired. */
export async function completeOrExpire(
  database: Database,
  count: number,
  progress: Run['progress'] = () => {},
): Promise<number> {
  let completed = 0
  await withStores(withClock(database), 3, async (stores, url, clock) => {
    const services = await Promise.all(stores.map((store) => InProcess.on(store)))
    const [store] = stores
    let now = Date.UTC(2027, 0, 1)
    const setAll = async (time: number) => {
      for (const service of services) service.now = time
      await clock.set(time)
    }
    const expireThroughAll = () => Promise.all(stores.map(({ orders }) => expireAll(orders)))

    async function place(heldUntil: string): Promise<number> {
      const pet = await store.pets.insert(rex, undefined)
      assert.ok(typeof pet === 'object')
      const order = { petId: BigInt(pet.id), heldUntil }
      const placed = await store.orders.place(order, undefined)
      assert.ok(typeof placed === 'object', String(placed))
      return placed.id
    }
    const answers = new Map<number, number>()
    const complete = async (id: number) => {
      const service = services[id % services.length] as InProcess
      answers.set(id, (await service.call('POST', `/store/orders/${id}/complete`)).status)
    }

    for (let done = 0; done < count; done += atOnce) {
      await setAll(now)
      const heldUntil = now + 1_000
      const ids = await Promise.all(
        Array.from({ length: Math.min(atOnce, count - done) }, () => place(new Date(heldUntil).toISOString())),
      )
      const [early, late] = [ids.splice(0, certain), ids.splice(-certain)]
      await Promise.all(early.map(complete))
      now = heldUntil
      const racing: Promise<unknown>[] = []
      const expire = () => racing.push(clock.set(heldUntil).then(expireThroughAll))
      // In each round, the expiry begins at another moment.
      const start = (53 * (done / atOnce)) % ids.length
      for (const [i, id] of ids.entries()) {
        if (i === start) expire()
        racing.push(complete(id))
        if (i % 3 === 0) await nextTurn()
      }
      await Promise.all(racing)
      await setAll(now)
      await expireThroughAll()
      await Promise.all(late.map(complete))
      progress(done + ids.length + early.length + late.length)
    }

    const statuses = new Map<string, number>()
    await store.bulk.read('orders', ['id', 'status'], async (rows) => {
      for (const [id, status] of rows) {
        assert.equal(status, answers.get(Number(id)) === 200 ? 'completed' : 'expired', `order ${id}`)
        statuses.set(String(status), (statuses.get(String(status)) ?? 0) + 1)
      }
    })
    completed = statuses.get('completed') ?? 0
    assert.deepEqual([...new Set(answers.values())].sort(), [200, 409])
    assert.equal(completed + (statuses.get('expired') ?? 0), count)
    assert.equal(JSON.parse(await store.inventory.total()).sold, completed)
    const counts = { placed: 0, completed, cancelled: 0, returned: 0, expired: count - completed, dueToday: 0 }
    assert.equal(await store.orders.counts(), JSON.stringify(counts))
    const [ends] = await runSql(url, `SELECT count(*) FROM events WHERE type IN ('order.completed', 'order.expired')`)
    assert.equal(Number(ends), count)
    assert.deepEqual(await faultsIn(store), [])
    await new CatalogueCopy().check(store)
  })
  return completed
}
