/** A sandbox inside a test suite: `import { startSandbox } from 'petstore-server/sandbox'`. */
import { randomUUID } from 'node:crypto'
import * as testing from '../../client/src/testing.ts'
import { loadConfig } from '../config/config.ts'
import { withLoopback } from '../config/network.ts'
import type { Log } from '../observe/log.ts'
import { systemTime } from '../time.ts'
import { keyForm, keyForms } from './keys.ts'
import type { startSandbox as Start, TestShop } from './public.ts'
import { runSandbox } from './sandbox.ts'

const silent: Log = { debug() {}, info() {}, warn() {}, error() {}, defer() {}, isLevelEnabled: () => false }

export const startSandbox: typeof Start = async ({ port = 0, host = '127.0.0.1', corsOrigins = [] } = {}) => {
  const given = { PORT: String(port), HOST: host, CORS_ORIGINS: corsOrigins.join(), WEBHOOKS_ALLOW: withLoopback() }
  const { publicUrl: url, close } = await runSandbox(loadConfig(given), systemTime, silent)
  return {
    url,
    shop(apiKey = `test_${randomUUID()}`) {
      if (!keyForm.test(apiKey)) throw new TypeError(`The key is not one of a shop. ${keyForms}`)
      const shop = { baseUrl: url, apiKey }
      const functions = Object.entries(testing).map(([name, run]) => [
        name,
        (...rest: never[]) => (run as (shop: object, ...rest: never[]) => unknown)(shop, ...rest),
      ])
      return { ...shop, ...Object.fromEntries(functions) } as TestShop
    },
    close,
  }
}
