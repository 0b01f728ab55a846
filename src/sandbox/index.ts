/** A sandbox inside a test suite: `import { startSandbox } from 'petstore-server/sandbox'`. */
import { randomUUID } from 'node:crypto'
import { loadConfig } from '../config/config.ts'
import type { Log } from '../observe/log.ts'
import { systemTime, timeText } from '../time.ts'
import type { Failing } from './failures.ts'
import { readDuration } from './operations.ts'
import { runSandbox } from './sandbox.ts'
import type { JournalEntry } from './shop.ts'

/** Webhooks may be sent to the machine itself. */
export const loopback = '127.0.0.0/8,::1/128'

export interface SandboxOptions {
  /** A free one unless given. */
  readonly port?: number
  /** 127.0.0.1 unless given. */
  readonly host?: string
}

/** A shop of its own, with the key that leads to it. */
export interface TestShop {
  readonly key: string
  /** As new, with so many animals. */
  reset(options?: { readonly animals?: number }): Promise<void>
  /** The next request of an operation, or of all with `*`, fails so: `failNext('createPet', { cut: 'after' })`. */
  failNext(operation: string, how: Failing, options?: { readonly skip?: number; readonly times?: number }): void
  /** Moves the clock of the shop forward, by a duration such as `PT25H`; resolves with its time. */
  advance(duration: string): Promise<string>
  /** The last 1,000 requests to it. */
  requests(): readonly JournalEntry[]
}

export interface Sandbox {
  /** The base URL for clients, which ends in `/v1`. */
  readonly url: string
  /** The shop of a key; a new one unless given. */
  shop(key?: string): TestShop
  close(): Promise<void>
}

const silent: Log = {
  ...{ debug() {}, info() {}, warn() {}, error() {}, defer() {} },
  isLevelEnabled: () => false,
}

export async function startSandbox({ port = 0, host = '127.0.0.1' }: SandboxOptions = {}): Promise<Sandbox> {
  const config = loadConfig({ PORT: String(port), HOST: host, WEBHOOKS_ALLOW: loopback })
  const { publicUrl, shops, close } = await runSandbox(config, systemTime, silent)
  return {
    url: publicUrl,
    shop(key = `test_${randomUUID()}`) {
      return {
        key,
        reset: ({ animals = 0 } = {}) => shops.of(key).reset(animals),
        failNext(operation, how, { skip = 0, times = 1 } = {}) {
          const { plan } = shops.of(key)
          plan.replace(
            [...plan.failures, { operation, skip, times, ...how }],
            plan.faults.map(({ id }) => id),
          )
        },
        async advance(duration) {
          const shop = shops.of(key)
          await shop.setClock(shop.now() + readDuration(duration))
          return timeText(shop.now())
        },
        requests: () => structuredClone(shops.of(key).journal),
      }
    },
    close,
  }
}
