/** When a delivery is tried again: ten times over three days, until it succeeds. */
import type { StoredDelivery } from '../model/webhook.ts'
import type { Disabling } from '../store/webhook-table.ts'
import { isDelivered, type TryResult } from './send.ts'

const second = 1_000
const minute = 60 * second
const hour = 60 * minute

const pauses = [5 * second, minute, 5 * minute, 30 * minute, 2 * hour, 6 * hour, 12 * hour, 24 * hour, 27 * hour]

/** About as long as ten tries take. A webhook to which nothing was delivered for so long is disabled. */
const silence = 72 * hour

/** The random part of a pause, up or down: deliveries that failed together are not tried again together. */
const jitter = 0.1

/** The longest pause. A delivery whose next try is further ahead was scheduled by a clock that was fast. */
export const pauseMax = Math.max(...pauses) * (1 + jitter)

/** The pause after the given number of tries, or undefined if it was the last; `random` gives a number from 0 to 1. */
function pauseAfter(tries: number, random: () => number): number | undefined {
  const pause = pauses[tries - 1]
  return pause && Math.round(pause * (1 - jitter + 2 * jitter * random()))
}

/** The delivery after a try, its outcome, as metrics count it, and whether it is a reason to disable the webhook. */
export function afterTry<Delivery extends StoredDelivery>(
  before: Delivery,
  result: TryResult,
  now: number,
  random: () => number,
): { outcome: 'delivered' | 'retried' | 'failed'; delivery: Delivery; disabling?: Disabling } {
  const tries = before.tries + 1
  const isGone = result.status === 410
  const isDone = isDelivered(result)
  const pause = isDone || isGone ? undefined : pauseAfter(tries, random)
  const outcome = isDone ? 'delivered' : pause === undefined ? 'failed' : 'retried'
  const delivery: Delivery = {
    ...before,
    status: outcome === 'retried' ? 'pending' : outcome,
    tries,
    nextTryAt: pause === undefined ? 0 : now + pause,
    responseStatus: result.status,
    fault: result.fault,
  }
  if (outcome !== 'failed') return { outcome, delivery }
  const lastTry = `the last try, of event ${before.eventId}, ended with ${result.status ?? result.fault}`
  const disabling = isGone
    ? { reason: 'The receiver answered 410: it wants no more events.', since: Number.MAX_SAFE_INTEGER }
    : { reason: `Nothing was delivered for three days; ${lastTry}.`, since: now - silence }
  return { outcome, delivery, disabling }
}
