/** Idempotent attempts in a store: made once, repeated safely, forgotten in time. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { limits } from '../../src/limits.ts'
import type { NewPet } from '../../src/model/pet.ts'
import type { IdempotencyClaim, Outcome } from '../../src/store/store.ts'
import { rex, rowOf, type Subject } from './subject.ts'

export function idempotencySuite(given: () => Subject): void {
  describe('attempts', () => {
    /** A category for each test, to count what its attempts added. */
    let categoryId = 1_000_000n
    const next = (): Required<NewPet> => ({ ...rex, categoryId: ++categoryId })
    const claimOf = (pet: Required<NewPet>, claim: IdempotencyClaim) => given().claim(pet, claim)
    const added = async () => (await given().walk({ categoryId })).length

    test('a repeated one gives the same row again and adds nothing', async () => {
      const [pet, claim] = [next(), await given().newClaim()]
      const first = rowOf(await claimOf(pet, claim))
      assert.equal(first.replayed, false)
      for (const now of [claim.now, claim.now + 1, claim.now + limits.idempotencyTime.milliseconds - 1])
        assert.deepEqual(await claimOf(pet, { ...claim, now }), { ...first, replayed: true })
      assert.equal(await added(), 1)
    })

    test('one with another body is refused and adds nothing', async () => {
      const [pet, claim] = [next(), await given().newClaim()]
      await claimOf(pet, claim)
      assert.equal(await claimOf(pet, { ...claim, fingerprint: 'b' }), 'idempotency_key_reused')
      assert.equal(await added(), 1)
      assert.equal(rowOf(await claimOf(pet, claim)).replayed, true, 'and the first still stands')
    })

    test('another API key, route or Idempotency-Key makes another claim', async () => {
      const [pet, claim] = [next(), await given().newClaim()]
      const { id } = await given().addKey()
      const others = [
        { keyId: id },
        { route: 'POST /v1/other' },
        { idempotencyKey: 'First' },
        { idempotencyKey: '~"!' },
      ]
      for (const other of [{}, ...others])
        assert.equal(rowOf(await claimOf(pet, { ...claim, ...other })).replayed, false)
      for (const other of others) assert.equal(rowOf(await claimOf(pet, { ...claim, ...other })).replayed, true)
      assert.equal(await added(), 1 + others.length)
    })

    test('many at once under one key add one animal, and all who get a row get that one', async () => {
      const [pet, claim] = [next(), await given().newClaim()]
      const outcomes: readonly Outcome[] = await Promise.all(Array.from({ length: 20 }, () => claimOf(pet, claim)))
      const rows = outcomes.filter((outcome) => typeof outcome !== 'string')
      for (const outcome of outcomes)
        if (typeof outcome === 'string') assert.equal(String(outcome), 'idempotency_in_progress')
      assert.equal(rows.filter((row) => !row.replayed).length, 1)
      assert.equal(new Set(rows.map((row) => row.id)).size, 1)
      assert.equal(await added(), 1)
    })

    test('one of 24 hours ago is forgotten, whatever its body was', async () => {
      const [pet, claim] = [next(), await given().newClaim()]
      const first = rowOf(await claimOf(pet, claim))
      const later = { ...claim, now: claim.now + limits.idempotencyTime.milliseconds, fingerprint: 'b' }
      const second = rowOf(await claimOf(pet, later))
      assert.equal(second.replayed, false)
      assert.notEqual(second.id, first.id)
      assert.deepEqual(await claimOf(pet, later), { ...second, replayed: true })
      assert.equal(await added(), 2)
    })

    test('forget removes those older than an instant, and only those', async () => {
      const [pet, claim] = [next(), await given().newClaim()]
      const younger = { ...claim, idempotencyKey: 'younger', now: claim.now + 1 }
      await claimOf(pet, claim)
      await claimOf(pet, younger)
      await given().store.purgeIdempotencyRecords(claim.now)
      assert.equal(rowOf(await claimOf(pet, claim)).replayed, true)
      await given().store.purgeIdempotencyRecords(younger.now)
      assert.equal(rowOf(await claimOf(pet, younger)).replayed, true)
      assert.equal(rowOf(await claimOf(pet, claim)).replayed, false)
    })
  })
}
