/** How a test controls its shop, over sockets. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { failNext, type TestedShop } from '../../client/src/testing.ts'
import { type Answer, type CallOptions, call } from '../../harness/call.ts'
import { logInto, silentLog } from '../../harness/log.ts'
import { projectFile } from '../../harness/project.ts'
import { operations } from '../../src/app.ts'
import { loadConfig } from '../../src/config/config.ts'
import type { StreamBody } from '../../src/http/message.ts'
import { cutOff } from '../../src/sandbox/failures.ts'
import { startSandbox } from '../../src/sandbox/index.ts'
import type { Sandbox } from '../../src/sandbox/public.ts'
import { runSandbox } from '../../src/sandbox/sandbox.ts'
import { systemTime } from '../../src/time.ts'

const rex = { name: 'Rex', categoryId: 1 }

/** Sends a request to a sandbox with a key. */
const asking =
  (url: string, key: string) =>
  (method: string, path: string, body?: unknown, options: CallOptions = {}): Promise<Answer> =>
    call(url, method, path, { key, ...(body !== undefined && { body }), ...options })

describe('A shop', () => {
  let sandbox: Sandbox
  before(async () => {
    sandbox = await startSandbox()
  })
  after(() => sandbox.close())

  const newShop = () => {
    const shop = sandbox.shop()
    return { ...shop, ask: asking(sandbox.url, shop.apiKey) }
  }

  test('A shop of a sandbox keeps every failure that is added, even if several are added concurrently [decision 18]', async () => {
    const { ask, ...shop } = newShop()
    const ten = Array.from({ length: 10 }, () => failNext(shop as TestedShop, 'listPets', { error: 'unavailable' }))
    await Promise.all(ten)
    const list = [{ operation: 'listPets', cut: 'after' }, { fault: 'ids-text' }]
    assert.equal((await ask('POST', '//sandbox/failures', list)).status, 204)
    const { failures } = (await ask('GET', '//sandbox')).json
    assert.deepEqual(
      failures.map((each: Record<string, unknown>) => each.error ?? each.cut ?? each.fault),
      [...Array(10).fill('unavailable'), 'after', 'ids-text'],
    )
    const many = Array(100).fill({ operation: '*', cut: 'after' })
    const { status } = (
      await Promise.all(Array.from({ length: 10 }, () => ask('POST', '//sandbox/failures', many)))
    ).at(-1) as Answer
    assert.equal(status, 400)
    await shop.heal()
    assert.deepEqual((await ask('GET', '//sandbox')).json.failures, [])
  })

  test('A shop of a sandbox waits for the delay of a failure before its error [decision 18]', async () => {
    const { ask, failNext, requests } = newShop()
    await failNext('listPets', { delayMs: 30, error: 'unavailable', retryAfter: 7 })
    const began = performance.now()
    const { status, headers } = await ask('GET', '/pets')
    assert.ok(performance.now() - began >= 29)
    assert.deepEqual([status, headers.get('retry-after')], [503, '7'])
    assert.deepEqual((await requests())[0]?.failure, { error: 'unavailable', delayMs: 30, retryAfter: 7 })
  })

  test('A shop of a sandbox sends an injected 429 with all headers of a real 429 [decision 18]', async () => {
    const { failNext, apiKey } = newShop()
    const limited = asking(sandbox.url, `${apiKey}.rate-1-60`)
    assert.equal((await limited('GET', '/pets')).headers.get('ratelimit'), '"default";r=0;t=60')
    const real = await limited('GET', '/pets')
    await failNext('listPets', { error: 'rate_limited', retryAfter: 9 })
    const asked = await asking(sandbox.url, apiKey)('GET', '/pets')
    assert.deepEqual([real.status, asked.status, asked.text], [429, 429, real.text])
    const changing = ['date', 'keep-alive', 'connection']
    const names = ({ headers }: Answer) => [...headers.keys()].filter((name) => !changing.includes(name)).sort()
    assert.deepEqual(names(asked), names(real))
    assert.equal(asked.headers.get('ratelimit'), '"default";r=0;t=9')
  })

  test('A shop of a sandbox answers like a gateway, with HTML, and the request has no effect [decision 18]', async () => {
    const { ask, failNext, requests } = newShop()
    for (const gateway of [502, 504] as const) {
      await failNext('createPet', { gateway, ...(gateway === 504 && { retryAfter: 3 }) })
      const { status, headers, text } = await ask('POST', '/pets', rex)
      assert.deepEqual([status, headers.get('content-type')], [gateway, 'text/html'])
      assert.deepEqual([headers.get('x-request-id'), headers.get('retry-after')], [null, gateway === 504 ? '3' : null])
      assert.match(text, new RegExp(`^<html>.*<title>${gateway} `, 's'))
    }
    assert.equal((await ask('POST', '/pets', rex)).json.id, 1)
    assert.deepEqual(
      (await requests()).map(({ status, body }) => [status, body]),
      [502, 504, 201].map((status) => [status, JSON.stringify(rex)]),
    )
  })

  test('A shop of a sandbox fails only requests whose path or body contains the text of the failure [decision 18]', async () => {
    const { ask, failNext } = newShop()
    await failNext('*', { error: 'unavailable', contains: 'Bella', times: 2 })
    assert.equal((await ask('POST', '/pets', rex)).status, 201)
    assert.equal((await ask('POST', '/pets', { ...rex, name: 'Bella' })).status, 503)
    assert.equal((await ask('GET', '/pets?search=Rex')).status, 200)
    assert.equal((await ask('GET', '/pets?search=Bella')).status, 503)
    assert.equal((await ask('POST', '/pets', { ...rex, name: 'Bella' })).json.id, 2)
  })

  test('A sandbox takes a text of 1 to 1,024 characters for the `contains` of a failure [decision 18]', async () => {
    const { ask } = newShop()
    const put = (contains: string) =>
      ask('PUT', '//sandbox/failures', [{ operation: '*', contains, error: 'unavailable' }])
    for (const length of [1, 1_024]) assert.equal((await put('x'.repeat(length))).status, 204, String(length))
    for (const length of [0, 1_025]) {
      const { status, json } = await put('x'.repeat(length))
      assert.deepEqual([status, json.code], [400, 'invalid_field'], String(length))
      assert.match(json.message, /contains: must be a text of 1 to 1024 characters/)
    }
  })

  test('A shop of a sandbox cuts a stream after its first event, which the client has received [decision 18]', async () => {
    const { ask, failNext, apiKey } = newShop()
    await failNext('streamEvents', { cut: 'middle' })
    const stream = await fetch(`${sandbox.url}/events/stream`, { headers: { Authorization: `Bearer ${apiKey}` } })
    assert.equal(stream.status, 200)
    await Promise.all(['One', 'Two'].map((name) => ask('POST', '/pets', { ...rex, name })))
    let text = ''
    const read = async () => {
      for await (const piece of stream.body as ReadableStream<Uint8Array>) text += Buffer.from(piece).toString()
    }
    await assert.rejects(read(), TypeError)
    assert.equal(text.match(/^data:/gm)?.length, 1)
    assert.ok(text.endsWith('}\n\n'))
  })

  test('A shop of a sandbox begins with the animals, orders and categories that a reset contains [decision 18]', async () => {
    const { ask, reset } = newShop()
    const big = 9007199254740993n
    await reset({
      categories: [{ id: big, name: 'Dogs' }],
      pets: ['Rex', 'Ada', 'Max', 'Luna', 'Kiwi'].map((name) => ({ name, categoryId: big })),
      orders: [
        { petId: 1n, reference: 'Mrs Novak' },
        { petId: 2n, status: 'completed' },
        { petId: 3n, status: 'cancelled' },
        { petId: 4n, status: 'returned' },
      ],
    })
    const pets = (await ask('GET', '/pets')).json
    assert.deepEqual(
      pets.map(({ id, status }: { id: number; status: string }) => [id, status]),
      ['pending', 'sold', 'available', 'available', 'available'].map((status, index) => [index + 1, status]),
    )
    const orders = (await ask('GET', '/store/orders')).json
    assert.deepEqual(
      orders.map(({ status, reference }: Record<string, string>) => [status, reference]),
      [
        ['placed', 'Mrs Novak'],
        ['completed', undefined],
        ['cancelled', undefined],
        ['returned', undefined],
      ],
    )
    assert.equal((await ask('GET', '/categories')).text, `[{"id":${big},"name":"Dogs"}]`)
    await reset({ animals: 2, pets: [{ ...rex, id: 3 }] } as object)
    assert.equal((await ask('GET', '/pets')).json[2].name, 'Rex')
    for (const [body, named] of [
      [{ pets: [rex, { ...rex, id: 7 }] }, /^pets\[1\]: id: must be left out, because the shop assigns it \(here 2\)$/],
      [{ pets: [rex, { name: 'Rex' }] }, /^pets\[1\]: categoryId: is required$/],
      [{ pets: [rex], orders: [{ petId: 2 }] }, /^orders\[0\]: There is no animal with the identifier in petId\.$/],
      [{ pets: [rex], orders: [{ petId: 1, status: 'expired' }] }, /^orders\[0\]: status: must be one of placed/],
      [{ categories: [{ name: 'Dogs' }] }, /^categories\[0\]: /],
      [{ pets: [5] }, /^pets: must be a list of at most 1000, each an object$/],
    ] as const) {
      const { status, json } = await ask('POST', '//sandbox/reset', body)
      assert.deepEqual([status, named.test(json.message)], [400, true], json.message)
    }
  })

  test('A shop of a sandbox can become a copy of another, with its time, and the two stay independent [decision 18]', async () => {
    const [base, copy] = [newShop(), newShop()]
    await base.ask('POST', '/pets', rex)
    await base.setClock('2027-03-01T08:00:00Z', { stopped: true })
    await copy.reset({ like: base.apiKey })
    assert.equal((await copy.ask('POST', '/pets', rex)).json.id, 2)
    assert.equal((await base.ask('GET', '/pets')).json.length, 1)
    assert.equal((await copy.ask('GET', '//sandbox')).json.now, '2027-03-01T08:00:00.000Z')
  })

  test('The clock of a shop of a sandbox stands still until it is started again [decision 18]', async () => {
    const { ask, setClock, advance } = newShop()
    await setClock(new Date(Date.UTC(2027, 2)), { stopped: true })
    const now = async () => (await ask('GET', '//sandbox')).json.now
    const create = async () => {
      const { id } = (await ask('POST', '/pets', rex)).json
      return (await ask('POST', '/store/orders', { petId: id })).json.createdAt
    }
    assert.deepEqual([await create(), await now(), await create()], Array(3).fill('2027-03-01T00:00:00.000Z'))
    await advance('PT1H')
    assert.deepEqual([await now(), (await ask('GET', '//sandbox')).json.stopped], ['2027-03-01T01:00:00.000Z', true])
    assert.equal((await ask('PUT', '//sandbox/clock', { stopped: false })).status, 204)
    assert.equal((await ask('GET', '//sandbox')).json.stopped, false)
  })

  test('A shop of a sandbox has further keys with fewer scopes or a rate limit, which their suffixes describe [decision 18]', async () => {
    const { apiKey, requests } = newShop()
    const as = (parts: string) => asking(sandbox.url, apiKey + parts)
    assert.equal((await as('')('POST', '/pets', rex)).status, 201)
    const { status, headers } = await as('.reader')('POST', '/pets', rex)
    assert.equal(status, 403)
    assert.match(headers.get('www-authenticate') ?? '', /scope="pets:write"/)
    assert.equal((await as('.reader')('GET', '/pets')).json.length, 1)
    const { json } = await as('.pets-read.events-read.rate-5-60')('GET', '/me')
    assert.deepEqual(json, {
      name: 'pets-read.events-read.rate-5-60',
      scopes: ['pets:read', 'events:read'],
      rate: { requests: 5, seconds: 60 },
    })
    assert.equal((await as('.client')('GET', '/events')).status, 403)
    assert.equal((await as('.staff')('GET', '/events')).status, 200)
    for (const parts of ['.cook', '.rate-0-5', '.rate-5', '.']) {
      const wrong = await as(parts)('GET', '/pets')
      assert.deepEqual([wrong.status, wrong.json.code], [401, 'invalid_api_key'], parts)
      assert.match(wrong.json.message, /test_NAME.*\.reader/)
    }
    assert.equal((await requests({ operation: 'listPets' })).length, 1)
    // Each key has its own rate and its own Idempotency-Keys, and there is room for a hundred keys.
    const statuses: number[] = []
    for (let n = 1; n <= 105; n++) statuses.push((await as(`.rate-${n}-60`)('GET', '/me')).status)
    assert.deepEqual([statuses.filter((each) => each === 200).length, statuses.at(-1)], [95, 401])
  })

  test('A shop of a sandbox answers 401 to wrong keys, however many arrive [decision 18]', async () => {
    const answers = await Promise.all(
      Array.from({ length: 150 }, (_, n) => asking(sandbox.url, `pst_${n}`)('GET', '/pets')),
    )
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [401])
  })

  test('A shop of a sandbox names a scope in an injected insufficient_scope, even for an operation that needs none [decision 18]', async () => {
    const { ask, failNext } = newShop()
    await failNext('getMe', { error: 'insufficient_scope' })
    const { headers } = await ask('GET', '/me')
    assert.match(headers.get('www-authenticate') ?? '', /error="insufficient_scope", scope="pets:read"$/)
  })

  test('A request for the journal of a shop waits until enough requests were answered or the time is over [decision 18]', async () => {
    const { ask, requests, failNext } = newShop()
    const two = requests({ operation: 'createPet', wait: 30, count: 2 })
    await ask('GET', '/pets')
    await failNext('createPet', { delayMs: 20 })
    await ask('POST', '/pets', rex)
    await ask('POST', '/pets', { ...rex, name: 'x'.repeat(1_000) })
    const [first, second] = await two
    assert.deepEqual([first?.status, second?.status, first?.body], [201, 201, JSON.stringify(rex)])
    assert.match(first?.answer ?? '', /^\{"id":1,/)
    assert.deepEqual(await requests({ operation: 'getMe' }), [])
    assert.deepEqual(await requests({ operation: 'getMe', wait: 1 }), [])
    const { status } = await ask('GET', '//sandbox/requests?wait=31')
    assert.equal(status, 400)
  })

  test('The journal of a shop keeps 4,096 characters of a request body and of a response body [decision 18]', async () => {
    const { ask, requests } = newShop()
    await ask('POST', '/pets', { ...rex, name: 'é'.repeat(5_000) })
    for (let i = 0; i < 5; i++) await ask('POST', '/pets', { ...rex, name: 'é'.repeat(1_000) })
    await ask('GET', '/pets')
    const journal = await requests()
    assert.deepEqual([journal[0]?.body?.length, journal.at(-1)?.answer?.length], [4_096, 4_096])
  })

  /** Calls a tool like an agent. */
  const tool = (key: string, name: string, args: object) =>
    call(sandbox.url, 'POST', '//mcp', {
      key,
      body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } },
    })

  test('A shop of a sandbox fails tool calls like their operations, and lists them in its journal [decision 18]', async () => {
    const { apiKey, failNext, requests } = newShop()
    await failNext('createPet', { error: 'unavailable', retryAfter: 4 })
    const { json } = await tool(apiKey, 'createPet', rex)
    assert.equal(json.result.isError, true)
    assert.match(json.result.content[0].text, /"code":"unavailable".*"retryAfter":4/)
    for (const retryAfter of [undefined, 3]) {
      await failNext('createPet', { gateway: 502, retryAfter })
      const { status, headers } = await tool(apiKey, 'createPet', rex)
      assert.deepEqual([status, headers.get('content-type')], [502, 'text/html'])
      assert.equal(headers.get('retry-after'), retryAfter === undefined ? null : '3')
    }
    await failNext('createPet', { cut: 'after' })
    await assert.rejects(tool(apiKey, 'createPet', rex))
    assert.equal((await tool(apiKey, 'createPet', rex)).json.result.structuredContent.body.id, 2)
    assert.deepEqual(
      (await requests({ operation: 'createPet' })).map(({ status, body, path }) => [status, path, body]),
      [503, 502, 502, 201, 201].map((status) => [status, '/v1/pets', JSON.stringify(rex)]),
    )
  })

  test('A shop of a sandbox is listed, and is empty after it was removed [decision 18]', async () => {
    const { ask, apiKey } = newShop()
    await ask('POST', '/pets', rex)
    const names = async () => (await ask('GET', '//sandbox/shops')).json.map(({ name }: { name: string }) => name)
    assert.ok((await names()).includes(apiKey))
    assert.equal((await ask('DELETE', '//sandbox')).status, 204)
    assert.ok(!(await names()).includes(apiKey))
    assert.equal((await ask('POST', '/pets', rex)).json.id, 1)
  })

  test('A shop of a sandbox can be called by web pages of this machine, and by no other pages [decision 18]', async () => {
    const { ask } = newShop()
    const allowed = async (origin: string) =>
      (await ask('GET', '/pets', undefined, { headers: { Origin: origin } })).headers.get('access-control-allow-origin')
    for (const origin of ['http://localhost:5173', 'http://localhost', 'http://127.0.0.1:3000', 'http://[::1]:80'])
      assert.equal(await allowed(origin), origin)
    for (const origin of ['https://shop.example', 'http://localhost.evil.example', 'http://localhost:a', 'null'])
      assert.equal(await allowed(origin), null)
    const headers = { Origin: 'http://localhost:5173', 'Access-Control-Request-Method': 'PUT' }
    const preflight = await call(sandbox.url, 'OPTIONS', '//sandbox/failures', { headers })
    assert.equal(preflight.headers.get('access-control-allow-origin'), 'http://localhost:5173')
  })
})

/** Starts a sandbox with these settings for one test. */
async function withSandbox(
  env: Record<string, string>,
  run: (url: string, port: number) => Promise<void>,
  { log = silentLog, room = {} }: { log?: typeof silentLog; room?: Parameters<typeof runSandbox>[3] } = {},
): Promise<void> {
  const { publicUrl, port, close } = await runSandbox(loadConfig({ PORT: '0', ...env }), systemTime, log, room)
  try {
    await run(publicUrl, port)
  } finally {
    await close()
  }
}

test('A sandbox says why a shop was removed to make room for others [decision 18]', () =>
  withSandbox(
    {},
    async (url) => {
      const [one, other] = [asking(url, 'test_one'), asking(url, 'test_other')]
      await one('POST', '/pets', rex)
      await other('POST', '/pets', rex)
      for (const path of ['/pets', '//sandbox', '//sandbox/requests']) {
        const { status, json } = await one('GET', path)
        assert.deepEqual([status, json.code], [410, 'endpoint_removed'], path)
        assert.match(json.message, /^The shop test_one was removed .* Create it again with POST \/sandbox\/reset\.$/)
      }
      assert.equal((await one('POST', '//sandbox/reset')).status, 204)
      assert.equal((await one('POST', '/pets', rex)).json.id, 1)
    },
    { room: { shops: 1 } },
  ))

test('A sandbox honours RATE_LIMIT, for each key of a shop [decision 18]', () =>
  withSandbox({ RATE_LIMIT: '2/60' }, async (url) => {
    const [one, other] = [asking(url, 'test_one'), asking(url, 'test_one.reader')]
    const statuses = async (ask: typeof one) => {
      const answers = []
      for (let i = 0; i < 3; i++) answers.push((await ask('GET', '/pets')).status)
      return answers
    }
    assert.deepEqual([await statuses(one), await statuses(other)], [Array.from([200, 200, 429]), [200, 200, 429]])
    assert.deepEqual((await one('GET', '//sandbox')).status, 200)
  }))

test('A sandbox works under a path prefix, whether a proxy removes it or not [decision 18]', () =>
  withSandbox({ PUBLIC_URL: 'http://shop.example/test/v1' }, async (_url, port) => {
    for (const prefix of ['', '/test']) {
      const ask = asking(`http://127.0.0.1:${port}${prefix}/v1`, 'test_one')
      const control = (method: string, path: string, body?: unknown) => ask(method, `/${prefix}/sandbox${path}`, body)
      assert.equal((await control('POST', '/reset')).status, 204)
      await control('POST', '/failures', { operation: 'createPet', error: 'unavailable' })
      assert.equal((await ask('POST', '/pets', rex)).status, 503)
      const { headers } = await ask('POST', '/pets', rex)
      assert.equal(headers.get('location'), 'http://shop.example/test/v1/pets/1')
      const [first] = (await control('GET', '/requests')).json
      assert.deepEqual([first.operation, first.path], ['createPet', '/v1/pets'])
      for (const path of ['/livez', '/sandbox/docs', '/sandbox/openapi.json'])
        assert.equal((await ask('GET', `/${prefix}${path}`)).status, 200, prefix + path)
    }
  }))

test('A sandbox names the shop in the lines of its log [decision 18]', async () => {
  const lines: Record<string, unknown>[] = []
  await withSandbox(
    { LOG_LEVEL: 'info' },
    async (url) => {
      await asking(url, 'test_one')('GET', '/pets')
      await asking(url, 'test_other.reader')('GET', '/me')
    },
    { log: logInto(lines as never) },
  )
  const of = (route: string) => lines.find((line) => line.route === route)?.shop
  assert.deepEqual([of('/v1/pets'), of('/v1/me')], ['test_one', 'test_other'])
})

test('A sandbox ends within five seconds, even if a client has sent only half a request [decision 18]', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const sandbox = await startSandbox()
  const sockets: Socket[] = []
  const send = (text: string) => {
    const socket = connect(Number(new URL(sandbox.url).port), '127.0.0.1')
    sockets.push(socket)
    socket.on('error', () => {})
    socket.write(text)
    return socket
  }
  try {
    send('POST /v1/pets HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer test_a\r\nContent-Length: 9\r\n\r\n{')
    // This is the answer to the request that was sent after it.
    await once(send('GET /livez HTTP/1.1\r\nHost: a\r\n\r\n'), 'data')
    let isClosed = false
    const closing = sandbox.close().then(() => {
      isClosed = true
    })
    for (let passed = 0; passed < 5_000 && !isClosed; passed += 100) {
      t.mock.timers.tick(100)
      for (let turns = 0; turns < 50 && !isClosed; turns++) await nextTurn()
    }
    assert.ok(isClosed, 'it still waits after five seconds')
    await closing
  } finally {
    t.mock.timers.reset()
    for (const socket of sockets) socket.destroy()
  }
})

test('The operations that a test can name in TypeScript are those of the service [decision 18]', () => {
  const [, union = ''] =
    /export type OperationId =\n((?: {2}\| '\w+'\n)+)/.exec(projectFile('client/src/types.ts')) ?? []
  const named = [...union.matchAll(/'(\w+)'/g)].map(([, id]) => id)
  assert.deepEqual(
    named,
    operations.map(({ id }) => id),
  )
})

test('A stream that is cut after its first event sends nothing of the next event [decision 18]', () => {
  const written: string[] = []
  const output = { write: (bytes: Uint8Array) => written.push(Buffer.from(bytes).toString()) > 0, end() {}, drop() {} }
  const stream: StreamBody = ({ write }) => {
    for (const id of [1, 2]) write(Buffer.from(`id: ${id}\ndata: {}\n\n`))
    return { drained() {}, closed() {} }
  }
  const { body } = cutOff({ status: 200, headers: [], body: stream }, 'middle', systemTime)
  ;(body as StreamBody)(output)
  assert.deepEqual(written, ['id: 1\ndata: {}\n\n'])
})
