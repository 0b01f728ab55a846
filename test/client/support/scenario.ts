/**
 * What the client must do on every runtime. It is plain JavaScript without its types, and receives the package that it
 * tests.
 */
import type * as Client from '../../../client/src/index.ts'

export interface Surroundings {
  readonly baseUrl: string
  /** The same service behind a proxy that fails most requests. */
  readonly faultyUrl: string
  readonly apiKey: string
  /** A category of this run. It is text, because it is passed as JSON. */
  readonly category: string
}

export async function scenario(client: typeof Client, surroundings: Surroundings): Promise<void> {
  const { baseUrl, faultyUrl, apiKey } = surroundings
  const categoryId = BigInt(surroundings.category)
  const petstore = new client.PetStore({ baseUrl, apiKey })
  await keepsEveryDigit(client, petstore)
  await walksPages(petstore, categoryId)
  await changesOnlyWhatItMeans(client, petstore, categoryId)
  await sells(client, petstore, categoryId)
  await countsAndNames(client, petstore, categoryId)
  await namesRefusals(client, petstore, surroundings)
  await endsAtOnce(petstore)
  await followsEvents(client, surroundings, categoryId)
  await hasWebhooks(client, petstore)
  const stubborn = new client.PetStore({ baseUrl: faultyUrl, apiKey, maxRetries: Infinity, sleep: async () => {} })
  await makesNothingTwice(stubborn, petstore, categoryId + 1n)
}

async function keepsEveryDigit(client: typeof Client, petstore: Client.PetStore): Promise<void> {
  for (const categoryId of [1n, 9007199254740993n, 2n ** 63n - 1n, -(2n ** 63n)]) {
    const pet = await petstore.pets.create({ name: '"id":1, \\"petId\\": 2', categoryId })
    same(pet.categoryId, categoryId)
    same(pet.name, '"id":1, \\"petId\\": 2')
    same(pet.status, 'available')
    const [listed] = await all(petstore.pets.list({ categoryId, id: [pet.id] }))
    same(listed?.id, pet.id)
    same(listed?.categoryId, categoryId)
    same((client.parse(JSON.stringify({ listed })) as { listed: Client.Pet }).listed.categoryId, categoryId)
    check(client.stringify({ ...pet }).includes(`"categoryId":${categoryId},`), 'a copy is written exactly')
  }
}

async function walksPages(petstore: Client.PetStore, categoryId: bigint): Promise<void> {
  const made: bigint[] = []
  while (made.length < 7) made.push((await petstore.pets.create({ name: `Rex ${made.length}`, categoryId })).id)
  const walked = await all(petstore.pets.list({ status: 'available', categoryId, limit: 3 }))
  same(walked.map((pet) => pet.id).join(), made.join())
  const first = await petstore.pets.list({ categoryId, limit: 3 }).page()
  same(first.items.length, 3)
  const second = await petstore.pets.list({ categoryId, limit: 4, cursor: first.next }).page()
  same(second.items.map((pet) => pet.id).join(), made.slice(3).join())
  same(second.next, undefined)
  const some = await petstore.pets.list({ categoryId, limit: 2 }).toArray({ limit: 3 })
  same(some.map((pet) => pet.id).join(), made.slice(0, 3).join())
}

async function changesOnlyWhatItMeans(client: typeof Client, petstore: Client.PetStore, categoryId: bigint) {
  const pet = await petstore.pets.create({ name: 'Rex', categoryId })
  const renamed = await petstore.pets.update(pet.id, { name: 'Max' }, { ifMatch: pet })
  const late = await failure(petstore.pets.update(pet.id, { name: 'Ada' }, { ifMatch: pet }))
  check(late instanceof client.PreconditionFailedError, 'a late change is refused')
  const found = await petstore.pets.get(pet.id)
  same(found.name, renamed.name)
  same(petstore.etag(found), petstore.etag(renamed))
  await petstore.pets.delete(pet.id, { ifMatch: found })
  const gone = await failure(petstore.pets.get(pet.id))
  check(gone instanceof client.NotFoundError && gone.code === 'pet_not_found', 'it is gone')
}

async function sells(client: typeof Client, petstore: Client.PetStore, categoryId: bigint): Promise<void> {
  const pet = await petstore.pets.create({ name: 'Rex', categoryId })
  const order = await petstore.orders.place({ petId: pet.id })
  same(order.petId, pet.id)
  const held = await failure(petstore.orders.place({ petId: pet.id }))
  check(held instanceof client.ConflictError && held.code === 'pet_not_available', 'it is held')
  same((await petstore.orders.cancel(order.id)).status, 'cancelled')
  const reference = `Mrs Novák & Co ${categoryId}`
  const heldUntil = new Date(Date.now() + 86_400_000).toISOString()
  const second = await petstore.orders.place({ petId: pet.id, reference, heldUntil })
  same((await petstore.orders.list({ reference }).page()).items[0]?.heldUntil, heldUntil)
  same((await petstore.orders.list({ search: reference, petId: pet.id }).page()).items[0]?.id, second.id)
  const read = await petstore.orders.get(second.id)
  same((await petstore.orders.update(second.id, { heldUntil: null }, { ifMatch: read })).heldUntil, undefined)
  const late = await failure(petstore.orders.update(second.id, { reference: 'Abe' }, { ifMatch: read }))
  check(late instanceof client.PreconditionFailedError, 'a late change of an order is refused')
  same((await petstore.orders.complete(second.id)).status, 'completed')
  same((await petstore.orders.get(second.id)).status, 'completed')
  const newest = await all(petstore.orders.list({ petId: pet.id, limit: 1, order: 'desc' }))
  same(newest.map(({ status }) => status).join(), 'completed,cancelled')
  same((await petstore.pets.list({ categoryId, search: 'rex', after: pet.id - 1n }).page()).items[0]?.id, pet.id)
  same((await petstore.orders.return(second.id)).status, 'returned')
  const { cancelled, returned, dueToday } = await petstore.orders.counts()
  check(cancelled > 0 && returned > 0 && dueToday >= 0, 'both orders are counted')
  const unknown = await failure(petstore.orders.place({ petId: 2n ** 53n - 1n }))
  check(unknown instanceof client.BadRequestError && unknown.code === 'unknown_pet', 'no such animal')
}

async function countsAndNames(client: typeof Client, petstore: Client.PetStore, categoryId: bigint) {
  const name = `Kind ${categoryId}`
  const named = await petstore.categories.put(categoryId, { name })
  await petstore.categories.put(categoryId, { name: `${name}!` }, { ifMatch: named })
  const late = await failure(petstore.categories.delete(categoryId, { ifMatch: named }))
  check(late instanceof client.PreconditionFailedError, 'another version is kept')
  const made = await petstore.categories.create({ name: `${name} of its own` })
  same((await petstore.categories.create({ name: `${name} OF ITS OWN!` })).id, made.id)
  await petstore.categories.delete(made.id, { ifMatch: made })
  const listed = await all(petstore.categories.list({ limit: 100 }))
  same(listed.find(({ id }) => id === categoryId)?.name, `${name}!`)
  const counted = (await all(petstore.inventoryByCategory())).find((each) => each.categoryId === categoryId)
  const pets = await all(petstore.pets.list({ categoryId, status: 'available' }))
  same(counted?.name, `${name}!`)
  same(counted?.available, pets.length)
  check((await petstore.inventory()).available >= pets.length, 'the total has them too')
  await petstore.categories.delete(categoryId)
  const sales = await petstore.sales(2)
  check(sales.length === 2 && (sales[1]?.added ?? 0) >= pets.length, 'they were added today')
  check((await petstore.me()).scopes.includes('pets:read'), 'the key is described')
}

async function namesRefusals(client: typeof Client, petstore: Client.PetStore, { baseUrl }: Surroundings) {
  const bad = await failure(petstore.pets.create({ name: '', categoryId: 1n }))
  check(bad instanceof client.BadRequestError && bad.code === 'invalid_field', 'a name is needed')
  check(bad.message.includes('name') && bad.status === 400 && /^[\w.-]+$/.test(bad.requestId ?? ''), 'all is said')
  same(bad.name, 'BadRequestError')
  const stranger = new client.PetStore({ baseUrl, apiKey: 'pst_none' })
  const refused = await failure(stranger.pets.list().page())
  check(refused instanceof client.UnauthorizedError && refused.code === 'invalid_api_key', 'a key is needed')
  const rounded = await failure(petstore.pets.create({ name: 'Rex', categoryId: (2 ** 53 + 2) as unknown as bigint }))
  check(rounded instanceof TypeError, 'a number that may have been rounded is not sent')
}

async function endsAtOnce(petstore: Client.PetStore): Promise<void> {
  const reason = new Error('enough')
  same(await failure(petstore.pets.list({}, { signal: AbortSignal.abort(reason) }).page()), reason)
  const controller = new AbortController()
  const call = failure(petstore.pets.list({}, { signal: controller.signal }).page())
  controller.abort(reason)
  same(await call, reason)
}

async function followsEvents(client: typeof Client, { baseUrl, apiKey }: Surroundings, categoryId: bigint) {
  const answers: (string | null)[] = []
  const onResponse = ({ headers }: Client.ResponseDetails) => void answers.push(headers.get('content-type'))
  const petstore = new client.PetStore({ baseUrl, apiKey })
  const { items, next: cursor } = await petstore.events.list({ from: 'now' }).page()
  same(items.length, 0)
  const pet = await petstore.pets.create({ name: 'Rex', categoryId })
  const own: Client.Event[] = []
  for await (const event of petstore.events.follow({ cursor }, { onResponse })) {
    if (!('categoryId' in event.data) || event.data.categoryId !== categoryId) continue
    if (own.push(event) === 1) await petstore.pets.update(pet.id, { name: 'Max' })
    else if (own.length === 2) await petstore.pets.delete(pet.id)
    else break
  }
  same(own.map(({ type }) => type).join(), 'pet.created,pet.updated,pet.deleted')
  same(answers.join(), 'text/event-stream')
  const [first, second, third] = own as [Client.Event, Client.Event, Client.Event]
  const type = ['pet.created', 'pet.updated'] as const
  same((await all(petstore.events.list({ petId: pet.id, after: first.id, type })))[0]?.id, second.id)
  same((await all(petstore.events.list({ petId: pet.id, since: first.at })))[0]?.id, first.id)
  for await (const event of petstore.events.follow({ petId: pet.id, after: client.positionOf(second) })) {
    same(event.id, third.id)
    break
  }
}

async function hasWebhooks(client: typeof Client, petstore: Client.PetStore): Promise<void> {
  const { id, url, secret } = await petstore.webhooks.create({ url: 'https://shop.example/hooks' })
  const data = { id: 9007199254740993n }
  const at = new Date().toISOString()
  const { headers, body } = await client.signWebhook(secret, { id: 7n, type: 'webhook.test', at, data })
  same((await client.verifyWebhook(secret, headers, body)).data.id, data.id)
  const forged = await failure(client.verifyWebhook(secret, new Headers(headers), body.replace('7', '8')))
  check(forged instanceof client.InvalidWebhookError, 'a changed body is refused')
  same((await petstore.webhooks.update(id, { types: ['pet.created'], enabled: false })).enabled, false)
  check((await petstore.webhooks.rotate(id)).secret !== secret, 'a new secret')
  const found = (await all(petstore.webhooks.list({ limit: 100 }))).find((each) => each.id === id)
  same(client.stringify(found), client.stringify(await petstore.webhooks.get(id)))
  same(found?.url, url)
  same(found?.types.join(), 'pet.created')
  same((await all(petstore.webhooks.deliveries(id))).length, 0)
  const unknown = await failure(petstore.webhooks.redeliver(id, 1n))
  check(unknown instanceof client.NotFoundError && unknown.code === 'delivery_not_found', 'nothing was sent')
  await petstore.webhooks.delete(id)
}

/** Works through a network that fails two requests in three, and checks that nothing is done twice. */
async function makesNothingTwice(stubborn: Client.PetStore, direct: Client.PetStore, categoryId: bigint) {
  const sell = async (_: unknown, i: number): Promise<Client.Order> => {
    const pet = await stubborn.pets.create({ name: `Rex ${i}`, categoryId })
    const spare = await stubborn.pets.create({ name: `Spare ${i}`, categoryId })
    await stubborn.pets.update(pet.id, { name: `Max ${i}` })
    // A browser repeats a request that was cut on a reused connection by itself, and then gets a 404 that nobody can
    // explain.
    await stubborn.pets
      .delete(spare.id)
      .catch((error) => check('location' in globalThis && error.status === 404, error))
    const { id } = await stubborn.orders.place({ petId: pet.id })
    return stubborn.orders.complete(id)
  }
  const orders = await Promise.all(Array.from({ length: 8 }, sell))
  const pets = await all(direct.pets.list({ categoryId }))
  same(
    pets
      .map(({ name, status }) => `${name} ${status}`)
      .sort()
      .join(),
    orders.map((_, i) => `Max ${i} sold`).join(),
  )
  same(
    pets
      .map(({ id }) => id)
      .sort()
      .join(),
    orders
      .map(({ petId }) => petId)
      .sort()
      .join(),
  )
  for (const { id } of pets) same((await all(direct.orders.list({ petId: id }))).length, 1)
  same((await all(stubborn.pets.list({ categoryId, limit: 3 }))).length, pets.length)
}

async function all<T>(list: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = []
  for await (const item of list) items.push(item)
  return items
}

async function failure(call: Promise<unknown>): Promise<unknown> {
  try {
    await call
  } catch (error) {
    return error
  }
  throw new Error('the call was not refused')
}

function same(actual: unknown, expected: unknown): void {
  check(actual === expected, `${String(actual)} instead of ${String(expected)}`)
}

function check(claim: boolean, text: string): asserts claim {
  if (!claim) throw new Error(text)
}
