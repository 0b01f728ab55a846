/** Rate limits: what a limited key gets told, when it is refused, and what an address gets that guesses. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { createAuthenticate, createVerify } from '../../src/http/auth.ts'
import { issueKey } from '../../src/keys/keys.ts'
import { limits } from '../../src/limits.ts'
import { defaultScopes } from '../../src/model/key.ts'
import { openSqlite } from '../../src/store/sqlite/sqlite.ts'
import type { KeyTable } from '../../src/store/store.ts'
import { addPet, expectError } from '../support/expect.ts'
import { exchange, request } from '../support/raw.ts'
import { type Answer, onOneTarget, TestService, targets } from '../support/service.ts'

const none = [null, null]
const policy = '"default";q=5;w=60'
const rateOf = ({ headers }: Answer) => [headers.get('ratelimit-policy'), headers.get('ratelimit')]

const { requests: failuresMax } = limits.failedAuthentications
const from = (address: string) => ({ 'X-Forwarded-For': address })

/** Of the right form, so that only the store can tell that it is invalid. */
const unknownKey = 'pst_0000000000000000000000000000001uhv1w'

/** Sends invalid keys until the answer is not 401; gives how many were, and that answer. */
async function guess(service: TestService, headers: Record<string, string> = {}): Promise<[number, Answer]> {
  for (let count = 0; ; count++) {
    const answer = await service.call('GET', '/pets', { key: count % 2 ? 'nope' : unknownKey, headers })
    if (answer.status !== 401) return [count, answer]
  }
}

onOneTarget('Without settings for limits', (service) => {
  test('nothing is limited, and no response speaks of it [D65]', async () => {
    for (let i = 0; i < 20; i++) {
      const answer = await service().call('GET', '/pets?limit=1')
      assert.equal(answer.status, 200)
      assert.deepEqual(rateOf(answer), none)
      assert.equal(answer.headers.get('retry-after'), null)
    }
  })

  test('a key with a rate of its own is limited, and no other [D65]', async () => {
    await service().setTicks(1_000)
    const key = await service().makeKey({ rate: { requests: 2, seconds: 10 } })
    const answers = []
    for (let i = 0; i < 3; i++) answers.push(await service().call('GET', '/pets?limit=1', { key }))
    assert.deepEqual(answers.map(rateOf), [
      ['"default";q=2;w=10', '"default";r=1;t=5'],
      ['"default";q=2;w=10', '"default";r=0;t=5'],
      ['"default";q=2;w=10', '"default";r=0;t=5'],
    ])
    assert.equal(expectError(answers[2] as Answer, 429, 'rate_limited').includes('Retry-After'), true)
    assert.equal(answers[2]?.headers.get('retry-after'), '5')
    assert.deepEqual(rateOf(await service().call('GET', '/pets?limit=1')), none)
    await service().setTicks(null)
  })

  test('failed authentications are 401 until an address has too many, then 429 for invalid keys alone, and 401 again after Retry-After [D75]', async () => {
    await service().setTicks(1_000_000)
    for (let i = 0; i <= failuresMax; i++)
      expectError(await service().call('GET', '/pets', { key: null }), 401, 'missing_api_key')
    const [count, refused] = await guess(service())
    assert.equal(count, failuresMax, 'requests without a key are not guesses')
    assert.match(expectError(refused, 429, 'rate_limited'), /invalid API keys/)
    assert.equal(refused.headers.get('retry-after'), '10')
    assert.deepEqual(rateOf(refused), none)
    assert.equal((await guess(service(), from('203.0.113.9')))[0], 0, 'nobody is believed about an address')
    assert.equal((await addPet(service())).name, 'Rex', 'a valid key works')
    const fresh = await service().makeKey()
    assert.equal((await service().call('GET', '/pets', { key: fresh })).status, 200, 'a new one, too')
    expectError(await service().call('GET', '/pets', { key: null }), 401, 'missing_api_key')
    await service().setTicks(1_010_000)
    assert.equal((await guess(service()))[0], 1)
    await service().setTicks(1_000_000 + 600_000 + 10_000)
    assert.equal((await guess(service()))[0], failuresMax)
    await service().setTicks(null)
  })
})

onOneTarget(
  'With RATE_LIMIT',
  (service) => {
    const status = async (key: string) => (await service().call('GET', '/pets?limit=1', { key })).status
    let now = 1_000
    let key: string
    beforeEach(async () => {
      await service().setTicks((now += 1_000_000))
      key = await service().makeKey()
    })

    test('every response to the key tells its limit and what is left: 200, 201, 204, 304, 400, 403, 404, 405, 415 [D68]', async () => {
      const keyOfMany = await service().makeKey({ rate: { requests: 100, seconds: 1 } })
      const pet = { name: 'Rex', categoryId: 1 }
      const { json, headers } = await service().call('POST', '/pets', { key: keyOfMany, body: pet })
      const etag = headers.get('etag') ?? ''
      const weak = await service().makeKey({ scopes: ['metrics:read'], rate: { requests: 100, seconds: 1 } })
      const answers: [number, Answer][] = [
        [200, await service().call('GET', '/pets', { key: keyOfMany })],
        [200, await service().call('HEAD', '/pets', { key: keyOfMany })],
        [201, await service().call('POST', '/pets', { key: keyOfMany, body: pet })],
        [304, await service().call('GET', `/pets/${json.id}`, { key: keyOfMany, headers: { 'If-None-Match': etag } })],
        [204, await service().call('DELETE', `/pets/${json.id}`, { key: keyOfMany })],
        [400, await service().call('GET', '/pets?limit=0', { key: keyOfMany })],
        [403, await service().call('GET', '/pets', { key: weak })],
        [404, await service().call('GET', '/nope', { key: keyOfMany })],
        [404, await service().call('GET', '/pets/0', { key: keyOfMany })],
        [405, await service().call('PUT', '/pets', { key: keyOfMany })],
        [415, await service().call('POST', '/pets', { key: keyOfMany, body: 'x', headers: { 'Content-Type': 'a/b' } })],
      ]
      for (const [expected, answer] of answers) {
        assert.equal(answer.status, expected, answer.text)
        const [given, left] = rateOf(answer)
        assert.equal(given, '"default";q=100;w=1')
        assert.match(left ?? '', /^"default";r=\d+;t=1$/)
      }
    })

    test('nobody else is told of limits: no key, an invalid one, OPTIONS, open pages', async () => {
      for (const answer of [
        await service().call('GET', '/pets', { key: null }),
        await service().call('GET', '/pets', { key: 'nope' }),
        await service().call('OPTIONS', '/pets', { key }),
        await service().call('GET', '//livez', { key }),
        await service().call('GET', '//nope', { key }),
      ])
        assert.deepEqual(rateOf(answer), none)
      assert.deepEqual(rateOf(await service().call('GET', '/pets', { key })), [policy, '"default";r=4;t=12'])
    })

    test('429 comes after 401 and before every other error [D0]', async () => {
      for (let i = 0; i < 5; i++) await status(key)
      for (const [method, path, options] of [
        ['GET', '/nope', {}],
        ['PUT', '/pets', {}],
        ['GET', '/pets?limit=0', {}],
        ['GET', '/pets/0', {}],
        ['POST', '/pets', { body: '{', headers: { 'Content-Type': 'text/plain' } }],
        ['POST', '/pets', { body: ' '.repeat(70_000) }],
      ] as const)
        expectError(await service().call(method, path, { key, ...options }), 429, 'rate_limited')
      expectError(await service().call('GET', '/pets', { key: 'nope' }), 401, 'invalid_api_key')
      await service().setClock(Date.UTC(2030, 11, 5))
      expectError(await service().call('GET', '/pets/1', { key }), 429, 'rate_limited')
      await service().setClock(null)
    })

    test('a refused request does nothing [D69]', async () => {
      for (let i = 0; i < 5; i++) await status(key)
      const other = await service().makeKey()
      const body = { name: 'Rex', categoryId: 429_429 }
      expectError(await service().call('POST', '/pets', { key, body }), 429, 'rate_limited')
      assert.deepEqual((await service().call('GET', '/pets?categoryId=429429', { key: other })).json, [])
    })

    test('pages of other origins may read the headers', async () => {
      const { headers } = await service().call('GET', '/pets', { key, headers: { Origin: 'https://shop.example' } })
      const exposed = headers.get('access-control-expose-headers')?.split(', ') ?? []
      for (const name of ['RateLimit', 'RateLimit-Policy', 'Retry-After']) assert.ok(exposed.includes(name), name)
    })
  },
  { RATE_LIMIT: '5/60', CORS_ORIGINS: 'https://shop.example' },
)

// On SQLite, as PostgreSQL has a clock of its own by which instances share what they count.
for (const { name, runtime, database } of targets.filter(({ name }) => name.endsWith('SQLite')))
  describe(`As time passes, on ${name}`, () => {
    let service: TestService
    let remove: () => Promise<void>
    let key: string
    let now = 1_000
    before(async () => {
      const opened = await database()
      remove = opened.remove
      service = await TestService.start(runtime, { DATABASE_URL: opened.url, RATE_LIMIT: '5/60' })
    })
    after(async () => {
      await service.stop()
      await remove()
    })
    beforeEach(async () => {
      await service.setTicks((now += 1_000_000))
      key = await service.makeKey()
    })
    const status = async (key: string) => (await service.call('GET', '/pets?limit=1', { key })).status

    test('the quota may be used at once; then 429, until Retry-After is over to the second [D69]', async () => {
      for (let left = 4; left >= 0; left--) {
        const answer = await service.call('GET', '/pets?limit=1', { key })
        assert.equal(answer.status, 200)
        assert.deepEqual(rateOf(answer), [policy, `"default";r=${left};t=12`])
      }
      await service.setTicks(now + 500)
      const refused = await service.call('GET', '/pets?limit=1', { key })
      expectError(refused, 429, 'rate_limited')
      assert.deepEqual(rateOf(refused), [policy, '"default";r=0;t=12'])
      assert.equal(refused.headers.get('retry-after'), '12', 'eleven and a half, rounded up')
      for (let i = 0; i < 10; i++) assert.equal(await status(key), 429)
      await service.setTicks(now + 11_999)
      assert.equal(await status(key), 429)
      await service.setTicks(now + 12_500)
      assert.equal(await status(key), 200)
      assert.equal(await status(key), 429)
    })

    test('a system clock that is set back locks nobody out [D67]', async () => {
      const base = Date.now()
      await service.setClock(base)
      for (let i = 0; i < 5; i++) assert.equal(await status(key), 200)
      await service.setClock(base - 60 * 60 * 1000)
      await service.setTicks(now + 12_000)
      assert.equal(await status(key), 200)
      await service.setClock(null)
    })
  })

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
        const lines = ['Host: x', 'Authorization: Bearer nope', `X-Forwarded-For: ${other}`, `X-Forwarded-For: ${same}`]
        const [answer] = await exchange(
          service().port,
          request('GET /v1/pets HTTP/1.1', [...lines, 'Connection: close']),
        )
        assert.equal(answer?.status, 429, 'the last of two lines counts')
        const headers = from(guesser)
        assert.equal((await service().call('GET', '/pets', { headers })).status, 200, 'a valid key works')
      }
      await service().setTicks(null)
    })
  },
  { TRUST_PROXY: '127.0.0.1, 10.0.0.0/8' },
)

test('an invalid key that got 429 is not looked up again until its address may fail again, while valid ones work [D75]', async () => {
  const store = openSqlite(':memory:')
  let lookUps = 0
  let now = 1_000
  const keys: KeyTable = {
    ...store.keys,
    findByHash: (hash) => {
      lookUps++
      return store.keys.findByHash(hash)
    },
  }
  const authenticate = createAuthenticate(createVerify(keys, Date.now), [], () => now)
  const ask = (token: string) =>
    authenticate({
      method: 'GET',
      target: '/v1/pets',
      header: (name) => (name === 'authorization' ? `Bearer ${token}` : undefined),
      address: () => '192.0.2.1',
      body: () => undefined,
    }).then(
      () => 'valid',
      ({ code }) => code,
    )
  for (let i = 0; i < failuresMax; i++) assert.equal(await ask(unknownKey), 'invalid_api_key')
  for (let i = 0; i < 5; i++) assert.equal(await ask(unknownKey), 'rate_limited')
  assert.equal(lookUps, failuresMax + 1)
  const request = { name: 'test', scopes: defaultScopes, now: 0, expiresAt: undefined }
  const { token } = await issueKey(store.keys, request)
  assert.equal(await ask(token), 'valid', 'a valid key works')
  now += 10_000
  assert.equal(await ask(unknownKey), 'invalid_api_key')
  assert.equal(await ask(unknownKey), 'rate_limited')
  assert.equal(lookUps, failuresMax + 4)
  await store.close()
})
