/** The rate limits of API keys: decided within this process, and shared with the other processes about once a second. */

import type { Clock } from '../clock.ts'
import { limits } from '../limits.ts'
import type { Key } from '../model/key.ts'
import type { Log } from '../observe/log.ts'
import type { Rate } from '../rate.ts'
import type { RateUse, ShareRates } from '../store/store.ts'
import { type Bucket, Buckets, type Decision, decide, hasRoom, type Limit, limitOf, nanoseconds } from './gcra.ts'

/** How often `share` is to be called. */
export const shareMilliseconds = 1_000

export interface RateLimits {
  /** Undefined if the key has no limit. */
  rateOf(key: Key): Rate | undefined
  /** Uses one request of the key, if it has a limit. A promise if this process must first share what it has used. */
  take(key: Key): Decision | Promise<Decision> | undefined
  /** Tells the other processes what this one has used, and learns what all have. */
  share(): Promise<void>
  /** Whether this process counts alone, as sharing has failed. */
  readonly isAlone: boolean
}

export interface RateLimitOptions {
  /** Of keys without a rate of their own. */
  readonly fallback: Rate | undefined
  /** A monotonic one: if it were set back, a key would be locked out. */
  readonly clock: Clock
  readonly log: Log
  /** Undefined if there are no other processes. */
  readonly share: ShareRates | undefined
}

interface KeyBucket extends Bucket {
  readonly keyId: number
  limit: Limit
  /** Requests that the other processes do not know of: not sent to them yet, or without an answer. */
  unshared: number
  inFlight: number
}

export function createRateLimits({ fallback, clock, log, share }: RateLimitOptions): RateLimits {
  const buckets = new Buckets<number, KeyBucket>(limits.remembered)
  let used: KeyBucket[] = []
  let sharing: { readonly done: PromiseWithResolvers<void>; isOld: boolean } | undefined
  let isAlone = false

  function bucketOf(keyId: number, rate: Rate, now: number): KeyBucket {
    const bucket = buckets.get(keyId)
    if (!bucket) return buckets.add(keyId, { keyId, tat: 0, limit: limitOf(rate), unshared: 0, inFlight: 0 }, now)
    if (bucket.limit.rate !== rate) bucket.limit = limitOf(rate)
    return bucket
  }

  const rateOf = (key: Key): Rate | undefined => key.rate ?? fallback

  function take(key: Key): Decision | Promise<Decision> | undefined {
    const rate = rateOf(key)
    if (!rate) return undefined
    const now = nanoseconds(clock())
    const bucket = bucketOf(key.id, rate, now)
    const { limit } = bucket
    // Others may have used what looks free: without this, each process would give away the whole quota in one second.
    if (share && !isAlone && bucket.unshared + bucket.inFlight >= limit.perSecond && hasRoom(bucket, limit, now))
      return takeAfterSharing(key)
    const decision = decide(bucket, limit, now)
    if (share && decision.isAllowed && bucket.unshared++ === 0) used.push(bucket)
    return decision
  }

  async function takeAfterSharing(key: Key): Promise<Decision> {
    await (sharing ?? begin()).done.promise
    return take(key) as Decision | Promise<Decision>
  }

  function begin() {
    const begun = { done: Promise.withResolvers<void>(), isOld: false }
    sharing = begun
    const batch = used
    used = []
    for (const bucket of batch) {
      bucket.inFlight = bucket.unshared
      bucket.unshared = 0
    }
    send(batch)
      .then(succeed, fail)
      .finally(() => {
        for (const bucket of batch) bucket.inFlight = 0
        sharing = undefined
        begun.done.resolve()
      })
    return begun
  }

  async function send(batch: readonly KeyBucket[]): Promise<void> {
    const uses = batch.map(({ keyId, inFlight, limit }): RateUse => {
      return { keyId, nanoseconds: inFlight * limit.interval, nanosecondsMax: limit.spanMax }
    })
    const ahead = await (share as ShareRates)(uses)
    const now = nanoseconds(clock())
    for (const [i, bucket] of batch.entries())
      bucket.tat = Math.max(bucket.tat, now + (ahead[i] ?? 0) + bucket.unshared * bucket.limit.interval)
  }

  function forget(): void {
    for (const bucket of used) bucket.unshared = 0
    used = []
  }

  function succeed(): void {
    if (isAlone) log.info('rate limits are shared with the other processes again')
    isAlone = false
  }

  function fail(err: unknown): void {
    if (!isAlone) log.warn({ err }, 'rate limits are not shared with the other processes: this one counts alone')
    isAlone = true
  }

  return {
    rateOf,
    take,
    async share() {
      if (!share) return
      if (!sharing) {
        if (used.length > 0) await begin().done.promise
        return
      }
      // No answer since the last time: requests wait no longer.
      if (sharing.isOld) {
        if (!isAlone) fail(new Error('no answer'))
        sharing.done.resolve()
        forget()
      }
      sharing.isOld = true
    },
    get isAlone() {
      return isAlone
    },
  }
}

/** Adds up what several processes have used: the implementation of `ShareRates` in their parent. */
export function createSharedRates(clock: Clock): (uses: readonly RateUse[]) => number[] {
  const buckets = new Buckets<number, Bucket>(limits.remembered)
  return (uses) => {
    const now = nanoseconds(clock())
    return uses.map(({ keyId, nanoseconds, nanosecondsMax }) => {
      const bucket = buckets.get(keyId) ?? buckets.add(keyId, { tat: 0 }, now)
      bucket.tat = Math.min(Math.max(bucket.tat, now), now + nanosecondsMax) + nanoseconds
      return bucket.tat - now
    })
  }
}
