/** Starts the service as a process on each runtime and database, and speaks to it as a client would. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, before, describe } from 'node:test'
import { fileURLToPath } from 'node:url'
import { settings } from '../../src/config/config.ts'
import type { Rate, Scope } from '../../src/model/key.ts'
import { type Answer, type CallOptions, call } from './call.ts'
import { type Database, databases } from './databases.ts'
import { eventually } from './load.ts'
import { pgbouncerSettings } from './pgbouncer.ts'
import { releasePostgres } from './postgres.ts'
import { root } from './project.ts'
import { runtimes } from './runtimes.ts'
import { isFull, some } from './scope.ts'

export const main = join(root, 'src/main.ts')
const child = fileURLToPath(new URL('child.ts', import.meta.url))

export interface Target {
  readonly name: string
  readonly runtime: string
  readonly database: Database['open']
}

export const targets: readonly Target[] = databases.flatMap((database) =>
  runtimes.map(([name, runtime]) => ({ name: `${name} with ${database.name}`, runtime, database: database.open })),
)

export type { Answer, CallOptions }

export class TestService {
  readonly url: string
  readonly port: number
  readonly databaseUrl: string
  /** A key with the default scopes. */
  key = ''
  readonly #process: ChildProcess
  readonly #answers: AsyncIterator<string>
  readonly #log: string[]

  private constructor(
    process: ChildProcess,
    answers: AsyncIterator<string>,
    log: string[],
    port: number,
    databaseUrl: string,
  ) {
    this.#process = process
    this.#answers = answers
    this.#log = log
    this.port = port
    this.databaseUrl = databaseUrl
    this.url = `http://127.0.0.1:${port}`
  }

  static async start(runtime: string, env: Record<string, string>): Promise<TestService> {
    const process = spawn(runtime, [child], { env: { ...plainEnvironment(), PORT: '0', ...env } })
    const log: string[] = []
    process.stderr.on('data', (chunk) => log.push(String(chunk)))
    const answers = createInterface({ input: process.stdout })[Symbol.asyncIterator]()
    const first = await answers.next()
    if (first.done) throw new Error(`the service did not start: ${log.join('')}`)
    const service = new TestService(process, answers, log, JSON.parse(first.value).port, env.DATABASE_URL ?? '')
    service.key = await service.makeKey()
    return service
  }

  /** What the service has logged so far. */
  get log(): string {
    return this.#log.join('')
  }

  /** Resolves once the log has it: a line may come a moment after the answer to its request. */
  async logged(pattern: RegExp): Promise<void> {
    await eventually(async () => pattern.test(this.log), Boolean)
  }

  async #tell(action: string, argument: unknown): Promise<unknown> {
    this.#process.stdin?.write(`${JSON.stringify([action, argument])}\n`)
    const answer = await this.#answers.next()
    return JSON.parse(answer.value)
  }

  /** Stops the clock of the service at an instant; null sets it going again. */
  async setClock(now: number | null): Promise<void> {
    await this.#tell('clock', now)
  }

  /** Stops the monotonic clock of the service, in milliseconds; null sets it going again. */
  async setTicks(now: number | null): Promise<void> {
    await this.#tell('ticks', now)
  }

  /** Sends the traces that wait to the collector, as is done once a second. */
  async exportTraces(): Promise<void> {
    await this.#tell('traces', null)
  }

  /** Lets seconds pass for event streams; others pass by themselves. */
  async passSeconds(count: number): Promise<void> {
    await this.#tell('seconds', count)
  }

  async makeKey(options: { scopes?: readonly Scope[]; expiresAt?: number; rate?: Rate } = {}): Promise<string> {
    return (await this.#tell('key', options)) as string
  }

  /** Revokes a key by its id or by itself. */
  async revokeKey(idOrKey: number | string): Promise<void> {
    await this.#tell('revoke', String(idOrKey))
  }

  /** How many bytes of memory the process of the service holds. */
  async memory(): Promise<number> {
    return (await this.#tell('memory', null)) as number
  }

  /** The most it has held so far. */
  async memoryPeak(): Promise<number> {
    return (await this.#tell('peak', null)) as number
  }

  /** As `call` does, with the key of the service unless another is given. */
  call(method: string, path: string, { key = this.key, ...options }: CallOptions = {}): Promise<Answer> {
    return call(`${this.url}/v1`, method, path, { key, ...options })
  }

  async stop(): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return
    const exited = once(this.#process, 'exit')
    this.#process.stdin?.end()
    await exited
  }

  async kill(): Promise<void> {
    const exited = once(this.#process, 'exit')
    this.#process.kill('SIGKILL')
    await exited
  }
}

/** The environment without any setting of the service, so that a developer's own never leaks into a test. */
export function plainEnvironment(): NodeJS.ProcessEnv {
  return {
    ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !(name in settings))),
    ...pgbouncerSettings,
  }
}

/**
 * Runtimes and databases meet only in the handler, so each runtime with one database covers both in half the time. The
 * full scope has every combination.
 */
const chosen = targets.filter((_, index) => isFull || index === 0 || index === 3)

/** Defines the same tests for both runtimes and both databases, each with a service of its own. */
export function onEveryTarget(
  title: string,
  define: (service: () => TestService) => void,
  env: Record<string, string> = {},
  on: readonly Target[] = chosen,
): void {
  for (const target of on)
    describe(`${title}, on ${target.name}`, () => {
      let service: TestService
      let removeDatabase: () => Promise<void>
      before(async () => {
        const { url, remove } = await target.database()
        removeDatabase = remove
        service = await TestService.start(target.runtime, { DATABASE_URL: url, LOG_LEVEL: 'info', ...env })
      })
      after(async () => {
        await service?.stop()
        await removeDatabase?.()
        if (target === on.at(-1)) await releasePostgres()
      })
      define(() => service)
    })
}

/** The same for what hardly depends on the runtime or the database, or is costly: in the full scope everywhere, else on one. */
export function onOneTarget(...[title, define, env]: Parameters<typeof onEveryTarget>): void {
  onEveryTarget(title, define, env, some(chosen))
}
