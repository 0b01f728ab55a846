/** The service of a shop: all of `/v1` on a store in memory. */
import type { Config } from '../config/config.ts'
import type { Incoming, Outgoing } from '../http/message.ts'
import type { Log } from '../observe/log.ts'
import { runService } from '../server/running.ts'
import { openMemory } from '../store/open.ts'
import type { Time } from '../time.ts'
import { createSender } from '../webhooks/send.ts'
import type { ShopClock } from './clock.ts'
import type { Plan } from './failures.ts'
import { faultySender } from './faults.ts'
import type { ShopKeys } from './keys.ts'
import type { Passing } from './pass.ts'

/** The options that all shops of a sandbox share. */
export interface ShopOptions {
  readonly config: Config
  readonly publicUrl: string
  readonly time: Time
  readonly log: Log
}

/** The further options of the service of a shop. */
export interface Parts {
  readonly keys: ShopKeys | undefined
  readonly clock: ShopClock
  readonly plan: Plan
  /** The rows of the shop that this shop is a copy of. */
  readonly content: Uint8Array | undefined
  /** Resolves when the service is to end. */
  readonly ending: Promise<void>
  /** A handler that tool calls pass through on their way to their operation. */
  readonly passToolCall: (incoming: Incoming, passing: Passing) => Promise<Outgoing>
}

export type ShopService = Awaited<ReturnType<typeof openShop>>

export async function openShop(options: ShopOptions, parts: Parts) {
  const { config, publicUrl, log, time: system } = options
  const { keys, clock, plan, content, ending, passToolCall } = parts
  const store = await openMemory(clock, content)
  // Receivers are outside the shop and use the time of the system.
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
    aroundToolCalls: (handler) => (incoming, asking) =>
      passToolCall(incoming, { asking, handle: (request) => handler(request, asking), ending }),
  })
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
