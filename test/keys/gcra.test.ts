/** The decision on one request: held against a model that looks at every earlier one. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { type Bucket, Buckets, decide, limitOf, nanoseconds } from '../../src/keys/gcra.ts'

const rates = fc.record({ requests: fc.integer({ min: 1, max: 12 }), seconds: fc.integer({ min: 1, max: 20 }) })
/** The time from one request to the next, in milliseconds: often none, and sometimes long. */
const gaps = fc.array(fc.oneof(fc.constant(0), fc.nat(500), fc.nat(30_000)), { maxLength: 60 })
const second = nanoseconds(1_000)

/** Makes the requests, and gives each with its time in nanoseconds. */
function* requestsOf(gaps: readonly number[], bucket: Bucket, limit = limitOf({ requests: 1, seconds: 1 })) {
  let time = 0
  for (const gap of gaps) {
    time += nanoseconds(gap)
    yield { time, decision: decide(bucket, limit, time), limit }
  }
}

describe('a rate limit', () => {
  test('lets through what a model does: the quota at once, and from then on one request an interval', () => {
    fc.assert(
      fc.property(rates, gaps, (rate, gaps) => {
        const allowed: number[] = []
        for (const { time, decision, limit } of requestsOf(gaps, { tat: 0 }, limitOf(rate))) {
          // Since each earlier request, with it and this one: no more than the quota and what has come back since.
          const conforms = allowed.every((earlier, i) => {
            const count = allowed.length - i + 1
            return count <= rate.requests + Math.floor((time - earlier) / limit.interval)
          })
          assert.equal(decision.isAllowed, conforms, `at ${time}, after ${allowed}`)
          if (decision.isAllowed) allowed.push(time)
        }
        // In any window of `seconds`: the quota once at its beginning, and once more as it comes back.
        for (const [i, begin] of allowed.entries()) {
          const within = allowed.slice(i).filter((time) => time < begin + rate.seconds * second)
          assert.ok(within.length <= 2 * rate.requests)
        }
      }),
    )
  })

  test('never refuses a client that makes a request an interval, whatever the figures', () => {
    const all = fc.record({
      requests: fc.integer({ min: 1, max: 1_000_000 }),
      seconds: fc.integer({ min: 1, max: 3_600 }),
    })
    fc.assert(
      fc.property(all, fc.nat(1_000_000_000), (rate, start) => {
        const bucket = { tat: 0 }
        const limit = limitOf(rate)
        for (let i = 0; i < 1_000; i++)
          assert.ok(decide(bucket, limit, nanoseconds(start) + i * limit.interval).isAllowed)
      }),
      { numRuns: 20 },
    )
  })

  test('gives exactly the quota at once, whatever the figures and the time', () => {
    const all = fc.record({ requests: fc.integer({ min: 1, max: 2_000 }), seconds: fc.integer({ min: 1, max: 3_600 }) })
    fc.assert(
      fc.property(all, fc.double({ min: 0, max: 8e9, noNaN: true }), (rate, start) => {
        const bucket = { tat: 0 }
        const now = nanoseconds(start)
        for (let left = rate.requests - 1; left >= 0; left--)
          assert.partialDeepStrictEqual(decide(bucket, limitOf(rate), now), { isAllowed: true, remaining: left })
        assert.partialDeepStrictEqual(decide(bucket, limitOf(rate), now), { isAllowed: false, remaining: 0 })
      }),
    )
  })

  test('says how many requests are left and the second in which it is more; after a refusal, one passes then and not before', () => {
    fc.assert(
      fc.property(rates, gaps, (rate, gaps) => {
        const bucket = { tat: 0 }
        for (const { time, decision, limit } of requestsOf(gaps, bucket, limitOf(rate))) {
          const { remaining, seconds, isAllowed } = decision
          assert.ok(seconds >= 1 && Number.isInteger(seconds))
          const leftAt = (later: number): number => {
            const copy = { ...bucket }
            let count = 0
            while (decide(copy, limit, later).isAllowed) count++
            return count
          }
          assert.equal(leftAt(time), remaining)
          assert.equal(leftAt(time + (seconds - 1) * second), remaining)
          assert.ok(leftAt(time + seconds * second) > remaining)
          if (!isAllowed) assert.equal(remaining, 0)
        }
      }),
    )
  })

  test('does not count what it refuses', () => {
    const bucket = { tat: 0 }
    const limit = limitOf({ requests: 1, seconds: 10 })
    assert.ok(decide(bucket, limit, 0).isAllowed)
    for (let i = 0; i < 100; i++) assert.equal(decide(bucket, limit, i).isAllowed, false)
    assert.ok(decide(bucket, limit, 10 * second).isAllowed)
  })
})

describe('what is remembered', () => {
  test('is bounded, whoever comes; those whose time is over are forgotten first, those who have used most last', () => {
    const max = 5_000
    const buckets = new Buckets<number, Bucket>(max)
    buckets.add(-1, { tat: 10 * second }, 0)
    buckets.add(-2, { tat: 1 }, 0)
    for (let id = 0; id < 4 * max; id++) {
      buckets.add(id, { tat: second + id }, 2)
      assert.ok(buckets.size <= max)
    }
    assert.equal(buckets.get(-2), undefined)
    assert.deepEqual(buckets.get(-1), { tat: 10 * second }, 'whoever has used most cannot get rid of it')
    assert.ok(buckets.size > max * 0.8)
  })

  test('shrinks again when those who came are gone', () => {
    const buckets = new Buckets<number, Bucket>(100_000)
    for (let id = 0; id < 3_000; id++) buckets.add(id, { tat: 1 }, 0)
    assert.equal(buckets.size, 3_000)
    for (let id = 3_000; id < 10_000; id++) buckets.add(id, { tat: 1 }, 2)
    assert.ok(buckets.size <= 2_000, String(buckets.size))
  })
})
