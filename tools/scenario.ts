/**
 * A scenario that calls every operation of the document. Every tool must be able to run it with a running service,
 * whatever its client looks like: `bun scenario.ts CLIENT`.
 */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Client, Connect, PetQuery, Reply } from './operations.ts'

type Id = keyof Client

const names = ['Rex', '🐕‍🦺 Bello', '猫', 'Zoë "the cat" & co', "O'Malley"]
const nobody = 4_000_000_000_000_000

/** Tries the operations step by step, and records which of them behave as the document says. */
class Trial {
  readonly #failed = new Set<string>()
  readonly #called = new Set<string>()
  /**
   * A client that calls each operation with an unknown key before its first call, because every error must be readable
   * as well.
   */
  readonly client: Client

  constructor(client: Client, stranger: Client) {
    const checked =
      (id: Id) =>
      async (...args: never[]) => {
        const call = (by: Client) => (by[id] as (...args: never[]) => Promise<Reply<unknown>>)(...args)
        if (!this.#called.has(id)) {
          this.#called.add(id)
          await this.refused(id, 'with an unknown key', call(stranger), [401, 'invalid_api_key'])
        }
        return call(client)
      }
    this.client = new Proxy(client, { get: (_, id) => checked(id as Id) })
  }

  /** `of` is what is lost if the step fails. */
  async step(id: Id, name: string, actual: Promise<unknown>, expected: unknown, of: string = id): Promise<void> {
    try {
      assert.deepEqual(await actual, expected)
    } catch (error) {
      this.#failed.add(of)
      process.stdout.write(`${id} ${name}: ${(error as Error).message}\n`)
    }
  }

  refused(id: Id, name: string, reply: Promise<Reply<unknown>>, expected: [status: number, code: string]) {
    return this.step(id, name, refusal(reply), expected, `errors of ${id}`)
  }

  /** Returns how many of the called operations behave as they should, and which do not. */
  result(): string {
    const failed = [...this.#failed]
    const bad = new Set(failed.map((lost) => lost.split(' ').at(-1)))
    const count = `${this.#called.size - bad.size} of ${this.#called.size}`
    return failed.length > 0 ? `${count}; not: ${failed.join(', ')}` : count
  }
}

async function refusal(reply: Promise<Reply<unknown>>) {
  const { status, error } = await reply
  assert.equal(error?.status, status)
  assert.ok(error?.message)
  return [status, error?.code]
}

const of = async <T, R>(reply: Promise<Reply<T>>, read: (data: T) => R) => {
  const { data, error } = await reply
  assert.ok(data !== undefined, JSON.stringify(error))
  return read(data)
}
const idsOf = (reply: Promise<Reply<{ id: number }[]>>) => of(reply, (all) => all.map(({ id }) => id))
const statusOf = (reply: Promise<Reply<{ status?: string | undefined }>>) => of(reply, ({ status }) => status)
const answered = async (reply: Promise<Reply<unknown>>) => (await reply).status

/**
 * Returns the names of all animals, page by page, through the header `Link`, or through `after` if a client does not
 * expose headers.
 */
async function walk(client: Client): Promise<string[]> {
  const seen: string[] = []
  for (let query: PetQuery | undefined = {}; query; ) {
    const { data = [], link } = await client.listPets({ limit: 2, ...query })
    assert.ok(data.length <= 2)
    seen.push(...data.map(({ name }) => name))
    const cursor = /[?&]cursor=([\w-]+)[^>]*>; rel="next"/.exec(link ?? '')?.[1]
    const after = link === undefined ? data.at(-1)?.id : undefined
    query = cursor ? { cursor } : after ? { after } : undefined
  }
  return seen
}

async function animals(trial: Trial): Promise<number[]> {
  const { client } = trial
  const ids: number[] = []
  async function create(name: string) {
    const { status, data } = await client.createPet({ name, categoryId: 7 })
    ids.push(data?.id as number)
    return [status, data?.name, data?.categoryId, data?.status]
  }
  for (const name of names) await trial.step('createPet', name, create(name), [201, name, 7, 'available'])
  const nameless = client.createPet({ name: '', categoryId: 7 })
  await trial.refused('createPet', 'without a name', nameless, [400, 'invalid_field'])

  const [first = 0, second = 0, third = 0] = ids
  const list = (name: string, query: PetQuery, expected: number[]) =>
    trial.step('listPets', name, idsOf(client.listPets(query)), expected)
  await trial.step('listPets', 'page by page', walk(client), names)
  await list('after an id', { after: third }, ids.slice(3))
  await list('newest first', { order: 'desc', limit: 2 }, ids.slice(-2).reverse())
  await list('one id', { id: [second] }, [second])
  await list('two ids', { id: [first, third] }, [first, third])
  const lost = client.listPets({ cursor: 'nonsense' })
  await trial.refused('listPets', 'from nowhere', lost, [400, 'invalid_cursor'])

  const nameOf = (id: number) => of(client.getPet(id), ({ name }) => name)
  await trial.step('getPet', 'that is there', nameOf(second), names[1])
  await trial.refused('getPet', 'that is not', client.getPet(nobody), [404, 'pet_not_found'])
  const renamed = of(client.updatePet(second, { name: 'Max' }), ({ name }) => name)
  await trial.step('updatePet', 'to a name', renamed, 'Max')
  const doomed = await client.createPet({ name: 'Gone', categoryId: 7 })
  await trial.step('deletePet', 'that is there', answered(client.deletePet(doomed.data?.id as number)), 204)
  await trial.refused('deletePet', 'that is not', client.deletePet(nobody), [404, 'pet_not_found'])

  const dogs = { id: 7, name: 'Dogs' }
  await trial.step('putCategory', 'that is new', of(client.putCategory(7, { name: 'Dogs' }), Object), dogs)
  await trial.step('createCategory', 'that is there', of(client.createCategory({ name: 'DOGS' }), Object), dogs)
  await trial.step('listCategories', 'all', of(client.listCategories({ limit: 2 }), Object), [dogs])
  await trial.step('deleteCategory', 'that is there', answered(client.deleteCategory(7)), 204)
  await trial.refused('deleteCategory', 'that is not', client.deleteCategory(7), [404, 'category_not_found'])
  return ids
}

async function orders(trial: Trial, [first = 0, , third = 0]: number[]): Promise<void> {
  const { client } = trial
  let order = 0
  async function place(petId: number) {
    const { status, data } = await client.placeOrder({ petId })
    order = data?.id as number
    return [status, data?.petId, data?.status]
  }
  await trial.step('placeOrder', 'on an animal', place(first), [201, first, 'placed'])
  await trial.step('getPet', 'that is pending', statusOf(client.getPet(first)), 'pending')
  await trial.refused('placeOrder', 'again', client.placeOrder({ petId: first }), [409, 'pet_not_available'])
  await trial.refused('placeOrder', 'on nobody', client.placeOrder({ petId: nobody }), [422, 'unknown_pet'])
  await trial.step('getOrder', 'that is open', statusOf(client.getOrder(order)), 'placed')
  await trial.step('listOrders', 'that are open', idsOf(client.listOrders({ status: 'placed' })), [order])
  const referred = of(client.updateOrder(order, { reference: 'till 3' }), ({ reference }) => reference)
  await trial.step('updateOrder', 'to a reference', referred, 'till 3')
  await trial.step('completeOrder', 'that is open', statusOf(client.completeOrder(order)), 'completed')
  await trial.step('listPets', 'that are sold', idsOf(client.listPets({ status: 'sold' })), [first])
  await trial.refused('cancelOrder', 'too late', client.cancelOrder(order), [409, 'order_state_conflict'])
  const sales = of(client.getSales({ days: 1 }), (days) => days.map(({ added, sold }) => [added, sold]))
  await trial.step('getSales', 'of today', sales, [[names.length + 1, 1]])
  await trial.step('returnOrder', 'that is completed', statusOf(client.returnOrder(order)), 'returned')
  await trial.step('placeOrder', 'on another', place(third), [201, third, 'placed'])
  await trial.step('cancelOrder', 'that is open', statusOf(client.cancelOrder(order)), 'cancelled')
  const counts = { placed: 0, completed: 0, cancelled: 1, returned: 1, expired: 0, dueToday: 0 }
  await trial.step('getOrderCounts', 'by state', of(client.getOrderCounts(), Object), counts)
  const total = { available: names.length, pending: 0, sold: 0 }
  await trial.step('getInventory', 'as a whole', of(client.getInventory({}), Object), total)
  const inventory = of(client.getInventory({ by: 'category' }), Object)
  await trial.step('getInventory', 'by category', inventory, [{ categoryId: 7, ...total }])
}

async function events(trial: Trial): Promise<void> {
  const { client } = trial
  const changed = of(client.listEvents({ type: ['pet.updated'], limit: 1 }), ([event]) => [event?.type, event?.data])
  const max = { id: 2, name: 'Max', categoryId: 7, status: 'available' }
  await trial.step('listEvents', 'of a type', changed, ['pet.updated', max])
  const lost = client.streamEvents({ cursor: 'nonsense' })
  await trial.refused('streamEvents', 'from nowhere', lost, [400, 'invalid_cursor'])
  const me = of(client.getMe(), ({ scopes }) => scopes.includes('events:read'))
  await trial.step('getMe', 'with its scopes', me, true)
}

async function webhooks(trial: Trial): Promise<void> {
  const { client } = trial
  const receiver = createServer((request, response) => request.resume().on('end', () => response.end())).listen(0)
  await once(receiver, 'listening')
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`
  const { status, data: webhook } = await client.createWebhook({ url, types: ['pet.created'] })
  await trial.step('createWebhook', 'with its secret', Promise.resolve([status, typeof webhook?.secret]), [
    201,
    'string',
  ])
  const id = webhook?.id as number
  await trial.step('listWebhooks', 'all', idsOf(client.listWebhooks({ limit: 2 })), [id])
  const addressed = of(client.getWebhook(id), (found) => found.url)
  await trial.step('getWebhook', 'that is there', addressed, url)
  const secrets = of(client.rotateWebhook(id), ({ secret }) => secret !== webhook?.secret)
  await trial.step('rotateWebhook', 'to another secret', secrets, true)
  await trial.step(
    'testWebhook',
    'that takes it',
    of(client.testWebhook(id), ({ delivered }) => delivered),
    true,
  )
  const received = once(receiver, 'request')
  await client.createPet({ name: 'Told', categoryId: 7 })
  await received
  const { data: deliveries = [] } = await client.listDeliveries(id, { limit: 2 })
  const types = deliveries.map(({ type }) => type)
  await trial.step('listDeliveries', 'of an event', Promise.resolve(types), ['pet.created'])
  const [delivery = 0] = deliveries.map((one) => one.id)
  const again = of(client.redeliver(id, delivery), (one) => one.id)
  await trial.step('redeliver', 'an event', again, delivery)
  const off = of(client.updateWebhook(id, { enabled: false }), ({ enabled }) => enabled)
  await trial.step('updateWebhook', 'to be quiet', off, false)
  await trial.step('deleteWebhook', 'that is there', answered(client.deleteWebhook(id)), 204)
  await trial.refused('deleteWebhook', 'that is not', client.deleteWebhook(id), [404, 'webhook_not_found'])
  receiver.close()
}

const { PETSTORE_URL = '', PETSTORE_KEY = '' } = process.env
if (import.meta.main) {
  const { connect }: { connect: Connect } = await import(process.argv[2] as string)
  const stranger = await connect(PETSTORE_URL, `pst_${'0'.repeat(36)}`)
  const trial = new Trial(await connect(PETSTORE_URL, PETSTORE_KEY), stranger)
  await orders(trial, await animals(trial))
  await events(trial)
  await webhooks(trial)
  process.stdout.write(`${trial.result()}\n`)
  process.exit()
}
