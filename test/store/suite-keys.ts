/** API keys in a store. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Key, newToken } from '../../src/model/key.ts'
import type { Subject } from './subject.ts'

export function keySuite(given: () => Subject): void {
  describe('keys', () => {
    test('A key is found by its id, by its hash and in the list, with all its fields', async () => {
      for (const wanted of [
        {
          name: 'Größe 🐈 "x"',
          scopes: ['metrics:read', 'pets:read'],
          createdAt: 1_799_999_999_999,
          expiresAt: 253_402_300_799_999,
          rate: { requests: 1_000_000, seconds: 3_600 },
        },
        { name: 'x'.repeat(500), scopes: [], expiresAt: undefined, rate: undefined },
      ] as Partial<Key>[]) {
        const key = await given().addKey(wanted)
        assert.partialDeepStrictEqual(key, { ...wanted, revokedAt: undefined, lastUsedAt: undefined })
        assert.deepEqual(await given().store.keys.find(key.id), key)
        assert.deepEqual(await given().store.keys.findByHash(key.hash), key)
        assert.deepEqual((await given().store.keys.list()).at(-1), key)
        assert.equal(await given().store.keys.find(key.id + 1_000_000), undefined)
      }
      assert.equal(await given().store.keys.findByHash('none'), undefined)
    })

    test('Rotating a key adds a key and ends the old one, completely or not at all', async () => {
      for (const made of [{}, { expiresAt: 1_800_000_100_000 }]) {
        const key = await given().addKey(made)
        for (const expiresAt of [5_000_000_000_000, 4_000_000_000_000]) {
          const fresh = await given().store.keys.rotate(key.id, expiresAt, { ...key, hash: newToken(), name: 'fresh' })
          assert.ok(fresh)
          assert.deepEqual(await given().store.keys.findByHash(key.hash), { ...key, expiresAt })
          assert.deepEqual(await given().store.keys.find(fresh.id), fresh)
          assert.equal(fresh.name, 'fresh')
        }
        const [before, taken] = [await given().store.keys.find(key.id), await given().addKey()]
        await assert.rejects(given().store.keys.rotate(key.id, 1, { ...key, hash: taken.hash }))
        assert.deepEqual(await given().store.keys.find(key.id), before)
      }
    })

    test('A key that was revoked meanwhile is not rotated', async () => {
      const key = await given().addKey()
      await given().store.keys.revoke(key.id, 1)
      const revoked = await given().store.keys.list()
      assert.equal(await given().store.keys.rotate(key.id, 2, { ...key, hash: newToken() }), undefined)
      assert.deepEqual(await given().store.keys.list(), revoked)
    })

    test('The last use of a key never moves back', async () => {
      const key = await given().addKey()
      for (const [at, lastUsedAt] of [
        [5_000, 5_000],
        [4_000, 5_000],
        [6_000, 6_000],
      ] as const) {
        await given().store.keys.touch(key.id, at)
        assert.deepEqual(await given().store.keys.find(key.id), { ...key, lastUsedAt })
      }
    })

    test('The last use of a key is not recorded if too many are waiting, and no write is refused for it', async () => {
      const { touch, find } = given().store.keys
      const { id } = await given().addKey()
      const crowd = Array.from({ length: 20_000 }, (_, i) => touch(id + 1 + i, 1))
      const late = touch(id, 5_000)
      const others = Array.from({ length: 100 }, () => given().addKey())
      await Promise.all([...crowd, late, ...others])
      assert.equal((await find(id))?.lastUsedAt, undefined)
      await touch(id, 6_000)
      assert.equal((await find(id))?.lastUsedAt, 6_000)
    })

    test('A change of a key affects only that key, an unknown key is reported, and the first revocation counts', async () => {
      const key = await given().addKey()
      const other = await given().addKey()
      for (const id of [other.id, other.id + 1_000_000])
        for (const at of [5_000_000_000_000, 6_000_000_000_000]) await given().store.keys.revoke(id, at)
      assert.deepEqual(await given().store.keys.find(key.id), key)
      assert.deepEqual(await given().store.keys.find(other.id), { ...other, revokedAt: 5_000_000_000_000 })
    })
  })
}
