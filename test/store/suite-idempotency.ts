/** Idempotent attempts in a store: made once, repeated safely, forgotten in time. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { NewPet } from '../../src/model/pet.ts'
import { type Attempt, attemptMilliseconds, type Outcome } from '../../src/store/store.ts'
import { rex, rowOf, type Subject } from './subject.ts'

export function attemptSuite(given: () => Subject): void {
  describe('attempts', () => {
    /** A category for each test, to count what its attempts added. */
    let categoryId = 1_000_000n
    const next = (): Required<NewPet> => ({ ...rex, categoryId: ++categoryId })
    const attemptTo = (pet: Required<NewPet>, attempt: Attempt) => given().attempt(pet, attempt)
    const added = async () => (await given().walk({ categoryId })).length

    test('a repeated one gives the same row again and adds nothing', async () => {
      const [pet, attempt] = [next(), await given().newAttempt()]
      const first = rowOf(await attemptTo(pet, attempt))
      assert.equal(first.replayed, false)
      for (const now of [attempt.now, attempt.now + 1, attempt.now + attemptMilliseconds - 1])
        assert.deepEqual(await attemptTo(pet, { ...attempt, now }), { ...first, replayed: true })
      assert.equal(await added(), 1)
    })

    test('one with another body is refused and adds nothing', async () => {
      const [pet, attempt] = [next(), await given().newAttempt()]
      await attemptTo(pet, attempt)
      assert.equal(await attemptTo(pet, { ...attempt, fingerprint: 'b' }), 'idempotency_key_reused')
      assert.equal(await added(), 1)
      assert.equal(rowOf(await attemptTo(pet, attempt)).replayed, true, 'and the first still stands')
    })

    test('another API key, route or Idempotency-Key makes another attempt', async () => {
      const [pet, attempt] = [next(), await given().newAttempt()]
      const { id } = await given().addKey()
      const others = [
        { keyId: id },
        { route: 'POST /v1/other' },
        { idempotencyKey: 'First' },
        { idempotencyKey: '~"!' },
      ]
      for (const other of [{}, ...others])
        assert.equal(rowOf(await attemptTo(pet, { ...attempt, ...other })).replayed, false)
      for (const other of others) assert.equal(rowOf(await attemptTo(pet, { ...attempt, ...other })).replayed, true)
      assert.equal(await added(), 1 + others.length)
    })

    test('many at once under one key add one animal, and all who get a row get that one', async () => {
      const [pet, attempt] = [next(), await given().newAttempt()]
      const outcomes: readonly Outcome[] = await Promise.all(Array.from({ length: 20 }, () => attemptTo(pet, attempt)))
      const rows = outcomes.filter((outcome) => typeof outcome !== 'string')
      for (const outcome of outcomes)
        if (typeof outcome === 'string') assert.equal(String(outcome), 'idempotency_in_progress')
      assert.equal(rows.filter((row) => !row.replayed).length, 1)
      assert.equal(new Set(rows.map((row) => row.id)).size, 1)
      assert.equal(await added(), 1)
    })

    test('one of 24 hours ago is forgotten, whatever its body was', async () => {
      const [pet, attempt] = [next(), await given().newAttempt()]
      const first = rowOf(await attemptTo(pet, attempt))
      const later = { ...attempt, now: attempt.now + attemptMilliseconds, fingerprint: 'b' }
      const second = rowOf(await attemptTo(pet, later))
      assert.equal(second.replayed, false)
      assert.notEqual(second.id, first.id)
      assert.deepEqual(await attemptTo(pet, later), { ...second, replayed: true })
      assert.equal(await added(), 2)
    })

    test('forget removes those older than an instant, and only those', async () => {
      const [pet, attempt] = [next(), await given().newAttempt()]
      const younger = { ...attempt, idempotencyKey: 'younger', now: attempt.now + 1 }
      await attemptTo(pet, attempt)
      await attemptTo(pet, younger)
      await given().store.forget(attempt.now)
      assert.equal(rowOf(await attemptTo(pet, attempt)).replayed, true)
      await given().store.forget(younger.now)
      assert.equal(rowOf(await attemptTo(pet, younger)).replayed, true)
      assert.equal(rowOf(await attemptTo(pet, attempt)).replayed, false)
    })
  })
}
