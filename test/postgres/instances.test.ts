/** Several instances on one PostgreSQL. They find each other’s events, and share the limits of keys. */
import assert from 'node:assert/strict'
import { withClock } from '../../harness/database-clock.ts'
import { databases } from '../../harness/databases.ts'
import { EventStream } from '../../harness/event-stream.ts'
import { withStores } from '../../harness/in-process.ts'
import { logInto } from '../../harness/log.ts'
import { databasePerTest, releasePostgres } from '../../harness/postgres.ts'
import { after, describeInFull, test } from '../../harness/scope.ts'
import { patientTimeout, TestService } from '../../harness/service.ts'
import { timeAt } from '../../harness/time.ts'
import { createRateLimits, type RateLimits } from '../../src/http/rate-limits.ts'
import type { Key } from '../../src/model/key.ts'
import type { Store } from '../../src/store/store.ts'

describeInFull('two instances on one PostgreSQL', () => {
  const given = databasePerTest()

  test('What one instance writes reaches the streams of the other instance, in order and exactly once [decision 15]', async () => {
    const env = { DATABASE_URL: given.url, DATABASE_TIMEOUT: patientTimeout, LOG_LEVEL: 'warn' }
    const instances = await Promise.all([TestService.start(env), TestService.start(env)])
    const [first, second] = instances as [TestService, TestService]
    try {
      const key = await first.makeKey({ scopes: ['events:read'] })
      await using stream = await EventStream.open(`${second.url}/v1`, { key })
      await using same = await EventStream.open(`${first.url}/v1`, { key })
      const add = (to: TestService) => to.call('POST', '/pets', { body: { name: 'Rex', categoryId: 1 } })
      for (let round = 0; round < 5; round++) await Promise.all(instances.flatMap((to) => [add(to), add(to), add(to)]))
      await Promise.all([stream, same].map((each) => each.until(({ ids }) => ids.length === 30)))
      // The other instance receives no notice of its own commits now.
      await add(first)
      await Promise.all([stream, same].map((each) => each.until(({ ids }) => ids.length === 31)))
      assert.deepEqual(stream.ids, same.ids)
      assert.deepEqual(
        stream.ids,
        stream.ids.toSorted((a, b) => a - b),
      )
      assert.deepEqual([first.log, second.log], ['', ''])
    } finally {
      await Promise.all(instances.map((each) => each.stop()))
    }
  })
})

after(releasePostgres)

const [, onPostgres] = databases
/**
 * One request becomes available every 36 seconds, which is longer than the test takes, because the clock of the
 * database continues.
 */
const rate = { requests: 100, seconds: 3_600 }
const second = 1e9

const newKey = ({ keys }: Store): Promise<Key> =>
  keys.insert({ name: 'k', prefix: 'p', hash: 'h', scopes: [], createdAt: 1, expiresAt: undefined, rate })

/** Returns the limits of each instance, with a clock that stands still. */
function limitsOn(stores: readonly Store[]) {
  const logged: { msg: string }[] = []
  const log = logInto(logged)
  const all = stores.map(({ shareRates: share }) =>
    createRateLimits({ fallback: undefined, time: timeAt(() => 1_000), log, share }),
  )
  return { all: all as [RateLimits, RateLimits, RateLimits], logged }
}

const passed = (limits: RateLimits, key: Key, times: number): number =>
  Array.from({ length: times }, () => limits.consume(key)).filter((decision) => decision?.isAllowed).length

describeInFull('three instances on one PostgreSQL', () => {
  test('Three instances on PostgreSQL each allow the quota of a key before they share counts, and afterwards nothing [decision 11]', () =>
    withStores(onPostgres, 3, async (stores) => {
      const key = await newKey(stores[0])
      const { all, logged } = limitsOn(stores)
      assert.deepEqual(
        all.map((limits) => passed(limits, key, 300)),
        [100, 100, 100],
      )
      await Promise.all(all.map((limits) => limits.share()))
      assert.ok(
        all.some((limits) => (limits.consume(key)?.seconds ?? 0) > rate.seconds),
        'what passed is paid back',
      )
      assert.deepEqual(
        all.map((limits) => passed(limits, key, 50)),
        [0, 0, 0],
      )
      assert.equal(logged.length, 0)
    }))

  test('Three instances on PostgreSQL add up counts that they report concurrently, in any order of keys and with repeated keys [decision 11]', () =>
    withStores(withClock(onPostgres), 3, async (stores, _url, clock) => {
      await clock.set(1_000_000)
      const uses = [3, 1, 2, 3].map((keyId) => ({ keyId, used: 1_000 * second, ahead: 1_000 * second, aheadMax: 1e15 }))
      await Promise.all(
        Array.from({ length: 30 }, (_, i) => stores[i % 3]?.shareRates?.(i % 2 ? uses : uses.toReversed())),
      )
      const none = [1, 2, 3, 4].map((keyId) => ({ keyId, used: 0, ahead: 0, aheadMax: 1e15 }))
      const seconds = async () => (await stores[0].shareRates?.(none))?.map((ahead) => ahead / second)
      // If a new key is reported twice in one statement, the larger value counts.
      assert.deepEqual(await seconds(), [30_000, 30_000, 59_000, 0])
      await clock.set(1_500_000)
      assert.deepEqual(await seconds(), [29_500, 29_500, 58_500, 0])
    }))

  test('Three instances on PostgreSQL do not lock a key out if the clock of the database is set back [decision 11]', () =>
    withStores(onPostgres, 3, async (stores) => {
      const key = await newKey(stores[0])
      // This has the same effect as setting the clock back by a day.
      await stores[0].shareRates?.([{ keyId: key.id, used: 0, ahead: 86_400 * second, aheadMax: 1e15 }])
      const [limits] = limitsOn(stores).all
      assert.equal(passed(limits, key, 1), 1)
      await limits.share()
      const decision = limits.consume(key)
      assert.equal(decision?.isAllowed, false)
      assert.ok((decision?.seconds ?? Infinity) <= rate.seconds + 2 * 36, `${decision?.seconds} seconds`)
    }))
})
