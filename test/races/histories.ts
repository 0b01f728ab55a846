/** Records histories: clients loose on one animal through several instances, who asked what when, and what was answered. */
import assert from 'node:assert/strict'
import fc from 'fast-check'
import type { Database } from '../support/databases.ts'
import { InProcess, withStores } from '../support/in-process.ts'
import type { Run } from '../support/random.ts'
import { isLinearizable, moves, type Operation, textOf } from './history.ts'

const instances = 3
/** Histories that run at the same time, each on an animal of its own. */
const atOnce = 20

type Kind = Operation['kind']
const kind = fc.constantFrom<Kind>(
  ...(['place', 'place', 'place', 'complete', 'complete', 'cancel', 'return', 'return', 'pet', 'orders'] as const),
)
/** What each of several clients does, one thing after another. */
const plan = fc.array(fc.array(kind, { minLength: 3, maxLength: 3 }), { minLength: 3, maxLength: 4 })

/** Lets the clients of a plan loose on a new animal, and writes down who asked what when. */
async function record(services: readonly InProcess[], clients: readonly (readonly Kind[])[]): Promise<Operation[]> {
  const history: Operation[] = []
  const { json: pet } = await (services[0] as InProcess).call('POST', '/pets', { name: 'Rex', categoryId: 1 })
  let moment = 0
  let newest: number | undefined

  async function perform(service: InProcess, planned: Kind): Promise<void> {
    const isMove = planned in moves
    // Nothing to move yet: then there is to be something.
    const kind = isMove && newest === undefined ? 'place' : planned
    const orderId = isMove ? newest : undefined
    const invoked = moment++
    const answer = await ask(service, kind, pet.id, orderId)
    const returned = moment++
    if (kind === 'place' && typeof answer === 'number') newest = answer
    history.push({ kind, ...(orderId !== undefined && { orderId }), answer, invoked, returned })
  }

  await Promise.all(
    clients.map(async (kinds, client) => {
      for (const kind of kinds) await perform(services[client % services.length] as InProcess, kind)
    }),
  )
  return history
}

async function ask(service: InProcess, kind: Kind, petId: number, orderId?: number): Promise<number | string> {
  if (kind === 'pet') return (await service.call('GET', `/pets/${petId}`)).json.status
  if (kind === 'orders') {
    const { json } = await service.call('GET', `/store/orders?petId=${petId}&limit=100`)
    return textOf(json.map((order: { id: number; status: string }) => [order.id, order.status]))
  }
  const { json } =
    kind === 'place'
      ? await service.call('POST', '/store/orders', { petId })
      : await service.call('POST', `/store/orders/${orderId}/${kind}`)
  return json.code ?? (kind === 'place' ? json.id : json.status)
}

/** Fails at the first history that no order of its operations explains. */
export function explainHistories(database: Database, count: number, { seed, progress }: Run): Promise<void> {
  return withStores(database, instances, async (stores) => {
    const services = await Promise.all(stores.map((store) => InProcess.on(store)))
    const plans = fc.sample(plan, { numRuns: count, seed })
    const answers = new Set<string>()
    let overlapping = 0
    while (plans.length > 0) {
      const histories = await Promise.all(plans.splice(0, atOnce).map((clients) => record(services, clients)))
      for (const history of histories) {
        assert.ok(isLinearizable(history), `no order explains this: ${JSON.stringify(history, null, 1)}`)
        if (history.some(({ invoked, returned }) => returned > invoked + 1)) overlapping++
        for (const { kind, answer } of history)
          answers.add(`${kind} ${kind === 'place' && typeof answer === 'number' ? 'placed' : answer}`)
      }
      progress(count - plans.length)
    }
    const met = ['place placed', 'place pet_not_available', 'complete completed', 'cancel cancelled', 'return returned']
    for (const name of [...met, 'complete order_state_conflict', 'cancel order_state_conflict'])
      assert.ok(answers.has(name), `never met: ${name}`)
    assert.equal(overlapping, count, 'every history has operations at the same time')
  })
}
