/** When a failed delivery is attempted again. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { afterTry } from '../../src/webhooks/schedule.ts'

const hour = 60 * 60 * 1_000

/** Returns all pauses for these random numbers. */
function pauses(random: () => number): number[] {
  const found: number[] = []
  let claim = { eventId: 1, lockedUntil: 2, tries: 0 }
  while (found.length < 100) {
    const { outcome, tried } = afterTry(claim, { status: 500 }, random)
    if (outcome !== 'retried') return found
    claim = tried
    found.push(tried.pauseMilliseconds ?? assert.fail('there is no pause'))
  }
  return assert.fail('it is tried for ever')
}

test('A delivery has ten attempts over three days, with growing pauses [decision 16]', () => {
  const usual = pauses(() => 0.5)
  assert.equal(usual.length + 1, 10)
  assert.equal(usual[0], 5_000)
  assert.deepEqual(
    usual,
    usual.toSorted((a, b) => a - b),
  )
  const total = usual.reduce((sum, pause) => sum + pause, 0)
  assert.ok(Math.abs(total - 72 * hour) < hour, `${total / hour} hours`)
})

test('A pause varies by up to a tenth, so that attempts do not all repeat together [decision 16]', () => {
  const [shortest, usual, longest] = [pauses(() => 0), pauses(() => 0.5), pauses(() => 1)]
  for (const [i, pause] of usual.entries()) {
    assert.equal(shortest[i], Math.round(pause * 0.9))
    assert.equal(longest[i], Math.round(pause * 1.1))
  }
})

test('a delivery is done with any status from 200 to 299, and with no other [decision 16]', () => {
  const isDelivered = (status: number) =>
    afterTry({ eventId: 1, lockedUntil: 2, tries: 0 }, { status }, () => 0.5).outcome === 'delivered'
  assert.deepEqual([199, 200, 204, 299, 300].map(isDelivered), [false, true, true, true, false])
})
