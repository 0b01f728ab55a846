/** Who may use the operations around orders, by which methods, and what the document says of them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Scope } from '../../src/model/key.ts'
import { expectError } from '../support/expect.ts'
import { operationsOf } from '../support/openapi.ts'
import { addOrder, type Order } from '../support/orders.ts'
import { onOneTarget } from '../support/service.ts'

const calls: readonly (readonly [method: string, path: (order: Order) => string, scope: Scope])[] = [
  ['GET', () => '/store/orders', 'orders:read'],
  ['GET', ({ id }) => `/store/orders/${id}`, 'orders:read'],
  ['POST', () => '/store/orders', 'orders:write'],
  ['POST', ({ id }) => `/store/orders/${id}/complete`, 'orders:write'],
  ['POST', ({ id }) => `/store/orders/${id}/cancel`, 'orders:write'],
  ['PATCH', ({ petId }) => `/pets/${petId}`, 'pets:write'],
  ['DELETE', ({ petId }) => `/pets/${petId}`, 'pets:write'],
]

onOneTarget('The operations around orders', (service) => {
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

  const allowed = [
    ['/store/orders', 'GET, HEAD, POST, OPTIONS', ['PUT', 'PATCH', 'DELETE']],
    ['/store/orders/1', 'GET, HEAD, OPTIONS', ['POST', 'PUT', 'PATCH', 'DELETE']],
    ['/store/orders/1/complete', 'POST, OPTIONS', ['GET', 'HEAD', 'PUT', 'DELETE']],
    ['/store/orders/1/cancel', 'POST, OPTIONS', ['GET', 'HEAD', 'PUT', 'DELETE']],
    ['/pets/1', 'GET, HEAD, PATCH, DELETE, OPTIONS', ['POST', 'PUT']],
  ] as const
  for (const [path, allow, methods] of allowed)
    test(`${path} answers ${allow} and no other method`, async () => {
      const options = await service().call('OPTIONS', path, { key: null })
      assert.deepEqual([options.status, options.headers.get('allow')], [204, allow])
      for (const method of methods) {
        const answer = await service().call(method, path)
        assert.equal(answer.headers.get('allow'), allow, method)
        if (method === 'HEAD') assert.equal(answer.status, 405)
        else expectError(answer, 405, 'method_not_allowed')
      }
    })

  test('others beside them are not found', async () => {
    for (const path of ['/store', '/store/', '/store/orders/', '/store/orders/1/', '/store/orders/1/reopen'])
      expectError(await service().call('GET', path), 404, 'route_not_found')
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
