/** The requests of the client, its use of the platform, and the details that it returns about a response. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type EventListFilter,
  type OrderFilter,
  type PetFilter,
  type PetStore,
  type PetStoreError,
  type ResponseDetails,
  UnexpectedAnswerError,
} from '../../client/src/index.ts'
import { projectFile } from '../../harness/project.ts'
import { answered, cut, failure, json, page, refusal } from './support/stub.ts'

const { paths } = JSON.parse(projectFile('openapi.json'))
const rex = { name: 'Rex', categoryId: 1n }
const hooks = { url: 'https://shop.example/hooks' }

const operations: Record<string, (petstore: PetStore) => unknown> = {
  listPets: ({ pets }) => pets.list({ limit: 7 }).page(),
  createPet: ({ pets }) => pets.create(rex),
  updatePet: ({ pets }) => pets.update(7n, { name: 'Max' }),
  deletePet: ({ pets }) => pets.delete(7n),
  listOrders: ({ orders }) => orders.list({ limit: 7 }).page(),
  placeOrder: ({ orders }) => orders.place({ petId: 7n }),
  getOrderCounts: ({ orders }) => orders.counts(),
  getOrder: ({ orders }) => orders.get(7n),
  updateOrder: ({ orders }) => orders.update(7n, { heldUntil: null }),
  completeOrder: ({ orders }) => orders.complete(7n),
  cancelOrder: ({ orders }) => orders.cancel(7n),
  returnOrder: ({ orders }) => orders.return(7n),
  listCategories: ({ categories }) => categories.list({ limit: 7 }).page(),
  createCategory: ({ categories }) => categories.create({ name: 'Dogs' }),
  putCategory: ({ categories }) => categories.put(7n, { name: 'Dogs' }),
  deleteCategory: ({ categories }) => categories.delete(7n),
  getInventory: (petstore) => petstore.inventory(),
  getSales: (petstore) => petstore.sales(7),
  listEvents: ({ events }) => events.list({ limit: 7 }).page(),
  streamEvents: ({ events }) => events.follow().next(),
  listWebhooks: ({ webhooks }) => webhooks.list({ limit: 7 }).page(),
  createWebhook: ({ webhooks }) => webhooks.create(hooks),
  getWebhook: ({ webhooks }) => webhooks.get(7n),
  updateWebhook: ({ webhooks }) => webhooks.update(7n, { enabled: true }),
  deleteWebhook: ({ webhooks }) => webhooks.delete(7n),
  rotateWebhook: ({ webhooks }) => webhooks.rotate(7n),
  testWebhook: ({ webhooks }) => webhooks.test(7n),
  listDeliveries: ({ webhooks }) => webhooks.deliveries(7n, { limit: 7 }).page(),
  redeliver: ({ webhooks }) => webhooks.redeliver(7n, 7n),
  getMe: (petstore) => petstore.me(),
}

test('Every operation of the document has a method of the client, which sends a body if the operation has one', async () => {
  const declared = Object.entries<object>(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { operationId }]) => operationId)
      .map(([method, { operationId, requestBody }]) => {
        return [operationId, `${method.toUpperCase()} /v1${path.replace(/\{\w+\}/g, '7')}`, Boolean(requestBody)]
      }),
  )
  for (const [id] of declared)
    assert.ok(id === 'getPet' || id in operations, `${id}: write a method for it in client/src, and call it above`)
  const asked: unknown[] = [declared.find(([id]) => id === 'getPet')]
  for (const [id, call] of Object.entries(operations)) {
    const stream = () => new Response('id: 1\ndata: {}\n\n')
    const { petstore, sent } = answered([
      id === 'streamEvents' ? stream : json(/^list|getSales/.test(id) ? [] : { id: 7, petId: 7 }),
    ])
    await call(petstore)
    for (const { url, init, headers } of sent) {
      asked.push([id, `${init.method} ${url.pathname}`, init.body !== undefined])
      assert.equal(headers.get('content-type'), init.body === undefined ? null : 'application/json')
      assert.equal(url.searchParams.get('limit'), id.startsWith('list') ? '7' : null, id)
    }
  }
  assert.deepEqual(asked.sort(), declared.sort())
})

test('The client can ask for a key before every attempt, and a hook can change its headers [decision 31]', async () => {
  const keys = ['pst_first', 'pst_second\n', '']
  const seen: string[] = []
  const { petstore, header } = answered([refusal(503, 'unavailable'), json({}), page()], {
    apiKey: async () => keys.shift() ?? 'pst_last',
    onRequest: ({ method, url, headers }) => {
      seen.push(`${method} ${url}`)
      headers.set('X-Shop', String(seen.length))
    },
  })
  await petstore.me({ onRequest: ({ headers }) => headers.append('X-Shop', 'me') })
  assert.deepEqual(header('authorization'), ['Bearer pst_first', 'Bearer pst_second'])
  assert.deepEqual(header('x-shop'), ['1, me', '2, me'])
  assert.deepEqual(seen, Array(2).fill('GET https://shop.example/v1/me'))
  assert.match(
    (await failure(petstore.me())).message,
    /^apiKey: the function returned an invalid key; it must be a key/,
  )
  const wrong = new Error('not today')
  const onRequest = () => Promise.reject(wrong)
  assert.equal(await failure(petstore.me({ onRequest })), wrong)
  await petstore.pets.list().page()
  assert.equal(header('authorization').at(-1), 'Bearer pst_last')
})

test('withResponse returns the status and the headers of the response together with the result [decision 31]', async () => {
  const seventh = json([{ id: 7 }], { ETag: '"v7"' })
  const { petstore } = answered([
    refusal(503, 'unavailable'),
    json({ id: 7 }, { status: 201, ETag: '"v7"' }),
    seventh,
    seventh,
    refusal(404, 'order_not_found'),
  ])
  const { result, response } = await petstore.pets.create(rex).withResponse()
  assert.deepEqual([result.id, response.status, response.headers.get('etag')], [7n, 201, '"v7"'])
  assert.equal((await petstore.pets.get(7n).withResponse()).response.headers.get('etag'), '"v7"')
  const { result: page, response: listed } = await petstore.pets.list().page().withResponse()
  assert.deepEqual([page.items.length, listed.status], [1, 200])
  await assert.rejects(petstore.orders.get(7n).withResponse(), { code: 'order_not_found' })
  await assert.rejects(petstore.orders.get(1.5 as unknown as bigint), TypeError)
})

test('A list is read page by page, using the cursor of the next page [decision 31]', async () => {
  const { petstore, queries } = answered([page('second', [{ id: 1 }]), page(undefined, [{ id: 2 }])])
  const seen: unknown[] = []
  for await (const { items, next } of petstore.pets.list({ limit: 1 }).pages()) seen.push([items[0]?.id, next])
  assert.deepEqual(seen, [
    [1n, 'second'],
    [2n, undefined],
  ])
  assert.deepEqual(queries(), [{ limit: '1' }, { limit: '1', cursor: 'second' }])
})

test('pets.get never returns another animal than the requested one [decision 31]', async () => {
  for (const items of [[{ id: 1 }], [{ id: 1 }, { id: 2 }], [{}], ['a']]) {
    const { petstore } = answered([json(items)])
    const error = await failure(petstore.pets.get(2n))
    assert.ok(error instanceof UnexpectedAnswerError, JSON.stringify(items))
    assert.match(error.message, /status 200, is not what was requested/)
  }
})

test('No call of the client returns another thing than the requested one [decision 31]', async () => {
  const other = json({ id: 1, petId: 1 })
  const calls: Record<string, (petstore: PetStore) => Promise<unknown>> = {
    'pets.update': ({ pets }) => pets.update(2n, { name: 'Max' }),
    'orders.place': ({ orders }) => orders.place({ petId: 2n }),
    'orders.get': ({ orders }) => orders.get(2n),
    'orders.update': ({ orders }) => orders.update(2n, { reference: 'Mrs Novak' }),
    'orders.complete': ({ orders }) => orders.complete(2n),
    'orders.cancel': ({ orders }) => orders.cancel(2n),
    'orders.return': ({ orders }) => orders.return(2n),
    'categories.put': ({ categories }) => categories.put(2n, { name: 'Dogs' }),
    'webhooks.get': ({ webhooks }) => webhooks.get(2n),
    'webhooks.update': ({ webhooks }) => webhooks.update(2n, { enabled: true }),
    'webhooks.rotate': ({ webhooks }) => webhooks.rotate(2n),
    'webhooks.redeliver': ({ webhooks }) => webhooks.redeliver(1n, 2n),
  }
  for (const [name, call] of Object.entries(calls)) {
    const error = await failure(call(answered([other]).petstore))
    assert.ok(error instanceof UnexpectedAnswerError, name)
    assert.match(error.message, /status 200, is not what was requested/, name)
  }
})

test('The hook debug is called with every attempt and retry, and never with the key [decision 31]', async () => {
  const lines: string[] = []
  const { petstore } = answered([refusal(503, 'unavailable', { 'X-Request-Id': 'r-1' }), json({ name: 'x' })], {
    debug: (line) => lines.push(line),
  })
  await petstore.me({ headers: { 'X-Request-Id': 'r-2' } })
  const told = lines.map((line) => line.replace(/\d+ ms/, 'N ms'))
  const url = 'GET https://shop.example/v1/me'
  assert.deepEqual(told, [
    `${url}: UnavailableError: 503 unavailable not now (r-1, N ms)`,
    `${url}: retrying in N ms`,
    `${url}: 200 (r-2, N ms)`,
  ])
})

test('pets.get requests a list of one animal, whose version ifMatch accepts, and works after 2030 [decision 31]', async () => {
  const one = json([{ id: 7 }], { ETag: '"v7"' })
  const several = json([{ id: 7 }, { id: 8 }], { ETag: '"list"' })
  const { petstore, sent, header } = answered([one, json({ id: 7 }), one, json({}), several])
  await petstore.pets.update(7n, { name: 'Max' }, { ifMatch: await petstore.pets.get(7n) })
  const [listed] = await petstore.pets.list({ id: [7n], status: 'available' }).toArray()
  await petstore.pets.delete(7n, { ifMatch: listed })
  assert.deepEqual(header('if-match'), [null, '"v7"', null, '"v7"'])
  assert.equal(sent[0]?.url.search, '?id=7')
  const { items } = await petstore.pets.list({ id: [7n, 8n] }).page()
  await assert.rejects(petstore.pets.delete(7n, { ifMatch: items[0] }), TypeError)
})

test('PetStore.request makes any call, with exact integers, and returns the details of the response', async () => {
  const big = 9007199254740993n
  const limited = { 'X-Request-Id': 'r-7', ETag: '"v1"', RateLimit: '"default";r=599;t=1' }
  const { petstore, sent, header } = answered([
    () => new Response(`{"id":${big}}`, { status: 201, headers: limited }),
    () => new Response(null, { status: 304 }),
    json({}),
  ])
  const options = { query: { id: [big, 8n], from: 'a&b', none: undefined, limit: 2 }, body: { petId: big } }
  const answer = await petstore.request<{ id: bigint }>('POST', '/later', { ...options, idempotencyKey: 'k' })
  assert.deepEqual(answer.body, { id: big })
  assert.deepEqual([answer.status, answer.requestId, answer.headers.get('etag')], [201, 'r-7', '"v1"'])
  assert.deepEqual(answer.rateLimit, { remaining: 599, resetSeconds: 1 })
  assert.equal(sent[0]?.url.href, `https://shop.example/v1/later?id=${big}%2C8&from=a%26b&limit=2`)
  assert.equal(sent[0]?.init.body, `{"petId":${big}}`)
  const same = await petstore.request('GET', '/pets', { headers: { 'If-None-Match': '"v1"' } })
  assert.deepEqual([same.status, same.body, same.rateLimit], [304, undefined, undefined])
  await petstore.request('DELETE', '/later/1', { ifMatch: answer.body })
  assert.deepEqual(header('idempotency-key'), ['k', null, null])
  assert.deepEqual(header('if-match'), [null, null, '"v1"'])
  await assert.rejects(answered([refusal(405, 'method_not_allowed')]).petstore.request('PUT', '/pets'), { status: 405 })
  await assert.rejects(petstore.request('GET', '/pets', { query: { petId: 1.5 } }), TypeError)
})

test('The hooks onResponse of the client and of the call are called with every response, and may end the call [decision 31]', async () => {
  const told: unknown[] = []
  const tell = (by: string) => (response: ResponseDetails) => void told.push([by, response.status, response.requestId])
  const busy = refusal(429, 'rate_limited', { 'X-Request-Id': 'r-1' })
  const options = { onResponse: tell('client') }
  const { petstore, header } = answered(
    [busy, () => new Response(null, { status: 204 }), page(), () => new Response(''), json({})],
    options,
  )
  await petstore.pets.delete(7n, { onResponse: tell('call') })
  await petstore.pets.list().toArray()
  const [first] = header('x-request-id')
  const both = ([status, id]: unknown[]) => ['client', 'call'].map((by) => [by, status, id])
  const deleted = [
    [429, 'r-1'],
    [204, first],
  ].flatMap(both)
  assert.deepEqual(told.splice(0), [...deleted, ['client', 200, header('x-request-id')[2]]])
  const enough = new Error('enough')
  const onResponse = () => {
    throw enough
  }
  await assert.rejects(petstore.events.follow({}, { onResponse }).next(), enough)
  await assert.rejects(petstore.me({ onResponse }), enough)
})

test('Every error of a call contains the id of the request, even if no response arrived [decision 31]', async () => {
  for (const [reply, call] of [
    [page(), (petstore: PetStore) => petstore.pets.get(7n)],
    [refusal(404, 'order_not_found'), (petstore: PetStore) => petstore.orders.get(7n)],
    [cut, (petstore: PetStore) => petstore.me()],
    [() => new Response('<html>'), (petstore: PetStore) => petstore.me()],
  ] as const) {
    const { petstore, header } = answered([reply], { maxRetries: 0 })
    const error = await failure<PetStoreError>(call(petstore))
    assert.match(error.requestId ?? '', /^[0-9a-f]{32}$/)
    assert.deepEqual(header('x-request-id'), [error.requestId])
  }
  const none = await failure<PetStoreError>(answered([page()]).petstore.pets.get(7n))
  assert.deepEqual([none.name, none.status, none.code], ['NotFoundError', 404, 'pet_not_found'])
})

test('Headers of the client options and of the call replace the defaults, and outside of browsers the client sends its name', async (t) => {
  const { version } = JSON.parse(projectFile('client/package.json'))
  const stream = () => new Response('id: 1\ndata: {}\n\n')
  const options = { headers: { 'X-Shop': 'a', 'user-agent': 'shop/2' } }
  const { petstore, header } = answered([json({}), json({}), page(), stream], options)
  await petstore.me()
  await petstore.me({ headers: { 'x-shop': 'b', 'User-Agent': 'shop/3' } })
  await petstore.pets.list({}, { headers: { 'X-Shop': 'c' } }).page()
  await petstore.events.follow({ after: 7n }, { headers: { 'X-Shop': 'd' } }).next()
  assert.deepEqual(header('x-shop'), ['a', 'b', 'c', 'd'])
  assert.deepEqual(header('user-agent'), ['shop/2', 'shop/3', 'shop/2', 'shop/2'])
  assert.deepEqual(header('last-event-id'), [null, null, null, '7'])
  const usual = answered([json({}), json({})])
  await usual.petstore.me()
  Object.defineProperty(globalThis, 'location', { value: { origin: 'https://page.example' }, configurable: true })
  t.after(() => Reflect.deleteProperty(globalThis, 'location'))
  await usual.petstore.me()
  assert.deepEqual(usual.header('user-agent'), [`petstore-client/${version}`, null])
})

test('A for await loop fetches pages of 100 or of a given size, and uses only the cursor of a link [decision 31]', async () => {
  const whole = answered([page('b'), page('c'), page(), page('b')])
  assert.deepEqual(await Array.fromAsync(whole.petstore.pets.list()), [])
  assert.deepEqual(await whole.petstore.pets.list().page(), { items: [], next: 'b' })
  assert.deepEqual(whole.queries(), [
    { limit: '100' },
    { limit: '100', cursor: 'b' },
    { limit: '100', cursor: 'c' },
    {},
  ])

  const from = { search: 'rex & co', order: 'desc', limit: 7, after: 2n ** 63n - 1n } as const
  const given = answered([page('b'), page()])
  await Array.fromAsync(given.petstore.pets.list(from))
  const filters = { search: 'rex & co', order: 'desc', limit: '7' }
  assert.deepEqual(given.queries(), [
    { ...filters, after: '9223372036854775807' },
    { ...filters, cursor: 'b' },
  ])
  for (const { url } of given.sent) assert.equal(url.origin + url.pathname, 'https://shop.example/v1/pets')
})

test('A list accepts exactly the parameters that the document gives it', () => {
  type Names<Filter> = { readonly [Name in keyof Filter]-?: true }
  const page = { limit: true, cursor: true } as const
  const ordered = { ...page, order: true, after: true } as const
  const pets: Names<PetFilter> = { ...ordered, status: true, categoryId: true, id: true, search: true }
  const orders: Names<OrderFilter> = { ...ordered, status: true, petId: true, reference: true, search: true }
  const events: Names<EventListFilter> = { ...page, type: true, petId: true, after: true, from: true, since: true }
  for (const [path, names] of Object.entries({ '/pets': pets, '/store/orders': orders, '/events': events })) {
    const documented = paths[path].get.parameters.filter((each: { in: string }) => each.in === 'query')
    assert.deepEqual(documented.map(({ name }: { name: string }) => name).sort(), Object.keys(names).sort())
  }
})

test('toArray collects everything, or a given number of items, and requests no larger pages than that', async () => {
  const two = (first: number, next?: string) => page(next, [{ id: first }, { id: first + 1 }])
  const idsOf = async (list: Promise<{ id: bigint }[]>) => (await list).map(({ id }) => id)

  const whole = answered([two(1, 'b'), two(3)])
  assert.deepEqual(await idsOf(whole.petstore.pets.list().toArray()), [1n, 2n, 3n, 4n])
  assert.deepEqual(whole.queries(), [{ limit: '100' }, { limit: '100', cursor: 'b' }])

  const some = answered([two(1, 'b'), two(3, 'c')])
  assert.deepEqual(await idsOf(some.petstore.pets.list().toArray({ limit: 3 })), [1n, 2n, 3n])
  assert.deepEqual(some.queries(), [{ limit: '3' }, { limit: '3', cursor: 'b' }])

  const sized = answered([two(1, 'b')])
  assert.deepEqual(await idsOf(sized.petstore.pets.list({ limit: 2 }).toArray({ limit: 2 })), [1n, 2n])
  assert.deepEqual(await answered([]).petstore.pets.list().toArray({ limit: 0 }), [])
})

test('ifMatch accepts only an ETag or a result of this client that has one [decision 31]', async () => {
  // A proxy that compresses makes tags weak.
  const { petstore, header } = answered([json({ id: 7 }, { ETag: 'W/"v2"' }), ...Array(4).fill(json({ id: 7 }))])
  const pet = await petstore.pets.create(rex)
  assert.equal(petstore.etag(pet), 'W/"v2"')
  await petstore.pets.update(7n, { name: 'Rex' }, { ifMatch: pet })
  await petstore.pets.update(7n, { name: 'Rex' }, { ifMatch: petstore.etag(pet) })
  await petstore.pets.delete(7n, { ifMatch: '"v0"' })
  await petstore.categories.delete(7n)
  assert.deepEqual(header('if-match'), [null, '"v2"', '"v2"', '"v0"', null])
  for (const ifMatch of [{ ...pet }, null as never])
    await assert.rejects(petstore.pets.delete(7n, { ifMatch }), /^TypeError: ifMatch: must be an ETag, or an object/)
})
