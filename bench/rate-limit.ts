/** `npm run bench:rate`: what a rate limit costs a request, as CPU time of the whole handler without sockets. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { createApp } from '../src/app.ts'
import { monotonicClock, systemClock } from '../src/clock.ts'
import { createHub } from '../src/events/hub.ts'
import { createAdmission } from '../src/http/admission.ts'
import type { Handler } from '../src/http/message.ts'
import { createRateLimits } from '../src/http/rate-limits.ts'
import { issueKey } from '../src/keys/keys.ts'
import { defaultScopes } from '../src/model/key.ts'
import { createLog } from '../src/observe/log.ts'
import { openStore } from '../src/store/store.ts'
import { createSender } from '../src/webhooks/send.ts'
import { median } from './load.ts'

const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false } } })
const rounds = values.quick ? 3 : 21
const turns = 300
/** As many as one turn of the event loop has in the other benchmarks. */
const perTurn = 64

const store = await openStore({ url: 'sqlite::memory:', connections: 1, timeoutMilliseconds: 5_000 })
await store.pets.insert({ name: 'Rex', categoryId: 1n, status: 'available' }, undefined)
const request = { name: 'bench', scopes: defaultScopes, now: systemClock(), expiresAt: undefined }
const { token, key } = await issueKey(store.keys, request)
const log = createLog('warn', { write: console.log, defer: console.log })
const clock = monotonicClock
const rate = { requests: 1_000_000, seconds: 1 }

const limitsOf = (fallback: typeof rate | undefined) => createRateLimits({ fallback, clock, log, share: undefined })
const appWith = (fallback: typeof rate | undefined): Handler =>
  createApp({
    ...{ store, log, clock: systemClock, ticks: clock, rates: limitsOf(fallback), trustedProxies: [] },
    webhooks: createSender({ clock: systemClock, allowed: [] }),
    ...{ publicUrl: 'http://x/v1', servers: [], corsOrigins: [], isDraining: () => false },
    ...{ admission: createAdmission(4_000), logSample: 1 },
    streams: createHub({ events: store.events, keys: store.keys, clock: systemClock, log }),
  })

const incoming = {
  method: 'GET',
  target: '/v1/pets/1',
  header: (name: string) => (name === 'authorization' ? `Bearer ${token}` : undefined),
  address: () => '127.0.0.1',
  body: () => undefined,
}

/** CPU time of one request, in microseconds. */
async function cost(handle: Handler): Promise<number> {
  const before = process.cpuUsage()
  for (let turn = 0; turn < turns; turn++) {
    const answers = await Promise.all(Array.from({ length: perTurn }, () => handle(incoming)))
    if (answers.some(({ status }) => status !== 200)) throw new Error('a request was refused')
    await nextTurn()
  }
  const { user, system } = process.cpuUsage(before)
  return (user + system) / (turns * perTurn)
}

const apps = { off: appWith(undefined), on: appWith(rate) }
const costs = { off: [] as number[], on: [] as number[] }
for (let round = 0; round <= rounds; round++)
  for (const name of round % 2 ? (['off', 'on'] as const) : (['on', 'off'] as const)) {
    const time = await cost(apps[name])
    // The first round warms up.
    if (round > 0) costs[name].push(time)
  }

const decisions = 2_000_000
const limits = limitsOf(rate)
const began = process.cpuUsage()
let allowed = 0
for (let i = 0; i < decisions; i++) {
  const decision = limits.consume(key)
  if (decision && `"default";r=${decision.remaining};t=${decision.seconds}`) allowed++
}
const { user, system } = process.cpuUsage(began)
if (allowed !== decisions) throw new Error('there was no decision')
await store.close()

const runtime = process.versions.bun ? 'Bun' : 'Node'
const [off, on] = [median(costs.off), median(costs.on)]
process.stdout.write(
  `${runtime}: a request takes ${off.toFixed(2)} µs without a rate limit, ${on.toFixed(2)} with one; ` +
    `the decision and its header alone ${(((user + system) * 1000) / decisions).toFixed(0)} ns\n`,
)
