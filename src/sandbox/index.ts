/** A sandbox inside a test suite: `import { startSandbox } from 'petstore-server/sandbox'`. */
import { randomUUID } from 'node:crypto'
import { loadConfig } from '../config/config.ts'
import type { Log } from '../observe/log.ts'
import { systemTime } from '../time.ts'
import type { Failing } from './failures.ts'
import { timeAfter } from './operations.ts'
import { runSandbox } from './sandbox.ts'
import type { JournalEntry } from './shop.ts'

/** Where webhooks may be sent besides public addresses: to the machine itself. */
export const loopback = '127.0.0.1,::1'

/** A shop of its own, with the key that leads to it. */
export interface TestShop {
  readonly key: string
  /** As new, with so many animals. */
  reset(options?: { readonly animals?: number }): Promise<void>
  /** The next requests of an operation, or of all with `*`, fail so: `failNext('createPet', { cut: 'after' })`. */
  failNext(operation: string, how: Failing & { readonly skip?: number; readonly times?: number }): void
  /** Moves the clock of the shop on by a duration such as `PT25H`; resolves when what was due has been done. */
  advance(duration: string): Promise<void>
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

const silent: Log = { debug() {}, info() {}, warn() {}, error() {}, defer() {}, isLevelEnabled: () => false }

/** On a free port of 127.0.0.1 unless given. */
export async function startSandbox({ port = 0, host = '127.0.0.1' } = {}): Promise<Sandbox> {
  const config = loadConfig({ PORT: String(port), HOST: host, WEBHOOKS_ALLOW: loopback })
  const { publicUrl: url, shops, close } = await runSandbox(config, systemTime, silent)
  const shop = (key = `test_${randomUUID()}`): TestShop => ({
    key,
    reset: ({ animals = 0 } = {}) => shops.of(key).reset(animals),
    failNext(operation, how) {
      const { plan } = shops.of(key)
      plan.replace([...plan.left(), { operation, skip: 0, times: 1, ...how }])
    },
    advance(duration) {
      const { setClock, now } = shops.of(key)
      return setClock(timeAfter(duration, now()))
    },
    requests: () => structuredClone(shops.of(key).journal),
  })
  return { url, shop, close }
}
