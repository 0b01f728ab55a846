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

Runs a pet store to test clients against. Every API key of the form test_NAME is a shop of its own, empty at first;
nothing is written to disk. There is room for some 180 shops; beyond it the one that was unused for longest is removed.
A shop that is not used for an hour is removed, too. A test sets the clock of its shop, says which requests fail, and
makes it as new, with the operations of /sandbox.

Options:
  --port PORT  port to listen on, instead of PORT; 0 picks a free one. The first line on standard output is the address.

Settings are those of "petstore serve" that have a meaning here, among them PORT, HOST, PUBLIC_URL and RATE_LIMIT.
Pages of this machine may call it, or those of CORS_ORIGINS. Webhooks may be sent to the networks in WEBHOOKS_ALLOW,
and to this machine, unless HOST lets other machines reach the sandbox. Requests are logged with LOG_LEVEL=info.

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

The sandbox is at ${publicUrl}: every key of the form test_NAME is a shop of its own.

  curl -H 'Authorization: Bearer test_me' ${publicUrl}/pets
  curl -H 'Authorization: Bearer test_me' -H 'Content-Type: application/json' -X PUT \\
    -d '[{"operation":"createPet","error":"unavailable"}]' ${siteUrl(publicUrl, '/sandbox/failures')}

What a test can tell its shop: ${siteUrl(publicUrl, '/sandbox/docs')}
To stop: Ctrl-C
`)
    if (!isPrivate)
      log.warn(
        { host: config.host },
        'every machine that reaches this one can use the sandbox, as its keys are no secrets; so webhooks go to this ' +
          'machine only if WEBHOOKS_ALLOW names 127.0.0.1',
      )
    await stopping
    await close()
    return 0
  },
}
