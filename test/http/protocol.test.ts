/** What holds for every request, beyond the rules in src/conform: the order of checks, and what only a raw socket can send. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addPet, expectError } from '../support/expect.ts'
import { exchange, request } from '../support/raw.ts'
import { type Answer, onOneTarget } from '../support/service.ts'

const sunset = Date.UTC(2030, 11, 5)

onOneTarget('The protocol', (service) => {
  test('checks in the order of the register: each fault hides those after it [D0]', async () => {
    const key = await service().makeKey({ scopes: ['orders:read'] })
    const bad = { body: '{', headers: { 'Content-Type': 'text/plain' } }
    const large = { body: ' '.repeat(70_000) }
    expectError(await service().call('DELETE', '/pets', { key: null }), 401, 'missing_api_key')
    expectError(await service().call('GET', '/nope', { key }), 404, 'route_not_found')
    expectError(await service().call('PUT', '/pets', { key, ...bad }), 405, 'method_not_allowed')
    expectError(await service().call('POST', '/pets', { key, ...bad }), 403, 'insufficient_scope')
    expectError(await service().call('POST', '/pets', { key, ...large }), 403, 'insufficient_scope')
    expectError(await service().call('GET', '/pets?limit=0', { key }), 403, 'insufficient_scope')
    expectError(await service().call('GET', '/pets/0', { key }), 403, 'insufficient_scope')
    expectError(await service().call('POST', '/pets', bad), 415, 'unsupported_media_type')
    expectError(await service().call('POST', '/pets', large), 413, 'content_too_large')
    const stale = { headers: { 'If-Match': '"stale"' } }
    expectError(await service().call('PATCH', '/pets/0', { body: { name: '' }, ...stale }), 400, 'invalid_field')
    expectError(await service().call('PATCH', '/pets/abc', { body: '{', ...stale }), 400, 'malformed_json')
    expectError(await service().call('PATCH', '/pets/0', { body: { name: 'Rex' }, ...stale }), 404, 'pet_not_found')
    await service().setClock(sunset)
    expectError(await service().call('GET', '/pets/0', { key: null }), 401, 'missing_api_key')
    expectError(await service().call('PUT', '/pets/0', { key }), 405, 'method_not_allowed')
    expectError(await service().call('GET', '/pets/0', { key }), 410, 'endpoint_removed')
    await service().setClock(null)
  })

  test('refuses a Host header given twice, and one that names no host', async () => {
    for (const hosts of [
      ['Host: localhost', 'Host: localhost'],
      ['Host: a', 'Host: b'],
      ['Host: a/b'],
      ['Host: u@a'],
    ]) {
      const lines = [...hosts, `Authorization: Bearer ${service().key}`, 'Connection: close']
      const [answer] = await exchange(service().port, request('GET /v1/pets HTTP/1.1', lines))
      assert.ok(answer)
      expectError(answer, 400, 'bad_request')
    }
  })

  test('accepts HTTP/1.0 without a Host header', async () => {
    const lines = [`Authorization: Bearer ${service().key}`, 'Connection: close']
    for (const [path, status] of Object.entries({ '/v1/pets?x=http://a/livez': 200, '/nope?x=://livez/livez': 404 })) {
      const [answer] = await exchange(service().port, request(`GET ${path} HTTP/1.0`, lines))
      assert.equal(answer?.status, status)
    }
  })

  test('lets nobody cache the health pages', async () => {
    for (const path of ['//livez', '//readyz'])
      assert.equal((await service().call('GET', path, { key: null })).headers.get('cache-control'), 'no-store')
  })

  /** The answers of every operation that takes a body, to headers that no client library adds to. */
  async function sendToEach(lines: readonly string[], body: string): Promise<Answer[]> {
    const { id } = await addPet(service())
    const head = ['Host: a', 'Connection: close', `Authorization: Bearer ${service().key}`, ...lines]
    const sent = ['POST /v1/pets', `PATCH /v1/pets/${id}`, 'POST /v1/store/orders'].map((line) =>
      exchange(service().port, request(`${line} HTTP/1.1`, head, body)),
    )
    return (await Promise.all(sent)).map(([answer]) => answer ?? assert.fail('no answer'))
  }

  test('body and type are both missing: 400 that says the body is empty [D43]', async () => {
    for (const lines of [[], ['Content-Length: 0']])
      for (const answer of await sendToEach(lines, ''))
        assert.match(expectError(answer, 400, 'malformed_json'), /body is empty/)
    const chunked = await sendToEach(['Transfer-Encoding: chunked'], '0\r\n\r\n')
    for (const answer of chunked) expectError(answer, 400, 'malformed_json')
  })

  test('a body without a type: 415 [D43]', async () => {
    for (const body of ['{"name":"Rex","categoryId":1}', '{}', '{', ' '])
      for (const answer of await sendToEach([`Content-Length: ${body.length}`], body))
        expectError(answer, 415, 'unsupported_media_type')
    for (const answer of await sendToEach(['Transfer-Encoding: chunked'], '2\r\n{}\r\n0\r\n\r\n'))
      expectError(answer, 415, 'unsupported_media_type')
  })
})
