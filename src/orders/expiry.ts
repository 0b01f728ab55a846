/**
 * Ends orders whose `heldUntil` has passed. Every instance does this, and each order is ended by exactly one of them.
 */
import type { Log } from '../observe/log.ts'
import type { Collect } from '../observe/metrics.ts'
import type { OrderTable } from '../store/store.ts'
import type { Time } from '../time.ts'

/**
 * How often it searches for orders that are due. In between, it searches at the time of the next order that it knows.
 */
const lookEveryMilliseconds = 1_000
/** How long it waits before it searches again for an order that another process has locked. */
const lockedMilliseconds = 100

interface ExpiryOptions {
  readonly orders: Pick<OrderTable, 'expire'>
  readonly time: Pick<Time, 'after'>
  readonly log: Log
}

interface Running {
  /** Resolves when no statement is under way. */
  stop(): Promise<void>
  readonly samples: Collect
}

export function startExpiry({ orders, time, log }: ExpiryOptions): Running {
  let ended = 0
  let isStopped = false
  let isFailing = false
  let cancel = () => {}
  let underWay: Promise<void> = Promise.resolve()

  async function look(): Promise<number> {
    try {
      const { expired, nextIn = lookEveryMilliseconds } = await orders.expire()
      isFailing = false
      ended += expired
      if (nextIn > 0) return Math.min(nextIn, lookEveryMilliseconds)
      return expired > 0 ? 0 : lockedMilliseconds
    } catch (err) {
      if (!isFailing && !isStopped) log.warn({ err }, 'orders whose time has passed could not be expired')
      isFailing = true
      return lookEveryMilliseconds
    }
  }

  function run(): void {
    underWay = look().then((milliseconds) => {
      if (!isStopped) cancel = time.after(milliseconds, run)
    })
  }
  run()

  return {
    stop() {
      isStopped = true
      cancel()
      return underWay
    },
    samples: () => [['petstore_orders_total', ended, 'expired']],
  }
}
