/** The service of a shop: all of `/v1` on a store in memory. */
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
}

/** The key of a shop, which has every scope; by its prefix, operations know the shop. */
export const shopKey = (token: string, createdAt: number): Key => ({
  id: 1,
  name: 'sandbox',
  prefix: token,
  hash: hashOf(token),
  scopes,
  createdAt,
  lifetime: undefined,
  expiresAt: undefined,
  revokedAt: undefined,
  lastUsedAt: undefined,
  rate: undefined,
})

export type ShopService = Awaited<ReturnType<typeof openShop>>

export async function openShop(
  { config, publicUrl, log, time: system }: ShopOptions,
  key: Key | undefined,
  time: ShopClock,
  plan: Plan,
) {
  const store = await openMemory(time)
  if (key) await store.keys.insert(key)
  // Receivers are outside the shop, and have the time of the system.
  const webhooks = faultySender(createSender({ time: system, allowed: config.webhooksAllow }), plan.faults)
  const running = runService({ config, publicUrl, store, time, log, webhooks, sources: [], random: () => 0.5 })
  return {
    store,
    handler: running.handler,
    settle: running.settle,
    async end(): Promise<void> {
      running.drain()
      await running.end()
      await running.close()
      await store.close()
    },
  }
}
