/** What follows from a try: a delivery that failed is tried again, ten times over three days. */
import type { StoredDelivery } from '../model/webhook.ts'
import { isDelivered, type TryResult } from './send.ts'

const second = 1_000
const minute = 60 * second
const hour = 60 * minute

/** The pauses between tries. */
const pauses = [5 * second, minute, 5 * minute, 30 * minute, 2 * hour, 6 * hour, 12 * hour, 24 * hour, 27 * hour]

/** What failed together is not tried again together. */
const jitter = 0.1

/** What is to be tried later than after this was put off by a clock that was ahead. */
export const pauseMax = Math.max(...pauses) * (1 + jitter)

/** The pause after the given number of tries, or undefined if it was the last; `random` gives a number from 0 to 1. */
export function pauseAfter(tries: number, random: () => number): number | undefined {
  const pause = pauses[tries - 1]
  return pause && Math.round(pause * (1 - jitter + 2 * jitter * random()))
}

export interface Judgement<Delivery> {
  readonly kind: 'delivered' | 'retried' | 'failed'
  readonly delivery: Delivery
  /** Why its webhook is to be disabled, for those who look after it. */
  readonly reason: string | undefined
}

/** What a try has made of a delivery. */
export function judge<Delivery extends StoredDelivery>(
  before: Delivery,
  outcome: TryResult,
  now: number,
  random: () => number,
): Judgement<Delivery> {
  const tries = before.tries + 1
  const isGone = outcome.status === 410
  const isDone = isDelivered(outcome)
  const pause = isDone || isGone ? undefined : pauseAfter(tries, random)
  const kind = isDone ? 'delivered' : pause === undefined ? 'failed' : 'retried'
  const delivery: Delivery = {
    ...before,
    status: kind === 'retried' ? 'pending' : kind,
    tries,
    nextTryAt: pause === undefined ? 0 : now + pause,
    responseStatus: outcome.status,
    fault: outcome.fault,
  }
  if (kind !== 'failed') return { kind, delivery, reason: undefined }
  const ended = `the last ended with ${outcome.status ?? outcome.fault}`
  const reason = isGone
    ? 'The receiver answered 410: it wants no more events.'
    : `Event ${before.eventId} was not delivered in ${tries} tries over three days; ${ended}.`
  return { kind, delivery, reason }
}
