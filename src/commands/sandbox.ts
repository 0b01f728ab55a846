/** `petstore sandbox`: runs a pet store to test against until it receives a stop signal. */
import { loadConfig } from '../config/config.ts'
import { withLoopback } from '../config/network.ts'
import { siteUrl } from '../http/urls.ts'
import { openLog } from '../observe/log.ts'
import { runSandbox } from '../sandbox/sandbox.ts'
import { stopSignal } from '../server/stop-signal.ts'
import { systemTime } from '../time.ts'
import { type Command, readArgs } from './command.ts'

export const sandbox: Command = {
  help: `Usage: petstore sandbox

Runs a pet store to test clients against. Every API key of the form test_NAME is a shop of its own, empty at first;
nothing is written to disk. There are at most 1,000 shops, and a shop that is not used for an hour is removed. A test
sets the clock of its shop, says which requests fail, and makes it as new, with the operations of /sandbox.

Settings are those of "petstore serve" that have a meaning here, among them PORT and HOST. Webhooks may be sent to this
machine, and to the networks in WEBHOOKS_ALLOW. Requests are logged with LOG_LEVEL=info.

Example: PORT=8090 petstore sandbox
`,
  async run(args, { env, stdout }) {
    readArgs(args, {})
    const config = loadConfig({ LOG_LEVEL: 'warn', ...env }, { WEBHOOKS_ALLOW: withLoopback(env.WEBHOOKS_ALLOW) })
    const { log } = openLog(config.logLevel, systemTime)
    const stopping = stopSignal(systemTime)
    const { publicUrl, close } = await runSandbox(config, systemTime, log)
    stdout.write(`The sandbox is at ${publicUrl}: every key of the form test_NAME is a shop of its own.

  curl -H 'Authorization: Bearer test_me' ${publicUrl}/pets
  curl -H 'Authorization: Bearer test_me' -H 'Content-Type: application/json' -X PUT \\
    -d '[{"operation":"createPet","error":"unavailable"}]' ${siteUrl(publicUrl, '/sandbox/failures')}

What a test can tell its shop: ${siteUrl(publicUrl, '/sandbox/docs')}
To stop: Ctrl-C
`)
    await stopping
    await close()
    return 0
  },
}
