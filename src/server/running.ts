/** The service without its sockets: the handler of requests on a store, and the timers of its background work. */
import { createApp } from '../app.ts'
import { type Config, serversOf } from '../config/config.ts'
import { createHub } from '../events/hub.ts'
import { createAdmission } from '../http/admission.ts'
import type { Handler } from '../http/message.ts'
import { createRateLimits } from '../http/rate-limits.ts'
import { limits } from '../limits.ts'
import type { Log } from '../observe/log.ts'
import type { Collect } from '../observe/metrics.ts'
import { startExpiry } from '../orders/expiry.ts'
import { type Store, StoreDamaged } from '../store/store.ts'
import { every, type Time } from '../time.ts'
import { createDeliverer } from '../webhooks/deliver.ts'
import { createSender, type WebhookSender } from '../webhooks/send.ts'

/**
 * How long deliveries of webhooks may still take. After that they are aborted, and another process sends them again.
 */
const deliverMilliseconds = 3_000
const purgeEveryMilliseconds = 60 * 60 * 1000
const dayMilliseconds = 24 * 60 * 60 * 1000

interface RunningOptions {
  readonly config: Config
  readonly publicUrl: string
  readonly store: Store
  readonly time: Time
  readonly log: Log
  readonly sources: readonly Collect[]
  /** By default, it sends over the network. */
  readonly webhooks?: WebhookSender
  readonly random: () => number
  /** A handler that tool calls pass through on their way to their operation. By default there is none. */
  readonly aroundToolCalls?: (handle: Handler) => Handler
}

interface RunningService {
  readonly handler: Handler
  /**
   * Does everything that is due by now, however far the clock has jumped. Resolves when nothing is under way any more.
   */
  settle(): Promise<void>
  /** Signals load balancers to send no more requests, and begins no more upkeep. */
  drain(): void
  /** Ends streams and deliveries. Resolves when no delivery is under way. */
  end(): Promise<void>
  /** Stops the timers. Call it when no request is under way. Resolves when the last orders have expired. */
  close(): Promise<void>
}

export function runService(options: RunningOptions): RunningService {
  const { config, publicUrl, store, time, log, sources, random } = options
  const rates = createRateLimits({ fallback: config.rateLimit, time, log, share: store.shareRates })
  const webhooks = options.webhooks ?? createSender({ time, allowed: config.webhooksAllow })
  const deliverer = createDeliverer({ store, time, random, sender: webhooks, log })
  const admission = createAdmission(config.requestsMax)
  let isTrying = false
  /** While the database accepts no writes, this tries one, so that /readyz reports when it accepts writes again. */
  const tryWrite = async () => {
    const fault = store.fault()
    if (isTrying || fault === undefined || fault instanceof StoreDamaged) return
    isTrying = true
    // The store remembers the reason of the failure.
    await store.tryWrite().catch(() => {})
    isTrying = false
  }
  const stopTimer = every(time, 1_000, () => {
    rates.share()
    deliverer.tick()
    admission.logRefused(log)
    tryWrite()
  })
  const expiry = startExpiry({ ...store, time, log })
  const streams = createHub({ ...store, time, log })
  let draining = false
  const handler = createApp({
    ...config,
    publicUrl,
    servers: serversOf(config, publicUrl),
    store,
    time,
    log,
    rates,
    admission,
    streams,
    webhooks,
    ...(options.aroundToolCalls && { aroundToolCalls: options.aroundToolCalls }),
    isDraining: () => draining,
    sources: [...sources, streams.samples, deliverer.samples, expiry.samples],
  })

  const purge = () =>
    Promise.all([
      store.purgeIdempotencyRecords(limits.idempotencyTime.milliseconds),
      store.events.purge(config.eventsDays * dayMilliseconds),
    ])
  const tryPurge = async () => {
    try {
      await purge()
    } catch (err) {
      // This is not logged while the service stops, because the next process removes them.
      if (!draining) log.warn({ err }, 'old events and idempotency records could not be deleted')
    }
  }
  tryPurge()
  const stopPurging = every(time, purgeEveryMilliseconds, tryPurge)

  return {
    handler,
    async settle() {
      while ((await store.orders.expire()).expired > 0);
      await purge()
      // Work that is under way may have looked before something became due.
      await deliverer.settled()
      deliverer.tick()
      await deliverer.settled()
    },
    drain() {
      stopPurging()
      draining = true
    },
    end() {
      streams.close()
      return deliverer.stop(deliverMilliseconds)
    },
    close() {
      stopTimer()
      return expiry.stop()
    },
  }
}
