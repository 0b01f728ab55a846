/** Cross-origin requests are refused by default, and possible only from the listed origins. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addPets, expectError } from '../../harness/expect.ts'
import { onOneTarget } from '../../harness/service.ts'

onOneTarget('CORS by default', (service) => {
  test('CORS is off by default [decision 3]', async () => {
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
    test('A page of an origin in CORS_ORIGINS can read responses, including errors [decision 3]', async () => {
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

    test('With CORS, the preflight of every path needs no key, so that a page can read a 404 [decision 3]', async () => {
      const Origin = 'https://shop.example'
      for (const path of ['/pets', '/nope', '/pets/', '/pets/1/nope', '', '/'])
        for (const method of ['GET', 'POST', 'PATCH', 'DELETE'].slice(0, path === '/pets' ? 2 : 4)) {
          const headers = { Origin, 'Access-Control-Request-Method': method }
          const preflight = await service().call('OPTIONS', path, { key: null, headers })
          assert.deepEqual([preflight.status, preflight.text], [204, ''])
          assert.equal(preflight.headers.get('access-control-allow-origin'), Origin)
          const listOf = (name: string) => preflight.headers.get(`access-control-allow-${name}`)?.split(', ') ?? []
          assert.ok(listOf('methods').includes(method), method)
          for (const name of ['Authorization', 'Content-Type', 'Idempotency-Key', 'If-None-Match', 'Last-Event-ID'])
            assert.ok(listOf('headers').includes(name), name)
          const answer = await service().call(method, path, { headers: { Origin } })
          if (path !== '/pets') expectError(answer, 404, 'route_not_found')
          assert.equal(answer.headers.get('access-control-allow-origin'), Origin)
        }
    })

    test('With CORS, any other OPTIONS of an unknown path needs a key [decision 3]', async () => {
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

    test('With CORS, Vary contains Origin and Accept-Encoding', async () => {
      for (const path of ['//openapi.json', '//docs'])
        assert.equal((await service().call('GET', path)).headers.get('vary'), 'Accept-Encoding, Origin')
    })

    test('With CORS, responses to other origins have no CORS headers, but Vary: Origin [decision 3]', async () => {
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
