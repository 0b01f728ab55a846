/** The service of a shop: all of `/v1` on a store in memory. */
import type { Config } from '../config/config.ts'
import type { Handler } from '../http/message.ts'
import type { Log } from '../observe/log.ts'
import { runService } from '../server/running.ts'
import { openMemory } from '../store/open.ts'
import type { Time } from '../time.ts'
import { createSender } from '../webhooks/send.ts'
import type { ShopClock } from './clock.ts'
import type { Plan } from './failures.ts'
import { faultySender } from './faults.ts'
import type { ShopKeys } from './keys.ts'

/** What all shops of a sandbox have in common. */
export interface ShopOptions {
  readonly config: Config
  readonly publicUrl: string
  readonly time: Time
  readonly log: Log
}

/** What a service of a shop is made of besides. */
interface Parts {
  readonly keys: ShopKeys | undefined
  readonly clock: ShopClock
  readonly plan: Plan
  /** Of a shop that was at rest. */
  readonly content: Uint8Array | undefined
  readonly aroundToolCalls: (handle: Handler) => Handler
}

export type ShopService = Awaited<ReturnType<typeof openShop>>

export async function openShop(options: ShopOptions, { keys, clock, plan, content, aroundToolCalls }: Parts) {
  const { config, publicUrl, log, time: system } = options
  const store = await openMemory(clock, content)
  // Receivers are outside the shop, and have the time of the system.
  const webhooks = faultySender(createSender({ time: system, allowed: config.webhooksAllow }), plan.faults)
  const running = runService({
    config,
    publicUrl,
    store: keys ? { ...store, keys: keys.table(store.keys) } : store,
    time: clock,
    log,
    webhooks,
    sources: [],
    random: () => 0.5,
    aroundToolCalls,
  })
  async function stop(): Promise<void> {
    running.drain()
    await running.end()
    await running.close()
  }
  return {
    store,
    handler: running.handler,
    settle: running.settle,
    async end(): Promise<void> {
      await stop()
      await store.close()
    },
    /** Ends it; resolves with what can be opened again, and when something in it is due. */
    async freeze() {
      await stop()
      const dueAt = store.dueAt()
      return { content: await store.freeze(), dueAt }
    },
  }
}
