/** Orders over HTTP, beyond the rules in src/conform: their times, races, walks over pages, and who may use them. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { afterEach, test } from 'node:test'
import type { Scope } from '../../src/model/key.ts'
import { addPet, cursorOf, expectError, idsOf, nextPage } from '../support/expect.ts'
import { operationsOf } from '../support/openapi.ts'
import { addEnded, addOrder, end, type Order, order, statusOf } from '../support/orders.ts'
import { type Answer, onEveryTarget } from '../support/service.ts'

const placedAt = Date.UTC(2027, 0, 2, 3, 4, 5, 6)
const day = 24 * 60 * 60 * 1000
const calls: readonly (readonly [method: string, path: (order: Order) => string, scope: Scope])[] = [
  ['GET', () => '/store/orders', 'orders:read'],
  ['GET', ({ id }) => `/store/orders/${id}`, 'orders:read'],
  ['POST', () => '/store/orders', 'orders:write'],
  ['POST', ({ id }) => `/store/orders/${id}/complete`, 'orders:write'],
  ['POST', ({ id }) => `/store/orders/${id}/cancel`, 'orders:write'],
  ['PATCH', ({ petId }) => `/pets/${petId}`, 'pets:write'],
  ['DELETE', ({ petId }) => `/pets/${petId}`, 'pets:write'],
]

onEveryTarget('Orders', (service) => {
  afterEach(() => service().setClock(null))

  test('answers 201 with the order, its address and its time in UTC, and the animal is pending', async () => {
    const { id: petId } = await addPet(service())
    await service().setClock(placedAt)
    const answer = await order(service(), petId)
    assert.equal(answer.status, 201)
    const time = '2027-01-02T03:04:05.006Z'
    const { id } = answer.json
    assert.equal(
      answer.text,
      `{"id":${id},"petId":${petId},"status":"placed","createdAt":"${time}","updatedAt":"${time}"}`,
    )
    assert.equal(answer.headers.get('location'), `${service().url}/v1/store/orders/${id}`)
    assert.equal(answer.headers.get('content-type'), 'application/json; charset=utf-8')
    assert.equal(await statusOf(service(), petId), 'pending')
  })

  for (const [verb, status, pet] of [
    ['complete', 'completed', 'sold'],
    ['cancel', 'cancelled', 'available'],
    ['return', 'returned', 'available'],
  ] as const)
    test(`${verb} moves the order to ${status} at its own time, and the animal is ${pet} [D79]`, async () => {
      const before = verb === 'return' ? await addEnded(service(), 'complete') : await addOrder(service())
      await service().setClock(placedAt)
      const answer = await end(service(), before.id, verb)
      assert.equal(answer.status, 200)
      assert.deepEqual(answer.json, { ...before, status, updatedAt: '2027-01-02T03:04:05.006Z' })
      assert.deepEqual((await service().call('GET', `/store/orders/${before.id}`)).json, answer.json)
      assert.deepEqual((await service().call('GET', `/store/orders?petId=${before.petId}&status=${status}`)).json, [
        answer.json,
      ])
      assert.equal(await statusOf(service(), before.petId), pet)
    })

  test('of many that take an animal back at once, all get the same order, and it is sold once more', async () => {
    const { id, petId } = await addEnded(service(), 'complete')
    const answers = await Promise.all(Array.from({ length: 8 }, () => end(service(), id, 'return')))
    assert.deepEqual([...new Set(answers.map(({ status, json }) => `${status} ${json.status}`))], ['200 returned'])
    assert.equal(new Set(answers.map(({ text }) => text)).size, 1)
    await addEnded(service(), 'complete', petId)
  })

  const list = (query: string) => service().call('GET', `/store/orders${query}`)

  /** Several orders on one animal: all cancelled but the last. */
  async function ordersOnOne(count: number): Promise<Order[]> {
    const orders = [await addEnded(service(), 'cancel')]
    const { petId } = orders[0] as Order
    while (orders.length < count - 1) orders.push(await addEnded(service(), 'cancel', petId))
    return [...orders, await addOrder(service(), petId)]
  }

  async function walk(query: string): Promise<Order[]> {
    const orders: Order[] = []
    for (let path: string | undefined = `/store/orders${query}`; path; ) {
      const answer: Answer = await service().call('GET', path)
      orders.push(...answer.json)
      path = nextPage(answer)
    }
    return orders
  }

  test('answers the newest first with order=desc, and begins after an id in either order [D18]', async () => {
    const orders = await ordersOnOne(5)
    const [{ petId }, newest] = [orders[0] as Order, orders.toReversed()]
    const third = orders[2]?.id
    for (const [query, expected] of [
      ['&order=desc', newest],
      ['&order=desc&status=cancelled', newest.slice(1)],
      [`&after=${third}`, orders.slice(3)],
      [`&order=asc&after=${third}&status=cancelled`, orders.slice(3, 4)],
      [`&order=desc&after=${third}`, newest.slice(3)],
    ] as const)
      assert.deepEqual(await walk(`?petId=${petId}&limit=1${query}`), expected, query)
    assert.deepEqual((await list('?order=desc&limit=2')).json, newest.slice(0, 2))
    const cursor = cursorOf(await list(`?petId=${petId}&limit=1`))
    expectError(await list(`?petId=${petId}&order=desc&cursor=${cursor}`), 400, 'invalid_cursor')
    const both = await list(`?petId=${petId}&after=1&cursor=${cursor}`)
    assert.equal(expectError(both, 400, 'invalid_parameter'), 'after, cursor: only one of them may be given')
    for (const query of ['after=', 'after=007', 'after=9223372036854775808', 'order=newest', 'order[]=desc'])
      expectError(await list(`?${query}`), 400, 'invalid_parameter')
  })

  test('returns 20 orders unless told otherwise', async () => {
    const { petId } = (await ordersOnOne(21))[0] as Order
    const answer = await list(`?petId=${petId}`)
    assert.equal(answer.json.length, 20)
    assert.match(nextPage(answer) ?? '', /limit=20&/)
  })

  test('the tag of a page changes with its link: no more orders follow [D152]', async () => {
    // Orders are never removed, but one that ends leaves the list of open ones.
    await addOrder(service())
    await addOrder(service())
    const before = await list('?status=placed&limit=1')
    for (const { id } of (await walk('?status=placed')).slice(1)) await end(service(), id, 'cancel')
    const headers = { 'If-None-Match': before.headers.get('etag') ?? '' }
    const after = await service().call('GET', '/store/orders?status=placed&limit=1', { headers })
    assert.deepEqual([after.status, after.text, nextPage(after)], [200, before.text, undefined])
  })

  const under = (key: string) => ({ headers: { 'Idempotency-Key': key } })
  const replayed = ({ headers }: Answer) => headers.get('idempotency-replayed')

  test('an Idempotency-Key is forgotten after 24 hours: the animal, available again, is ordered anew', async () => {
    const [key, { id: petId }, start] = [randomUUID(), await addPet(service()), Date.now()]
    await service().setClock(start)
    const first = await order(service(), petId, under(key))
    await end(service(), first.json.id, 'cancel')
    await service().setClock(start + day - 1)
    assert.equal(replayed(await order(service(), petId, under(key))), 'true')
    await service().setClock(start + day)
    const later = await order(service(), petId, under(key))
    assert.equal(later.status, 201, later.text)
    assert.equal(replayed(later), null)
    assert.notEqual(later.json.id, first.json.id)
  })

  test('many at once under one key place one order', async () => {
    const [key, { id: petId }] = [randomUUID(), await addPet(service())]
    const answers = await Promise.all(Array.from({ length: 10 }, () => order(service(), petId, under(key))))
    for (const answer of answers) if (answer.status !== 201) expectError(answer, 409, 'idempotency_in_progress')
    const placed = answers.filter(({ status }) => status === 201)
    assert.equal(new Set(placed.map(({ text }) => text)).size, 1)
    assert.equal(placed.filter((answer) => replayed(answer) === null).length, 1)
    assert.equal(idsOf(await list(`?petId=${petId}`)).length, 1)
  })

  test('each asks for its own scope, and for no other', async () => {
    const all: Scope[] = ['pets:read', 'pets:write', 'orders:read', 'orders:write', 'metrics:read']
    const placed = await addOrder(service())
    for (const [method, path, scope] of calls) {
      const without = await service().makeKey({ scopes: all.filter((each) => each !== scope) })
      const refused = await service().call(method, path(placed), { key: without })
      expectError(refused, 403, 'insufficient_scope')
      const challenge = `Bearer realm="petstore", error="insufficient_scope", scope="${scope}"`
      assert.equal(refused.headers.get('www-authenticate'), challenge)
      const only = await service().makeKey({ scopes: [scope] })
      assert.notEqual(
        (await service().call(method, path(placed), { key: only })).status,
        403,
        `${method} with ${scope}`,
      )
      expectError(await service().call(method, path(placed), { key: null }), 401, 'missing_api_key')
    }
  })

  test('are beta in the document, and the list of orders hides its panel', async () => {
    const { json } = await service().call('GET', '//openapi.json', { key: null })
    const added = operationsOf(json).filter(({ node }) => node['x-stability'] !== undefined)
    const names = ['cancelOrder', 'completeOrder', 'deletePet', 'getOrder', 'listOrders', 'placeOrder', 'updatePet']
    for (const name of names) {
      const { node } = added.find(({ id }) => id === name) ?? assert.fail(`${name} is not there as beta`)
      assert.equal(node['x-stability'], 'beta')
      assert.equal(node['x-hideTryItPanel'], name === 'listOrders' ? true : undefined)
      assert.deepEqual(node.tags, [name.endsWith('Pet') ? 'animals' : 'store'])
    }
  })
})
