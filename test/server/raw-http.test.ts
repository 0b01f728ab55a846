/** Broken and hostile HTTP over a bare socket. Most on Node only: Bun's parser refuses it before our code sees it, with a bare status. */
import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { addPet, expectError } from '../support/expect.ts'
import { chunk, exchange, RawConnection, request } from '../support/raw.ts'
import { type Answer, onEveryTarget, onOneTarget, targets } from '../support/service.ts'

onOneTarget('Raw HTTP on Node', (service) => {
  afterEach(async () => {
    assert.equal((await service().call('GET', '/pets?limit=1')).status, 200, 'the process lives on')
    assert.doesNotMatch(service().log, /"level":(50|60)|Error/, 'nothing failed inside')
  })

  const send = (...parts: (string | Uint8Array)[]) => exchange(service().port, ...parts)
  const host = 'Host: localhost'
  const close = 'Connection: close'
  const key = () => `Authorization: Bearer ${service().key}`
  const json = 'Content-Type: application/json'
  const get = (path: string, ...headers: string[]) => request(`GET ${path} HTTP/1.1`, [host, key(), ...headers])
  const pet = '{"name":"Rex","categoryId":1}'
  const post = (headers: string[], body: string) =>
    request('POST /v1/pets HTTP/1.1', [host, key(), json, ...headers], body)

  function expectRefusal(answers: readonly Answer[], status = 400, code = 'bad_request'): string {
    assert.equal(answers.length, 1, `one refusal, then closed: ${answers.map(({ text }) => text)}`)
    assert.equal(answers[0]?.headers.get('connection'), 'close')
    return expectError(answers[0] as Answer, status, code)
  }

  const garbage: Record<string, string | Uint8Array> = {
    'a line that is no request': 'hello\r\n\r\n',
    'an HTTP/0.9 line': 'GET /v1/pets\r\n\r\n',
    'an unknown version': 'GET /v1/pets HTTP/9.9\r\nHost: localhost\r\n\r\n',
    'an unknown protocol': 'GET /v1/pets FTP/1.1\r\nHost: localhost\r\n\r\n',
    'an unknown method with a broken header': 'FETCH /v1/pets HTTP/1.1\r\nHost: localhost\r\nnonsense\r\n\r\n',
    'an unknown method without its end': 'FETCH /v1/pets HTTP/1.1\r\nHost: localhost\r\n',
    'a header without a colon': 'GET /v1/pets HTTP/1.1\r\nHost: localhost\r\nnonsense\r\n\r\n',
    'a space before the colon': 'GET /v1/pets HTTP/1.1\r\nHost : localhost\r\n\r\n',
    'a folded header': 'GET /v1/pets HTTP/1.1\r\nHost: localhost\r\nX: a\r\n b\r\n\r\n',
    'a NUL in a header': 'GET /v1/pets HTTP/1.1\r\nHost: localhost\r\nX: a\0b\r\n\r\n',
    'a bare CR in a header': 'GET /v1/pets HTTP/1.1\r\nHost: localhost\r\nX: a\rb\r\n\r\n',
    'the preface of HTTP/2': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    'the hello of TLS': Uint8Array.of(0x16, 3, 1, 2, 0, 1, 0, 1, 0xfc, 3, 3, 0, 0, 0x0d, 0x0a, 0x0d, 0x0a),
  }
  test('refuses what is no request of HTTP/1.1 [D172]', async () => {
    for (const bytes of Object.values(garbage)) expectRefusal(await send(bytes))
  })

  test('answers an unknown method as any other that a path does not have: 401, 404 or 405 [D6]', async () => {
    for (const method of ['FETCH', 'get', 'M-SEARCHED', 'PROPFIND']) {
      const ask = (path: string, ...headers: string[]) =>
        send(request(`${method} ${path} HTTP/1.1`, [host, close, 'X-Request-Id: mine', ...headers]))
      const [known] = await ask('/v1/pets', key())
      expectError(known as Answer, 405, 'method_not_allowed')
      assert.equal(known?.headers.get('allow'), 'GET, HEAD, POST, OPTIONS')
      assert.equal(known?.headers.get('x-request-id'), 'mine')
      expectError((await ask('/v1/nowhere', key()))[0] as Answer, 404, 'route_not_found')
      expectError((await ask('/v1/pets'))[0] as Answer, 401, 'missing_api_key')
      expectError((await ask('/v1/pets', key(), key()))[0] as Answer, 401, 'invalid_api_key')
      expectError((await ask('/v1/pets', key(), 'Host: other'))[0] as Answer, 400, 'bad_request')
    }
  })

  test('answers CONNECT, and opens no tunnel', async () => {
    for (const target of ['example.com:443', 'localhost:80', '/v1/pets'])
      assert.ok([400, 405].includes((await send(request(`CONNECT ${target} HTTP/1.1`, [host, key()])))[0]?.status ?? 0))
  })

  test('gives what the parser refuses the headers of every other answer', async () => {
    for (const bytes of [
      garbage['a line that is no request'] as string,
      `GET / HTTP/1.1\r\nX: ${'x'.repeat(17_000)}`,
    ]) {
      const [answer] = await send(bytes)
      assert.match(answer?.headers.get('x-request-id') ?? '', /^[\w-]{36}$/)
      assert.match(answer?.headers.get('date') ?? '', / GMT$/)
      assert.equal(answer?.headers.get('x-content-type-options'), 'nosniff')
    }
  })

  test('refuses a Transfer-Encoding that is more than chunked [D172]', async () => {
    for (const encoding of ['gzip, chunked', 'gzip', 'identity', 'chunked, chunked']) {
      const answers = await send(post([`Transfer-Encoding: ${encoding}`], `${chunk(pet)}0\r\n\r\n`))
      expectRefusal(answers)
    }
    const [taken] = await send(post(['Transfer-Encoding: Chunked', close], `${chunk(pet)}0\r\n\r\n`))
    assert.equal(taken?.status, 201)
  })

  test('refuses no Host, two of them, also when they agree, and one that names no host [D172]', async () => {
    for (const hosts of [[], [host, host], [host, 'Host: other.example']])
      expectRefusal(await send(request('GET /v1/pets HTTP/1.1', [...hosts, key()])))
    for (const bad of ['a b', 'a/b', 'user@a', 'a,b', 'a?b', 'a#b'])
      expectRefusal(await send(request('GET /v1/pets HTTP/1.1', [`Host: ${bad}`, key()])))
  })

  test('takes an absolute-form target for its own host, and for no other [D172]', async () => {
    for (const target of ['http://localhost/v1/pets?limit=1', 'http://LOCALHOST/v1/pets?limit=1'])
      assert.equal((await send(get(target, close)))[0]?.status, 200, target)
    for (const target of ['http://other.example/v1/pets', 'http://localhost:81/v1/pets', 'ftp:x', 'pets', 'http://'])
      expectRefusal(await send(get(target)))
  })

  test('answers other forms of the target with 404, or closes', async () => {
    for (const target of ['*', '//v1/pets', '/../v1/pets', '/v1/../v1/pets', '/v1/pets#x', '/\\v1/pets']) {
      const [answer] = await send(get(target, close))
      assert.ok(answer)
      expectError(answer, 404, 'route_not_found')
    }
    const connected = await send(request('CONNECT other.example:443 HTTP/1.1', ['Host: other.example:443']))
    assert.ok(connected.every(({ status }) => status >= 400))
  })

  test('refuses headers above 16 KiB with 431 [D14]', async () => {
    expectRefusal(await send(get('/v1/pets', `X: ${'x'.repeat(20_000)}`)), 431, 'headers_too_large')
    const many = Array.from({ length: 2000 }, (_, i) => `X-${i}: 1234567890`)
    expectRefusal(await send(get('/v1/pets', ...many)), 431, 'headers_too_large')
  })

  test('refuses headers above 16 KiB with 431 also when they trickle in', async () => {
    const connection = await RawConnection.open(service().port)
    connection.send(get('/v1/pets', 'Content-Length: 1'))
    assert.equal((await connection.answer())?.status, 200)
    // The byte of the body goes before the next head, so that no packet begins with a request line.
    connection.send(`x${get('/livez').slice(0, -2)}`)
    connection.send(`X: ${'x'.repeat(20_000)}`)
    expectRefusal(await connection.answers(), 431, 'headers_too_large')
    connection.close()
  })

  test('refuses a target above 8 KiB with 414, whatever its length', async () => {
    for (const length of [8193, 12_000])
      expectError((await send(get(`/v1/pets?${'x'.repeat(length)}`, close)))[0] as Answer, 414, 'uri_too_long')
    for (const length of [17_000, 60_000])
      expectRefusal(await send(get(`/v1/pets?${'x'.repeat(length)}`)), 414, 'uri_too_long')
  })

  const badBodies: Record<string, [string[], string]> = {
    'a chunk whose length is none': [['Transfer-Encoding: chunked'], `zz\r\n${pet}\r\n0\r\n\r\n`],
    'a chunk with a negative length': [['Transfer-Encoding: chunked'], `-1\r\n${pet}\r\n0\r\n\r\n`],
    'a chunk longer than it says': [['Transfer-Encoding: chunked'], `2\r\n${pet}\r\n0\r\n\r\n`],
    'a chunk length beyond 64 bits': [['Transfer-Encoding: chunked'], `${'f'.repeat(17)}\r\n${pet}\r\n0\r\n\r\n`],
    'a length that is none': [['Content-Length: abc'], pet],
    'a negative length': [['Content-Length: -1'], pet],
    'two lengths': [['Content-Length: 29', 'Content-Length: 5'], pet],
    'a length and chunks at once': [['Content-Length: 4', 'Transfer-Encoding: chunked'], `${chunk(pet)}0\r\n\r\n`],
    'chunks and a length at once': [['Transfer-Encoding: chunked', 'Content-Length: 4'], `${chunk(pet)}0\r\n\r\n`],
    'an encoding after chunked': [['Transfer-Encoding: chunked, identity'], `${chunk(pet)}0\r\n\r\n`],
    'an unknown transfer encoding': [['Transfer-Encoding: xchunked'], `${chunk(pet)}0\r\n\r\n`],
  }
  test('refuses a body whose length is not clear, and adds no animal', async () => {
    const before = await addPet(service())
    for (const [headers, body] of Object.values(badBodies)) expectRefusal(await send(post(headers, body)))
    assert.equal((await addPet(service())).id, before.id + 1)
  })

  test('never handles a smuggled request', async () => {
    const inner = get('/v1/pets')
    const answers = await send(post(['Content-Length: 6', 'Transfer-Encoding: chunked'], `0\r\n\r\n${inner}`))
    expectRefusal(answers)
  })

  test('survives a client that goes away in the middle of a body', async () => {
    for (const part of [
      post(['Content-Length: 1000'], pet),
      post(['Transfer-Encoding: chunked'], chunk(pet)),
      'GET /v1/pe',
    ]) {
      const connection = await RawConnection.open(service().port)
      connection.send(part)
      connection.send(post(['Content-Length: 1000'], pet))
      connection.close()
    }
  })

  test('ignores an unknown Expect header, and a request to upgrade', async () => {
    for (const lines of [
      ['Expect: miracles', close],
      ['Connection: Upgrade, close', 'Upgrade: websocket'],
    ])
      assert.equal((await send(get('/v1/pets', ...lines)))[0]?.status, 200)
  })

  test('sends 100 Continue for a body the client holds back', async () => {
    const connection = await RawConnection.open(service().port)
    connection.send(post(['Expect: 100-continue', `Content-Length: ${pet.length}`, close], ''))
    assert.equal((await connection.answer())?.status, 100)
    connection.send(pet)
    assert.equal((await connection.answer())?.status, 201)
    connection.close()
  })

  test('answers pipelined requests in their order [D175]', async () => {
    const answers = await send(
      get('/v1/pets?limit=1') + post([`Content-Length: ${pet.length}`], pet) + get('/v1/nope') + get('/livez', close),
    )
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 201, 404, 200],
    )
  })

  test('answers what came before a broken request in a pipeline first', async () => {
    const whole = post([`Content-Length: ${pet.length}`], pet)
    for (const broken of ['nonsense\r\n\r\n', post(['Transfer-Encoding: chunked'], 'zz\r\n')]) {
      const answers = await send(whole + get('/v1/pets?limit=1') + broken)
      assert.deepEqual(
        answers.map(({ status }) => status),
        [201, 200, 400],
      )
    }
  })
})

onEveryTarget(
  'Raw HTTP',
  (service) => {
    const head = (line: string, ...headers: string[]) =>
      request(line, ['Host: localhost', `Authorization: Bearer ${service().key}`, ...headers])

    test('closes a connection that pipelines rather than mix up answers, and serves the next [D175]', async () => {
      const answers = await exchange(service().port, head('GET /v1/pets HTTP/1.1').repeat(3))
      assert.ok(answers.length < 3)
      for (const { status, text } of answers) assert.deepEqual([status, text], [200, '[]'])
      const [answer] = await exchange(service().port, head('GET /v1/pets HTTP/1.1', 'Connection: close'))
      assert.equal(answer?.status, 200)
    })

    test('answers an absolute-form target for another host as if it were for this one [D172]', async () => {
      const line = 'GET http://other.example/v1/pets?limit=1 HTTP/1.1'
      assert.equal((await exchange(service().port, head(line, 'Connection: close')))[0]?.status, 200)
    })
  },
  {},
  targets.filter(({ name }) => name === 'Bun with SQLite'),
)
