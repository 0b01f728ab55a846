/**
 * Concurrent requests through several instances: histories of clients that use the same animal, and many buyers for
 * each animal.
 */
import assert from 'node:assert/strict'
import fc from 'fast-check'
import type { Database } from '../databases.ts'
import { faultsIn } from '../faults.ts'
import { InProcess, type Reply, withStores } from '../in-process.ts'
import { moves } from '../order.ts'
import type { Run } from '../random.ts'
import { isLinearizable, type Operation, patches, textOf } from './history.ts'

/** The number of histories that run concurrently, each with its own animal. */
const atOnce = 20

type Kind = Operation['kind']
const kind = fc.constantFrom<Kind>(
  ...(['place', 'place', 'place', 'place', 'complete', 'complete', 'cancel', 'return', 'return'] as const),
  ...(['sell', 'offer', 'remove', 'pet', 'orders'] as const),
)
/** The plan of several clients, each of which does one thing after another. */
const plan = fc.array(fc.array(kind, { minLength: 3, maxLength: 3 }), { minLength: 3, maxLength: 4 })

const addPet = async (service: InProcess): Promise<number> =>
  (await service.call('POST', '/pets', { name: 'Rex', categoryId: 1 })).json.id
const order = (service: InProcess, petId: number): Promise<Reply> => service.call('POST', '/store/orders', { petId })

/** Runs `work` on three instances with one new database, and checks the database afterwards. */
const withInstances = (database: Database, work: (services: readonly InProcess[]) => Promise<void>) =>
  withStores(database, 3, async (stores) => {
    await work(await Promise.all(stores.map((store) => InProcess.on(store))))
    assert.deepEqual(await faultsIn(stores[0]), [])
  })

/** Carries out the plans of the clients on a new animal, and records who asked what and when. */
async function record(services: readonly InProcess[], clients: readonly (readonly Kind[])[]): Promise<Operation[]> {
  const history: Operation[] = []
  const petId = await addPet(services[0] as InProcess)
  let moment = 0
  let newest: number | undefined

  async function perform(service: InProcess, planned: Kind): Promise<void> {
    const isMove = planned in moves
    // There is no order to move yet, so one is placed.
    const kind = isMove && newest === undefined ? 'place' : planned
    const orderId = isMove ? newest : undefined
    const invoked = moment++
    const answer = await ask(service, kind, petId, orderId)
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
  if (kind === 'place') {
    const { json } = await order(service, petId)
    return json.code ?? json.id
  }
  if (kind === 'orders') {
    const { json } = await service.call('GET', `/store/orders?petId=${petId}&limit=100`)
    return textOf(json.map((order: { id: number; status: string }) => [order.id, order.status]))
  }
  const { json } =
    kind === 'pet'
      ? await service.call('GET', `/pets/${petId}`)
      : kind === 'remove'
        ? await service.call('DELETE', `/pets/${petId}`)
        : kind === 'sell' || kind === 'offer'
          ? await service.call('PATCH', `/pets/${petId}`, { status: patches[kind] })
          : await service.call('POST', `/store/orders/${orderId}/${kind}`)
  return json?.code ?? json?.status ?? 'removed'
}

/**
 * The outcomes that the histories together must reach. Otherwise they would prove little. Rare outcomes count only if
 * there are enough histories.
 */
const outcomes = [
  'place placed',
  'place pet_not_available',
  'complete completed',
  'cancel cancelled',
  'remove order_state_conflict',
]
const rareOutcomes = [
  'complete order_state_conflict',
  'cancel order_state_conflict',
  'sell order_state_conflict',
  'sell sold',
  'offer order_state_conflict',
  'remove removed',
  'place unknown_pet',
  'return returned',
]
const enough = 150

/** Fails at the first history that no order of its operations explains. */
export const explainHistories = (database: Database, count: number, { seed, progress }: Run): Promise<void> =>
  withInstances(database, async (services) => {
    const answers = new Set<string>()
    const wanted = [...outcomes, ...(count >= enough ? rareOutcomes : [])]
    const missing = () => wanted.filter((outcome) => !answers.has(outcome))
    let [recorded, overlapping] = [0, 0]
    // If chance has left an outcome out, the same number of histories runs again.
    for (let turn = 0; turn === 0 || (turn < 10 && missing().length > 0); turn++)
      for (const plans = fc.sample(plan, { numRuns: count, seed: seed + turn }); plans.length > 0; ) {
        const histories = await Promise.all(plans.splice(0, atOnce).map((clients) => record(services, clients)))
        for (const history of histories) {
          assert.ok(isLinearizable(history), `no order explains this: ${JSON.stringify(history, null, 1)}`)
          if (history.some(({ invoked, returned }) => returned > invoked + 1)) overlapping++
          for (const { kind, answer } of history)
            answers.add(`${kind} ${typeof answer === 'number' ? 'placed' : answer}`)
        }
        progress((recorded += histories.length))
      }
    assert.equal(missing().join(), '', 'never met')
    assert.equal(overlapping, recorded, 'every history has operations at the same time')
  })

/**
 * Lets many buyers order the same animal at the same moment. One of them gets it, and the others are told so. This is
 * repeated with one animal after another.
 */
export const sellToMany = (
  database: Database,
  { animals, buyers }: { animals: number; buyers: number },
  progress: Run['progress'] = () => {},
  buy = order,
): Promise<void> =>
  withInstances(database, async (services) => {
    for (let i = 0; i < animals; i++) {
      const petId = await addPet(services[0] as InProcess)
      const replies = await Promise.all(
        Array.from({ length: buyers }, (_, buyer) => buy(services[buyer % services.length] as InProcess, petId)),
      )
      const [won, ...lost] = replies.toSorted((a, b) => a.status - b.status)
      assert.equal(won?.status, 201)
      assert.deepEqual([...new Set(lost.map(({ json }) => json.code))], ['pet_not_available'])
      const { json } = await (services[0] as InProcess).call('GET', `/store/orders?petId=${petId}`)
      assert.deepEqual(json, [won?.json])
      progress(i + 1)
    }
  })

/** A planted fault, which reads first and writes later, whatever has happened in between. */
export async function readThenWrite(service: InProcess, petId: number): Promise<Reply> {
  const pet = await service.call('GET', `/pets/${petId}`)
  if (pet.json.status !== 'available') return { ...pet, status: 409, json: { code: 'pet_not_available' } }
  return { ...(await service.call('PATCH', `/pets/${petId}`, { status: 'pending' })), status: 201 }
}

/**
 * Asks each instance for every name, in a different notation. One instance creates the category, and the others find
 * it.
 */
export const nameTogether = (database: Database, count: number): Promise<void> =>
  withStores(database, 3, async (stores) => {
    const services = await Promise.all(stores.map((store) => InProcess.on(store)))
    const numbers = Array.from({ length: count }, (_, i) => i)
    const spellings = ['Kind', 'KIND', 'kind-']
    const ask = (service: InProcess, i: number, number: number) =>
      service.call('POST', '/categories', { name: `${spellings[i]} ${number}` })
    const replies = await Promise.all(
      numbers.map((number) => Promise.all(services.map((service, i) => ask(service, i, number)))),
    )
    const made = replies.map((ofName) => {
      assert.deepEqual(ofName.map(({ status }) => status).sort(), [200, 200, 201])
      assert.equal(new Set(ofName.map(({ text }) => text)).size, 1)
      for (const { status, json, headers } of ofName)
        assert.equal(
          headers.get('location'),
          status === 201 ? `http://shop.example/v1/categories/${json.id}` : undefined,
        )
      return ofName[0] as Reply
    })
    assert.deepEqual(
      made.map(({ json }) => json.id).sort((a, b) => a - b),
      numbers.map((number) => number + 1),
    )
    const { events } = stores[0]
    const page = await events.page({ after: await events.oldest(), limit: 1_000 })
    assert.ok(typeof page === 'object', String(page))
    const told = page.events.map(({ json }) => JSON.parse(json))
    for (const { type, by } of told) assert.deepEqual([type, by], ['category.named', 'test'])
    assert.deepEqual(told.map(({ data }) => JSON.stringify(data)).sort(), made.map(({ text }) => text).sort())
    assert.deepEqual(await faultsIn(stores[0]), [])
  })
