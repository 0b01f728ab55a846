/** The retries of a delivery: it is attempted ten times over three days, until it succeeds. */
import type { ClaimedDelivery, Disabling, TriedDelivery } from '../store/webhook-table.ts'
import { isDelivered, type TryResult } from './send.ts'

const second = 1_000
const minute = 60 * second
const hour = 60 * minute

const pauses = [5 * second, minute, 5 * minute, 30 * minute, 2 * hour, 6 * hour, 12 * hour, 24 * hour, 27 * hour]

/** About how long ten attempts take. A webhook is disabled if nothing was delivered to it for that long. */
const silentMilliseconds = 72 * hour

/** The random part of a pause, up or down, so that deliveries that failed together are not retried together. */
const jitter = 0.1

export const longestPause = Math.ceil(Math.max(...pauses) * (1 + jitter))

/**
 * The pause after the given number of attempts, or undefined after the last attempt. `random` returns a number from 0
 * to 1.
 */
function pauseAfter(tries: number, random: () => number): number | undefined {
  const pause = pauses[tries - 1]
  return pause && Math.round(pause * (1 - jitter + 2 * jitter * random()))
}

/**
 * What follows from an attempt, its outcome as the metrics count it, and whether it is a reason to disable the webhook.
 */
export function afterTry(
  { eventId, lockedUntil, tries: before }: Pick<ClaimedDelivery, 'eventId' | 'lockedUntil' | 'tries'>,
  result: TryResult,
  random: () => number,
): { outcome: 'delivered' | 'retried' | 'failed'; tried: TriedDelivery; disabling?: Disabling } {
  const tries = before + 1
  const isGone = result.status === 410
  const isDone = isDelivered(result)
  const pause = isDone || isGone ? undefined : pauseAfter(tries, random)
  const outcome = isDone ? 'delivered' : pause === undefined ? 'failed' : 'retried'
  const tried: TriedDelivery = {
    eventId,
    lockedUntil,
    status: outcome === 'retried' ? 'pending' : outcome,
    tries,
    pauseMilliseconds: pause,
    responseStatus: result.status,
    fault: result.fault,
  }
  if (outcome !== 'failed') return { outcome, tried }
  const lastTry = `the last try, of event ${eventId}, ended with ${result.status ?? result.fault}`
  const disabling = isGone
    ? { reason: 'The receiver answered 410: it wants no more events.', silentMilliseconds: undefined }
    : { reason: `Nothing was delivered for three days; ${lastTry}.`, silentMilliseconds }
  return { outcome, tried, disabling }
}
