/** The rate limits of keys in several processes: what they share, how much too many pass, and what happens without it. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import type { Decision } from '../../src/keys/gcra.ts'
import { createRateLimits, createSharedRates, type RateLimits } from '../../src/keys/rate-limits.ts'
import type { Key } from '../../src/model/key.ts'
import type { Rate } from '../../src/rate.ts'
import type { ShareRates } from '../../src/store/store.ts'
import { logInto } from '../support/log.ts'

const keyOf = (id: number, rate?: Rate): Key => ({
  id,
  name: 'test',
  prefix: 'pst_test',
  hash: String(id),
  scopes: [],
  createdAt: 0,
  lifetime: undefined,
  expiresAt: undefined,
  revokedAt: undefined,
  lastUsedAt: undefined,
  rate,
})
const key = keyOf(1)

/** Processes with one clock, and the log of all. */
function processes(count: number, fallback: Rate | undefined, share: (time: () => number) => ShareRates | undefined) {
  const logged: { level: number; msg: string }[] = []
  const log = logInto(logged)
  const now = { milliseconds: 0 }
  const clock = () => now.milliseconds
  const shared = share(clock)
  const all = Array.from({ length: count }, () => createRateLimits({ fallback, clock, log, share: shared }))
  return { all: all as [RateLimits, ...RateLimits[]], now, logged }
}

/** All of them in one group, as the workers of one parent are. */
const together = (clock: () => number): ShareRates => {
  const add = createSharedRates(clock)
  return async (uses) => add(uses)
}

async function passes(limits: RateLimits, key: Key, times = 1): Promise<number> {
  const decisions = await Promise.all(Array.from({ length: times }, () => limits.take(key)))
  return decisions.filter((decision) => decision?.isAllowed).length
}

describe('the rate of a key', () => {
  test('is its own, else that of the service, else there is none', () => {
    const own = { requests: 2, seconds: 1 }
    const service = { requests: 5, seconds: 1 }
    for (const [fallback, rate, expected] of [
      [undefined, undefined, undefined],
      [undefined, own, own],
      [service, undefined, service],
      [service, own, own],
    ]) {
      const [limits] = processes(1, fallback, () => undefined).all
      const decision = limits.take(keyOf(1, rate)) as Decision | undefined
      assert.equal(decision?.remaining, expected && expected.requests - 1)
      assert.equal(decision?.limit.policy, expected && `"default";q=${expected.requests};w=1`)
    }
  })

  test('counts each key by itself', async () => {
    const [limits] = processes(1, { requests: 3, seconds: 60 }, () => undefined).all
    assert.equal(await passes(limits, keyOf(1), 10), 3)
    assert.equal(await passes(limits, keyOf(2), 10), 3)
  })

  test('applies from the next request on if it is changed', async () => {
    const { all, now } = processes(1, undefined, () => undefined)
    assert.equal(await passes(all[0], keyOf(1, { requests: 3, seconds: 60 }), 10), 3)
    now.milliseconds += 30_000
    assert.equal(await passes(all[0], keyOf(1, { requests: 6, seconds: 60 }), 10), 3)
  })
})

describe('several processes', () => {
  test('let through at most the requests of one second too many for each of the others, however requests are spread', async () => {
    const step = fc.oneof(
      { weight: 6, arbitrary: fc.record({ process: fc.nat(2), requests: fc.integer({ min: 1, max: 40 }) }) },
      { weight: 3, arbitrary: fc.record({ milliseconds: fc.nat(2_000) }) },
      { weight: 3, arbitrary: fc.record({ shares: fc.nat(2) }) },
    )
    const rates = fc.record({ requests: fc.integer({ min: 1, max: 60 }), seconds: fc.integer({ min: 1, max: 10 }) })
    await fc.assert(
      fc.asyncProperty(rates, fc.array(step, { maxLength: 40 }), async (rate, steps) => {
        const { all, now } = processes(3, rate, together)
        const interval = (rate.seconds * 1_000) / rate.requests
        const allowed: number[] = []
        for (const step of steps) {
          if ('milliseconds' in step) now.milliseconds += step.milliseconds
          else if ('shares' in step) await all[step.shares]?.share()
          else {
            const count = await passes(all[step.process] as RateLimits, key, step.requests)
            for (let i = 0; i < count; i++) allowed.push(now.milliseconds)
          }
          for (const [i, earlier] of allowed.entries()) {
            const due = rate.requests + Math.floor((now.milliseconds - earlier) / interval)
            const tooMany = allowed.length - i - due
            assert.ok(tooMany <= 2 * Math.ceil(rate.requests / rate.seconds), `${tooMany} too many`)
          }
        }
      }),
      { numRuns: 500 },
    )
  })

  test('reach that: three get the quota of one and the requests of one second for each of the other two', async () => {
    const { all } = processes(3, { requests: 600, seconds: 60 }, together)
    const [first, second, third] = all as [RateLimits, RateLimits, RateLimits]
    // The others use what they may without asking, and only then the first one the quota.
    assert.equal(await passes(second, key, 10), 10)
    assert.equal(await passes(third, key, 10), 10)
    assert.equal(await passes(first, key, 1_000), 600)
    for (const limits of [first, second, third]) await limits.share()
    for (const limits of [first, second, third]) assert.equal(await passes(limits, key), 0)
  })

  test('never refuse a client that keeps to its quota, and it may use it all at once in one of them', async () => {
    const { all, now } = processes(3, { requests: 600, seconds: 60 }, together)
    assert.equal(await passes(all[0], key, 600), 600)
    for (let i = 1; i <= 300; i++) {
      now.milliseconds += 100
      if (i % 10 === 0) for (const limits of all) await limits.share()
      assert.equal(await passes(all[i % 3] as RateLimits, key), 1, `request ${i}`)
    }
  })

  test('make a key pay back what passed too many, so that its rate holds in the long run', async () => {
    const { all, now } = processes(3, { requests: 10, seconds: 10 }, together)
    let passed = 0
    for (let second = 0; second < 100; second++) {
      for (const limits of all) passed += await passes(limits, key, 20)
      now.milliseconds += 1_000
      for (const limits of all) await limits.share()
    }
    assert.ok(passed >= 100 && passed <= 10 + 100 + 2, String(passed))
  })

  test('lock a key out for its window at most, and for a minute if that is longer, however many too many passed', async () => {
    const { all, now } = processes(100, { requests: 1, seconds: 5 }, together)
    for (const limits of all) assert.equal(await passes(limits, key), 1)
    for (const limits of all) await limits.share()
    const waits = all.map((limits) => (limits.take(key) as Decision).seconds)
    assert.equal(Math.max(...waits), 65 + 5)
    now.milliseconds += 70_000
    for (const limits of all) assert.equal((limits.take(key) as Decision).isAllowed, true)
  })

  test('count what passes while they ask', async () => {
    const asked = Promise.withResolvers<readonly number[]>()
    const { all } = processes(1, { requests: 600, seconds: 60 }, () => () => asked.promise)
    assert.equal(await passes(all[0], key, 3), 3)
    const sharing = all[0].share()
    assert.equal(await passes(all[0], key, 2), 2)
    // These three, and 594 of another process.
    asked.resolve([597 * 100e6])
    await sharing
    assert.equal((await all[0].take(key))?.remaining, 0)
  })

  test('refuse without asking what is used up: a flood costs nothing but the refusals', async () => {
    let asked = 0
    const { all } = processes(1, { requests: 60, seconds: 60 }, (clock) => {
      const share = together(clock)
      return (uses) => {
        asked++
        return share(uses)
      }
    })
    assert.equal(await passes(all[0], key, 60), 60)
    const before = asked
    assert.ok(before <= 60)
    assert.equal(await passes(all[0], key, 1_000), 0)
    assert.equal(asked, before)
  })
})

describe('sharing that fails', () => {
  test('leaves each process counting alone; the log says so once, and once that it works again', async () => {
    let isDown = true
    const { all, logged, now } = processes(2, { requests: 20, seconds: 10 }, (clock) => {
      const share = together(clock)
      return async (uses) => {
        if (isDown) throw new Error('no database')
        return share(uses)
      }
    })
    const [first, second] = all as [RateLimits, RateLimits]
    for (const limits of [first, second]) assert.equal(await passes(limits, key, 30), 20, 'its whole quota')
    for (let i = 0; i < 3; i++) {
      now.milliseconds += 1_000
      assert.equal(await passes(first, key, 30), 2)
      await first.share()
    }
    assert.equal(logged.length, 2, 'one line for each process')
    assert.match(logged[0]?.msg ?? '', /not shared with the other processes: this one counts alone/)
    assert.equal(first.isAlone, true)
    isDown = false
    for (const limits of [first, second]) {
      now.milliseconds += 1_000
      await passes(limits, key)
      await limits.share()
      assert.equal(limits.isAlone, false)
    }
    assert.deepEqual(
      logged.slice(2).map(({ msg }) => msg),
      Array(2).fill('rate limits are shared with the other processes again'),
    )
    now.milliseconds += 10_000
    assert.equal(await passes(first, key, 30), 20)
    await second.share()
    assert.equal(await passes(second, key, 30), 2, 'the other one learns of it')
    assert.equal(logged.length, 4)
  })

  test('by not answering holds requests up until the second time it is due, and no longer', async () => {
    const asked = Promise.withResolvers<readonly number[]>()
    let times = 0
    const { all, logged } = processes(1, { requests: 20, seconds: 10 }, () => () => {
      times++
      return asked.promise
    })
    const [limits] = all
    const passing = passes(limits, key, 30)
    await limits.share()
    assert.equal(logged.length, 0)
    await limits.share()
    assert.equal(await passing, 20)
    assert.match(logged[0]?.msg ?? '', /counts alone/)
    await limits.share()
    asked.resolve([0])
    await new Promise(setImmediate)
    assert.match(logged[1]?.msg ?? '', /again/)
    assert.equal(logged.length, 2)
    await limits.share()
    assert.equal(times, 1, 'what passed meanwhile is not held against the key later')
  })
})
