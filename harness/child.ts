/**
 * A service under test whose clocks and keys the test controls. It runs in the process of the test, or as a separate
 * program on either runtime.
 */
import { createInterface } from 'node:readline'
import { loadConfig } from '../src/config/config.ts'
import { findKey, issueKey } from '../src/keys/keys.ts'
import { defaultScopes } from '../src/model/key.ts'
import { startService } from '../src/server/service.ts'
import { systemTime, type Time } from '../src/time.ts'
import { logTo } from './log.ts'

export interface ControlledService {
  readonly port: number
  /** Makes the service do something, by name. */
  tell(action: string, argument: unknown): Promise<unknown>
  stop(): Promise<void>
}

export async function startControlled(
  env: Record<string, string | undefined>,
  keepLine: (line: string) => void,
): Promise<ControlledService> {
  let fixedNow: number | null = null
  let fixedTicks: number | null = null
  const config = loadConfig(env)
  /** The work that the service does once a second. */
  const everySecond = new Set<() => void>()
  const time: Time = {
    ...systemTime,
    now: () => fixedNow ?? Date.now(),
    ticks: () => fixedTicks ?? performance.now(),
    after(milliseconds, run) {
      const end = () => {
        everySecond.delete(fire)
        cancel()
      }
      const fire = () => {
        end()
        run()
      }
      const cancel = systemTime.after(milliseconds, fire)
      if (milliseconds === 1_000) everySecond.add(fire)
      return end
    },
  }
  const service = await startService(config, time, logTo(keepLine, config.logLevel))

  const actions: Record<string, (argument: never) => unknown> = {
    clock(now: number | null) {
      fixedNow = now
    },
    ticks(now: number | null) {
      fixedTicks = now
    },
    key: async ({ scopes = defaultScopes, ...rest }: Partial<Parameters<typeof issueKey>[1]>) =>
      (await issueKey(service.store.keys, { name: 'test', scopes, now: time.now(), expiresAt: undefined, ...rest }))
        .token,
    async revoke(idOrToken: string) {
      const key = await findKey(service.store.keys, idOrToken)
      if (key) await service.store.keys.revoke(key.id, time.now())
    },
    seconds(count: number) {
      for (let i = 0; i < count; i++) for (const fire of [...everySecond]) fire()
    },
    memory: () => process.memoryUsage.rss(),
    peak: () => process.resourceUsage().maxRSS * 1024,
  }
  return {
    port: service.port,
    tell: async (action, argument) => actions[action]?.(argument as never),
    stop: () => service.stop(),
  }
}

if (import.meta.main) {
  // The log goes to standard error, which the test keeps, because standard output carries the conversation with the
  // test.
  const service = await startControlled(process.env, (line) => process.stderr.write(line))
  const say = (value: unknown) => process.stdout.write(`${JSON.stringify(value ?? null)}\n`)
  say({ port: service.port })
  for await (const line of createInterface({ input: process.stdin })) {
    const [action, argument] = JSON.parse(line)
    say(await service.tell(action, argument))
  }
  await service.stop()
}
