/** `petstore sandbox`: runs a pet store to test against until it receives a stop signal. */
import { loadConfig } from '../config/config.ts'
import { isLoopback, withLoopback } from '../config/network.ts'
import { siteUrl } from '../http/urls.ts'
import { openLog } from '../observe/log.ts'
import { runSandbox } from '../sandbox/sandbox.ts'
import { parentEnd, stopSignal } from '../server/stop-signal.ts'
import { systemTime } from '../time.ts'
import { type Command, readArgs } from './command.ts'

export const sandbox: Command = {
  help: `Usage: petstore sandbox [--port PORT]

Runs a pet store to test clients against. Every API key of the form test_NAME gets its own shop, which is empty at
first. Nothing is written to disk. There is room for about 180 shops. If another one is needed, the shop that was unused
for longest is removed. A shop that is not used for an hour is removed, too. With the operations under /sandbox, a test
sets the clock of its shop, makes requests fail, and empties the shop.

Options:
  --port PORT  port to listen on instead of the setting PORT; 0 picks a free port. The first line on standard output is
               the address.

The settings PORT, HOST, PUBLIC_URL, RATE_LIMIT and others of "petstore serve" apply. Web pages that this machine serves
may call the sandbox, or those of CORS_ORIGINS if it is set. Webhooks may be sent to the networks in WEBHOOKS_ALLOW, and
to this machine unless HOST lets other machines reach the sandbox. Requests are logged with LOG_LEVEL=info.

Example: petstore sandbox --port 8090
`,
  async run(args, { env, stdout }) {
    const { flags } = readArgs(args, { port: { type: 'string' } })
    const isPrivate = isLoopback(env.HOST || '127.0.0.1')
    const config = loadConfig(
      { LOG_LEVEL: 'warn', ...env },
      {
        ...(flags.port !== undefined && { PORT: flags.port }),
        ...(isPrivate && { WEBHOOKS_ALLOW: withLoopback(env.WEBHOOKS_ALLOW) }),
      },
    )
    const { log } = openLog(config.logLevel, systemTime)
    const stopping = Promise.race([stopSignal(systemTime), parentEnd(systemTime, env)])
    const { publicUrl, close } = await runSandbox(config, systemTime, log)
    stdout.write(`${publicUrl}

The sandbox is at ${publicUrl}. Every key of the form test_NAME gets its own shop.

  curl -H 'Authorization: Bearer test_me' ${publicUrl}/pets
  curl -H 'Authorization: Bearer test_me' -H 'Content-Type: application/json' -X PUT \\
    -d '[{"operation":"createPet","error":"unavailable"}]' ${siteUrl(publicUrl, '/sandbox/failures')}

What a test can do with its shop: ${siteUrl(publicUrl, '/sandbox/docs')}
To stop: Ctrl-C
`)
    if (!isPrivate)
      log.warn(
        { host: config.host },
        'other machines can use this sandbox, because its keys are not secret; therefore webhooks to this machine ' +
          'are refused unless WEBHOOKS_ALLOW names 127.0.0.1',
      )
    await stopping
    await close()
    return 0
  },
}
