/** Counting: the inventory, by category too, the sales of each day, and what a key is told of itself. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defaultScopes, scopes } from '../../src/model/key.ts'
import { addPet, addPets, expectError, freshCategory, nextPage } from '../support/expect.ts'
import { operationsOf } from '../support/openapi.ts'
import { addEnded, end } from '../support/orders.ts'
import { type Answer, onOneTarget, type TestService } from '../support/service.ts'

const day = 24 * 60 * 60 * 1000
const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10)
const get = (service: TestService, path: string) => service.call('GET', path)

async function byCategory(service: TestService, limit: number): Promise<Record<string, unknown>[]> {
  const rows: Record<string, unknown>[] = []
  for (let path: string | undefined = `/store/inventory?by=category&limit=${limit}`; path; ) {
    const page: Answer = await get(service, path)
    assert.equal(page.status, 200, page.text)
    assert.ok(page.json.length <= limit)
    rows.push(...page.json)
    path = nextPage(page)
  }
  return rows
}

onOneTarget('Counting, and the key that asks', (service) => {
  test('the inventory counts the animals of each status, at once [D92]', async () => {
    const { json: before } = await get(service(), '/store/inventory')
    assert.deepEqual(Object.keys(before), ['available', 'pending', 'sold'])
    const [first = 0, second = 0] = await addPets(service(), 2)
    await addPet(service(), { status: 'sold' })
    const order = await service().call('POST', '/store/orders', { body: { petId: first } })
    const during = await get(service(), '/store/inventory')
    assert.deepEqual(during.json, {
      available: before.available + 1,
      pending: before.pending + 1,
      sold: before.sold + 1,
    })
    const unchanged = { headers: { 'If-None-Match': during.headers.get('etag') ?? '' } }
    assert.equal((await service().call('GET', '/store/inventory', unchanged)).status, 304)
    await service().call('POST', `/store/orders/${order.json.id}/complete`)
    await service().call('DELETE', `/pets/${second}`)
    const { json: after } = await get(service(), '/store/inventory')
    assert.deepEqual(after, { ...before, sold: before.sold + 2 })
  })

  test('the inventory by category lists those with animals or a name, in order, with the name if there is one [D92]', async () => {
    const id = freshCategory()
    await addPet(service(), { categoryId: id })
    await addPet(service(), { categoryId: -id, status: 'pending' })
    await service().call('PUT', `/categories/${id + 1}`, { body: { name: 'Dogs' } })
    await service().call('PUT', `/categories/${-id}`, { body: { name: 'Cats' } })
    for (const limit of [1, 2, 100]) {
      const rows = await byCategory(service(), limit)
      assert.deepEqual(
        rows.filter(({ categoryId }) => [-id, id, id + 1].includes(Number(categoryId))),
        [
          { categoryId: -id, name: 'Cats', available: 0, pending: 1, sold: 0 },
          { categoryId: id, available: 1, pending: 0, sold: 0 },
          { categoryId: id + 1, name: 'Dogs', available: 0, pending: 0, sold: 0 },
        ],
      )
      const ids = rows.map(({ categoryId }) => Number(categoryId))
      assert.deepEqual(
        ids,
        ids.toSorted((a, b) => a - b),
      )
    }
  })

  test('the inventory by category counts over the whole range of int64, digit for digit [D92]', async () => {
    for (const id of ['-9223372036854775808', '9223372036854775807']) {
      const body = `{"name":"Rex","categoryId":${id}}`
      const { json: pet } = await service().call('POST', '/pets', { body })
      const pages: string[] = []
      for (let path: string | undefined = '/store/inventory?by=category&limit=1'; path; ) {
        const page: Answer = await get(service(), path)
        pages.push(page.text)
        path = nextPage(page)
      }
      assert.ok(pages.some((text) => text === `[{"categoryId":${id},"available":1,"pending":0,"sold":0}]`))
      await service().call('DELETE', `/pets/${pet.id}`)
    }
  })

  test('sales have an entry for each day in UTC, today last, with zeros where nothing happened [D97]', async () => {
    const { json: before } = await get(service(), '/store/sales')
    const [first = 0] = await addPets(service(), 3)
    await service().call('PATCH', `/pets/${first}`, { body: { status: 'sold' } })
    const now = Date.now()
    const { json } = await get(service(), '/store/sales')
    assert.equal(json.length, 30)
    assert.deepEqual(
      json.map((each: { day: string }) => each.day),
      Array.from({ length: 30 }, (_, i) => dayOf(now - (29 - i) * day)),
    )
    const { added, sold } = before.at(-1)
    assert.deepEqual(json.at(-1), { day: dayOf(now), added: added + 3, sold: sold + 1 })
    assert.deepEqual(json.at(-2), { day: dayOf(now - day), added: 0, sold: 0 })
  })

  test('sales are less what was taken back that day, also below zero [D98]', async () => {
    const sold = async () => (await get(service(), '/store/sales?days=1')).json[0].sold
    const before = await sold()
    const { id } = await addEnded(service(), 'complete')
    assert.equal(await sold(), before + 1)
    const { json: inventory } = await get(service(), '/store/inventory')
    await end(service(), id, 'return')
    await end(service(), id, 'return')
    assert.equal(await sold(), before)
    assert.deepEqual((await get(service(), '/store/inventory')).json, {
      ...inventory,
      available: inventory.available + 1,
      sold: inventory.sold - 1,
    })
    for (const petId of await addPets(service(), before + 2, { status: 'sold' }))
      await service().call('PATCH', `/pets/${petId}`, { body: { status: 'available' } })
    assert.equal(await sold(), -2, 'those were added as sold, and so not sold today')
  })

  test('sales are of the days that end with the day of the service [D97]', async () => {
    await addPet(service())
    const now = Date.now()
    try {
      await service().setClock(now + 3 * day)
      const { json } = await get(service(), '/store/sales?days=5')
      assert.deepEqual(
        json.map(({ day, added }: { day: string; added: number }) => [day, added > 0]),
        [-1, 0, 1, 2, 3].map((n) => [dayOf(now + n * day), n === 0]),
      )
      await service().setClock(now + 40 * day)
      for (const { added, sold } of (await get(service(), '/store/sales')).json) assert.deepEqual([added, sold], [0, 0])
    } finally {
      await service().setClock(null)
    }
  })

  test('GET /me describes the key that asks: its name, scopes, expiry and rate [D102]', async () => {
    const { json, headers } = await get(service(), '/me')
    assert.deepEqual(json, { name: 'test', scopes: [...defaultScopes] })
    assert.equal(headers.get('cache-control'), 'private, no-cache')
    const expiresAt = Date.now() + day
    const key = await service().makeKey({ scopes: ['pets:read'], expiresAt, rate: { requests: 600, seconds: 60 } })
    assert.deepEqual((await service().call('GET', '/me', { key })).json, {
      name: 'test',
      scopes: ['pets:read'],
      expiresAt: new Date(expiresAt).toISOString(),
      rate: { requests: 600, seconds: 60 },
    })
  })

  test('GET /me needs a key, and no particular scope [D102]', async () => {
    for (const scope of scopes) {
      const key = await service().makeKey({ scopes: [scope] })
      assert.deepEqual((await service().call('GET', '/me', { key })).json.scopes, [scope])
    }
    expectError(await service().call('GET', '/me', { key: null }), 401, 'missing_api_key')
  })

  test('all are beta or experimental in the document, and counting needs pets:read', async () => {
    const { json } = await service().call('GET', '//openapi.json', { key: null })
    const nodes = new Map(operationsOf(json).map(({ id, node }) => [id, node]))
    for (const [id, stability, scope] of [
      ['getMe', 'beta', undefined],
      ['getInventory', 'beta', 'pets:read'],
      ['getSales', 'experimental', 'pets:read'],
    ] as const) {
      const node = nodes.get(id)
      assert.deepEqual(
        [node['x-stability'], node['x-scope'], '403' in node.responses],
        [stability, scope, scope !== undefined],
      )
    }
    const key = await service().makeKey({ scopes: scopes.filter((scope) => scope !== 'pets:read') })
    for (const path of ['/store/inventory', '/store/inventory?by=category', '/store/sales'])
      expectError(await service().call('GET', path, { key }), 403, 'insufficient_scope')
  })
})

onOneTarget(
  'GET /me with a rate limit of the service',
  (service) => {
    test('names it for a key without one of its own [D102]', async () => {
      assert.deepEqual((await get(service(), '/me')).json.rate, { requests: 6000, seconds: 60 })
    })
  },
  { RATE_LIMIT: '6000/60' },
)
