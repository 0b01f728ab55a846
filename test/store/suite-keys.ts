/** API keys in a store. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Key, newToken } from '../../src/model/key.ts'
import type { Subject } from './subject.ts'

export function keySuite(given: () => Subject): void {
  describe('keys', () => {
    test('a key is found by its id, by its hash and in the list, with all that was given', async () => {
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

    test('rotating adds a key and sets the end of the old one, whole or not at all', async () => {
      for (const made of [{}, { expiresAt: 1_800_000_100_000 }]) {
        const key = await given().addKey(made)
        for (const expiresAt of [5_000_000_000_000, 4_000_000_000_000]) {
          const fresh = await given().store.keys.rotate(key.id, expiresAt, { ...key, hash: newToken(), name: 'fresh' })
          assert.deepEqual(await given().store.keys.findByHash(key.hash), { ...key, expiresAt })
          assert.deepEqual(await given().store.keys.find(fresh.id), fresh)
          assert.equal(fresh.name, 'fresh')
        }
        const [before, taken] = [await given().store.keys.find(key.id), await given().addKey()]
        await assert.rejects(given().store.keys.rotate(key.id, 1, { ...key, hash: taken.hash }))
        assert.deepEqual(await given().store.keys.find(key.id), before)
      }
    })

    test('the time of last use never goes back', async () => {
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

    test('the last call of a deprecated operation is kept for each key, and not written too often', async () => {
      const [one, other] = [await given().addKey(), await given().addKey()]
      const note = (keyId: number, operation: string, at: number) =>
        given().store.keys.noteDeprecatedCall({ keyId, operation, at }, at - 60_000)
      await note(one.id, 'getPet', 1_000_000)
      await note(one.id, 'getPet', 1_059_999)
      await note(one.id, 'listPets', 1_059_999)
      await note(other.id, 'getPet', 1_000_000)
      await note(other.id, 'getPet', 1_060_000)
      await note(other.id, 'getPet', 1_000_001)
      const calls = (await given().store.keys.deprecatedCalls()).filter(({ keyId }) => keyId >= one.id)
      assert.deepEqual(calls, [
        { keyId: one.id, operation: 'getPet', at: 1_000_000 },
        { keyId: one.id, operation: 'listPets', at: 1_059_999 },
        { keyId: other.id, operation: 'getPet', at: 1_060_000 },
      ])
    })

    test('the last use of a key is left out where too many are to be noted: no write is refused for it', async () => {
      const { touch, noteDeprecatedCall, find, deprecatedCalls } = given().store.keys
      const { id } = await given().addKey()
      const note = (operation: string) => noteDeprecatedCall({ keyId: id, operation, at: 1 }, 0)
      const crowd = Array.from({ length: 10_000 }, (_, i) => [touch(id + 1 + i, 1), note(`crowd ${i}`)]).flat()
      const late = [touch(id, 5_000), note('late')]
      const others = Array.from({ length: 100 }, () => given().addKey())
      await Promise.all([...crowd, ...late, ...others])
      assert.equal((await find(id))?.lastUsedAt, undefined)
      await Promise.all([touch(id, 6_000), note('later')])
      assert.equal((await find(id))?.lastUsedAt, 6_000)
      const noted = (await deprecatedCalls()).filter(({ keyId, operation }) => keyId === id && !/crowd/.test(operation))
      assert.deepEqual(
        noted.map(({ operation }) => operation),
        ['later'],
      )
    })

    test('a change reaches one key only, or none that is not there; the first revocation counts', async () => {
      const key = await given().addKey()
      const other = await given().addKey()
      for (const id of [other.id, other.id + 1_000_000])
        for (const at of [5_000_000_000_000, 6_000_000_000_000]) await given().store.keys.revoke(id, at)
      assert.deepEqual(await given().store.keys.find(key.id), key)
      assert.deepEqual(await given().store.keys.find(other.id), { ...other, revokedAt: 5_000_000_000_000 })
    })
  })
}
