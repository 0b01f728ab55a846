/** Runs sequences of steps against the service and the model. */
import assert from 'node:assert/strict'
import fc from 'fast-check'
import type { Store } from '../../src/store/store.ts'
import { CatalogueCopy } from '../catalogue-copy.ts'
import { withClock } from '../database-clock.ts'
import type { Database } from '../databases.ts'
import { faultsIn } from '../faults.ts'
import { InProcess, withStores } from '../in-process.ts'
import { expireAll } from '../orders.ts'
import type { Run } from '../random.ts'
import { checkAll, type Real, sequences } from './commands.ts'
import { Model } from './model.ts'

export const steps = 30
/** The number of databases on which sequences run concurrently, each with its own clock. */
const lanes = 8
export const inMemory: Database = {
  name: 'SQLite',
  open: async () => ({ url: 'sqlite::memory:', remove: async () => {} }),
}

/** The outcomes that the sequences together must reach. Otherwise they would prove little. */
export const outcomes = [
  'create 201',
  'create idempotency_key_reused',
  'patch 200',
  'patch order_state_conflict',
  'patch pet_not_found',
  'patch precondition_failed',
  'delete 204',
  'delete order_state_conflict',
  'delete pet_not_found',
  'get 200',
  'order 201',
  'order pet_not_available',
  'order unknown_pet',
  'order idempotency_key_reused',
  'list ok',
  'wait ok',
  'complete 200',
  'complete order_state_conflict',
  'complete order_not_found',
  'cancel 200',
  'cancel order_state_conflict',
  'cancel order_not_found',
  'create replayed',
  'order replayed',
  'return 200',
  'return order_state_conflict',
  'return order_not_found',
  'order invalid_field',
  'change 200',
  'change order_state_conflict',
  'change order_not_found',
  'change invalid_field',
  'expire 200',
  'name 201',
  'name 200',
  'unname 204',
  'unname category_not_found',
  'count ok',
]

/** Fails at the first answer that differs from the model, and returns the outcomes that were reached. */
export async function compareWithModel(
  database: Database,
  count: number,
  { seed, progress }: Run,
): Promise<ReadonlySet<string>> {
  const seen = new Set<string>()
  let categoryId = 0
  let done = 0
  const lane = (_: unknown, number: number) =>
    withStores(withClock(database), 1, async ([store], _url, clock) => {
      const service = await InProcess.on(store)
      const expire = () => expireAll(store.orders)
      const property = fc.asyncProperty(sequences(steps), async (commands) => {
        const [petIds, orderIds, start] = [[], [], service.now]
        const real: Real = {
          service,
          categoryId: (categoryId += 2),
          seen,
          petIds,
          orderIds,
          start,
          setClock: (now) => clock.set(now),
          expire,
        }
        const model = new Model()
        await fc.asyncModelRun(() => ({ model, real }), commands)
        await checkAll(model, real)
        progress(++done)
      })
      await fc.assert(property, { numRuns: Math.ceil(count / lanes), seed: seed + number })
      assert.deepEqual(await faultsIn(store), [])
      await new CatalogueCopy().check(store)
      await checkNames(store)
    })
  await Promise.all(Array.from({ length: lanes }, lane))
  return seen
}

/** Checks that every event has the name of the key, except for the expiry of an order and the change of its animal. */
async function checkNames({ events }: Store): Promise<void> {
  const byNobody = { order: [] as unknown[], pet: [] as unknown[] }
  for (let after = await events.oldest(); ; ) {
    const page = await events.page({ after, limit: 1_000 })
    assert.ok(typeof page === 'object', String(page))
    for (const { type, petId, json } of page.events) {
      const { by } = JSON.parse(json)
      if (type === 'order.expired') byNobody.order.push(petId)
      if (type === 'pet.updated' && by === undefined) byNobody.pet.push(petId)
      else assert.equal(by, type === 'order.expired' ? undefined : 'test', json)
    }
    if (page.events.length === 0) break
    after = page.position
  }
  assert.deepEqual(byNobody.pet.sort(), byNobody.order.sort())
}
