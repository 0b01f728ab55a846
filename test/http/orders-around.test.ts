/** Around orders over HTTP: their pages and filters, and Idempotency-Key when one is placed. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { afterEach, describe, test } from 'node:test'
import { addPet, addPets, cursorOf, expectError, idsOf, nextPage } from '../support/expect.ts'
import { addEnded, addOrder, end, type Order, order, statusOf } from '../support/orders.ts'
import { type Answer, onOneTarget, type TestService } from '../support/service.ts'

const day = 24 * 60 * 60 * 1000

onOneTarget('Around orders', (service) => {
  afterEach(() => service().setClock(null))
  describe('listOrders', () => listing(service))
  describe('Idempotency-Key', () => repeating(service))
})

function listing(service: () => TestService): void {
  const list = (query: string) => service().call('GET', `/store/orders${query}`)

  /** Several orders on one animal: all cancelled but the last. */
  async function ordersOnOne(count: number): Promise<Order[]> {
    const orders = [await addEnded(service(), 'cancel')]
    const { petId } = orders[0] as Order
    while (orders.length < count - 1) orders.push(await addEnded(service(), 'cancel', petId))
    return [...orders, await addOrder(service(), petId)]
  }

  test('answers a bare array in ascending order of id, filtered by petId and by status', async () => {
    const [other, orders] = [await addOrder(service()), await ordersOnOne(3)]
    const [{ petId }, open] = [orders[0] as Order, orders.at(-1)]
    const answer = await list(`?petId=${petId}`)
    assert.equal(answer.status, 200)
    assert.deepEqual(answer.json, orders)
    assert.equal(answer.headers.get('link'), null)
    assert.deepEqual((await list(`?petId=${petId}&status=cancelled`)).json, orders.slice(0, 2))
    assert.deepEqual((await list(`?petId=${petId}&status=placed`)).json, [open])
    assert.equal((await list(`?petId=${petId}&status=completed`)).text, '[]')
    const placed = await walk('?status=placed&limit=100')
    assert.ok(placed.every(({ status }) => status === 'placed'))
    for (const each of [other, open]) assert.ok(placed.some(({ id }) => id === each?.id))
    const all = await walk('?limit=7')
    assert.ok(all.every(({ id }, i) => i === 0 || id > (all[i - 1] as Order).id))
    for (const each of [other, ...orders]) assert.deepEqual(all[all.findIndex(({ id }) => id === each.id)], each)
  })

  async function walk(query: string): Promise<Order[]> {
    const orders: Order[] = []
    for (let path: string | undefined = `/store/orders${query}`; path; ) {
      const answer: Answer = await service().call('GET', path)
      orders.push(...answer.json)
      path = nextPage(answer)
    }
    return orders
  }

  test('links to the next page with its filters, only when more rows exist', async () => {
    const orders = await ordersOnOne(4)
    const { petId } = orders[0] as Order
    const first = await list(`?limit=2&petId=${petId}&status=cancelled`)
    const link = `^<${service().url}/v1/store/orders\\?status=cancelled&petId=${petId}&limit=2&cursor=[\\w-]+>; rel="next"$`
    assert.match(first.headers.get('link') ?? '', new RegExp(link))
    const second = await service().call('GET', nextPage(first) ?? '')
    assert.deepEqual([...first.json, ...second.json], orders.slice(0, 3))
    assert.equal(second.headers.get('link'), null)
    assert.equal((await list(`?limit=3&petId=${petId}&status=cancelled`)).headers.get('link'), null)
    const cursor = cursorOf(await list(`?limit=1&petId=${petId}`))
    assert.deepEqual(
      (await list(`?limit=3&petId=${petId}&cursor=${cursor}`)).json,
      orders.slice(1),
      'the limit may change',
    )
  })

  test('answers the newest first with order=desc, and begins after an id in either order', async () => {
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

  test('refuses a cursor of other filters, and one of another path', async () => {
    const { petId } = (await ordersOnOne(3))[0] as Order
    const cursor = cursorOf(await list(`?limit=1&petId=${petId}`))
    for (const filters of ['', `petId=${petId + 1}&`, `petId=${petId}&status=placed&`, 'status=placed&'])
      expectError(await list(`?${filters}cursor=${cursor}`), 400, 'invalid_cursor')
    await addPets(service(), 2)
    const ofPets = cursorOf(await service().call('GET', '/pets?limit=1'))
    const ofOrders = cursorOf(await list('?limit=1'))
    expectError(await list(`?cursor=${ofPets}`), 400, 'invalid_cursor')
    expectError(await service().call('GET', `/pets?cursor=${ofOrders}`), 400, 'invalid_cursor')
    for (const cursor of ['', 'x', `${ofOrders}A`, '%00'])
      expectError(await list(`?cursor=${cursor}`), 400, 'invalid_cursor')
  })

  for (const query of [
    ...['limit=0', 'limit=101', 'limit=1e1', 'limit=05', 'limit=', 'limit=5&limit=5'],
    ...['status=', 'status=Placed', 'status=available', 'status=placed&status=placed'],
    ...['petId=', 'petId=abc', 'petId=007', 'petId=1,2', 'petId=9223372036854775808', 'petId=1&petId=1'],
  ])
    test(`refuses ?${query}`, async () => {
      const message = expectError(await list(`?${query}`), 400, 'invalid_parameter')
      assert.match(message, new RegExp(`^${query.split('=')[0]}: `))
    })

  test('answers an empty array for an animal nobody has, and ignores unknown parameters', async () => {
    assert.equal((await list('?petId=9223372036854775807&categoryId=x&id=y')).text, '[]')
  })

  test('answers 304 to the ETag of a page that has not changed', async () => {
    const { petId, id } = await addOrder(service())
    const query = `?petId=${petId}`
    const headers = { 'If-None-Match': (await list(query)).headers.get('etag') ?? '' }
    assert.equal((await service().call('GET', `/store/orders${query}`, { headers })).status, 304)
    await end(service(), id, 'complete')
    assert.equal((await service().call('GET', `/store/orders${query}`, { headers })).status, 200)
  })
}

function repeating(service: () => TestService): void {
  const under = (key: string) => ({ headers: { 'Idempotency-Key': key } })
  const replayed = ({ headers }: Answer) => headers.get('idempotency-replayed')
  const ordersOf = async (petId: number) => idsOf(await service().call('GET', `/store/orders?petId=${petId}`))

  test('gives the same 201, body and Location again, also after the order has ended, and places nothing', async () => {
    const [key, { id: petId }] = [randomUUID(), await addPet(service())]
    const first = await order(service(), petId, under(key))
    assert.equal(replayed(first), null)
    for (const step of ['placed', 'cancelled']) {
      const again = await order(service(), petId, under(key))
      assert.equal(again.status, 201)
      assert.equal(again.text, first.text, step)
      assert.equal(again.headers.get('location'), first.headers.get('location'))
      assert.equal(replayed(again), 'true')
      await end(service(), first.json.id, 'cancel')
    }
    assert.deepEqual(await ordersOf(petId), [first.json.id])
    assert.equal(await statusOf(service(), petId), 'available')
  })

  test('with another body answers 422 and holds no animal', async () => {
    const [key, [one = 0, two = 0]] = [randomUUID(), await addPets(service(), 2)]
    await order(service(), one, under(key))
    expectError(await order(service(), two, under(key)), 422, 'idempotency_key_reused')
    assert.equal(await statusOf(service(), two), 'available')
    assert.deepEqual(await ordersOf(two), [])
  })

  test('applies to one path: /pets and /store/orders are separate', async () => {
    const key = randomUUID()
    const body = { name: 'Rex', categoryId: 1 }
    const pet = await service().call('POST', '/pets', { body, ...under(key) })
    const first = await order(service(), pet.json.id, under(key))
    assert.deepEqual([first.status, replayed(first)], [201, null])
    assert.equal((await service().call('POST', '/pets', { body, ...under(key) })).text, pet.text)
  })

  test('does not store refusals: the same request goes through once it can', async () => {
    const [key, { id, petId }] = [randomUUID(), await addOrder(service())]
    expectError(await order(service(), petId, under(key)), 409, 'pet_not_available')
    await end(service(), id, 'cancel')
    const answer = await order(service(), petId, under(key))
    assert.deepEqual([answer.status, replayed(answer)], [201, null])
  })

  test('is forgotten after 24 hours: the animal, available again, is ordered anew', async () => {
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
    assert.equal((await ordersOf(petId)).length, 1)
  })

  test('refuses a key that is none', async () => {
    const { id } = await addPet(service())
    expectError(await order(service(), id, under('a b')), 400, 'invalid_idempotency_key')
  })
}
