/** Verifying keys without a look at the store for each request: what is trusted, for how long, and how much is remembered. */

import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { createVerify } from '../../src/http/auth.ts'
import { issueKey } from '../../src/keys/keys.ts'
import { hashOf, type Key, newToken, prefixOf } from '../../src/model/key.ts'
import { openSqlite } from '../../src/store/sqlite/sqlite.ts'
import { type KeyTable, type Store, StoreUnavailable } from '../../src/store/store.ts'
import { Folder } from '../support/process.ts'

const trustMilliseconds = 2_000
const trustedMax = 10_000
const touchMilliseconds = 60_000

const start = Date.UTC(2027, 0, 1)

describe('verifying a key', () => {
  let folder: Folder
  let store: Store
  let now: number
  let verify: ReturnType<typeof createVerify>
  before(() => {
    folder = new Folder()
    store = openSqlite(folder.database)
  })
  after(async () => {
    await store.close()
    folder[Symbol.dispose]()
  })
  beforeEach(() => {
    now = start
    verify = verifierOn(store.keys)
  })

  const verifierOn = (keys: KeyTable) => createVerify(keys, () => now)
  const newKey = () => issueKey(store.keys, { name: 'test', scopes: ['pets:read'], now: start, expiresAt: undefined })

  /** The keys of the store, with a say in how each look-up goes. */
  const keysWith = (findByHash: KeyTable['findByHash']): KeyTable => ({ ...store.keys, findByHash })

  /** When the key was last used, once all that was written before is there. */
  async function lastUse({ id }: Key): Promise<number | undefined> {
    await newKey()
    return (await store.keys.find(id))?.lastUsedAt
  }

  test('trusts it for two seconds, then asks the store again [D61]', async () => {
    const { token, key } = await newKey()
    assert.equal((await verify(token))?.id, key.id)
    await store.keys.revoke(key.id, now)
    now = start + trustMilliseconds - 1
    assert.equal((await verify(token))?.id, key.id)
    now = start + trustMilliseconds
    assert.equal(await verify(token), undefined)
    now = start
    assert.equal(await verify(token), undefined, 'what was found revoked is no longer trusted')
  })

  test('does not trust it any longer when the clock is set back', async () => {
    const { token, key } = await newKey()
    assert.ok(await verify(token))
    await store.keys.revoke(key.id, now)
    now = start - 1
    assert.equal(await verify(token), undefined)
  })

  test('trusts it from the start of the lookup, however long that takes', async () => {
    const { token, key } = await newKey()
    const { promise: gate, resolve: open } = Promise.withResolvers<void>()
    verify = verifierOn(
      keysWith(async (hash) => {
        const found = await store.keys.findByHash(hash)
        await gate
        return found
      }),
    )
    const slow = verify(token)
    await store.keys.revoke(key.id, now)
    now = start + trustMilliseconds
    open()
    assert.equal((await slow)?.id, key.id)
    assert.equal(await verify(token), undefined)
  })

  test('remembers a bounded number of keys', async () => {
    const { token, key } = await newKey()
    assert.ok(await verify(token))
    await store.keys.revoke(key.id, now)
    assert.ok(await verify(token), 'it is remembered')
    const groups = 10
    for (let group = 1; group <= groups; group++) {
      const others = await Promise.all(Array.from({ length: trustedMax / groups }, newKey))
      const last = group === groups ? others.pop() : undefined
      for (const other of others) assert.ok(await verify(other.token))
      assert.ok(await verify(token), 'as many as may be are remembered')
      if (last) assert.ok(await verify(last.token))
    }
    assert.equal(await verify(token), undefined, 'with one more, the first is forgotten')
  })

  test('accepts a key at once that was unknown a moment before [D61]', async () => {
    const token = newToken()
    assert.equal(await verify(token), undefined)
    const more = { name: 'test', scopes: [], createdAt: start, expiresAt: undefined }
    await store.keys.insert({ ...more, prefix: prefixOf(token), hash: hashOf(token) })
    assert.ok(await verify(token))
  })

  test('asks the store once for all requests that arrive meanwhile', async () => {
    const { token, key } = await newKey()
    const other = await newKey()
    const asked: string[] = []
    verify = verifierOn(
      keysWith((hash) => {
        asked.push(hash)
        return store.keys.findByHash(hash)
      }),
    )
    const found = await Promise.all([verify(token), verify(token), verify(other.token), verify(token)])
    assert.deepEqual(
      found.map((each) => each?.id),
      [key.id, key.id, other.key.id, key.id],
    )
    assert.deepEqual(asked, [key.hash, other.key.hash])
    now += trustMilliseconds
    await verify(token)
    assert.equal(asked.length, 3, 'the next one is asked about anew')
  })

  test('never asks the store about text that does not have the format of a key', async () => {
    verify = verifierOn(keysWith(() => assert.fail('the store was asked')))
    const token = newToken()
    for (const text of ['', 'nope', token.slice(0, -1), `${token}0`]) assert.equal(await verify(text), undefined)
  })

  test('fails for all waiting requests while the store fails, and does not cache that', async () => {
    const { token, key } = await newKey()
    let isAway = true
    verify = verifierOn(
      keysWith((hash) =>
        isAway ? Promise.reject(new StoreUnavailable('the disk is full')) : store.keys.findByHash(hash),
      ),
    )
    for (const outcome of await Promise.allSettled([verify(token), verify(token)]))
      assert.ok(outcome.status === 'rejected' && outcome.reason instanceof StoreUnavailable)
    isAway = false
    assert.equal((await verify(token))?.id, key.id)
  })

  test('notes when it was last used, to the minute', async () => {
    const { token, key } = await newKey()
    assert.ok(await verify(token))
    assert.equal(await lastUse(key), start)
    // Each time with a verifier that trusts nothing yet, so that the store is asked.
    for (const [later, noted] of [
      [touchMilliseconds - 1, start],
      [touchMilliseconds, start + touchMilliseconds],
    ] as const) {
      now = start + later
      assert.ok(await verifierOn(store.keys)(token))
      assert.equal(await lastUse(key), noted)
    }
  })

  test('notes no use of a key that has ended', async () => {
    const { token, key } = await newKey()
    await store.keys.revoke(key.id, now)
    assert.equal(await verify(token), undefined)
    assert.equal(await lastUse(key), undefined)
  })

  test('accepts the key even if its use cannot be recorded', async () => {
    const { token, key } = await newKey()
    verify = verifierOn({ ...store.keys, touch: () => Promise.reject(new StoreUnavailable('the disk is full')) })
    assert.equal((await verify(token))?.id, key.id)
    // A failure that nobody took up would show at the end of this turn, and fail the test.
    await nextTurn()
  })
})
