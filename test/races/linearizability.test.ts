/** Concurrent operations on one animal, through several instances, have answers that some order of them explains. */
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import fc from 'fast-check'
import { databases } from '../support/databases.ts'
import { InProcess, withStores } from '../support/in-process.ts'
import { releasePostgres } from '../support/postgres.ts'
import { isLinearizable, type Operation, textOf } from './history.ts'

const wanted = Number(process.env.HISTORIES || 0)
const instances = 3
/** Histories that run at the same time, each on an animal of its own. */
const atOnce = 20

type Kind = Operation['kind']
const kind = fc.constantFrom<Kind>('place', 'place', 'place', 'complete', 'cancel', 'cancel', 'pet', 'orders')
/** What each of several clients does, one thing after another. */
const plan = fc.array(fc.array(kind, { minLength: 3, maxLength: 3 }), { minLength: 3, maxLength: 4 })

/** Lets the clients of a plan loose on a new animal, and writes down who asked what when. */
async function record(services: readonly InProcess[], clients: readonly (readonly Kind[])[]): Promise<Operation[]> {
  const history: Operation[] = []
  const { json: pet } = await (services[0] as InProcess).call('POST', '/pets', { name: 'Rex', categoryId: 1 })
  let moment = 0
  let newest: number | undefined

  async function perform(service: InProcess, planned: Kind): Promise<void> {
    const isEnd = planned === 'complete' || planned === 'cancel'
    // Nothing to end yet: then there is to be something.
    const kind = isEnd && newest === undefined ? 'place' : planned
    const orderId = isEnd ? newest : undefined
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

after(releasePostgres)

for (const database of databases) {
  const count = wanted || (database.name === 'SQLite' ? 500 : 200)
  test(`${count} histories on ${database.name} can be explained`, () =>
    withStores(database, instances, async (stores) => {
      const services = await Promise.all(stores.map((store) => InProcess.on(store)))
      const plans = fc.sample(plan, count)
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
      }
      const met = ['place placed', 'place pet_not_available', 'complete completed', 'cancel cancelled', 'pet pending']
      for (const name of [...met, 'complete order_state_conflict', 'cancel order_state_conflict'])
        assert.ok(answers.has(name), `never met: ${name}`)
      assert.equal(overlapping, count, 'every history has operations at the same time')
    }))
}

describe('the checker', () => {
  /** Operations one after another, or, where they stand in one list, all at the same time. */
  function historyOf(...groups: Pick<Operation, 'kind' | 'orderId' | 'answer'>[][]): Operation[] {
    let moment = 0
    return groups.flatMap((group) => {
      const invoked = group.map(() => moment++)
      return group.map((operation, i) => ({ ...operation, invoked: invoked[i] as number, returned: moment++ }))
    })
  }
  const place = (answer: number | 'pet_not_available') => ({ kind: 'place', answer }) as const
  const end = (kind: 'complete' | 'cancel', orderId: number, answer: string) => ({ kind, orderId, answer }) as const
  const pet = (answer: string) => ({ kind: 'pet', answer }) as const
  const orders = (answer: string) => ({ kind: 'orders', answer }) as const

  const right: Record<string, Operation[]> = {
    'one after another': historyOf([place(7)], [pet('pending')], [end('complete', 7, 'completed')], [pet('sold')]),
    'a reader at the same time sees the animal before or after': historyOf([
      pet('available'),
      place(7),
      pet('pending'),
    ]),
    'a cancelled order lets the next one in, all at once': historyOf(
      [place(7)],
      [place(8), end('cancel', 7, 'cancelled'), end('cancel', 7, 'cancelled'), orders('7:cancelled 8:placed')],
    ),
    'a loser between two winners': historyOf([
      place(7),
      place('pet_not_available'),
      end('cancel', 7, 'cancelled'),
      place(8),
    ]),
  }
  const wrong: Record<string, Operation[]> = {
    'an animal sold to two': historyOf([place(7), place(8)]),
    'an order ended both ways': historyOf([place(7)], [end('complete', 7, 'completed'), end('cancel', 7, 'cancelled')]),
    'a read that is behind': historyOf([place(7)], [pet('available')]),
    'a read that goes back': historyOf([place(7)], [end('cancel', 7, 'cancelled'), pet('available')], [pet('pending')]),
    'an order that is lost': historyOf([place(7)], [orders('')]),
    'a loser without a winner': historyOf([place('pet_not_available')]),
    'a loser after the order was cancelled': historyOf(
      [place(7)],
      [end('cancel', 7, 'cancelled')],
      [place('pet_not_available')],
    ),
    'a completed order whose animal is sold again': historyOf([place(7)], [end('complete', 7, 'completed'), place(8)]),
    'an animal that does not follow its order': historyOf(
      [place(7)],
      [end('complete', 7, 'completed')],
      [pet('pending')],
    ),
  }
  for (const [name, history] of Object.entries(right)) test(`accepts ${name}`, () => assert.ok(isLinearizable(history)))
  for (const [name, history] of Object.entries(wrong))
    test(`rejects ${name}`, () => assert.ok(!isLinearizable(history)))
})
