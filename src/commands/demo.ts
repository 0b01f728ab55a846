/** `petstore demo`: a shop to look around in, or one that is busy. */
import { defaultPublicUrl, loadConfig } from '../config/config.ts'
import { withLoopback } from '../config/network.ts'
import { UsageError } from '../errors.ts'
import { scopesFor } from '../model/key.ts'
import { openStore } from '../store/open.ts'
import { systemTime } from '../time.ts'
import { type Command, type CommandContext, readArgs, readDuration } from './command.ts'
import { fillDemo, stock } from './demo-shop.ts'
import { serveDemo } from './serve.ts'
import { rateRange, sendTraffic } from './traffic.ts'

const [rateMin, rateMax] = rateRange
const daysMax = 7

export const demo: Command = {
  help: `Usage: petstore demo
       petstore demo --traffic [--rate N] [--for DURATION]

Fills the empty database that DATABASE_URL names with ${stock}, and with
orders of the last weeks in every state: the same each time. A store that has animals or orders is refused.
"petstore serve --demo" does it in a temporary file and runs the service on it.

  --traffic        runs the service as "petstore serve --demo" does, and sends it the requests of a busy shop: sales,
                   returns, reservations that end, a system that follows, webhooks. The API key that is shown may read
                   /metrics, too. Requests are logged with LOG_LEVEL=info.
  --rate N         requests per second, ${rateMin} to ${rateMax} (default: 5)
  --for DURATION   ends by itself after a time such as 30s, 10m or 8h, up to ${daysMax}d (default: at Ctrl-C)

Example: DATABASE_URL=sqlite:demo.db petstore demo
`,
  async run(args, context) {
    const { flags } = readArgs(args, {
      traffic: { type: 'boolean', default: false },
      rate: { type: 'string' },
      for: { type: 'string' },
    })
    const [lacking] = (['rate', 'for'] as const).filter((name) => !flags.traffic && flags[name] !== undefined)
    if (lacking) throw new UsageError(`--${lacking} needs --traffic.`)
    if (flags.traffic) await serveTraffic(context, readRate(flags.rate ?? '5'), flags.for && readEnd(flags.for))
    else await fill(context)
    return 0
  },
}

function readRate(text: string): number {
  const rate = /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : Number.NaN
  if (rate >= rateMin && rate <= rateMax) return rate
  throw new UsageError(`--rate takes ${rateMin} to ${rateMax} requests per second, not "${text}".`)
}

function readEnd(text: string): number {
  const milliseconds = readDuration('--for', text, '30s, 10m or 8h')
  if (milliseconds <= readDuration('--for', `${daysMax}d`, '')) return milliseconds
  throw new UsageError(`--for takes at most ${daysMax}d, not "${text}".`)
}

async function fill({ env, stderr }: CommandContext): Promise<void> {
  const store = await openStore({ time: systemTime, ...loadConfig(env).database, schema: 'create' })
  try {
    stderr.write(`${await fillDemo(store, systemTime.now())} were added.\n`)
  } finally {
    await store.close()
  }
}

async function serveTraffic({ env, stderr }: CommandContext, rate: number, milliseconds: number | '' | undefined) {
  await serveDemo({ LOG_LEVEL: 'warn', ...env, WEBHOOKS_ALLOW: withLoopback(env.WEBHOOKS_ALLOW) }, stderr, {
    scopes: [...scopesFor.staff, 'metrics:read'],
    async meanwhile({ store, port }, { host }, stopping) {
      const { promise: ended, resolve } = Promise.withResolvers<void>()
      const cancel = milliseconds ? systemTime.after(milliseconds, resolve) : () => {}
      const stopped = Promise.race([stopping, ended]).finally(cancel)
      const baseUrl = defaultPublicUrl(host, port)
      stderr.write(`${await sendTraffic({ keys: store.keys, baseUrl, rate, time: systemTime, stopped })}\n`)
    },
  })
}
