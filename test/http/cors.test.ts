/** Cross-origin requests: off by default, and open to the listed origins alone. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addPets, expectError } from '../support/expect.ts'
import { onOneTarget } from '../support/service.ts'

onOneTarget('CORS by default', (service) => {
  test('is off [D171]', async () => {
    const headers = { Origin: 'https://shop.example', 'Access-Control-Request-Method': 'GET' }
    for (const method of ['GET', 'OPTIONS']) {
      const answer = await service().call(method, '/pets', { headers })
      for (const [name] of answer.headers) assert.doesNotMatch(name, /^access-control|^vary$/)
    }
    expectError(await service().call('OPTIONS', '/nope', { key: null, headers }), 401, 'missing_api_key')
  })
})

const origins = ['https://shop.example', 'http://localhost:3000']
onOneTarget(
  'CORS for listed origins',
  (service) => {
    test('lets the pages of each listed origin read answers, errors too [D171]', async () => {
      await addPets(service(), 2)
      for (const Origin of origins)
        for (const path of ['/pets?limit=1', '/nope', '//livez']) {
          const { headers } = await service().call('GET', path, { headers: { Origin } })
          assert.equal(headers.get('access-control-allow-origin'), Origin)
          assert.equal(headers.get('vary'), 'Origin')
          const exposed = headers.get('access-control-expose-headers')?.split(', ') ?? []
          const needed = ['Link', 'Location', 'ETag', 'X-Request-Id', 'Idempotency-Replayed', 'Deprecation', 'Sunset']
          for (const name of [...needed, 'Retry-After', 'WWW-Authenticate', 'Allow', 'RateLimit', 'RateLimit-Policy'])
            assert.ok(exposed.includes(name), name)
        }
    })

    test('answers a preflight without a key', async () => {
      const headers = {
        Origin: 'https://shop.example',
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers': 'authorization, content-type, idempotency-key',
      }
      const answer = await service().call('OPTIONS', '/pets', { key: null, headers })
      assert.equal(answer.status, 204)
      assert.equal(answer.headers.get('access-control-allow-origin'), 'https://shop.example')
      assert.equal(answer.headers.get('access-control-allow-methods'), 'GET, HEAD, POST, OPTIONS')
      const allowed = answer.headers.get('access-control-allow-headers')?.toLowerCase().split(', ') ?? []
      for (const name of ['authorization', 'content-type', 'idempotency-key', 'if-none-match', 'x-request-id'])
        assert.ok(allowed.includes(name), name)
    })

    test('lets a page read the 404 of an unknown path: its preflight is answered, too [D4]', async () => {
      const Origin = 'https://shop.example'
      for (const path of ['/nope', '/pets/', '/pets/1/nope', '', '/'])
        for (const method of ['GET', 'POST', 'PATCH', 'DELETE']) {
          const headers = { Origin, 'Access-Control-Request-Method': method }
          const preflight = await service().call('OPTIONS', path, { key: null, headers })
          assert.deepEqual([preflight.status, preflight.text], [204, ''])
          assert.equal(preflight.headers.get('access-control-allow-origin'), Origin)
          const allowed = preflight.headers.get('access-control-allow-methods')?.split(', ') ?? []
          assert.ok(allowed.includes(method), method)
          assert.match(preflight.headers.get('access-control-allow-headers') ?? '', /\bAuthorization\b/)
          const answer = await service().call(method, path, { headers: { Origin } })
          expectError(answer, 404, 'route_not_found')
          assert.equal(answer.headers.get('access-control-allow-origin'), Origin)
        }
    })

    test('answers no other OPTIONS of an unknown path without a key [D4]', async () => {
      for (const headers of [
        { Origin: 'https://evil.example', 'Access-Control-Request-Method': 'GET' },
        { Origin: 'https://shop.example' },
        { 'Access-Control-Request-Method': 'GET' },
      ] as Record<string, string>[]) {
        const answer = await service().call('OPTIONS', '/nope', { key: null, headers })
        expectError(answer, 401, 'missing_api_key')
        assert.equal(answer.headers.get('access-control-allow-methods'), null)
      }
    })

    test('sends Vary with origin and encoding', async () => {
      for (const path of ['//openapi.json', '//docs'])
        assert.equal((await service().call('GET', path)).headers.get('vary'), 'Accept-Encoding, Origin')
    })

    test('gives other origins nothing, and sends Vary: Origin [D171]', async () => {
      for (const Origin of ['https://evil.example', 'https://shop.example.evil.example', 'null', 'http://shop.example'])
        for (const method of ['GET', 'OPTIONS']) {
          const { headers } = await service().call(method, '/pets', { headers: { Origin } })
          assert.equal(headers.get('vary'), 'Origin')
          for (const [name] of headers) assert.doesNotMatch(name, /^access-control/)
        }
    })
  },
  { CORS_ORIGINS: origins.join(', ') },
)
