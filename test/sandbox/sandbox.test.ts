/** `petstore sandbox` as clients use it, over sockets. */
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { verifyWebhook } from '../../client/src/signature.ts'
import { faults } from '../../conform/src/faults.ts'
import { rules } from '../../conform/src/rules/rules.ts'
import { type Check, run } from '../../conform/src/run.ts'
import { createSend } from '../../conform/src/send.ts'
import { type Answer, type CallOptions, call } from '../../harness/call.ts'
import { eventually } from '../../harness/patience.ts'
import { node, Program } from '../../harness/process.ts'
import { testInFull } from '../../harness/scope.ts'
import { main } from '../../harness/service.ts'
import { operations } from '../../src/app.ts'
import { errors } from '../../src/errors.ts'

const rex = { name: 'Rex', categoryId: 1 }
let shops = 0

/** An operation in an OpenAPI document. */
interface Described {
  readonly requestBody?: { content: { 'application/json': { examples: Record<string, { value: unknown }> } } }
  readonly responses: Record<string, unknown>
}

describe('A sandbox', () => {
  const start = async () => {
    const program = new Program([node, main, 'sandbox'], { env: { PORT: '0' } })
    const [, url = ''] = await program.until(/The sandbox is at (\S+)\. /)
    return { program, url }
  }
  let program: Program
  let url: string
  before(async () => {
    ;({ program, url } = await start())
  })
  after(() => program[Symbol.asyncDispose]())

  /** Returns a shop that no other test uses. */
  const newShop = (of = url) => {
    const key = `test_shop${++shops}`
    const ask = (method: string, path: string, body?: unknown, options: CallOptions = {}): Promise<Answer> =>
      call(of, method, path, { key, ...(body !== undefined && { body }), ...options })
    const told = async (method: string, path: string, body?: unknown) => {
      const { status, text } = await ask(method, `//sandbox${path}`, body)
      assert.equal(status, 204, text)
    }
    return {
      key,
      ask,
      fail: (...failures: object[]) => told('PUT', '/failures', failures),
      advance: (advance: string) => told('PUT', '/clock', { advance }),
      setClock: (now: string) => told('PUT', '/clock', { now }),
      reset: (body?: object) => told('POST', '/reset', body),
      state: async () => (await ask('GET', '//sandbox')).json,
      requests: async () => (await ask('GET', '//sandbox/requests')).json,
    }
  }

  test('Every key of the form test_… opens its own empty shop, and has every scope [decision 18]', async () => {
    const [one, other] = [newShop(), newShop()]
    for (const { ask } of [one, other]) {
      assert.equal((await ask('GET', '/pets')).text, '[]')
      assert.equal((await ask('POST', '/pets', rex)).json.id, 1)
    }
    assert.equal((await one.ask('POST', '/pets', rex)).json.id, 2)
    assert.equal((await other.state()).animals, 1)
    for (const path of ['/me', '/webhooks', '/events', '/store/orders', '//metrics'])
      assert.equal((await one.ask('GET', path)).status, 200, path)
    assert.equal((await call(url, 'POST', '/pets', { key: `test_${'a'.repeat(64)}`, body: rex })).json.id, 1)
    for (const key of ['test_', `test_${'a'.repeat(65)}`, 'test_a.b', 'pst_a', 'atest_a'])
      for (const path of ['/pets', '//sandbox', '//sandbox/reset']) {
        const { status, json } = await call(url, path.endsWith('reset') ? 'POST' : 'GET', path, { key })
        assert.deepEqual([status, json.code], [401, 'invalid_api_key'], `${key} ${path}`)
      }
    assert.equal((await call(url, 'GET', '//sandbox')).json.code, 'missing_api_key')
    for (const path of [
      '//livez',
      '//docs',
      '//openapi.json',
      '//sandbox/docs',
      '//sandbox/docs/testing',
      '//sandbox/docs/docs.js',
    ])
      assert.equal((await call(url, 'GET', path)).status, 200, path)
  })

  test('A sandbox can fail with every error code, its status and its headers, without any effect of the request [decision 18]', async () => {
    const { ask, fail, state } = newShop()
    await fail(...Object.keys(errors).map((error) => ({ operation: 'createPet', error })))
    for (const [code, [status, message]] of Object.entries(errors)) {
      const refused = await ask('POST', '/pets', rex)
      assert.deepEqual([refused.status, refused.json], [status, { code, message, status }])
      const { headers } = refused
      assert.equal(headers.get('cache-control'), 'no-store')
      assert.equal(headers.get('retry-after'), status === 429 || status === 503 || /progress/.test(code) ? '1' : null)
      assert.equal(headers.has('www-authenticate'), status === 401 || status === 403)
      assert.equal(headers.has('allow'), status === 405)
    }
    assert.equal((await ask('POST', '/pets', rex)).status, 201)
    assert.equal((await state()).animals, 1)
  })

  test('Errors of a sandbox announce a deprecated operation with the same headers as the service [decision 18]', async () => {
    const { ask, fail } = newShop()
    for (const [error, isAnnounced] of [
      ['pet_not_found', true],
      ['unavailable', true],
      ['rate_limited', false],
      ['invalid_api_key', false],
    ] as const) {
      await fail({ operation: 'getPet', error })
      const { headers } = await ask('GET', '/pets/1')
      for (const name of ['deprecation', 'sunset', 'link']) assert.equal(headers.has(name), isAnnounced, error)
    }
  })

  /** Returns everything that arrives on a connection until it is closed. */
  function rawPost(key: string): Promise<string> {
    const body = JSON.stringify(rex)
    const head = `Host: a\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json`
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    socket.write(`POST /v1/pets HTTP/1.1\r\n${head}\r\nContent-Length: ${body.length}\r\n\r\n${body}`)
    let received = ''
    socket.setEncoding('utf8').on('data', (text) => (received += text))
    return new Promise((resolve) => socket.on('close', () => resolve(received)))
  }

  test('A sandbox can cut a connection before a request takes effect, in the middle of the response, or after it [decision 18]', async () => {
    for (const [cut, animals] of [
      ['before', 0],
      ['middle', 1],
      ['after', 1],
    ] as const) {
      const { key, fail, state, requests } = newShop()
      await fail({ operation: 'createPet', cut })
      const received = await rawPost(key)
      const hasHead = received.includes('\r\n\r\n')
      assert.equal(hasHead, cut === 'middle', `${cut}: ${received}`)
      if (hasHead) assert.match(received, /^HTTP\/1\.1 201 .*\{"id":1,"name":"Rex",[^}]*$/s)
      assert.equal((await state()).animals, animals, cut)
      const [entry] = await requests()
      assert.deepEqual([entry.status, entry.failure], [cut === 'before' ? 0 : 201, { cut }])
    }
  })

  test('A sandbox lets the given number of requests pass, fails the given number, and lists the failures that are left [decision 18]', async () => {
    const { ask, fail, state, requests } = newShop()
    const failures = [
      { operation: 'createPet', skip: 1, times: 2, error: 'unavailable' },
      { operation: '*', skip: 0, times: 1, error: 'rate_limited' },
      { operation: 'listPets', skip: 0, times: 1, delayMs: 1 },
    ]
    await fail(...failures, { operation: '*', times: 0, cut: 'before' })
    assert.deepEqual((await state()).failures, failures)
    const statuses: number[] = []
    for (const method of ['POST', 'POST', 'GET', 'POST', 'POST', 'HEAD'])
      statuses.push((await ask(method, '/pets', method === 'POST' ? rex : undefined)).status)
    // The first entry lets the first POST pass, and the second entry fails it.
    assert.deepEqual(statuses, [429, 503, 200, 503, 201, 200])
    assert.deepEqual((await state()).failures, [])
    const journal = await requests()
    assert.deepEqual(
      journal.map(({ operation, failure = {} }: { operation: string; failure?: object }) => [
        operation,
        ...Object.values(failure),
      ]),
      [
        ['createPet', 'rate_limited'],
        ['createPet', 'unavailable'],
        ['listPets', 1],
        ['createPet', 'unavailable'],
        ['createPet'],
        ['listPets'],
      ],
    )
    await fail({ operation: 'getMe', error: 'unavailable' })
    await fail()
    assert.equal((await ask('GET', '/me')).status, 200)
  })

  test('A sandbox keeps the last 1,000 requests of a shop, and only the beginning of long texts [decision 18]', async () => {
    const { ask, requests } = newShop()
    const headers = { 'Idempotency-Key': 'one', 'X-Request-Id': 'mine' }
    await ask('POST', '/pets?x=1', rex, { headers })
    await ask('GET', '/nope')
    await ask('POST', '/pets')
    const [first, second, third, ...others] = await requests()
    const { at, headers: sentHeaders, ...rest } = first
    assert.ok(Math.abs(Date.parse(at) - Date.now()) < 600_000)
    const sent = { operation: 'createPet', method: 'POST', path: '/v1/pets?x=1', status: 201 }
    const answer = '{"id":1,"name":"Rex","categoryId":1,"status":"available"}'
    const texts = { body: JSON.stringify(rex), answer, idempotencyKey: 'one', requestId: 'mine' }
    assert.deepEqual(rest, { ...sent, ...texts })
    assert.equal(sentHeaders['content-type'], 'application/json')
    assert.equal(sentHeaders.authorization, undefined)
    assert.deepEqual([second.operation, second.status, others], [undefined, 404, []])
    assert.deepEqual([third.status, third.body], [400, undefined])
    const long = 'a'.repeat(4_000)
    await ask('GET', `/nope?${long}`, undefined, { headers: { 'Idempotency-Key': long, 'X-Request-Id': long } })
    const { path, idempotencyKey, requestId } = (await requests())[3]
    for (const text of [path, idempotencyKey, requestId]) assert.ok(text.length <= 1_024)
    for (let i = 0; i < 10; i++) await Promise.all(Array.from({ length: 100 }, () => ask('GET', `/me?${i}`)))
    const journal = await requests()
    assert.equal(journal.length, 1_000)
    assert.deepEqual([journal[0].path, journal[999].path], ['/v1/me?0', '/v1/me?9'])
  })

  test('The clock of a shop of a sandbox moves everything that has a time [decision 18]', async () => {
    const { ask, advance, setClock, state, reset } = newShop()
    await setClock('2027-03-01T08:00:00Z')
    const headers = { 'Idempotency-Key': 'once' }
    const add = async () => (await ask('POST', '/pets', rex, { headers })).json.id
    const events = (await ask('GET', '/events?from=now')).headers.get('link') ?? ''
    assert.deepEqual([await add(), await add()], [1, 1])
    await ask('POST', '/store/orders', { petId: 1, heldUntil: '2027-03-02T07:00:00Z' })
    await advance('PT25H')
    assert.equal((await ask('GET', '/store/orders/1')).json.status, 'expired')
    assert.equal((await ask('GET', '/pets?id=1')).json[0].status, 'available')
    assert.equal(await add(), 2)
    const [yesterday, today] = (await ask('GET', '/store/sales?days=2')).json
    assert.deepEqual([yesterday.added, today.added], [1, 1])
    await advance('P31D')
    const [, next = ''] = /<([^>]+)>/.exec(events) ?? []
    assert.equal((await ask('GET', next.slice(url.length))).json.code, 'events_expired')
    assert.equal((await ask('GET', '/pets/1')).status, 200)
    await setClock('2030-12-05T00:00:00Z')
    assert.equal((await ask('GET', '/pets/1')).json.code, 'endpoint_removed')
    assert.match((await state()).now, /^2030-12-05T00:/)
    await setClock('2027-01-01T00:00:00+01:00')
    assert.equal((await ask('GET', '/pets/1')).status, 200)
    await reset()
    assert.ok(Math.abs(Date.parse((await state()).now) - Date.now()) < 600_000)
  })

  test('A sandbox sends webhooks to this machine, and retries once for each move of the clock [decision 18]', async () => {
    const messages: { id: unknown; body: string }[] = []
    const verified: boolean[] = []
    let secret = ''
    const receiver = createServer(async (request, response) => {
      const body = (await request.setEncoding('utf8').toArray()).join('')
      messages.push({ id: request.headers['webhook-id'], body })
      verified.push(await verifyWebhook(secret, request.headers, body).then(Boolean, () => false))
      response.writeHead(messages.length < 3 ? 503 : 204).end()
    })
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
    const { ask, advance, fail } = newShop()
    const { port } = receiver.address() as AddressInfo
    for (const host of ['127.0.0.1', 'localhost'])
      assert.equal((await ask('POST', '/webhooks', { url: `http://${host}:${port}/`, enabled: false })).status, 400)
    const { status, json } = await ask('POST', '/webhooks', { url: `http://127.0.0.1:${port}/` })
    assert.equal(status, 201)
    secret = json.secret
    await ask('POST', '/pets', rex)
    await advance('PT0S')
    assert.equal(messages.length, 1)
    await advance('PT6S')
    assert.equal(messages.length, 2)
    await advance('P1D')
    assert.equal(messages.length, 3)
    assert.deepEqual([messages[1], messages[2]], [messages[0], messages[0]])
    await fail({ fault: 'webhook-signature' })
    await ask('POST', '/pets', rex)
    await advance('PT0S')
    assert.deepEqual(verified, [true, true, true, false])
    receiver.close()
  })

  test('A fault of a sandbox changes only requests of the operation that it is about [decision 18]', async () => {
    const { ask, fail } = newShop()
    await ask('POST', '/pets', rex)
    await fail({ fault: 'name-made-up' })
    const { categoryId } = rex
    assert.deepEqual((await ask('POST', '/pets', { categoryId })).json.name, 'a')
    assert.equal((await ask('PATCH', '/pets/1', { categoryId })).json.name, rex.name)
  })

  test('A shop of a sandbox is empty after a reset, or has the same sample animals as every shop [decision 18]', async () => {
    const [one, other] = [newShop(), newShop()]
    await one.ask('POST', '/pets', rex)
    await one.ask('POST', '/webhooks', { url: 'https://shop.example/' })
    await one.fail({ operation: '*', error: 'unavailable' }, { fault: 'ids-text' })
    await one.reset()
    const { now: _, ...state } = await one.state()
    assert.deepEqual(state, { animals: 0, orders: 0, webhooks: 0, requests: 0, stopped: false, failures: [] })
    for (const { reset, ask } of [one, other]) {
      await reset({ animals: 50 })
      const { json } = await ask('GET', '/pets?limit=100')
      assert.deepEqual([json.length, json[0].id, json[49].id], [50, 1, 50])
    }
    const lists = await Promise.all([one, other].map(({ ask }) => ask('GET', '/pets?limit=100')))
    assert.equal(lists[0]?.text, lists[1]?.text)
    assert.equal((await one.ask('POST', '/pets', rex)).json.id, 51)
  })

  test('A sandbox refuses invalid control requests with 400, and nothing changes [decision 18]', async () => {
    const { ask, fail, state } = newShop()
    const kept = { operation: 'createPet', skip: 0, times: 1, error: 'unavailable' }
    await fail(kept)
    for (const [path, body, named] of [
      ['/failures', [kept, { operation: 'feedPet', cut: 'after' }], /^\[1\] operation: must be one of \*, listPets/],
      ['/failures', [{ operation: 'createPet', error: 'hungry' }], /^\[0\] error: must be one of bad_request/],
      ['/failures', [{ fault: 'none' }], /^\[0\] fault: must be one of error-fourth-member/],
      [
        '/failures',
        [{ operation: 'createPet' }],
        /^\[0\] must contain exactly one of error, gateway and cut, or delayMs/,
      ],
      ['/failures', [{ operation: '*', cut: 'after', error: 'unavailable' }], /^\[0\] must contain exactly one of/],
      ['/failures', [{ operation: '*', gateway: 503 }], /^\[0\] gateway: must be 502 or 504$/],
      ['/failures', [{ operation: '*', cut: 'after', retryAfter: 3 }], /^\[0\] retryAfter: can be sent only with/],
      ['/failures', [{ cut: 'after' }], /^\[0\] operation: is required$/],
      ['/failures', [{ operation: '*', fault: 'ids-text' }], /^\[0\] fault: cannot be combined with other members$/],
      ['/failures', [{ operation: '*', cut: 'late' }], /^\[0\] cut: must be one of before, middle, after$/],
      ['/failures', [{ operation: '*', delayMs: 60_001 }], /^\[0\] delayMs: must be an integer from 0 to 60000$/],
      ['/failures', [{ operation: '*', cut: 'after', skip: -1 }], /^\[0\] skip: must be an integer from 0/],
      ['/failures', {}, /^The body must be a JSON list of at most 100 objects\.$/],
      ['/clock', {}, /^Send now or advance, but not both\. To stop or start the clock only, send stopped\.$/],
      ['/clock', { now: '2030-01-01T00:00:00Z', advance: 'PT1S' }, /^Send now or advance, but not both/],
      ['/clock', { now: 'soon' }, /^now: must be an RFC 3339 time$/],
      ['/clock', { advance: 'P1M' }, /^advance: must be a duration such as PT25H or P1DT30S$/],
      ['/clock', { advance: 'PT' }, /^advance: must be a duration/],
      ['/clock', { now: '1969-12-31T23:59:59Z' }, /^The time must be in the years from 1970 to 8999\.$/],
      ['/clock', { now: '9000-01-01T00:00:00Z' }, /^The time must be in the years from 1970 to 8999\.$/],
      ['/reset', { animals: 1_001 }, /^animals: must be an integer from 0 to 1000$/],
      ['/reset', { like: 'test_nobody' }, /^like: there is no shop test_nobody; send a request with that key first$/],
      ['/reset', { like: 'test_a', animals: 1 }, /^like: cannot be combined with other members$/],
    ] as const) {
      const { status, json } = await ask(path === '/reset' ? 'POST' : 'PUT', `//sandbox${path}`, body)
      assert.equal(status, 400, JSON.stringify(body))
      assert.match(json.message, named)
    }
    assert.equal((await ask('GET', '//sandbox/reset')).headers.get('allow'), 'POST, OPTIONS')
    assert.deepEqual((await state()).failures, [kept])
  })

  test('A sandbox describes its operations in its own document, and lists its faults [decision 18]', async () => {
    const { ask } = newShop()
    const { paths, components } = (await call(url, 'GET', '//sandbox/openapi.json')).json
    assert.deepEqual(Object.keys(paths).sort(), [
      '/sandbox',
      '/sandbox/clock',
      '/sandbox/failures',
      '/sandbox/faults',
      '/sandbox/requests',
      '/sandbox/reset',
      '/sandbox/shops',
    ])
    const { operation } = components.schemas.Failure.properties
    assert.deepEqual(operation.enum, ['*', ...operations.map(({ id }) => id)])
    const listed = (await ask('GET', '//sandbox/faults')).json
    assert.ok(listed.length >= 20)
    assert.deepEqual(
      listed,
      faults.filter(({ isOutside }) => !isOutside).map(({ id, description }) => ({ id, description })),
    )
  })

  test('A sandbox answers each of its operations with the status in its document [decision 18]', async () => {
    const { ask } = newShop()
    const { paths } = (await call(url, 'GET', '//sandbox/openapi.json')).json
    let asked = 0
    for (const [path, methods] of Object.entries<Record<string, Described>>(paths))
      for (const [method, { requestBody, responses }] of Object.entries(methods)) {
        const [example] = Object.values(requestBody?.content['application/json'].examples ?? {})
        const { status, text } = await ask(method.toUpperCase(), `/${path}`, example?.value)
        const [declared] = Object.keys(responses).filter((each) => each.startsWith('2'))
        assert.equal(String(status), declared, `${method} ${path}: ${text}`)
        asked++
      }
    assert.ok(asked >= 6)
  })

  testInFull('A shop of a sandbox keeps every rule of the kit [decision 18]', async () => {
    const { key, advance } = newShop()
    const send = createSend({ bytesMax: 2 ** 20, timeoutMilliseconds: 60_000 })
    const checks: Check[] = []
    const wait = (milliseconds: number) => advance(`PT${Math.ceil(milliseconds / 1000)}S`)
    const report = (check: Check) => checks.push(check)
    const demanded = { demanded: 'store', until: Number.POSITIVE_INFINITY, clock: Date.now } as const
    await run({ url, key, send, wait, rules, report, ...demanded })
    send.close()
    const notPassed = checks.filter(({ id, status }) => status !== 'pass' && !/^get\.removed/.test(id))
    assert.deepEqual(notPassed, [])
  })

  test('A sandbox that ends answers requests that wait in a delay, and ends streams [decision 18]', async () => {
    const other = await start()
    await using program = other.program
    const { key, ask, fail, requests } = newShop(other.url)
    const stream = await fetch(`${other.url}/events/stream`, { headers: { Authorization: `Bearer ${key}` } })
    await fail({ operation: 'listPets', delayMs: 60_000 })
    const waiting = ask('GET', '/pets')
    await eventually(requests, ({ length }) => length === 2)
    assert.equal((await program.end('SIGTERM')).code, 0)
    assert.equal((await waiting).status, 200)
    await stream.text()
  })
})
