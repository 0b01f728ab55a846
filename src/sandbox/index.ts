/** A sandbox inside a test suite: `import { startSandbox } from 'petstore-server/sandbox'`. */
import { randomUUID } from 'node:crypto'
import { advance, failNext, requests, reset } from '../../client/src/testing.ts'
import { loadConfig } from '../config/config.ts'
import { withLoopback } from '../config/network.ts'
import type { Log } from '../observe/log.ts'
import { systemTime } from '../time.ts'
import type { startSandbox as Start } from './public.ts'
import { keyForm, runSandbox } from './sandbox.ts'

const silent: Log = { debug() {}, info() {}, warn() {}, error() {}, defer() {}, isLevelEnabled: () => false }

export const startSandbox: typeof Start = async ({ port = 0, host = '127.0.0.1' } = {}) => {
  const config = loadConfig({ PORT: String(port), HOST: host, WEBHOOKS_ALLOW: withLoopback() })
  const { publicUrl: url, close } = await runSandbox(config, systemTime, silent)
  return {
    url,
    shop(apiKey = `test_${randomUUID()}`) {
      if (!keyForm.test(apiKey)) throw new TypeError(`The key of a shop is of the form ${keyForm.source}.`)
      const shop = { baseUrl: url, apiKey }
      return {
        ...shop,
        reset: (options) => reset(shop, options),
        failNext: (operation, how) => failNext(shop, operation, how),
        advance: (duration) => advance(shop, duration),
        requests: () => requests(shop),
      }
    },
    close,
  }
}
