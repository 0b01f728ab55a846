/**
 * 24 steps that every tool must be able to take with the live service, whatever its client looks like: `bun scenario.ts
 * CLIENT`.
 */
import assert from 'node:assert/strict'

export interface Pet {
  id: number
  name: string
  categoryId: number
  status?: 'available' | 'pending' | 'sold' | undefined
}

export interface Order {
  id: number
  petId: number
  status: 'placed' | 'completed' | 'cancelled' | 'returned' | 'expired'
}

export interface Fault {
  code: string
  message: string
  status: number
}

export interface Reply<T> {
  status: number
  data?: T | undefined
  error?: Fault | undefined
  /** The header `Link`, which has the next page; absent where a client gives no headers. */
  link?: string | null | undefined
}

export interface PetQuery {
  limit?: number
  status?: 'available' | 'sold'
  id?: number[]
  order?: 'asc' | 'desc'
  after?: number
  cursor?: string
}

/** The operations that the scenario calls, each through what a tool has made of the document. */
export interface Client {
  listPets(query: PetQuery): Promise<Reply<Pet[]>>
  createPet(pet: { name: string; categoryId: number }): Promise<Reply<Pet>>
  getPet(id: number): Promise<Reply<Pet>>
  placeOrder(order: { petId: number }): Promise<Reply<Order>>
  completeOrder(id: number): Promise<Reply<Order>>
  cancelOrder(id: number): Promise<Reply<Order>>
}

export type Connect = (url: string, key: string) => Client | Promise<Client>

/** For clients that are told the operation by its name. */
// biome-ignore lint/suspicious/noExplicitAny: such a client has no types.
export function byName(call: (operation: keyof Client, argument: unknown) => Promise<Reply<any>>): Client {
  const of = (operation: keyof Client) => (argument: unknown) => call(operation, argument)
  const pets = { listPets: of('listPets'), createPet: of('createPet'), getPet: of('getPet') }
  return { ...pets, placeOrder: of('placeOrder'), completeOrder: of('completeOrder'), cancelOrder: of('cancelOrder') }
}

/** For clients that answer with data or an error beside the response of `fetch`. */
export const settled = <T>(answer: { data?: T; error?: unknown; response?: Response | undefined }): Reply<T> => ({
  status: answer.response?.status ?? 0,
  data: answer.data,
  error: answer.error as Fault | undefined,
  link: answer.response?.headers.get('link'),
})

type DataOf<A> = A extends { status: infer S; data: infer D }
  ? number extends S
    ? D
    : S extends 200 | 201
      ? D
      : never
  : never

/** For clients that answer with a status and data, which is the error's where it is one. */
export function byStatus<A extends { status: number; data?: unknown; headers: Headers }>(answer: A): Reply<DataOf<A>> {
  const { status, data, headers } = answer
  return {
    status,
    ...(status < 400 ? { data: data as DataOf<A> } : { error: data as Fault }),
    link: headers.get('link'),
  }
}

/**
 * For clients that answer with data alone and throw what is refused; the status of a success is the one of the
 * document.
 */
export const unwrapped =
  <E>(read: (error: E) => readonly [status: number | undefined, body: unknown]) =>
  async <T>(status: number, answer: PromiseLike<T>): Promise<Reply<T>> => {
    try {
      return { status, data: await answer }
    } catch (error) {
      const [refused = 0, body] = read(error as E)
      return { status: refused, error: body as Fault }
    }
  }

const names = ['Rex', '🐕‍🦺 Bello', '猫', 'Zoë "the cat" & co', "O'Malley"]
const nobody = 4_000_000_000_000_000

const idsOf = async (reply: Promise<Reply<Pet[]>>) => (await reply).data?.map(({ id }) => id)
const statusOf = async (reply: Promise<Reply<Pet | Order>>) => (await reply).data?.status

async function refusal(reply: Promise<Reply<unknown>>) {
  const { status, error } = await reply
  assert.equal(error?.status, status)
  assert.ok(error?.message)
  return [status, error?.code]
}

/** The names of all animals, page by page: by the header `Link`, or by `after` where a client gives no headers. */
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

/** Resolves with how many steps succeeded, and the names of those that did not. */
async function scenario(client: Client, stranger: Client): Promise<string> {
  const failed: string[] = []
  let count = 0
  async function step(name: string, actual: Promise<unknown>, expected: unknown): Promise<void> {
    count++
    try {
      assert.deepEqual(await actual, expected)
    } catch (error) {
      failed.push(`; not: ${name}`)
      process.stdout.write(`${name}: ${(error as Error).message}\n`)
    }
  }

  const ids: number[] = []
  async function create(name: string) {
    const { status, data } = await client.createPet({ name, categoryId: 7 })
    ids.push(data?.id as number)
    return [status, data?.name, data?.categoryId, data?.status]
  }
  for (const name of names) await step(`create ${name}`, create(name), [201, name, 7, 'available'])
  const [first = 0, second = 0, third = 0] = ids
  await step('create without a name', refusal(client.createPet({ name: '', categoryId: 7 })), [400, 'invalid_field'])

  await step('list page by page', walk(client), names)
  await step('list after an id', idsOf(client.listPets({ after: third })), ids.slice(3))
  await step('list newest first', idsOf(client.listPets({ order: 'desc', limit: 2 })), ids.slice(-2).reverse())
  await step('list from nowhere', refusal(client.listPets({ cursor: 'nonsense' })), [400, 'invalid_cursor'])
  await step('list one id', idsOf(client.listPets({ id: [second] })), [second])
  await step('list two ids', idsOf(client.listPets({ id: [first, third] })), [first, third])
  await step(
    'get one',
    client.getPet(second).then(({ data }) => data?.name),
    names[1],
  )
  await step('get none', refusal(client.getPet(nobody)), [404, 'pet_not_found'])

  let order = 0
  async function place(petId: number) {
    const { status, data } = await client.placeOrder({ petId })
    order = data?.id as number
    return [status, data?.petId, data?.status]
  }
  await step('place an order', place(first), [201, first, 'placed'])
  await step('see its animal pending', statusOf(client.getPet(first)), 'pending')
  await step('place another on it', refusal(client.placeOrder({ petId: first })), [409, 'pet_not_available'])
  await step('complete it', statusOf(client.completeOrder(order)), 'completed')
  await step('list its animal as sold', idsOf(client.listPets({ status: 'sold' })), [first])
  await step('cancel it too late', refusal(client.cancelOrder(order)), [409, 'order_state_conflict'])
  await step('place a second order', place(third), [201, third, 'placed'])
  await step('cancel that', statusOf(client.cancelOrder(order)), 'cancelled')
  await step('order nobody', refusal(client.placeOrder({ petId: nobody })), [422, 'unknown_pet'])

  await step('use an unknown key', refusal(stranger.listPets({})), [401, 'invalid_api_key'])
  return `${count - failed.length} of ${count}${failed.join('')}`
}

const { PETSTORE_URL = '', PETSTORE_KEY = '' } = process.env
if (import.meta.main) {
  const { connect }: { connect: Connect } = await import(process.argv[2] as string)
  const clients = [
    await connect(PETSTORE_URL, PETSTORE_KEY),
    await connect(PETSTORE_URL, `pst_${'0'.repeat(36)}`),
  ] as const
  process.stdout.write(`${await scenario(...clients)}\n`)
  process.exit()
}
