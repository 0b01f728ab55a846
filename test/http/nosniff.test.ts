/** Every answer tells browsers to take its type as it is. */
import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { StoreUnavailable } from '../../src/store/store.ts'
import { databases } from '../support/databases.ts'
import { addPet } from '../support/expect.ts'
import { InProcess, withStores } from '../support/in-process.ts'
import { addOrder, order } from '../support/orders.ts'
import { exchange, request } from '../support/raw.ts'
import { type Answer, type CallOptions, onOneTarget } from '../support/service.ts'

const sunset = Date.UTC(2030, 11, 5)
const origin = 'https://shop.example'

onOneTarget(
  'X-Content-Type-Options',
  (service) => {
    afterEach(() => service().setClock(null))

    const expectNosniff = ({ status, headers, text }: Answer, expected: number) => {
      assert.equal(status, expected, text)
      assert.equal(headers.get('x-content-type-options'), 'nosniff', `${status} ${text}`)
    }
    const expectEach = async (rows: readonly (readonly [number, string, CallOptions?])[]) => {
      for (const [status, line, options] of rows) {
        const [method = '', path = ''] = line.split(' ')
        expectNosniff(await service().call(method, path, options), status)
      }
    }

    test('is nosniff on every response of an operation [D158]', async () => {
      const { id } = await addPet(service())
      const body = { name: 'Rex', categoryId: 1 }
      const any = { 'If-None-Match': '*' }
      await expectEach([
        [200, 'GET /pets'],
        [200, `HEAD /pets/${id}`],
        [304, 'GET /pets', { headers: any }],
        [304, `HEAD /pets/${id}`, { headers: any }],
        [201, 'POST /pets', { body }],
        [201, 'POST /pets', { body, headers: { 'Idempotency-Key': 'nosniff' } }],
        [201, 'POST /pets', { body, headers: { 'Idempotency-Key': 'nosniff' } }],
        [200, `PATCH /pets/${id}`, { body: {} }],
        [204, `DELETE /pets/${id}`],
        [204, 'OPTIONS /pets', { key: null }],
      ])
    })

    test('is nosniff on every error [D158]', async () => {
      const { petId } = await addOrder(service())
      const weak = await service().makeKey({ scopes: ['metrics:read'] })
      const twice = { 'Idempotency-Key': 'other-body' }
      await service().call('POST', '/pets', { body: { name: 'Rex', categoryId: 1 }, headers: twice })
      await expectEach([
        [400, 'GET /pets?limit=0'],
        [400, 'POST /pets', { body: '{' }],
        [401, 'GET /pets', { key: null }],
        [401, 'GET /nope', { key: null }],
        [403, 'GET /pets', { key: weak }],
        [404, 'GET /nope'],
        [404, 'GET //nope'],
        [404, 'GET /pets/0'],
        [405, 'PUT /pets', { body: {} }],
        [405, 'POST //livez', { body: {} }],
        [409, `DELETE /pets/${petId}`],
        [412, `PATCH /pets/${petId}`, { body: {}, headers: { 'If-Match': '"x"' } }],
        [413, 'POST /pets', { body: ' '.repeat(70_000) }],
        [414, `GET /pets?${'x'.repeat(9000)}`],
        [415, 'POST /pets', { body: '{}', headers: { 'Content-Type': 'text/html' } }],
        [422, 'POST /pets', { body: { name: 'Max', categoryId: 1 }, headers: twice }],
      ])
      expectNosniff(await order(service(), petId), 409)
      await service().setClock(sunset)
      await expectEach([[410, 'GET /pets/1']])
    })

    test('is nosniff on every open page, file and redirect [D158]', async () => {
      const files = ['docs', 'docs/docs.css', 'docs/docs.js', 'docs/favicon.svg', 'docs/preact.js']
      for (const path of ['openapi.json', 'livez', 'readyz', ...files])
        await expectEach([
          [200, `GET //${path}`, { key: null }],
          [200, `GET //${path}`, { key: null, headers: { 'Accept-Encoding': 'identity' } }],
          [204, `OPTIONS //${path}`, { key: null }],
        ])
      await expectEach([[304, 'GET //docs/docs.css', { key: null, headers: { 'If-None-Match': '*' } }]])
      for (const path of ['/', '/docs/']) {
        const bare = request(`GET ${path} HTTP/1.1`, ['Host: a', 'Connection: close'])
        expectNosniff((await exchange(service().port, bare))[0] as Answer, 302)
      }
    })

    test('is nosniff on a preflight, of a known path and of an unknown one', async () => {
      const headers = { Origin: origin, 'Access-Control-Request-Method': 'GET' }
      for (const path of ['/pets', '/nope']) await expectEach([[204, `OPTIONS ${path}`, { key: null, headers }]])
    })
  },
  { CORS_ORIGINS: origin },
)

test("X-Content-Type-Options is nosniff on what is not the client's doing: 500 and 503", async () => {
  for (const [error, status] of [
    [new Error('planted'), 500],
    [new StoreUnavailable('planted'), 503],
  ] as const)
    await withStores(databases[0], 1, async ([store]) => {
      const page = () => Promise.reject(error)
      const service = await InProcess.on({ ...store, pets: { ...store.pets, page } })
      const answer = await service.call('GET', '/pets')
      assert.equal(answer.status, status)
      assert.equal(answer.headers.get('x-content-type-options'), 'nosniff')
    })
})
