/** The service of a shop while it is in use: all of `/v1` on a store in memory. */
import type { Config } from '../config/config.ts'
import { hashOf, type Key, scopes } from '../model/key.ts'
import type { Log } from '../observe/log.ts'
import { runService } from '../server/running.ts'
import { openMemory } from '../store/open.ts'
import type { Time } from '../time.ts'
import { createSender } from '../webhooks/send.ts'
import type { ShopClock } from './clock.ts'
import type { Plan } from './failures.ts'
import { faultySender } from './faults.ts'

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

export type ShopService = Awaited<ReturnType<typeof openShop>>

export async function openShop(
  { config, publicUrl, log, time: system }: ShopOptions,
  content: Uint8Array,
  time: ShopClock,
  plan: Plan,
) {
  const store = await openMemory(time, content)
  // Receivers are outside the shop, and have the time of the system.
  const webhooks = faultySender(createSender({ time: system, allowed: config.webhooksAllow }), plan.faults)
  const running = runService({ config, publicUrl, store, time, log, webhooks, sources: [], random: () => 0.5 })
  return {
    store,
    handler: running.handler,
    settle: running.settle,
    /** Ends it; resolves with its content. */
    async end(): Promise<Uint8Array> {
      running.drain()
      await running.end()
      await running.close()
      return store.freeze()
    },
  }
}
