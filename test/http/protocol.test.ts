/** What holds for every request: the shape of errors, the order of checks, methods, caching, request ids, open pages. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addPet, expectError, freshCategory } from '../support/expect.ts'
import { exchange, request } from '../support/raw.ts'
import { onOneTarget } from '../support/service.ts'

const sunset = Date.UTC(2030, 11, 5)
const openPages = ['/openapi.json', '/livez', '/readyz']

onOneTarget('The protocol', (service) => {
  test('gives every error exactly three members, a type and no-store', async () => {
    const { key } = service()
    const answers = [
      [await service().call('GET', '/pets?limit=0'), 400, 'invalid_parameter'],
      [await service().call('GET', '/pets', { key: null }), 401, 'missing_api_key'],
      [await service().call('GET', '/nope'), 404, 'route_not_found'],
      [await service().call('GET', '/pets/0'), 404, 'pet_not_found'],
      [await service().call('DELETE', '/pets'), 405, 'method_not_allowed'],
      [await service().call('POST', '/pets', { body: ' '.repeat(70_000) }), 413, 'content_too_large'],
      [await service().call('GET', `/pets?${'x'.repeat(9000)}`), 414, 'uri_too_long'],
      [
        await service().call('POST', '/pets', { body: '', headers: { 'Content-Type': 'a/b' } }),
        415,
        'unsupported_media_type',
      ],
    ] as const
    for (const [answer, status, code] of answers) {
      const message = expectError(answer, status, code)
      assert.doesNotMatch(message, /\n| at |SELECT|INSERT|node:|\.ts\b/)
      assert.ok(!answer.text.includes(key))
      assert.equal(answer.headers.get('etag'), null)
    }
  })

  test('checks in the order of the register: each fault hides those after it', async () => {
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

  test('answers HEAD wherever it answers GET, with the same headers and no body', async () => {
    const { id } = await addPet(service())
    for (const path of ['/pets?limit=1', `/pets/${id}`, '//openapi.json', '//livez', '//readyz']) {
      // Compressed, the length would not be that of the text.
      const headers = { 'Accept-Encoding': 'identity' }
      const [get, head] = [
        await service().call('GET', path, { headers }),
        await service().call('HEAD', path, { headers }),
      ]
      assert.equal(head.status, 200, path)
      assert.equal(head.text, '')
      for (const name of ['content-type', 'content-length', 'etag', 'cache-control', 'link'])
        assert.equal(head.headers.get(name), get.headers.get(name), `${name} of ${path}`)
      assert.equal(head.headers.get('content-length'), String(Buffer.byteLength(get.text)))
    }
  })

  test('answers HEAD with the same errors as GET', async () => {
    assert.equal((await service().call('HEAD', '/pets', { key: null })).status, 401)
    assert.equal((await service().call('HEAD', '/pets/0')).status, 404)
    assert.equal((await service().call('HEAD', '/pets?limit=0')).status, 400)
  })

  test('answers OPTIONS without a key', async () => {
    for (const path of ['/pets', '/pets/1']) {
      const answer = await service().call('OPTIONS', path, { key: null })
      assert.equal(answer.status, 204)
      assert.equal(answer.text, '')
      assert.match(answer.headers.get('allow') ?? '', path === '/pets' ? /^GET, HEAD, POST, OPTIONS$/ : /^GET, HEAD, /)
    }
  })

  test('refuses other methods with 405 and names the ones it answers', async () => {
    for (const method of ['PUT', 'PATCH', 'DELETE', 'PROPFIND']) {
      const answer = await service().call(method, '/pets')
      expectError(answer, 405, 'method_not_allowed')
      assert.equal(answer.headers.get('allow'), 'GET, HEAD, POST, OPTIONS')
    }
    const answer = await service().call('POST', '/pets/1', { body: {} })
    expectError(answer, 405, 'method_not_allowed')
    assert.match(answer.headers.get('allow') ?? '', /^GET, HEAD, /)
  })

  test('answers a trailing slash and every unknown path with 404, never with a redirect', async () => {
    for (const path of ['/pets/', '/pets/1/', '/pets//', '/Pets', '/PETS', '/pet', '/pets%2F1', '/pets;x', '/', ''])
      expectError(await service().call('GET', path), 404, 'route_not_found')
    for (const path of ['//nope', '//pets', '//v2/pets', '//v1pets', '//livez/', '//favicon.ico'])
      expectError(await service().call('GET', path, { key: null }), 404, 'route_not_found')
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

  test('ignores Accept', async () => {
    for (const Accept of ['text/html', 'application/xml;q=1', 'nonsense', '*/*;q=0']) {
      const answer = await service().call('GET', '/pets?limit=1', { headers: { Accept } })
      assert.equal(answer.status, 200)
      assert.equal(answer.headers.get('content-type'), 'application/json; charset=utf-8')
      expectError(await service().call('GET', '/nope', { headers: { Accept } }), 404, 'route_not_found')
    }
  })

  test('marks what GET answers with an ETag that changes with the body', async () => {
    const categoryId = freshCategory()
    const path = `/pets?categoryId=${categoryId}`
    const first = await service().call('GET', path)
    assert.match(first.headers.get('etag') ?? '', /^"[\w-]+"$/)
    assert.equal(first.headers.get('cache-control'), 'private, no-cache')
    assert.equal((await service().call('GET', path)).headers.get('etag'), first.headers.get('etag'))
    await addPet(service(), { categoryId })
    assert.notEqual((await service().call('GET', path)).headers.get('etag'), first.headers.get('etag'))
  })

  test('answers 304 while the copy of the client is current', async () => {
    const { id } = await addPet(service())
    for (const [path, control] of [
      [`/pets?id=${id}`, 'private, no-cache'],
      [`/pets/${id}`, 'private, no-cache'],
      ['//openapi.json', 'public, no-cache'],
    ] as const) {
      const etag = (await service().call('GET', path)).headers.get('etag') ?? ''
      for (const tags of [etag, `W/${etag}`, `"other", ${etag}`, `"a",W/${etag},"b"`, '*'])
        for (const method of ['GET', 'HEAD']) {
          const answer = await service().call(method, path, { headers: { 'If-None-Match': tags } })
          assert.equal(answer.status, 304, `${method} ${path} ${tags}`)
          assert.equal(answer.text, '')
          assert.equal(answer.headers.get('etag'), etag)
          assert.equal(answer.headers.get('cache-control'), control)
        }
      for (const tags of ['"other"', etag.slice(1, -1), `w/${etag}`, '', '"*"', 'W/"other"'])
        assert.equal((await service().call('GET', path, { headers: { 'If-None-Match': tags } })).status, 200, tags)
    }
  })

  test('applies If-None-Match only to successful responses of GET', async () => {
    const headers = { 'If-None-Match': '*' }
    expectError(await service().call('GET', '/pets/0', { headers }), 404, 'pet_not_found')
    assert.equal((await service().call('POST', '/pets', { headers, body: { name: 'Rex', categoryId: 1 } })).status, 201)
    assert.equal((await service().call('GET', '//livez', { headers })).status, 200)
  })

  for (const id of ['a', 'A-b_c.9', 'x'.repeat(128)])
    test(`echoes the X-Request-Id ${id.slice(0, 20)}, on errors too`, async () => {
      for (const path of ['/pets?limit=1', '/nope', '/pets?limit=0', '//livez'])
        assert.equal(
          (await service().call('GET', path, { headers: { 'X-Request-Id': id } })).headers.get('x-request-id'),
          id,
        )
    })

  for (const id of ['', 'a b', 'x'.repeat(129), 'ü', 'a,b', 'a/b', '"a"'])
    test(`makes an X-Request-Id in place of "${id.slice(0, 20)}"`, async () => {
      const { headers } = await service().call('GET', '/pets?limit=1', { headers: { 'X-Request-Id': id } })
      assert.match(headers.get('x-request-id') ?? '', /^[\w.-]{8,128}$/)
      assert.notEqual(headers.get('x-request-id'), id)
    })

  test('makes a new X-Request-Id for every request without one', async () => {
    const ids = new Set<string | null>()
    for (const path of ['/pets', '/pets', '/nope', '/nope'])
      ids.add((await service().call('GET', path)).headers.get('x-request-id'))
    assert.equal(ids.size, 4)
  })

  test('serves the document and the health pages without a key', async () => {
    for (const path of openPages) {
      const answer = await service().call('GET', `/${path}`, { key: null })
      assert.equal(answer.status, 200, path)
      assert.equal(answer.headers.get('content-type'), 'application/json; charset=utf-8')
      assert.equal((await service().call('GET', `/${path}?x=1`, { key: 'nope' })).status, 200)
    }
    assert.equal((await service().call('GET', '//openapi.json', { key: null })).json.info.version, '1.0.0')
  })

  test('lets nobody cache the health pages', async () => {
    for (const path of ['//livez', '//readyz'])
      assert.equal((await service().call('GET', path, { key: null })).headers.get('cache-control'), 'no-store')
  })

  test('answers only GET, HEAD and OPTIONS on open pages', async () => {
    for (const path of openPages) {
      const refused = await service().call('POST', `/${path}`, { key: null, body: '{}' })
      expectError(refused, 405, 'method_not_allowed')
      assert.equal(refused.headers.get('allow'), 'GET, HEAD, OPTIONS')
      const options = await service().call('OPTIONS', `/${path}`, { key: null })
      assert.equal(options.status, 204)
      assert.equal(options.headers.get('allow'), 'GET, HEAD, OPTIONS')
    }
  })
})
