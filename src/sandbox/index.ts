/** A sandbox inside a test suite: `import { startSandbox } from 'petstore-server/sandbox'`. */
import { randomUUID } from 'node:crypto'
import { loadConfig } from '../config/config.ts'
import type { Log } from '../observe/log.ts'
import { systemTime } from '../time.ts'
import { timeAfter } from './operations.ts'
import type { startSandbox as Start, TestShop } from './public.ts'
import { runSandbox } from './sandbox.ts'

/** Where webhooks may be sent besides public addresses: to the machine itself. */
export const loopback = '127.0.0.1,::1'

const silent: Log = { debug() {}, info() {}, warn() {}, error() {}, defer() {}, isLevelEnabled: () => false }

export const startSandbox: typeof Start = async ({ port = 0, host = '127.0.0.1' } = {}) => {
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
