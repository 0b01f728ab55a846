/** Rate limits: what a limited key gets told, when it is refused, and what an address gets that guesses. */
import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { limits } from '../../src/limits.ts'
import { newToken } from '../../src/model/key.ts'
import { expectError } from '../support/expect.ts'
import { exchange, request } from '../support/raw.ts'
import { type Answer, type CallOptions, onOneTarget, type TestService } from '../support/service.ts'

const none = [null, null]
const policy = '"default";q=5;w=60'
const rateOf = ({ headers }: Answer) => [headers.get('ratelimit-policy'), headers.get('ratelimit')]

const { requests: failuresMax } = limits.failedAuthentications
const from = (address: string) => ({ 'X-Forwarded-For': address })

/** Sends invalid keys, also of the right form, until the answer is not 401; gives how many were, and that answer. */
async function guess(service: TestService, headers: Record<string, string> = {}): Promise<[number, Answer]> {
  const unknown = newToken()
  for (let count = 0; ; count++) {
    const answer = await service.call('GET', '/pets', { key: count % 2 ? 'nope' : unknown, headers })
    if (answer.status !== 401) return [count, answer]
  }
}

onOneTarget('Without settings for limits', (service) => {
  test('nothing is limited, and no response speaks of it; a key with a rate of its own is limited [D65]', async () => {
    await service().setTicks(1_000)
    for (let i = 0; i < 20; i++) {
      const answer = await service().call('GET', '/pets?limit=1')
      assert.deepEqual([answer.status, ...rateOf(answer), answer.headers.get('retry-after')], [200, ...none, null])
    }
    const key = await service().makeKey({ rate: { requests: 2, seconds: 10 } })
    const answers = []
    for (let i = 0; i < 3; i++) answers.push(await service().call('GET', '/pets?limit=1', { key }))
    assert.deepEqual(
      answers.map(rateOf),
      [1, 0, 0].map((left) => ['"default";q=2;w=10', `"default";r=${left};t=5`]),
    )
    assert.match(expectError(answers[2] as Answer, 429, 'rate_limited'), /Retry-After/)
    assert.equal(answers[2]?.headers.get('retry-after'), '5')
  })

  test('failed authentications are 401 until an address has too many, then 429 for invalid keys alone, and 401 again after Retry-After [D75]', async () => {
    await service().setTicks(1_000_000)
    for (let i = 0; i <= failuresMax; i++)
      expectError(await service().call('GET', '/pets', { key: null }), 401, 'missing_api_key')
    const [count, refused] = await guess(service())
    assert.equal(count, failuresMax, 'requests without a key are not guesses')
    assert.match(expectError(refused, 429, 'rate_limited'), /invalid API keys/)
    assert.deepEqual([refused.headers.get('retry-after'), ...rateOf(refused)], ['10', ...none])
    assert.equal((await guess(service(), from('203.0.113.9')))[0], 0, 'nobody is believed about an address')
    for (const key of [service().key, await service().makeKey()])
      assert.equal((await service().call('GET', '/pets', { key })).status, 200, 'a valid key works')
    expectError(await service().call('GET', '/pets', { key: null }), 401, 'missing_api_key')
    await service().setTicks(1_010_000)
    assert.equal((await guess(service()))[0], 1)
    await service().setTicks(1_000_000 + 600_000 + 10_000)
    assert.equal((await guess(service()))[0], failuresMax)
  })
})

onOneTarget(
  'With RATE_LIMIT',
  (service) => {
    let now = 1_000
    let key: string
    beforeEach(async () => {
      await service().setTicks((now += 1_000_000))
      key = await service().makeKey()
    })
    const get = (path = '/pets?limit=1', options: CallOptions = {}) => service().call('GET', path, { key, ...options })
    const status = async () => (await get()).status

    test('every response to the key tells its limit and what is left: 200, 201, 204, 304, 400, 403, 404, 405, 415 [D68]', async () => {
      const rate = { requests: 100, seconds: 1 }
      const [many, weak] = [
        await service().makeKey({ rate }),
        await service().makeKey({ scopes: ['metrics:read'], rate }),
      ]
      const body = { name: 'Rex', categoryId: 1 }
      const { json } = await service().call('POST', '/pets', { key: many, body })
      for (const [expected, line, options] of [
        [200, 'GET /pets'],
        [200, 'HEAD /pets'],
        [201, 'POST /pets', { body }],
        [304, `GET /pets/${json.id}`, { headers: { 'If-None-Match': '*' } }],
        [204, `DELETE /pets/${json.id}`],
        [400, 'GET /pets?limit=0'],
        [403, 'GET /pets', { key: weak }],
        [404, 'GET /nope'],
        [404, 'GET /pets/0'],
        [405, 'PUT /pets'],
        [415, 'POST /pets', { body: 'x', headers: { 'Content-Type': 'a/b' } }],
      ] as [number, string, CallOptions?][]) {
        const [method = '', path = ''] = line.split(' ')
        const answer = await service().call(method, path, { key: many, ...options })
        assert.equal(answer.status, expected, answer.text)
        const [given, left] = rateOf(answer)
        assert.equal(given, '"default";q=100;w=1')
        assert.match(left ?? '', /^"default";r=\d+;t=1$/)
      }
    })

    test('nobody else is told of limits: no key, an invalid one, OPTIONS, open pages', async () => {
      for (const answer of [
        await get('/pets', { key: null }),
        await get('/pets', { key: 'nope' }),
        await service().call('OPTIONS', '/pets', { key }),
        await get('//livez'),
        await get('//nope'),
      ])
        assert.deepEqual(rateOf(answer), none)
      assert.deepEqual(rateOf(await get()), [policy, '"default";r=4;t=12'])
    })

    test('429 comes after 401 and before every other error, and such a request does nothing [D0 D68]', async () => {
      for (let i = 0; i < 5; i++) await status()
      const categoryId = 429_429
      for (const [method, path, options] of [
        ['GET', '/nope'],
        ['PUT', '/pets'],
        ['GET', '/pets?limit=0'],
        ['GET', '/pets/0'],
        ['POST', '/pets', { body: { name: 'Rex', categoryId } }],
        ['POST', '/pets', { body: '{', headers: { 'Content-Type': 'text/plain' } }],
        ['POST', '/pets', { body: ' '.repeat(70_000) }],
      ] as [string, string, CallOptions?][])
        expectError(await service().call(method, path, { key, ...options }), 429, 'rate_limited')
      expectError(await get('/pets', { key: 'nope' }), 401, 'invalid_api_key')
      await service().setClock(Date.UTC(2030, 11, 5))
      expectError(await get('/pets/1'), 429, 'rate_limited')
      await service().setClock(null)
      assert.deepEqual((await get(`/pets?categoryId=${categoryId}`, { key: await service().makeKey() })).json, [])
    })

    test('the quota may be used at once; then 429, until Retry-After is over to the second [D68]', async () => {
      for (let left = 4; left >= 0; left--) assert.deepEqual(rateOf(await get()), [policy, `"default";r=${left};t=12`])
      await service().setTicks(now + 500)
      const refused = await get()
      expectError(refused, 429, 'rate_limited')
      assert.deepEqual(rateOf(refused), [policy, '"default";r=0;t=12'])
      assert.equal(refused.headers.get('retry-after'), '12', 'eleven and a half, rounded up')
      await service().setTicks(now + 11_999)
      assert.equal(await status(), 429)
      await service().setTicks(now + 12_500)
      assert.deepEqual([await status(), await status()], [200, 429])
    })

    test('a system clock that is set back locks nobody out [D67]', async () => {
      const base = Date.now()
      await service().setClock(base)
      for (let i = 0; i < 5; i++) assert.equal(await status(), 200)
      await service().setClock(base - 60 * 60 * 1000)
      await service().setTicks(now + 12_000)
      assert.equal(await status(), 200)
      await service().setClock(null)
    })
  },
  { RATE_LIMIT: '5/60' },
)

onOneTarget(
  'Failed authentications behind trusted proxies',
  (service) => {
    test('are counted for the client that the proxies name, an IPv6 client by its network [D77]', async () => {
      await service().setTicks(1_000_000)
      for (const [guesser, same, other] of [
        ['203.0.113.1', '192.0.2.1, 203.0.113.1', '203.0.113.2'],
        ['2001:db8:1:1::1', '192.0.2.1, 2001:db8:1:1:ffff::, 10.9.9.9', '2001:db8:1:2::1'],
      ] as const) {
        assert.equal((await guess(service(), from(guesser)))[0], failuresMax)
        assert.equal((await guess(service(), from(same)))[0], 0)
        expectError(await service().call('GET', '/pets', { key: 'nope', headers: from(other) }), 401, 'invalid_api_key')
        const lines = ['Host: x', 'Authorization: Bearer nope', 'Connection: close']
        const forwarded = [other, same].map((address) => `X-Forwarded-For: ${address}`)
        const [answer] = await exchange(service().port, request('GET /v1/pets HTTP/1.1', [...lines, ...forwarded]))
        assert.equal(answer?.status, 429, 'the last of two lines counts')
        const valid = await service().call('GET', '/pets', { headers: from(guesser) })
        assert.equal(valid.status, 200, 'a valid key works')
      }
    })
  },
  { TRUST_PROXY: '127.0.0.1, 10.0.0.0/8' },
)
