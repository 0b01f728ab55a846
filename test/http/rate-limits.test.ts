/** Rate limits: one decision held against a model that looks at every earlier one, and what several instances let through. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import {
  type Bucket,
  Buckets,
  createRateLimits,
  decide,
  limitOf,
  nanoseconds,
  type RateLimits,
} from '../../src/http/rate-limits.ts'
import type { Key, Rate } from '../../src/model/key.ts'
import type { ShareRates } from '../../src/store/store.ts'
import { logInto } from '../support/log.ts'

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
  test('lets through what a model does: the quota at once, and from then on one request an interval [D67]', () => {
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

  test('gives exactly the quota at once and then a request an interval, whatever the figures and the time [D67]', () => {
    const all = fc.record({ requests: fc.integer({ min: 1, max: 2_000 }), seconds: fc.integer({ min: 1, max: 3_600 }) })
    fc.assert(
      fc.property(all, fc.double({ min: 0, max: 8e9, noNaN: true }), (rate, start) => {
        const [bucket, limit, now] = [{ tat: 0 }, limitOf(rate), nanoseconds(start)]
        for (let left = rate.requests - 1; left >= 0; left--)
          assert.partialDeepStrictEqual(decide(bucket, limit, now), { isAllowed: true, remaining: left })
        assert.partialDeepStrictEqual(decide(bucket, limit, now), { isAllowed: false, remaining: 0 })
        for (let i = 1; i <= 500; i++) assert.ok(decide(bucket, limit, now + i * limit.interval).isAllowed)
      }),
      { numRuns: 50 },
    )
  })

  test('says how many requests are left and the second in which it is more; after a refusal, one passes then and not before [D68]', () => {
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

const keyOf = (id: number, rate?: Rate) => ({ id, rate }) as Key
const key = keyOf(1)

/** Instances with one clock, and the log of all. */
function instances(count: number, fallback: Rate | undefined, share: (time: () => number) => ShareRates | undefined) {
  const logged: { level: number; msg: string }[] = []
  const log = logInto(logged)
  const now = { milliseconds: 0 }
  const clock = () => now.milliseconds
  const shared = share(clock)
  const all = Array.from({ length: count }, () => createRateLimits({ fallback, clock, log, share: shared }))
  return { all: all as [RateLimits, ...RateLimits[]], now, logged }
}

/** As the database does it for all of them. */
function together(clock: () => number): ShareRates {
  const usedUntil = new Map<number, number>()
  return async (uses) => {
    const now = nanoseconds(clock())
    return uses.map(({ keyId, used, ahead, aheadMax }) => {
      const before = Math.min(usedUntil.get(keyId) ?? 0, now + aheadMax)
      const until = Math.max(before + used, now + ahead)
      usedUntil.set(keyId, until)
      return until - now
    })
  }
}

const passes = (limits: RateLimits, key: Key, times = 1): number =>
  Array.from({ length: times }, () => limits.consume(key)).filter((decision) => decision?.isAllowed).length

test('a rate applies from the next request on if it is changed, to its key alone', () => {
  const { all, now } = instances(1, undefined, () => undefined)
  assert.equal(passes(all[0], keyOf(1, { requests: 3, seconds: 60 }), 10), 3)
  now.milliseconds += 30_000
  assert.equal(passes(all[0], keyOf(1, { requests: 6, seconds: 60 }), 10), 3)
  assert.equal(passes(all[0], keyOf(2, { requests: 6, seconds: 60 }), 10), 6)
})

describe('several instances', () => {
  test('let through too many at most what passes in two seconds in each of the others, however requests are spread [D71]', async () => {
    const step = fc.record({
      instance: fc.nat(2),
      requests: fc.integer({ min: 1, max: 40 }),
      gap: fc.oneof(fc.constant(0), fc.nat(2_000)),
    })
    const phases = fc.tuple(fc.nat(999), fc.nat(999), fc.nat(999))
    const rates = fc.record({ requests: fc.integer({ min: 1, max: 60 }), seconds: fc.integer({ min: 1, max: 10 }) })
    await fc.assert(
      fc.asyncProperty(rates, phases, fc.array(step, { maxLength: 40 }), async (rate, phases, steps) => {
        const { all, now } = instances(3, rate, together)
        const interval = (rate.seconds * 1_000) / rate.requests
        const allowed: { time: number; instance: number }[] = []
        let most = 0
        for (const { instance, requests, gap } of steps) {
          // Each shares once a second, at a moment of its own.
          for (const end = now.milliseconds + gap; now.milliseconds < end; ) {
            now.milliseconds++
            for (const [i, limits] of all.entries()) if (now.milliseconds % 1_000 === phases[i]) await limits.share()
          }
          const time = now.milliseconds
          const count = passes(all[instance] as RateLimits, key, requests)
          for (let i = 0; i < count; i++) allowed.push({ time, instance })
          const lately = allowed.filter((one) => one.instance === instance && one.time >= time - 2_000).length
          most = Math.max(most, lately)
          for (const [i, earlier] of allowed.entries()) {
            const due = rate.requests + Math.floor((time - earlier.time) / interval)
            assert.ok(allowed.length - i - due <= 2 * most, `${allowed.length - i - due} too many, with ${most}`)
          }
        }
      }),
      { numRuns: 200 },
    )
  })

  test('never refuse a client that keeps to its quota, and it may use it all at once in one of them [D71]', async () => {
    const { all, now } = instances(3, { requests: 600, seconds: 60 }, together)
    assert.equal(passes(all[0], key, 600), 600)
    for (let i = 1; i <= 300; i++) {
      now.milliseconds += 100
      if (i % 10 === 0) for (const limits of all) await limits.share()
      assert.equal(passes(all[i % 3] as RateLimits, key), 1, `request ${i}`)
    }
  })

  test('make a key pay back what passed too many, so that its rate holds in the long run [D71]', async () => {
    const { all, now } = instances(3, { requests: 10, seconds: 10 }, together)
    let passed = 0
    for (let second = 0; second < 100; second++) {
      for (const limits of all) passed += passes(limits, key, 20)
      now.milliseconds += 1_000
      for (const limits of all) await limits.share()
    }
    assert.ok(passed >= 100 && passed <= 3 * 10 + 100, String(passed))
  })

  test('lock a key out for its window at most, and for a minute if that is longer, however many too many passed [D71]', async () => {
    const { all, now } = instances(100, { requests: 1, seconds: 5 }, together)
    for (const limits of all) assert.equal(passes(limits, key), 1)
    for (const limits of all) await limits.share()
    const waits = all.map((limits) => limits.consume(key)?.seconds ?? 0)
    assert.equal(Math.max(...waits), 65 + 5)
    now.milliseconds += 70_000
    for (const limits of all) assert.equal(limits.consume(key)?.isAllowed, true)
  })

  test('count what passes while they share, which holds nobody up, and tell it the next time [D71]', async () => {
    const asked = Promise.withResolvers<readonly number[]>()
    const told: number[][] = []
    const { all } = instances(1, { requests: 600, seconds: 60 }, () => (uses) => {
      told.push(uses.map(({ used }) => used / 100e6))
      return asked.promise
    })
    assert.equal(passes(all[0], key, 3), 3)
    const sharing = all[0].share()
    assert.equal(passes(all[0], key, 2), 2)
    await all[0].share()
    assert.deepEqual(told, [[3]], 'one question at a time')
    // These three, and 594 of another instance.
    asked.resolve([597 * 100e6])
    await sharing
    assert.equal(all[0].consume(key)?.remaining, 0)
    await all[0].share()
    assert.equal(passes(all[0], key, 1_000), 0)
    await all[0].share()
    assert.deepEqual(told, [[3], [3]], 'a flood that is refused costs nothing but the refusals')
  })
})

test('sharing that fails leaves each instance counting alone; the log says so once, and once that it works again [D71]', async () => {
  let isDown = true
  const { all, logged, now } = instances(2, { requests: 20, seconds: 10 }, (clock) => {
    const share = together(clock)
    return async (uses) => {
      if (isDown) throw new Error('no database')
      return share(uses)
    }
  })
  const [first, second] = all as [RateLimits, RateLimits]
  for (const limits of [first, second]) assert.equal(passes(limits, key, 30), 20, 'its whole quota')
  for (let i = 0; i < 3; i++) {
    for (const limits of [first, second]) await limits.share()
    now.milliseconds += 1_000
    assert.equal(passes(first, key, 30), 2)
  }
  assert.equal(logged.length, 2, 'one line for each instance')
  assert.match(logged[0]?.msg ?? '', /not shared with the other instances: this one counts alone/)
  assert.equal(first.isAlone, true)
  isDown = false
  for (const limits of [first, second]) {
    now.milliseconds += 1_000
    passes(limits, key)
    await limits.share()
    assert.equal(limits.isAlone, false)
  }
  assert.deepEqual(
    logged.slice(2).map(({ msg }) => msg),
    Array(2).fill('rate limits are shared with the other instances again'),
  )
  now.milliseconds += 10_000
  assert.equal(passes(first, key, 30), 20)
  await first.share()
  assert.equal(passes(second, key), 1)
  await second.share()
  assert.equal(passes(second, key, 30), 0, 'the other one learns of it')
  assert.equal(logged.length, 4)
})
