/** Runs sequences of steps against the service and the model. */
import assert from 'node:assert/strict'
import fc from 'fast-check'
import { hashOf } from '../../src/model/key.ts'
import type { Store } from '../../src/store/store.ts'
import type { Database } from '../support/databases.ts'
import { faultsIn } from '../support/faults.ts'
import { Follower } from '../support/follower.ts'
import { InProcess, withStores } from '../support/in-process.ts'
import type { Run } from '../support/random.ts'
import { runSql } from '../support/sql.ts'
import { checkAll, type Real, sequences } from './commands.ts'
import { Model } from './model.ts'

export const steps = 30
/** Sequences that run side by side on one database, each with animals of its own. */
const lanes = 8
export const inMemory: Database = {
  name: 'SQLite',
  open: async () => ({ url: 'sqlite::memory:', remove: async () => {} }),
}

/** What the sequences must meet between them, or they prove little. */
export const outcomes = [
  ...['create 201', 'create idempotency_key_reused', 'patch 200', 'patch order_state_conflict', 'patch pet_not_found'],
  ...['patch precondition_failed', 'delete 204', 'delete order_state_conflict', 'delete pet_not_found', 'get 200'],
  ...[
    'order 201',
    'order pet_not_available',
    'order unknown_pet',
    'order idempotency_key_reused',
    'list ok',
    'wait ok',
  ],
  ...['complete 200', 'complete order_state_conflict', 'complete order_not_found', 'cancel 200'],
  ...['cancel order_state_conflict', 'cancel order_not_found', 'create replayed', 'order replayed'],
  ...['return 200', 'return order_state_conflict', 'return order_not_found'],
  ...['name 201', 'name 200', 'unname 204', 'unname category_not_found', 'count ok'],
]

/** Fails at the first answer that is not the model's; gives the outcomes that were met. */
export async function compareWithModel(
  database: Database,
  count: number,
  { seed, progress }: Run,
): Promise<ReadonlySet<string>> {
  const seen = new Set<string>()
  let categoryId = 0
  let done = 0
  /** The name of the key that alone has changed an animal, its orders, or the name of a category. */
  const doneBy = new Map<string, string>()
  await withStores(database, 1, async ([store], url) => {
    const lane = async (_: unknown, number: number) => {
      const name = `lane ${number}`
      const service = await InProcess.on(store, undefined, undefined, name)
      const { id: keyId } = (await store.keys.findByHash(hashOf(service.key))) ?? assert.fail('no key')
      const age = async (milliseconds: number) =>
        database === inMemory ||
        runSql(url, `UPDATE idempotency_records SET created_at = created_at - ${milliseconds} WHERE key_id = ${keyId}`)
      const property = fc.asyncProperty(sequences(steps), async (commands) => {
        const real: Real = { service, categoryId: (categoryId += 2), seen, petIds: [], orderIds: [], age }
        const model = new Model()
        await fc.asyncModelRun(() => ({ model, real }), commands)
        await checkAll(model, real)
        for (const id of real.petIds) doneBy.set(`pet ${id}`, name)
        for (const id of [0, 1]) doneBy.set(`category ${real.categoryId + id}`, name)
        progress(++done)
      })
      await fc.assert(property, { numRuns: Math.ceil(count / lanes), seed: seed + number })
    }
    await Promise.all(Array.from({ length: lanes }, lane))
    assert.deepEqual(await faultsIn(store), [])
    await new Follower().check(store)
    await checkNames(store, doneBy)
  })
  return seen
}

/** Every event has the name of the key that did it, also where several have written in one transaction. */
async function checkNames({ events }: Store, doneBy: ReadonlyMap<string, string>): Promise<void> {
  for (let after = await events.oldest(); ; ) {
    const page = await events.page({ after, limit: 1_000 })
    assert.ok(typeof page === 'object', String(page))
    for (const { petId, json } of page.events) {
      const { by, data } = JSON.parse(json)
      assert.equal(by, doneBy.get(petId === undefined ? `category ${data.id}` : `pet ${petId}`), json)
    }
    if (page.events.length === 0) return
    after = page.position
  }
}
