/** Rate limits by virtual scheduling (GCRA): one number per bucket, the time up to which its requests are accounted for. */
import type { Rate } from '../rate.ts'

/** Times are whole nanoseconds: their sums are exact, for 104 days after the start; then a quota may be one request off. */
export const nanoseconds = (milliseconds: number): number => Math.round(milliseconds * 1e6)
const second = 1e9

export interface Limit {
  readonly rate: Rate
  /** The time that one request takes up. */
  readonly interval: number
  /** The time that the whole quota takes up; so much may be used at once. */
  readonly span: number
  /** The most that several processes may have used together: what passed too many is paid back, but not for long. */
  readonly spanMax: number
  /** The requests of one second, and at least one. */
  readonly perSecond: number
  /** As the RateLimit-Policy header says it. */
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
    perSecond: Math.ceil(rate.requests / rate.seconds),
    policy: `"default";q=${rate.requests};w=${rate.seconds}`,
  }
}

/** Its `tat`, the theoretical arrival time, moves on by an interval with every request, and is never before now. */
export interface Bucket {
  tat: number
}

export interface Decision {
  readonly isAllowed: boolean
  /** How many more requests may be made at once. */
  readonly remaining: number
  /** Seconds until `remaining` grows by one, rounded up. */
  readonly seconds: number
  readonly limit: Limit
}

export const hasRoom = ({ tat }: Bucket, { interval, span }: Limit, now: number): boolean =>
  Math.max(tat, now) + interval <= now + span

/** Uses one request, if there is room; a request that is refused uses nothing. */
export function decide(bucket: Bucket, limit: Limit, now: number): Decision {
  const { interval, span } = limit
  const isAllowed = hasRoom(bucket, limit, now)
  if (isAllowed) bucket.tat = Math.max(bucket.tat, now) + interval
  const spare = now + span - bucket.tat
  const remaining = Math.max(0, Math.floor(spare / interval))
  return { isAllowed, remaining, seconds: Math.ceil(((remaining + 1) * interval - spare) / second), limit }
}

const sweepMin = 1_000

/**
 * Buckets by id, of bounded number. A bucket whose time is over is as good as none and is dropped. If the rest are too
 * many, the tenth nearest to that is dropped: whoever has used up a quota is remembered longest.
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
      // Sorting numbers, not buckets, takes a tenth of the time.
      const inOrder = Float64Array.from(this.#buckets.values(), ({ tat }) => tat).sort()
      this.#drop(inOrder[Math.floor(this.#max / 10)] as number)
    }
    this.#sweepAt = Math.min(this.#max, Math.max(sweepMin, 2 * this.#buckets.size))
  }

  #drop(until: number): void {
    for (const [id, { tat }] of this.#buckets) if (tat <= until) this.#buckets.delete(id)
  }
}
