/** A service under test, in a process of its own on either runtime: the clock and the making of keys are in the test's hands. */
import { createInterface } from 'node:readline'
import { onTimer } from '../../src/clock.ts'
import { loadConfig } from '../../src/config/config.ts'
import { findKey, issueKey } from '../../src/keys/keys.ts'
import { defaultScopes } from '../../src/model/key.ts'
import { startService } from '../../src/server/service.ts'
import { logTo } from './log.ts'

let fixedNow: number | null = null
let fixedTicks: number | null = null
const clock = () => fixedNow ?? Date.now()
const config = loadConfig()
// The log goes to standard error, which the test keeps; standard output carries the conversation with the test.
const log = logTo((line) => process.stderr.write(line), config.logLevel)
const ticks = () => fixedTicks ?? performance.now()
let exportTraces: () => Promise<void>
let passSecond = () => {}
const service = await startService(config, clock, log, {
  ticks,
  everySecond(run) {
    exportTraces = run
    return () => {}
  },
  everySecondOfStreams(run) {
    passSecond = run
    return onTimer(run)
  },
})

const actions: Record<string, (argument: never) => unknown> = {
  clock(now: number | null) {
    fixedNow = now
  },
  ticks(now: number | null) {
    fixedTicks = now
  },
  key: async ({ scopes = defaultScopes, ...rest }: Partial<Parameters<typeof issueKey>[1]>) =>
    (await issueKey(service.store.keys, { name: 'test', scopes, now: clock(), expiresAt: undefined, ...rest })).token,
  async revoke(idOrToken: string) {
    const key = await findKey(service.store.keys, idOrToken)
    if (key) await service.store.keys.revoke(key.id, clock())
  },
  traces: () => exportTraces(),
  seconds(count: number) {
    for (let i = 0; i < count; i++) passSecond()
  },
  memory: () => process.memoryUsage.rss(),
  peak: () => process.resourceUsage().maxRSS * 1024,
}

const say = (value: unknown) => process.stdout.write(`${JSON.stringify(value ?? null)}\n`)
say({ port: service.port })
const lines = createInterface({ input: process.stdin })
for await (const line of lines) {
  const [action, argument] = JSON.parse(line)
  say(await actions[action]?.(argument as never))
}
await service.stop()
