/** When the client tries again, how long it waits, and when it must not try again. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sleep } from '../../client/src/answer.ts'
import {
  ConnectionError,
  type PetStore,
  TimeoutError,
  TooManyRequestsError,
  UnexpectedAnswerError,
} from '../../client/src/index.ts'
import { answered, cut, failure, json, type Reply, refusal } from './support/stub.ts'

const rex = { name: 'Rex', categoryId: 1n }
const done = json({ id: 7, petId: 7 }, { ETag: '"v1"' })
const busy = refusal(429, 'rate_limited')
const unavailable = refusal(503, 'unavailable')
const badGateway: Reply = () => new Response('<h1>Bad Gateway</h1>', { status: 502 })

test('The client waits longer before each retry, and throws the last error after the fourth attempt [decision 31]', async () => {
  const { petstore, pauses } = answered([unavailable, cut, unavailable, cut])
  await assert.rejects(petstore.pets.create(rex), ConnectionError)
  assert.deepEqual(pauses, [250, 500, 1000])
})

test('The client waits a random time of at most eight seconds', async () => {
  const chances = [0, 0.5, 1, 1, 1, 1, 1, 1]
  const options = { maxRetries: 8, random: () => chances.shift() ?? 1 }
  const { petstore, pauses } = answered([...Array(8).fill(cut), done], options)
  await petstore.pets.create(rex)
  assert.deepEqual(pauses, [0, 250, 1000, 2000, 4000, 8000, 8000, 8000])
})

test('The client waits as long as Retry-After says, after 408, 429, 503 and while the request is in progress [decision 31]', async () => {
  const { petstore, pauses } = answered(
    [
      refusal(429, 'rate_limited', { 'Retry-After': '7' }),
      refusal(503, 'unavailable', { 'Retry-After': new Date(0).toUTCString() }),
      refusal(409, 'idempotency_in_progress', { 'Retry-After': '1' }),
      refusal(408, 'request_timeout', { 'Retry-After': '2' }),
      refusal(408, 'request_timeout', { 'Retry-After': 'soon' }),
      done,
    ],
    { maxRetries: 5 },
  )
  await petstore.pets.create(rex)
  assert.deepEqual(pauses, [7250, 500, 2000, 4000, 4000])
})

test('The client waits for a Retry-After of a minute; if it is longer, the call fails immediately and says how long', async () => {
  const asking = (seconds: string) => refusal(429, 'rate_limited', { 'Retry-After': seconds, 'X-Request-Id': 'r-1' })
  const { petstore, pauses } = answered([asking('60'), asking('61')])
  const error = await failure(petstore.pets.create(rex))
  assert.ok(error instanceof TooManyRequestsError)
  assert.deepEqual([error.retryAfterMs, error.requestId, error.message], [61_000, 'r-1', 'not now'])
  assert.deepEqual(pauses, [60_250])
})

test('The number of retries and the waiting times follow the options of the client or of the call', async () => {
  const late = refusal(429, 'rate_limited', { 'Retry-After': '3' })
  const tries = async (options: object, callOptions?: object) => {
    const { petstore, sent } = answered(Array(9).fill(late), options)
    await assert.rejects(petstore.me(callOptions), TooManyRequestsError)
    return sent.length
  }
  assert.equal(await tries({ maxRetries: undefined }), 4)
  assert.equal(await tries({ maxRetries: 1 }), 2)
  assert.equal(await tries({ maxRetries: 1 }, { maxRetries: 5 }), 6)
  assert.equal(await tries({ maxRetries: 5 }, { maxRetries: 0 }), 1)
  assert.equal(await tries({ maxRetries: 5 }, { maxRetries: undefined }), 6)
  assert.equal(await tries({ maxRetryAfterMs: 2_000 }), 1)
  assert.equal(await tries({ maxRetryAfterMs: 2_000 }, { maxRetryAfterMs: 4_000 }), 4)
})

test('The client uses one Idempotency-Key and one X-Request-Id, or the given ones, for all attempts of a POST [decision 31]', async () => {
  const { petstore, header } = answered([cut, unavailable, done, cut, done, done])
  await petstore.pets.create(rex)
  await petstore.orders.place({ petId: 7n }, { idempotencyKey: 'order-1', headers: { 'x-request-id': 'mine' } })
  await petstore.orders.place({ petId: 7n }, { idempotencyKey: undefined })
  for (const [name, given] of [
    ['idempotency-key', 'order-1'],
    ['x-request-id', 'mine'],
  ] as const) {
    const [first, second, third, ...more] = header(name)
    assert.match(first ?? '', /^[0-9a-f]{32}$/)
    assert.deepEqual([second, third], [first, first])
    assert.deepEqual(more.slice(0, 2), [given, given])
    assert.match(more[2] ?? '', /^[0-9a-f]{32}$/)
    assert.notEqual(more[2], first)
  }
})

/** Calls with an effect, and whether the client repeats one that may have succeeded. */
const calls: Record<string, [call: (petstore: PetStore) => Promise<unknown>, isRepeated: boolean]> = {
  'orders.complete': [({ orders }) => orders.complete(7n), true],
  'orders.cancel': [({ orders }) => orders.cancel(7n), true],
  'orders.return': [({ orders }) => orders.return(7n), true],
  'webhooks.test': [({ webhooks }) => webhooks.test(3n), true],
  'webhooks.redeliver': [({ webhooks }) => webhooks.redeliver(3n, 7n), true],
  // Each attempt would create another secret, and nobody would know the first one.
  'webhooks.create': [({ webhooks }) => webhooks.create({ url: 'https://shop.example/hooks' }), false],
  'webhooks.rotate': [({ webhooks }) => webhooks.rotate(7n), false],
  'request with POST': [(petstore) => petstore.request('POST', '/pets', { body: rex }), false],
  'request with POST and a key': [(it) => it.request('POST', '/pets', { body: rex, idempotencyKey: 'k' }), true],
  'request with PUT': [(petstore) => petstore.request('PUT', '/categories/1', { body: { name: 'Dogs' } }), true],
  'pets.update': [({ pets }) => pets.update(7n, { name: 'Max' }), true],
  // A repeated request would get 412 because of its own change.
  'pets.update with ifMatch': [({ pets }) => pets.update(7n, { name: 'Max' }, { ifMatch: '"v1"' }), false],
  'pets.update with If-Match among its headers': [
    ({ pets }) => pets.update(7n, { name: 'Max' }, { headers: { 'if-match': '"v1"' } }),
    false,
  ],
  'categories.put with ifMatch': [(it) => it.categories.put(7n, { name: 'Dogs' }, { ifMatch: '"v1"' }), false],
  'pets.delete with ifMatch': [({ pets }) => pets.delete(7n, { ifMatch: '"v1"' }), true],
}
for (const [name, [call, isRepeated]] of Object.entries(calls))
  test(`The client ${isRepeated ? 'repeats' : 'does not repeat'} ${name} if it may have succeeded [decision 31]`, async () => {
    for (const lost of [cut, unavailable, refusal(500, 'internal_error'), badGateway]) {
      const { petstore, sent } = answered([lost, done])
      const failed = await call(petstore).catch((error) => error instanceof ConnectionError || error.status >= 500)
      assert.deepEqual([sent.length, failed === true], isRepeated ? [2, false] : [1, true])
    }
    const { petstore } = answered([busy, done])
    await call(petstore)
  })

test('The client retries a DELETE, and takes 404 after an attempt without a response as deleted [decision 31]', async () => {
  const gone = refusal(404, 'pet_not_found')
  assert.equal(await answered([cut, gone]).petstore.pets.delete(7n), undefined)
  assert.equal((await answered([unavailable, gone]).petstore.request('DELETE', '/pets/7')).status, 204)
  for (const replies of [[gone], [busy, gone]])
    await assert.rejects(answered(replies).petstore.pets.delete(7n), { status: 404, code: 'pet_not_found' })
})

test('The client keeps runtimes such as Bun from repeating a DELETE or PUT on their own', async () => {
  const { petstore, sent } = answered([done, done, done])
  await petstore.pets.delete(7n)
  await petstore.categories.put(7n, { name: 'Dogs' })
  await petstore.pets.create(rex)
  const kept = sent.map(({ init }) => init.keepalive)
  assert.deepEqual(kept, [false, false, undefined])
})

test('The client does not retry errors that are not transient [decision 31]', async () => {
  const expected: [Reply, object][] = [
    [refusal(404, 'order_not_found'), { status: 404 }],
    [refusal(400, 'invalid_field'), { status: 400, code: 'invalid_field' }],
    [refusal(409, 'pet_not_available'), { status: 409 }],
    [() => new Response('<h1>Not Implemented</h1>', { status: 501 }), UnexpectedAnswerError],
    [() => new Response('{'), UnexpectedAnswerError],
  ]
  for (const [reply, error] of expected) {
    const { petstore, sent } = answered([reply])
    await assert.rejects(petstore.me(), error)
    assert.equal(sent.length, 1)
  }
})

test('An attempt ends after 30 seconds, or after the time in the options, and is retried', async (t) => {
  const times: number[] = []
  // This replaces the timer of the platform by one whose time is up immediately.
  t.mock.method(AbortSignal, 'timeout', (milliseconds: number) => {
    times.push(milliseconds)
    return AbortSignal.abort(new DOMException('time is up', 'TimeoutError'))
  })
  for (const [options, callOptions, expected] of [
    [{}, {}, 30_000],
    [{ timeoutMs: 90_000 }, {}, 90_000],
    [{ timeoutMs: 90_000 }, { timeoutMs: 5 }, 5],
  ] as const) {
    const error = await failure(answered([], { ...options, maxRetries: 1 }).petstore.me(callOptions))
    assert.ok(error instanceof TimeoutError)
    assert.equal(error.message, `No response within ${expected} ms.`)
    assert.deepEqual(times.splice(0), [expected, expected])
  }
})

test('The client retries after the response of a gateway, when its Retry-After is over [decision 31]', async () => {
  const late =
    (status: number, headers = {}) =>
    () =>
      new Response('<h1>late</h1>', { status, headers })
  const { petstore, pauses } = answered([late(502), late(503, { 'Retry-After': '7' }), late(504), done])
  await petstore.me()
  assert.deepEqual(pauses, [250, 7500, 1000])
})

test('A signal whose time is up causes a TimeoutError, during an attempt and between two attempts [decision 31]', async () => {
  const reason = new DOMException('The operation timed out.', 'TimeoutError')
  const during = new AbortController()
  const hangs: Reply = (init) =>
    new Promise((_, reject) => init.signal?.addEventListener('abort', () => reject(init.signal?.reason)))
  const call = answered([hangs]).petstore.me({ signal: during.signal })
  during.abort(reason)
  const between = new AbortController()
  const sleeping = (milliseconds: number, signal?: AbortSignal) => {
    between.abort(reason)
    return sleep(milliseconds, signal)
  }
  const waiting = answered([cut], { sleep: sleeping }).petstore.me({ signal: between.signal })
  for (const each of [call, waiting]) {
    const error = await failure(each)
    assert.ok(error instanceof TimeoutError)
    assert.equal(error.cause, reason)
  }
})

test('A call stops immediately when its signal is aborted before, during or between attempts', async () => {
  const reason = new Error('enough')
  const controller = new AbortController()
  const { signal } = controller
  const held: Reply = () => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
  const during = answered([held])
  const call = during.petstore.me({ signal })
  controller.abort(reason)
  await assert.rejects(call, reason)
  await assert.rejects(during.petstore.me({ signal }), reason)
  assert.equal(during.sent.length, 1)

  const between = new AbortController()
  const waiting = answered([cut], {
    random: () => 1e6,
    sleep: (milliseconds, given) => {
      const pause = sleep(milliseconds, given)
      between.abort(reason)
      return pause
    },
  })
  await assert.rejects(waiting.petstore.me({ signal: between.signal }), reason)
  await assert.rejects(sleep(1e9, between.signal), reason)
})
