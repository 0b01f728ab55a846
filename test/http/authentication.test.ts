/**
 * Who may call the service: keys that are hard to guess, revoked, expired or without a scope, and how long a key is
 * trusted without asking the store.
 */
import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expectError } from '../../harness/expect.ts'
import { type Answer, onOneTarget } from '../../harness/service.ts'
import { openFile } from '../../harness/stores.ts'
import { timeAt } from '../../harness/time.ts'
import { operations } from '../../src/app.ts'
import { createVerify } from '../../src/http/auth.ts'
import { issueKey } from '../../src/keys/keys.ts'
import { defaultScopes, hashOf, type Key, newToken, prefixOf, scopes } from '../../src/model/key.ts'
import type { KeyTable } from '../../src/store/key-table.ts'
import { type Store, StoreUnavailable } from '../../src/store/store.ts'

const challenge = 'Bearer realm="petstore"'

function expectInvalid(answer: Answer): void {
  expectError(answer, 401, 'invalid_api_key')
  assert.equal(answer.headers.get('www-authenticate'), `${challenge}, error="invalid_token"`)
}

onOneTarget(
  'Authentication',
  (service) => {
    const get = (key: string) => service().call('GET', '/pets?limit=1', { key })
    afterEach(() => service().setClock(null))

    test('The service takes a key until it expires and refuses it from that instant on [decision 10]', async () => {
      const expiresAt = Date.now() + 60 * 60 * 1000
      const key = await service().makeKey({ expiresAt })
      await service().setClock(expiresAt - 1)
      assert.equal((await get(key)).status, 200)
      await service().setClock(expiresAt)
      expectInvalid(await get(key))
    })

    test('Each operation needs its own scope and no other [decision 10, 16]', async () => {
      assert.deepEqual(defaultScopes, ['pets:read', 'pets:write', 'orders:read', 'orders:write'])
      const keys = new Map<string, [lacking: string, only: string]>()
      for (const scope of scopes) {
        const others = scopes.filter((each) => each !== scope)
        keys.set(scope, [await service().makeKey({ scopes: others }), await service().makeKey({ scopes: [scope] })])
      }
      for (const { id, method, path, scope } of operations) {
        const send = (key: string | null | undefined, verb: string = method) =>
          service().call(verb, path.replaceAll(/\{\w+\}/g, '987654'), { key: key ?? null })
        expectError(await send(null), 401, 'missing_api_key')
        if (!scope) continue
        const [lacking, only] = keys.get(scope) ?? []
        const refused = await send(lacking)
        expectError(refused, 403, 'insufficient_scope')
        const expected = `${challenge}, error="insufficient_scope", scope="${scope}"`
        assert.equal(refused.headers.get('www-authenticate'), expected)
        // A GET of the stream would not end.
        assert.notEqual((await send(only, id === 'streamEvents' ? 'HEAD' : method)).status, 403, id)
      }
    })

    test('The service never writes a key into its log or a response', async () => {
      const { key } = service()
      const answers = [
        await service().call('GET', `/pets?api_key=${key}`),
        await service().call('GET', `/pets/${key}`),
        await service().call('GET', `/${key}`),
        await get(`${key.slice(0, -1)}!`),
        await get(newToken()),
        await get(await service().makeKey({ scopes: ['orders:read'] })),
        await service().call('GET', '/pets', { headers: { Authorization: `Basic ${key}` } }),
        await service().call('GET', '/pets', { headers: { Authorization: key } }),
      ]
      for (const { text } of answers) assert.doesNotMatch(text, /pst_/)
      // The line of this request is logged after those of the requests above.
      await service().call('GET', '/pets', { headers: { 'X-Request-Id': 'the-last' } })
      await service().logged(/"status":401[\s\S]*"requestId":"the-last"/)
      assert.doesNotMatch(service().log, /pst_|uthorization/)
      assert.ok(!service().log.includes(key.slice(8)))
    })
  },
  { LOG_LEVEL: 'trace' },
)

describe('verifying a key', () => {
  const [trustMilliseconds, touchMilliseconds] = [2_000, 60_000]
  const start = Date.UTC(2027, 0, 1)
  let store: Store
  let now: number
  let verify: ReturnType<typeof createVerify>
  before(() => {
    store = openFile(':memory:')
  })
  after(() => store.close())
  beforeEach(() => {
    now = start
    verify = verifierOn({})
  })

  /** Makes a verifier that looks keys up in the store, except for what the test replaces. */
  const verifierOn = (replaced: Partial<KeyTable>) =>
    createVerify(
      { ...store.keys, ...replaced },
      timeAt(() => now),
    )
  const newKey = () => issueKey(store.keys, { name: 'test', scopes: ['pets:read'], now: start, expiresAt: undefined })

  /** Returns when the key was last used, after everything that was written before is stored. */
  async function lastUse({ id }: Key): Promise<number | undefined> {
    await newKey()
    return (await store.keys.find(id))?.lastUsedAt
  }

  test('A verified key is trusted for two seconds, then the store is asked again, even if the clock is set back [decision 10]', async () => {
    for (const [later, isTrusted] of [
      [trustMilliseconds - 1, true],
      [trustMilliseconds, false],
      [-1, false],
    ] as const) {
      now = start
      const { token, key } = await newKey()
      assert.equal((await verify(token))?.id, key.id)
      await store.keys.revoke(key.id, now)
      now = start + later
      assert.equal((await verify(token)) !== undefined, isTrusted, String(later))
      now = start
      assert.equal((await verify(token)) !== undefined, isTrusted, 'what was found revoked is no longer trusted')
    }
  })

  test('The two seconds for which a verified key is trusted begin with the lookup, however long that takes', async () => {
    const { token, key } = await newKey()
    const { promise: gate, resolve: open } = Promise.withResolvers<void>()
    verify = verifierOn({
      async findByHash(hash) {
        const found = await store.keys.findByHash(hash)
        await gate
        return found
      },
    })
    const slow = verify(token)
    await store.keys.revoke(key.id, now)
    now = start + trustMilliseconds
    open()
    assert.equal((await slow)?.id, key.id)
    assert.equal(await verify(token), undefined)
  })

  test('The service immediately accepts a key that was unknown a moment before [decision 10]', async () => {
    const token = newToken()
    assert.equal(await verify(token), undefined)
    const more = { name: 'test', scopes: [], createdAt: start, expiresAt: undefined }
    await store.keys.insert({ ...more, prefix: prefixOf(token), hash: hashOf(token) })
    assert.ok(await verify(token))
  })

  test('The service does not look up text that does not have the format of a key', async () => {
    verify = verifierOn({ findByHash: () => assert.fail('the store was asked') })
    const token = newToken()
    for (const text of ['', 'nope', token.slice(0, -1), `${token}0`]) assert.equal(await verify(text), undefined)
  })

  test('If the store fails, all requests that wait for the same key fail, and the failure is not cached', async () => {
    const { token, key } = await newKey()
    let isAway = true
    const away = () => Promise.reject(new StoreUnavailable('the disk is full'))
    verify = verifierOn({ findByHash: (hash) => (isAway ? away() : store.keys.findByHash(hash)) })
    for (const outcome of await Promise.allSettled([verify(token), verify(token)]))
      assert.ok(outcome.status === 'rejected' && outcome.reason instanceof StoreUnavailable)
    isAway = false
    assert.equal((await verify(token))?.id, key.id)
  })

  test('The last use of a key is recorded to the minute, and not for a key that has ended', async () => {
    const { token, key } = await newKey()
    // Each time, a verifier is used that trusts nothing yet, so that it asks the store.
    for (const [later, noted] of [
      [0, start],
      [touchMilliseconds - 1, start],
      [touchMilliseconds, start + touchMilliseconds],
    ] as const) {
      now = start + later
      assert.ok(await verifierOn({})(token))
      assert.equal(await lastUse(key), noted)
    }
    const ended = await newKey()
    await store.keys.revoke(ended.key.id, now)
    assert.equal(await verify(ended.token), undefined)
    assert.equal(await lastUse(ended.key), undefined)
  })

  test('The service accepts a key even if its use cannot be recorded', async () => {
    const { token, key } = await newKey()
    verify = verifierOn({ touch: () => Promise.reject(new StoreUnavailable('the disk is full')) })
    assert.equal((await verify(token))?.id, key.id)
    // An unhandled rejection would appear at the end of this turn and fail the test.
    await nextTurn()
  })
})

test('Each of the 62 characters occurs at each of the 30 positions of the secret of a key [decision 10]', () => {
  // A correct program misses one of the 1860 with a probability of 1860 · (61/62)^4000 < 1e-24.
  const secrets = Array.from({ length: 4000 }, () => newToken().slice('pst_'.length, -6))
  for (let place = 0; place < 30; place++)
    assert.equal(new Set(secrets.map((secret) => secret[place])).size, 62, `at place ${place}`)
})
