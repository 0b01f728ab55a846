/**
 * Rate limits. Each decision is compared with a model that considers every earlier decision. Also what several
 * instances allow, and the responses to a limited key and to an address that guesses keys.
 */
import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import fc from 'fast-check'
import { expectError } from '../../harness/expect.ts'
import { logInto } from '../../harness/log.ts'
import { exchange, request } from '../../harness/raw.ts'
import { type Answer, type CallOptions, onOneTarget, type TestService } from '../../harness/service.ts'
import { timeAt } from '../../harness/time.ts'
import {
  type Bucket,
  Buckets,
  createRateLimits,
  decide,
  limitOf,
  nanoseconds,
  type RateLimits,
} from '../../src/http/rate-limits.ts'
import { limits } from '../../src/limits.ts'
import { type Key, newToken, type Rate } from '../../src/model/key.ts'
import type { ShareRates } from '../../src/store/key-table.ts'

const rates = fc.record({ requests: fc.integer({ min: 1, max: 12 }), seconds: fc.integer({ min: 1, max: 20 }) })
/** The milliseconds between two requests. Often there are none, and sometimes many. */
const gaps = fc.array(fc.oneof(fc.constant(0), fc.nat(500), fc.nat(30_000)), { maxLength: 60 })
const second = nanoseconds(1_000)

/** Makes the requests, and yields each decision with its time in nanoseconds. */
function* requestsOf(gaps: readonly number[], bucket: Bucket, limit = limitOf({ requests: 1, seconds: 1 })) {
  let time = 0
  for (const gap of gaps) {
    time += nanoseconds(gap)
    yield { time, decision: decide(bucket, limit, time), limit }
  }
}

describe('a rate limit', () => {
  test('A rate limit allows the same requests as a simple model: the quota at once, then one request per interval [decision 11]', () => {
    fc.assert(
      fc.property(rates, gaps, (rate, gaps) => {
        const allowed: number[] = []
        for (const { time, decision, limit } of requestsOf(gaps, { tat: 0 }, limitOf(rate))) {
          // Counted from each earlier request, at most the quota and what has become available since may have passed,
          // including this request.
          const conforms = allowed.every((earlier, i) => {
            const count = allowed.length - i + 1
            return count <= rate.requests + Math.floor((time - earlier) / limit.interval)
          })
          assert.equal(decision.isAllowed, conforms, `at ${time}, after ${allowed}`)
          if (decision.isAllowed) allowed.push(time)
        }
      }),
    )
  })

  test('A rate limit allows the quota at once and then one request per interval, for any rate and time [decision 11]', () => {
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

  test('A rate limit says how many requests are left and when more are, and a refused request passes exactly then [decision 11]', () => {
    fc.assert(
      fc.property(rates, gaps, (rate, gaps) => {
        const bucket = { tat: 0 }
        for (const { time, decision, limit } of requestsOf(gaps, bucket, limitOf(rate))) {
          const { remaining, seconds, isAllowed } = decision
          assert.ok(seconds >= 1 && Number.isInteger(seconds))
          const leftAt = (later: number): number => {
            const copy = { ...bucket }
            let count = 0
            while (count <= rate.requests && decide(copy, limit, later).isAllowed) count++
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
  test('The memory of a rate limit is bounded: it forgets expired entries first, and the heaviest users last', () => {
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
})

const keyOf = (id: number, rate?: Rate) => ({ id, rate }) as Key
const key = keyOf(1)

/** Makes instances that share a clock and a log. */
function instances(count: number, fallback: Rate | undefined, share: (time: () => number) => ShareRates | undefined) {
  const logged: { level: number; msg: string }[] = []
  const log = logInto(logged)
  const now = { milliseconds: 0 }
  const clock = () => now.milliseconds
  const shared = share(clock)
  const all = Array.from({ length: count }, () =>
    createRateLimits({ fallback, time: timeAt(clock), log, share: shared }),
  )
  return { all: all as [RateLimits, ...RateLimits[]], now, logged }
}

/** Shares counts like the database does for all instances. */
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

test('A changed rate applies from the next request on, to its key alone', () => {
  const { all, now } = instances(1, undefined, () => undefined)
  assert.equal(passes(all[0], keyOf(1, { requests: 3, seconds: 60 }), 10), 3)
  now.milliseconds += 30_000
  assert.equal(passes(all[0], keyOf(1, { requests: 6, seconds: 60 }), 10), 3)
  assert.equal(passes(all[0], keyOf(2, { requests: 6, seconds: 60 }), 10), 6)
})

describe('several instances', () => {
  test('Several instances together exceed a quota by at most two seconds of traffic, which the key pays back [decision 11]', async () => {
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
          // Each instance shares its counts once a second, at its own moment.
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

  test('Several instances never refuse a client that keeps to its quota, even if it uses one instance for all of it [decision 11]', async () => {
    const { all, now } = instances(3, { requests: 600, seconds: 60 }, together)
    assert.equal(passes(all[0], key, 600), 600)
    for (let i = 1; i <= 300; i++) {
      now.milliseconds += 100
      if (i % 10 === 0) for (const limits of all) await limits.share()
      assert.equal(passes(all[i % 3] as RateLimits, key), 1, `request ${i}`)
    }
  })

  test('Several instances lock a key out for at most its window and a minute, however many requests passed [decision 11]', async () => {
    const { all, now } = instances(100, { requests: 1, seconds: 5 }, together)
    for (const limits of all) assert.equal(passes(limits, key), 1)
    for (const limits of all) await limits.share()
    const waits = all.map((limits) => limits.consume(key)?.seconds ?? 0)
    assert.equal(Math.max(...waits), 65 + 5)
    now.milliseconds += 70_000
    for (const limits of all) assert.equal(limits.consume(key)?.isAllowed, true)
  })

  test('Requests that pass while instances share their counts do not wait, and are reported the next time [decision 11]', async () => {
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
    // These are the three requests, and 594 of another instance.
    asked.resolve([597 * 100e6])
    await sharing
    assert.equal(all[0].consume(key)?.remaining, 0)
    await all[0].share()
    assert.equal(passes(all[0], key, 1_000), 0)
    await all[0].share()
    assert.deepEqual(told, [[3], [3]], 'a flood that is refused costs nothing but the refusals')
  })
})

test('If sharing fails, each instance counts alone, and the log says so once [decision 11]', async () => {
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
  assert.match(logged[0]?.msg ?? '', /cannot be shared with the other instances: this one counts only its own requests/)
  assert.equal(first.countsAlone, true)
  isDown = false
  for (const limits of [first, second]) {
    now.milliseconds += 1_000
    passes(limits, key)
    await limits.share()
    assert.equal(limits.countsAlone, false)
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

const none = [null, null]
const policy = '"default";q=5;w=60'
const rateOf = ({ headers }: Answer) => [headers.get('ratelimit-policy'), headers.get('ratelimit')]

const { requests: failuresMax } = limits.failedAuthentications
const from = (address: string) => ({ 'X-Forwarded-For': address })

/** Sends invalid keys, some in the right form, until the answer is not 401. Returns their number and that answer. */
async function guess(service: TestService, headers: Record<string, string> = {}): Promise<[number, Answer]> {
  const unknown = newToken()
  for (let count = 0; count < 1_000; count++) {
    const answer = await service.call('GET', '/pets', { key: count % 2 ? 'nope' : unknown, headers })
    if (answer.status !== 401) return [count, answer]
  }
  return assert.fail('a thousand guesses were answered with 401')
}

onOneTarget('Without settings for limits', (service) => {
  test('Without RATE_LIMIT, only keys with their own rate are limited, and other responses do not mention limits [decision 11]', async () => {
    await service().setTicks(1_000)
    for (let i = 0; i < 20; i++) {
      const answer = await service().call('GET', '/pets?limit=1')
      assert.deepEqual([answer.status, ...rateOf(answer), answer.headers.get('retry-after')], [200, ...none, null])
    }
    const key = await service().makeKey({ rate: { requests: 2, seconds: 10 } })
    const answers = []
    for (let i = 0; i < 3; i++) answers.push(await service().call('GET', '/pets?limit=1', { key }))
    assert.deepEqual(
      answers.map(rateOf),
      [1, 0, 0].map((left) => ['"default";q=2;w=10', `"default";r=${left};t=5`]),
    )
    assert.match(expectError(answers[2] as Answer, 429, 'rate_limited'), /Retry-After/)
    assert.equal(answers[2]?.headers.get('retry-after'), '5')
  })

  test('Failed authentications get 401, then 429 for invalid keys only, until Retry-After is over [decision 11]', async () => {
    await service().setTicks(1_000_000)
    for (let i = 0; i <= failuresMax; i++)
      expectError(await service().call('GET', '/pets', { key: null }), 401, 'missing_api_key')
    const [count, refused] = await guess(service())
    assert.equal(count, failuresMax, 'requests without a key are not guesses')
    assert.match(expectError(refused, 429, 'rate_limited'), /invalid API keys/)
    assert.deepEqual([refused.headers.get('retry-after'), ...rateOf(refused)], ['10', ...none])
    assert.equal((await guess(service(), from('203.0.113.9')))[0], 0, 'nobody is believed about an address')
    for (const key of [service().key, await service().makeKey()])
      assert.equal((await service().call('GET', '/pets', { key })).status, 200, 'a valid key works')
    expectError(await service().call('GET', '/pets', { key: null }), 401, 'missing_api_key')
    await service().setTicks(1_010_000)
    assert.equal((await guess(service()))[0], 1)
    await service().setTicks(1_000_000 + 600_000 + 10_000)
    assert.equal((await guess(service()))[0], failuresMax)
  })
})

onOneTarget(
  'With RATE_LIMIT',
  (service) => {
    let now = 1_000
    let key: string
    beforeEach(async () => {
      await service().setTicks((now += 1_000_000))
      key = await service().makeKey()
    })
    const get = (path = '/pets?limit=1', options: CallOptions = {}) => service().call('GET', path, { key, ...options })
    const status = async () => (await get()).status

    test('Responses without a valid key, to OPTIONS and of open pages do not mention limits', async () => {
      for (const answer of [
        await get('/pets', { key: null }),
        await get('/pets', { key: 'nope' }),
        await service().call('OPTIONS', '/pets', { key }),
        await get('//livez'),
        await get('//nope'),
      ])
        assert.deepEqual(rateOf(answer), none)
      assert.deepEqual(rateOf(await get()), [policy, '"default";r=4;t=12'])
    })

    test('429 comes after 401 and before every other error, and a refused request has no effect [decision 3, 11]', async () => {
      for (let i = 0; i < 5; i++) await status()
      const categoryId = 429_429
      for (const [method, path, options] of [
        ['GET', '/nope'],
        ['PUT', '/pets'],
        ['GET', '/pets?limit=0'],
        ['GET', '/pets/0'],
        ['POST', '/pets', { body: { name: 'Rex', categoryId } }],
        ['POST', '/pets', { body: '{', headers: { 'Content-Type': 'text/plain' } }],
        ['POST', '/pets', { body: ' '.repeat(70_000) }],
      ] as [string, string, CallOptions?][])
        expectError(await service().call(method, path, { key, ...options }), 429, 'rate_limited')
      expectError(await get('/pets', { key: 'nope' }), 401, 'invalid_api_key')
      await service().setClock(Date.UTC(2030, 11, 5))
      expectError(await get('/pets/1'), 429, 'rate_limited')
      await service().setClock(null)
      assert.deepEqual((await get(`/pets?categoryId=${categoryId}`, { key: await service().makeKey() })).json, [])
    })

    test('The quota can be used at once; further requests get 429 until the second that Retry-After names [decision 11]', async () => {
      for (let left = 4; left >= 0; left--) assert.deepEqual(rateOf(await get()), [policy, `"default";r=${left};t=12`])
      await service().setTicks(now + 500)
      const refused = await get()
      expectError(refused, 429, 'rate_limited')
      assert.deepEqual(rateOf(refused), [policy, '"default";r=0;t=12'])
      assert.equal(refused.headers.get('retry-after'), '12', 'eleven and a half, rounded up')
      await service().setTicks(now + 11_999)
      assert.equal(await status(), 429)
      await service().setTicks(now + 12_500)
      assert.deepEqual([await status(), await status()], [200, 429])
    })
  },
  { RATE_LIMIT: '5/60' },
)

onOneTarget(
  'Failed authentications behind trusted proxies',
  (service) => {
    test('Behind trusted proxies, failed authentications count for the client that the proxies name, and for its network over IPv6 [decision 11]', async () => {
      await service().setTicks(1_000_000)
      for (const [guesser, same, other] of [
        ['203.0.113.1', '192.0.2.1, 203.0.113.1', '203.0.113.2'],
        ['2001:db8:1:1::1', '192.0.2.1, 2001:db8:1:1:ffff::, 10.9.9.9', '2001:db8:1:2::1'],
      ] as const) {
        assert.equal((await guess(service(), from(guesser)))[0], failuresMax)
        assert.equal((await guess(service(), from(same)))[0], 0)
        expectError(await service().call('GET', '/pets', { key: 'nope', headers: from(other) }), 401, 'invalid_api_key')
        const lines = ['Host: x', 'Authorization: Bearer nope', 'Connection: close']
        const forwarded = [other, same].map((address) => `X-Forwarded-For: ${address}`)
        const [answer] = await exchange(service().port, request('GET /v1/pets HTTP/1.1', [...lines, ...forwarded]))
        assert.equal(answer?.status, 429, 'the last of two lines counts')
        const valid = await service().call('GET', '/pets', { headers: from(guesser) })
        assert.equal(valid.status, 200, 'a valid key works')
      }
    })
  },
  { TRUST_PROXY: '127.0.0.1, 10.0.0.0/8' },
)
