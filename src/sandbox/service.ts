/** The service of a shop while it is in use: all of `/v1` on a store in memory. */
import { createApp } from '../app.ts'
import { type Config, serversOf } from '../config/config.ts'
import { createHub } from '../events/hub.ts'
import { createAdmission } from '../http/admission.ts'
import type { Handler } from '../http/message.ts'
import { createRateLimits } from '../http/rate-limits.ts'
import { limits } from '../limits.ts'
import { hashOf, type Key, scopes } from '../model/key.ts'
import type { Log } from '../observe/log.ts'
import { startExpiry } from '../orders/expiry.ts'
import { openMemory } from '../store/open.ts'
import type { Store } from '../store/store.ts'
import { every, type Time } from '../time.ts'
import { createDeliverer } from '../webhooks/deliver.ts'
import { createSender } from '../webhooks/send.ts'
import type { ShopClock } from './clock.ts'
import type { Plan } from './failures.ts'
import { faultySender } from './faults.ts'

const dayMilliseconds = 24 * 60 * 60 * 1000

/** What all shops of a sandbox have in common. */
export interface ShopOptions {
  readonly config: Config
  readonly publicUrl: string
  readonly time: Time
  readonly log: Log
  /** The content of a new shop, and the key that is in it. */
  readonly template: Uint8Array
  readonly key: Key
}

export async function createTemplate(time: Time): Promise<Pick<ShopOptions, 'template' | 'key'>> {
  const store = await openMemory(time)
  const made = { name: 'sandbox', prefix: 'test_', hash: hashOf('sandbox'), scopes, expiresAt: undefined }
  const key = await store.keys.insert({ ...made, createdAt: time.now() })
  return { key, template: await store.freeze() }
}

export interface ShopService {
  readonly store: Store
  readonly handle: Handler
  /** Begins what happens by itself: deliveries of webhooks, the end of orders that are held. */
  begin(): void
  /** Does what is due by now. */
  settle(): Promise<void>
  /** Ends it; resolves with its content. */
  end(): Promise<Uint8Array>
}

export async function runService(
  { config, publicUrl, log, time: system }: ShopOptions,
  content: Uint8Array,
  time: ShopClock,
  plan: Plan,
): Promise<ShopService> {
  const store = await openMemory(time, content)
  const streams = createHub({ ...store, time, log })
  // Receivers are outside the shop, and have the time of the system.
  const webhooks = faultySender(createSender({ time: system, allowed: config.webhooksAllow }), plan.faults)
  const deliverer = createDeliverer({ store, time, random: () => 0.5, sender: webhooks, log })
  let stops: (() => unknown)[] = []
  return {
    store,
    handle: createApp({
      ...config,
      ...{ publicUrl, store, time, log, streams, webhooks, tracing: undefined },
      servers: serversOf(config, publicUrl),
      rates: createRateLimits({ fallback: config.rateLimit, time, log, share: undefined }),
      admission: createAdmission(config.requestsMax),
      isDraining: () => false,
    }),
    begin() {
      if (stops.length === 0) stops = [every(time, 1_000, deliverer.tick), startExpiry({ ...store, time, log }).stop]
    },
    async settle() {
      await store.orders.expire(time.now())
      await store.purgeIdempotencyRecords(limits.idempotencyTime.milliseconds)
      await store.events.purge(config.eventsDays * dayMilliseconds)
      if (stops.length > 0) deliverer.tick()
      await deliverer.settled()
    },
    async end() {
      streams.close()
      await Promise.all([deliverer.stop(0), ...stops.map((stop) => stop())])
      time.stop()
      return store.freeze()
    },
  }
}
