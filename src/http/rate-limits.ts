/**
 * Rate limits by the generic cell rate algorithm (GCRA): a bucket is one number, the theoretical arrival time (`tat`).
 * Each instance decides by what it knows. Once a second, it shares how many requests it has allowed, and reads how many
 * all instances have allowed.
 */

import { limits } from '../limits.ts'
import type { Key, Rate } from '../model/key.ts'
import type { Log } from '../observe/log.ts'
import type { ShareRates } from '../store/key-table.ts'
import type { Time } from '../time.ts'

/**
 * Times are whole nanoseconds. A number is exact for the first 104 days of a process; after that, a quota may be wrong
 * by one request.
 */
export const nanoseconds = (milliseconds: number): number => Math.round(milliseconds * 1e6)
const second = 1e9

interface Limit {
  readonly rate: Rate
  /** The time that one request takes up. */
  readonly interval: number
  /** The time that the whole quota takes up. The whole quota may be used in one burst. */
  readonly span: number
  /**
   * How far the shared `tat` may run ahead of now: instances that allow more than the quota between them are throttled
   * until then, and no longer.
   */
  readonly spanMax: number
  readonly policy: string
}

export function limitOf(rate: Rate): Limit {
  const interval = Math.ceil((rate.seconds * second) / rate.requests)
  const span = interval * rate.requests
  return {
    rate,
    interval,
    span,
    spanMax: span + Math.max(span, 60 * second),
    policy: `"default";q=${rate.requests};w=${rate.seconds}`,
  }
}

/**
 * Every allowed request advances `tat` by an interval, from now if it lies in the past; a quota is used up when `tat`
 * is a span ahead of now.
 */
export interface Bucket {
  tat: number
}

export interface Decision {
  readonly isAllowed: boolean
  readonly remaining: number
  /** Seconds until `remaining` grows by one, rounded up. */
  readonly seconds: number
  readonly limit: Limit
}

/** Uses one request of the quota if there is any left; a refused request uses nothing. */
export function decide(bucket: Bucket, limit: Limit, now: number): Decision {
  const { interval, span } = limit
  const isAllowed = Math.max(bucket.tat, now) + interval <= now + span
  if (isAllowed) bucket.tat = Math.max(bucket.tat, now) + interval
  const spare = now + span - bucket.tat
  const remaining = Math.max(0, Math.floor(spare / interval))
  return { isAllowed, remaining, seconds: Math.ceil(((remaining + 1) * interval - spare) / second), limit }
}

const sweepMin = 1_000

/**
 * Buckets by id, of bounded number. A bucket whose `tat` is past has its whole quota, and is dropped. If too many are
 * left, the tenth of them with the lowest `tat` is dropped. So a client that has used up its quota is remembered
 * longest.
 */
export class Buckets<Id, B extends Bucket> {
  readonly #buckets = new Map<Id, B>()
  readonly #max: number
  #sweepAt: number

  constructor(max: number) {
    this.#max = max
    this.#sweepAt = Math.min(sweepMin, max)
  }

  get size(): number {
    return this.#buckets.size
  }

  get(id: Id): B | undefined {
    return this.#buckets.get(id)
  }

  add(id: Id, bucket: B, now: number): B {
    if (this.#buckets.size >= this.#sweepAt) this.#sweep(now)
    this.#buckets.set(id, bucket)
    return bucket
  }

  #sweep(now: number): void {
    this.#drop(now)
    if (this.#buckets.size >= this.#max) {
      // Sorting numbers instead of buckets takes a tenth of the time.
      const inOrder = Float64Array.from(this.#buckets.values(), ({ tat }) => tat).sort()
      this.#drop(inOrder[Math.floor(this.#max / 10)] as number)
    }
    this.#sweepAt = Math.min(this.#max, Math.max(sweepMin, 2 * this.#buckets.size))
  }

  #drop(until: number): void {
    for (const [id, { tat }] of this.#buckets) if (tat <= until) this.#buckets.delete(id)
  }
}

export interface RateLimits {
  rateOf(key: Key): Rate | undefined
  /** Uses one request of the key; undefined if it has no limit. */
  consume(key: Key): Decision | undefined
  /**
   * Called once a second. It shares how many requests this instance has allowed, and reads how many all instances have
   * allowed.
   */
  share(): Promise<void>
  /** Whether this instance counts alone because sharing has failed. */
  readonly countsAlone: boolean
}

interface RateLimitOptions {
  /** The rate limit of keys without their own rate limit. */
  readonly fallback: Rate | undefined
  readonly time: Time
  readonly log: Log
  /** Undefined if each instance counts alone. */
  readonly share: ShareRates | undefined
}

interface KeyBucket extends Bucket {
  readonly keyId: number
  limit: Limit
  unshared: number
}

export function createRateLimits({ fallback, time, log, share }: RateLimitOptions): RateLimits {
  const buckets = new Buckets<number, KeyBucket>(limits.remembered)
  let used: KeyBucket[] = []
  let isSharing = false
  let countsAlone = false

  function bucketOf(keyId: number, rate: Rate, now: number): KeyBucket {
    const bucket = buckets.get(keyId)
    if (!bucket) return buckets.add(keyId, { keyId, tat: 0, limit: limitOf(rate), unshared: 0 }, now)
    if (bucket.limit.rate !== rate) bucket.limit = limitOf(rate)
    return bucket
  }

  const rateOf = (key: Key): Rate | undefined => key.rate ?? fallback

  async function exchange(shareRates: ShareRates): Promise<void> {
    const batch = used
    used = []
    const asked = nanoseconds(time.ticks())
    const uses = batch.map(({ keyId, limit, tat, unshared }) => ({
      keyId,
      used: unshared * limit.interval,
      ahead: tat - asked,
      aheadMax: limit.spanMax,
    }))
    // Requests allowed from here on are shared the next time. If sharing fails now, these are never shared.
    for (const bucket of batch) bucket.unshared = 0
    const ahead = await shareRates(uses)
    for (const [i, bucket] of batch.entries())
      bucket.tat = Math.max(bucket.tat, asked + (ahead[i] ?? 0) + bucket.unshared * bucket.limit.interval)
  }

  return {
    rateOf,
    consume(key) {
      const rate = rateOf(key)
      if (!rate) return undefined
      // This does not use the clock of the machine: if it were set back, a key would be locked out.
      const now = nanoseconds(time.ticks())
      const bucket = bucketOf(key.id, rate, now)
      const decision = decide(bucket, bucket.limit, now)
      if (share && decision.isAllowed && bucket.unshared++ === 0) used.push(bucket)
      return decision
    },
    async share() {
      if (!share || isSharing || used.length === 0) return
      isSharing = true
      try {
        await exchange(share)
        if (countsAlone) log.info('rate limits are shared with the other instances again')
        countsAlone = false
      } catch (err) {
        if (!countsAlone)
          log.warn(
            { err },
            'rate limits cannot be shared with the other instances: this one counts only its own requests',
          )
        countsAlone = true
      } finally {
        isSharing = false
      }
    },
    get countsAlone() {
      return countsAlone
    },
  }
}
