/** The service of a shop while it is in use: all of `/v1` on a store in memory. */
import type { Config } from '../config/config.ts'
import type { Handler } from '../http/message.ts'
import { limits } from '../limits.ts'
import { hashOf, type Key, scopes } from '../model/key.ts'
import type { Log } from '../observe/log.ts'
import { runService } from '../server/running.ts'
import { openMemory } from '../store/open.ts'
import type { Store } from '../store/store.ts'
import type { Time } from '../time.ts'
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
  readonly handler: Handler
  /** Does what is due by now. */
  settle(): Promise<void>
  /** Ends it; resolves with its content. */
  end(): Promise<Uint8Array>
}

export async function openShop(
  { config, publicUrl, log, time: system }: ShopOptions,
  content: Uint8Array,
  time: ShopClock,
  plan: Plan,
): Promise<ShopService> {
  const store = await openMemory(time, content)
  // Receivers are outside the shop, and have the time of the system.
  const webhooks = faultySender(createSender({ time: system, allowed: config.webhooksAllow }), plan.faults)
  const running = runService({ config, publicUrl, store, time, log, webhooks, sources: [], random: () => 0.5 })
  return {
    store,
    handler: running.handler,
    async settle() {
      while ((await store.orders.expire(time.now())).expired > 0);
      await store.purgeIdempotencyRecords(limits.idempotencyTime.milliseconds)
      await store.events.purge(config.eventsDays * dayMilliseconds)
      await running.deliver()
    },
    async end() {
      running.drain()
      await running.end()
      await running.close()
      return store.freeze()
    },
  }
}
