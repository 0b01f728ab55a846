/** What every tool must be able to do with the live service, whatever its client looks like: `bun scenario.ts CLIENT`. */
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
  status: 'placed' | 'completed' | 'cancelled' | 'returned'
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
  /** The header `Link`, which has the next page. */
  link?: string | null | undefined
}

/** The operations that the scenario calls, each through what a tool has made of the document. */
export interface Client {
  listPets(query: { limit?: number; cursor?: string; id?: number[] }): Promise<Reply<Pet[]>>
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

const names = ['Rex', '🐕‍🦺 Bello', '猫', 'Zoë "the cat" & co', "O'Malley"]

export async function scenario(connect: Connect, url: string, key: string): Promise<void> {
  const client = await connect(url, key)
  const refused = (reply: Reply<unknown>, status: number, code: string) => {
    assert.deepEqual([reply.status, reply.error?.status, reply.error?.code], [status, status, code])
    assert.ok(reply.error?.message)
  }

  const ids: number[] = []
  for (const name of names) {
    const { status, data } = await client.createPet({ name, categoryId: 7 })
    assert.deepEqual([status, data?.name, data?.categoryId, data?.status], [201, name, 7, 'available'])
    ids.push(data?.id as number)
  }
  refused(await client.createPet({ name: '', categoryId: 7 }), 400, 'invalid_field')

  const seen: Pet[] = []
  for (let cursor: string | undefined, page = 0; page === 0 || cursor; page++) {
    const { status, data = [], link } = await client.listPets({ limit: 2, ...(cursor && { cursor }) })
    assert.deepEqual([status, data.length > 0 && data.length <= 2], [200, true])
    seen.push(...data)
    cursor = /[?&]cursor=([\w-]+)[^>]*>; rel="next"/.exec(link ?? '')?.[1]
  }
  const found = new Map(seen.map(({ id, name }) => [id, name]))
  assert.deepEqual(seen.length, found.size, 'an animal on two pages')
  for (const [i, id] of ids.entries()) assert.equal(found.get(id), names[i])
  refused(await client.listPets({ cursor: 'nonsense' }), 400, 'invalid_cursor')

  const [first = 0, second = 0, third = 0] = ids
  for (const id of [[second], [first, third]])
    assert.deepEqual(
      (await client.listPets({ id })).data?.map((pet) => pet.id),
      id,
    )
  assert.equal((await client.getPet(second)).data?.name, names[1])
  refused(await client.getPet(4_000_000_000_000_000), 404, 'pet_not_found')

  const placed = await client.placeOrder({ petId: first })
  assert.deepEqual([placed.status, placed.data?.petId, placed.data?.status], [201, first, 'placed'])
  assert.equal((await client.getPet(first)).data?.status, 'pending')
  refused(await client.placeOrder({ petId: first }), 409, 'pet_not_available')
  assert.equal((await client.completeOrder(placed.data?.id as number)).data?.status, 'completed')
  assert.equal((await client.getPet(first)).data?.status, 'sold')
  refused(await client.cancelOrder(placed.data?.id as number), 409, 'order_state_conflict')
  const cancelled = await client.cancelOrder((await client.placeOrder({ petId: third })).data?.id as number)
  assert.deepEqual([cancelled.status, cancelled.data?.status], [200, 'cancelled'])
  refused(await client.placeOrder({ petId: 4_000_000_000_000_000 }), 422, 'unknown_pet')

  refused(await (await connect(url, `pst_${'0'.repeat(36)}`)).listPets({}), 401, 'invalid_api_key')
}

const { PETSTORE_URL = '', PETSTORE_KEY = '' } = process.env
if (import.meta.main) {
  const { connect } = await import(process.argv[2] as string)
  await scenario(connect, PETSTORE_URL, PETSTORE_KEY)
  process.exit()
}
