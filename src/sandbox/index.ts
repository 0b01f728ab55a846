/** A sandbox inside a test suite: `import { startSandbox } from 'petstore-server/sandbox'`. */
import { randomUUID } from 'node:crypto'
import { loadConfig } from '../config/config.ts'
import type { Log } from '../observe/log.ts'
import { systemTime } from '../time.ts'
import { failuresFrom, timeAfter } from './operations.ts'
import type { startSandbox as Start, TestShop } from './public.ts'
import { keyForm, runSandbox } from './sandbox.ts'

/** Where webhooks may be sent besides public addresses: to the machine itself. */
export const loopback = '127.0.0.1,::1'

const silent: Log = { debug() {}, info() {}, warn() {}, error() {}, defer() {}, isLevelEnabled: () => false }

export const startSandbox: typeof Start = async ({ port = 0, host = '127.0.0.1' } = {}) => {
  const config = loadConfig({ PORT: String(port), HOST: host, WEBHOOKS_ALLOW: loopback })
  const { publicUrl: url, shops, close } = await runSandbox(config, systemTime, silent)
  const shopOf = (key: string): TestShop => ({
    key,
    reset: ({ animals = 0 } = {}) => shops.of(key).reset(animals),
    failNext(operation, how) {
      const { plan } = shops.of(key)
      plan.replace(failuresFrom([...plan.left(), { operation, ...how }]))
    },
    async advance(duration) {
      const { setClock, now } = shops.of(key)
      await setClock(timeAfter(duration, now()))
    },
    requests: () => structuredClone(shops.of(key).journal),
  })
  return {
    url,
    shop(key = `test_${randomUUID()}`) {
      if (!keyForm.test(key)) throw new TypeError(`The key of a shop is of the form ${keyForm.source}.`)
      return shopOf(key)
    },
    close,
  }
}
