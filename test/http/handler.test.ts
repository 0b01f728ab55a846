/**
 * What applies to every request, beyond the rules in conform/: the order of checks, requests that only a raw socket can
 * send, and internal failures.
 */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import fc from 'fast-check'
import { expectError } from '../../harness/expect.ts'
import { InProcess } from '../../harness/in-process.ts'
import { logInto } from '../../harness/log.ts'
import { exchange, request } from '../../harness/raw.ts'
import { type CallOptions, onOneTarget } from '../../harness/service.ts'
import { openFile } from '../../harness/stores.ts'
import { int64 } from '../../src/http/parameters.ts'
import { readQuery } from '../../src/http/read-parameters.ts'
import { type Store, StoreUnavailable } from '../../src/store/store.ts'

const sunset = Date.UTC(2030, 11, 5)
const pet = { name: 'Rex', categoryId: 1 }

onOneTarget('The protocol', (service) => {
  test('The service checks a request in the documented order, and reports the first problem [decision 3]', async () => {
    const key = await service().makeKey({ scopes: ['orders:read'] })
    const bad = { body: '{', headers: { 'Content-Type': 'text/plain' } }
    const large = { body: ' '.repeat(70_000) }
    const headers = { 'If-Match': '"stale"' }
    const expectEach = async (rows: readonly (readonly [string, string, number, string, CallOptions?])[]) => {
      for (const [method, path, status, code, options] of rows)
        expectError(await service().call(method, path, options), status, code)
    }
    await expectEach([
      ['DELETE', '/pets', 401, 'missing_api_key', { key: null }],
      ['GET', '/nope', 404, 'route_not_found', { key }],
      ['PUT', '/pets', 405, 'method_not_allowed', { key, ...bad }],
      ['POST', '/pets', 403, 'insufficient_scope', { key, ...bad }],
      ['POST', '/pets', 403, 'insufficient_scope', { key, ...large }],
      ['GET', '/pets?limit=0', 403, 'insufficient_scope', { key }],
      ['GET', '/pets/0', 403, 'insufficient_scope', { key }],
      ['POST', '/pets', 415, 'unsupported_media_type', bad],
      ['POST', '/pets', 413, 'content_too_large', large],
      ['PATCH', '/pets/0', 400, 'invalid_field', { body: { name: '' }, headers }],
      ['PATCH', '/pets/abc', 400, 'malformed_json', { body: '{', headers }],
      ['PATCH', '/pets/0', 404, 'pet_not_found', { body: { name: 'Rex' }, headers }],
    ])
    await service().setClock(sunset - 1)
    await expectEach([['GET', '/pets/0', 404, 'pet_not_found']])
    await service().setClock(sunset)
    await expectEach([
      ['GET', '/pets/0', 401, 'missing_api_key', { key: null }],
      ['PUT', '/pets/0', 405, 'method_not_allowed', { key }],
      ['GET', '/pets/0', 410, 'endpoint_removed', { key }],
    ])
    await service().setClock(null)
  })

  test('The service accepts HTTP/1.0 without a Host header', async () => {
    const head = [`Authorization: Bearer ${service().key}`, 'Connection: close']
    for (const [target, status] of [
      ['/v1/pets?x=http://a/livez', 200],
      ['/nope?x=://livez/livez', 404],
    ] as const)
      assert.equal((await exchange(service().port, request(`GET ${target} HTTP/1.0`, head)))[0]?.status, status)
  })
})

describe('on a store that is broken', () => {
  const [info, warn, error] = [30, 40, 50]
  const secret = 'SELECT hash FROM api_keys at /var/lib/petstore'
  let store: Store
  before(() => {
    store = openFile(':memory:')
  })
  after(() => store.close())

  for (const [what, act, level, status, code, retryAfter, message] of [
    [
      'with an unknown error',
      () => {
        throw new Error(secret)
      },
      ...([error, 500, 'internal_error', undefined, /Its log contains the cause under the X-Request-Id/] as const),
    ],
    [
      'as the store is away',
      () => Promise.reject(new StoreUnavailable(secret)),
      ...([
        warn,
        503,
        'unavailable',
        '1',
        /temporarily unavailable\. Try again after the seconds in the Retry-After header/,
      ] as const),
    ],
  ] as const)
    test(`A request that fails ${what} gets ${status}, and only the log contains the cause, once [decision 4]`, async () => {
      // biome-ignore lint/suspicious/noExplicitAny: the records of the log are of every shape.
      const logged: any[] = []
      const pets = { ...store.pets, page: act, find: act, insert: async () => act() }
      const service = await InProcess.on({ ...store, pets }, logInto(logged))
      const replies = [
        await service.call('GET', '/pets', undefined, { 'x-request-id': 'r-0' }),
        await service.call('GET', '/pets/1', undefined, { 'x-request-id': 'r-1' }),
        await service.call('POST', '/pets', pet, { 'x-request-id': 'r-2' }),
      ]
      for (const { json, headers, ...reply } of replies) {
        assert.deepEqual([reply.status, json.status, json.code], [status, status, code])
        assert.match(json.message, message)
        assert.deepEqual(Object.keys(json).sort(), ['code', 'message', 'status'])
        assert.deepEqual(
          ['cache-control', 'retry-after', 'x-content-type-options'].map((name) => headers.get(name)),
          ['no-store', retryAfter, 'nosniff'],
        )
        assert.ok(![...headers].join().includes(secret))
      }
      const complaints = logged.filter((line) => line.level !== info)
      assert.deepEqual(
        complaints.map(({ requestId, level, err }) => [requestId, level, err.message]),
        ['r-0', 'r-1', 'r-2'].map((id) => [id, level, secret]),
      )
      assert.deepEqual(
        logged.filter((line) => line.level === info).map((line) => line.status),
        [status, status, status],
      )
      logged.length = 0
      assert.equal((await service.call('GET', '/pets?limit=0')).status, 400)
      assert.deepEqual(
        logged.map((line) => line.level),
        [info],
        'an error of the closed list is no failure',
      )
    })

  test('An Idempotency-Key that is in use gets 409 with Retry-After, and other conflicts have no Retry-After [decision 8]', async () => {
    for (const [code, status, retryAfter] of [
      ['idempotency_in_progress', 409, '1'],
      ['idempotency_key_reused', 422, undefined],
    ] as const) {
      const service = await InProcess.on({ ...store, pets: { ...store.pets, insert: async () => code } })
      const reply = await service.call('POST', '/pets', pet, { 'idempotency-key': 'k' })
      assert.deepEqual([reply.status, reply.json.code, reply.headers.get('retry-after')], [status, code, retryAfter])
    }
  })
})

test('A query that is not UTF-8 is refused, because it would find nothing or the wrong animal [decision 4]', () => {
  const declared = { reference: { ...int64('', 1), parse: (text: string) => text } }
  const read = (query: string) => readQuery(declared, query)
  for (const bytes of ['%E9', 'Nov%e1k', '%ED%A0%80', '%C0%80', '%C3'])
    assert.throws(() => read(`reference=${bytes}`), /reference: must be percent-encoded UTF-8/)
  for (const text of ['\ufffd', 'Novák', '\ufffd%', '100 %'])
    assert.deepEqual(read(`reference=${encodeURIComponent(text)}&other=%ff`), { reference: text })
  assert.deepEqual(read('reference=100%'), { reference: '100%' })
})

test('A query string in UTF-8 is read like URLSearchParams reads it', () => {
  const piece = fc.constantFrom('a', 'limit', '=', '&', '%', '%20', '%C3%BC', '%ff', '+', 'ü', '20', '?')
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const query = pieces.join('')
      const values = new URLSearchParams(`?${query}`)
      fc.pre(!String(values).includes('%EF%BF%BD'))
      const names = [...new Set(values.keys())].filter((name) => name !== '')
      const asText = { ...int64('', 1), parse: (text: string) => text, isList: true }
      const read = readQuery(Object.fromEntries(names.map((name) => [name, asText])), query)
      assert.deepEqual(read, Object.fromEntries(names.map((name) => [name, values.getAll(name).join()])))
    }),
    { numRuns: 2_000 },
  )
})
