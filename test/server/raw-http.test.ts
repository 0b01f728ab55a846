/** Broken and hostile HTTP over a bare socket. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { PassThrough } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { addPet, expectError } from '../../harness/expect.ts'
import { chunk, exchange, RawConnection, request } from '../../harness/raw.ts'
import { afterEach, test } from '../../harness/scope.ts'
import { type Answer, onOneTarget } from '../../harness/service.ts'
import { endSide } from '../../src/server/bare-response.ts'

onOneTarget('Raw HTTP', (service) => {
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
  const post = (headers: readonly string[], body: string) =>
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
    'an unknown method': 'FETCH /v1/pets HTTP/1.1\r\nHost: localhost\r\n\r\n',
    'a method in lower case': 'get /v1/pets HTTP/1.1\r\nHost: localhost\r\n\r\n',
    'a header without a colon': 'GET /v1/pets HTTP/1.1\r\nHost: localhost\r\nnonsense\r\n\r\n',
    'a bare CR in a header': 'GET /v1/pets HTTP/1.1\r\nHost: localhost\r\nX: a\rb\r\n\r\n',
    'the preface of HTTP/2': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    'the hello of TLS': Uint8Array.of(0x16, 3, 1, 2, 0, 1, 0, 1, 0xfc, 3, 3, 0, 0, 0x0d, 0x0a, 0x0d, 0x0a),
  }
  test('The service refuses what is not an HTTP/1.1 request, such as one with an unknown method [decision 2]', async () => {
    for (const bytes of Object.values(garbage)) expectRefusal(await send(bytes))
  })

  test('The service answers a WebDAV method like any other that a path does not have: 401, 404 or 405 [decision 2]', async () => {
    const ask = (path: string, ...headers: string[]) =>
      send(request(`PROPFIND ${path} HTTP/1.1`, [host, close, ...headers]))
    const [known] = await ask('/v1/pets', key())
    expectError(known as Answer, 405, 'method_not_allowed')
    assert.equal(known?.headers.get('allow'), 'GET, HEAD, POST, OPTIONS')
    expectError((await ask('/v1/nowhere', key()))[0] as Answer, 404, 'route_not_found')
    expectError((await ask('/v1/pets'))[0] as Answer, 401, 'missing_api_key')
  })

  test('A request that the parser refuses gets the headers of every other response', async () => {
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

  test('The service refuses a request without Host, with an invalid Host, and with two Hosts even if they agree [decision 2]', async () => {
    for (const hosts of [[], [host, host], [host, 'Host: other.example']])
      expectRefusal(await send(request('GET /v1/pets HTTP/1.1', [...hosts, key()])))
    for (const bad of ['a b', 'a/b', 'user@a', 'a,b', 'a?b', 'a#b'])
      expectRefusal(await send(request('GET /v1/pets HTTP/1.1', [`Host: ${bad}`, key()])))
  })

  test('The service accepts an absolute-form target only for its own host [decision 2]', async () => {
    for (const target of ['http://localhost/v1/pets?limit=1', 'http://LOCALHOST/v1/pets?limit=1'])
      assert.equal((await send(get(target, close)))[0]?.status, 200, target)
    for (const target of ['http://other.example/v1/pets', 'http://localhost:81/v1/pets', 'ftp:x', 'pets', 'http://'])
      expectRefusal(await send(get(target)))
  })

  test('The service answers other forms of the target with 404, and opens no tunnel', async () => {
    for (const target of ['*', '//v1/pets', '/../v1/pets', '/v1/../v1/pets', '/v1/pets#x', '/\\v1/pets']) {
      const [answer] = await send(get(target, close))
      assert.ok(answer)
      expectError(answer, 404, 'route_not_found')
    }
    for (const target of ['example.com:443', 'localhost:80', '/v1/pets'])
      assert.ok([400, 405].includes((await send(request(`CONNECT ${target} HTTP/1.1`, [host, key()])))[0]?.status ?? 0))
  })

  test('The service refuses headers above 16 KiB with 431 even when they trickle in [decision 2]', async () => {
    const connection = await RawConnection.open(service().port)
    connection.send(get('/v1/pets', 'Content-Length: 1'))
    assert.equal((await connection.answer())?.status, 200)
    // The byte of the body precedes the next head, so that no packet begins with a request line.
    connection.send(`x${get('/livez').slice(0, -2)}`)
    connection.send(`X: ${'x'.repeat(20_000)}`)
    expectRefusal(await connection.answers(), 431, 'headers_too_large')
    connection.close()
  })

  const chunked = 'Transfer-Encoding: chunked'
  const inChunks = `${chunk(pet)}0\r\n\r\n`
  test('The service refuses a body with an unclear length or a coding other than chunked, and adds no animal [decision 2]', async () => {
    const before = await addPet(service())
    for (const [headers, body] of [
      // The length of a chunk is missing, negative, too small, or beyond 64 bits.
      ...['zz', '-1', '2', 'f'.repeat(17)].map((length) => [[chunked], `${length}\r\n${pet}\r\n0\r\n\r\n`] as const),
      ...['Content-Length: abc', 'Content-Length: -1'].map((length) => [[length], pet] as const),
      [['Content-Length: 29', 'Content-Length: 5'], pet],
      [['Content-Length: 4', chunked], inChunks],
      [[chunked, 'Content-Length: 4'], inChunks],
      // Another request would be hidden in the body.
      [['Content-Length: 6', chunked], `0\r\n\r\n${get('/v1/pets')}`],
      ...['gzip, chunked', 'gzip', 'identity', 'chunked, chunked', 'chunked, identity', 'xchunked'].map(
        (coding) => [[`Transfer-Encoding: ${coding}`], inChunks] as const,
      ),
    ] as const)
      expectRefusal(await send(post(headers, body)))
    assert.equal((await addPet(service())).id, before.id + 1)
    assert.equal((await send(post(['Transfer-Encoding: Chunked', close], inChunks)))[0]?.status, 201)
  })

  test('The service ignores an unknown Expect header, and a request to upgrade', async () => {
    for (const lines of [
      ['Expect: miracles', close],
      ['Connection: Upgrade, close', 'Upgrade: websocket'],
    ])
      assert.equal((await send(get('/v1/pets', ...lines)))[0]?.status, 200)
  })

  test('The service reads nothing after a request to change the protocol, and closes the connection [decision 2]', async () => {
    const upgrade = [key(), json, 'Connection: Upgrade', 'Upgrade: h2c', `Content-Length: ${pet.length}`]
    const first = request('POST /v1/pets HTTP/1.1', [host, ...upgrade], pet)
    const hidden = post([`Content-Length: ${pet.length}`], pet)
    const count = async () => (await service().call('GET', '/store/inventory')).json.available
    for (const parts of [[first + hidden], [first, hidden], [first + hidden, hidden]]) {
      const before = await count()
      const answers = await send(...parts)
      assert.deepEqual(
        answers.map(({ status, headers }) => [status, headers.get('connection')]),
        [[201, 'close']],
      )
      assert.equal(await count(), before + 1)
    }
  })

  test('The service reads nothing after a request that closes the connection', async () => {
    const before = (await service().call('GET', '/store/inventory')).json.available
    const answers = await send(get('/v1/pets?limit=1', close) + post([`Content-Length: ${pet.length}`], pet))
    assert.deepEqual([answers.length, answers[0]?.status], [1, 200])
    assert.equal((await service().call('GET', '/store/inventory')).json.available, before)
  })

  test('The service answers a request once, even if its body breaks off after the response [decision 21]', async () => {
    const refused = (...headers: string[]) => request('POST /v1/pets HTTP/1.1', [host, ...headers])
    for (const [head, rest, ...others] of [
      [refused(chunked), 'zz\r\n'],
      [refused('Content-Length: 9'), ''],
      [refused('Content-Length: 1'), '.nonsense\r\n\r\n', 'HTTP/1.1 400'],
    ] as const) {
      const socket = connect({ port: service().port, host: '127.0.0.1', allowHalfOpen: true })
      socket.write(head)
      const [first] = await once(socket, 'data')
      socket.end(rest)
      assert.deepEqual(`${first}${await buffer(socket)}`.match(/HTTP\/1\.1 \d+/g), ['HTTP/1.1 401', ...others])
    }
  })

  test('The service answers pipelined requests in order, including those before a broken one [decision 21]', async () => {
    const whole = post([`Content-Length: ${pet.length}`], pet)
    for (const broken of ['nonsense\r\n\r\n', post([chunked], 'zz\r\n')]) {
      const answers = await send(whole + get('/v1/pets?limit=1') + broken)
      assert.deepEqual(
        answers.map(({ status }) => status),
        [201, 200, 400],
      )
    }
  })
})

onOneTarget(
  'An origin that no page has',
  (service) => {
    test('An Origin that no page has is not sent back and does no harm [decision 3]', async () => {
      for (const method of ['GET', 'UNKNOWN'])
        for (const origin of ['\xff', 'a\x0bb', 'a\x7fb', 'a\rb', 'a b']) {
          const text = request(`${method} /v1/pets HTTP/1.1`, [
            'Host: localhost',
            `Origin: ${origin}`,
            'Connection: close',
          ])
          const [answer] = await exchange(service().port, Buffer.from(text, 'latin1'))
          assert.ok(answer && [400, 401].includes(answer.status))
          assert.equal(answer.headers.get('access-control-allow-origin'), null)
        }
      const [answer] = await exchange(
        service().port,
        request('GET /v1/pets HTTP/1.1', ['Host: localhost', 'Origin: https://a.example', 'Connection: close']),
      )
      assert.equal(answer?.headers.get('access-control-allow-origin'), 'https://a.example')
    })
  },
  { CORS_ORIGINS: '*' },
)

test('A connection whose client keeps its side open is destroyed after half a second, and no timer stays otherwise', ({
  mock,
}) => {
  mock.timers.enable({ apis: ['setTimeout'] })
  for (const [isClosed, destroyed] of [
    [false, 1],
    [true, 0],
  ] as const) {
    const socket = new PassThrough()
    const destroy = mock.method(socket, 'destroy', () => socket)
    endSide(socket)
    if (isClosed) socket.emit('close')
    mock.timers.tick(500)
    assert.equal(destroy.mock.callCount(), destroyed)
  }
})
