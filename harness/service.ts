/** Starts the service as a process or in the process of the test, and talks to it like a client. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { describe } from 'node:test'
import { fileURLToPath } from 'node:url'
import { settings } from '../src/config/config.ts'
import type { Rate, Scope } from '../src/model/key.ts'
import { type Answer, type CallOptions, call } from './call.ts'
import { startControlled } from './child.ts'
import { type Database, databases } from './databases.ts'
import { eventually } from './patience.ts'
import { pgbouncerSettings } from './pgbouncer.ts'
import { releasePostgres } from './postgres.ts'
import { root } from './project.ts'
import { node } from './runtimes.ts'
import { after, before, some } from './scope.ts'

export const main = join(root, 'bin/petstore.js')
const child = fileURLToPath(new URL('child.ts', import.meta.url))

export type { Answer, CallOptions }

/** The timeout in milliseconds for a PostgreSQL on a busy machine. */
export const patientTimeout = '30000'

interface Host {
  readonly port: number
  tell(action: string, argument: unknown): Promise<unknown>
  stop(): Promise<void>
  kill(): Promise<void>
}

export class TestService {
  readonly url: string
  readonly port: number
  readonly databaseUrl: string
  /** A key with the default scopes. */
  key = ''
  readonly #host: Host
  readonly #log: string[]
  #stopped: Promise<void> | undefined

  private constructor(host: Host, log: string[], databaseUrl: string) {
    this.#host = host
    this.#log = log
    this.port = host.port
    this.databaseUrl = databaseUrl
    this.url = `http://127.0.0.1:${host.port}`
  }

  /** Starts the service in a separate process. */
  static async start(env: Record<string, string>): Promise<TestService> {
    const log: string[] = []
    return TestService.#on(await startChild(env, log), log, env)
  }

  /**
   * Starts the service in the process of the test, which costs a fraction of a process. It suits tests that do not
   * depend on a process.
   */
  static async inProcess(env: Record<string, string>): Promise<TestService> {
    const log: string[] = []
    const service = await startControlled({ PORT: '0', ...pgbouncerSettings, ...env }, (line) => log.push(line))
    return TestService.#on({ ...service, kill: service.stop }, log, env)
  }

  static async #on(host: Host, log: string[], { DATABASE_URL = '' }: Record<string, string>): Promise<TestService> {
    const service = new TestService(host, log, DATABASE_URL)
    service.key = await service.makeKey()
    return service
  }

  /** The log of the service so far. */
  get log(): string {
    return this.#log.join('')
  }

  /** Resolves once the log matches, because a line may arrive a moment after the answer to its request. */
  async logged(pattern: RegExp): Promise<void> {
    await eventually(async () => pattern.test(this.log), Boolean)
  }

  /** Stops the clock of the service at an instant. With null, the clock runs again. */
  async setClock(now: number | null): Promise<void> {
    await this.#host.tell('clock', now)
  }

  /** Stops the monotonic clock of the service at a number of milliseconds. With null, the clock runs again. */
  async setTicks(now: number | null): Promise<void> {
    await this.#host.tell('ticks', now)
  }

  /** Runs the work of every second this many times, immediately. The work also continues by itself. */
  async passSeconds(count: number): Promise<void> {
    await this.#host.tell('seconds', count)
  }

  async makeKey(
    options: { name?: string; scopes?: readonly Scope[]; expiresAt?: number; rate?: Rate } = {},
  ): Promise<string> {
    return (await this.#host.tell('key', options)) as string
  }

  /** Revokes a key, which is given by its id or as itself. */
  async revokeKey(idOrKey: number | string): Promise<void> {
    await this.#host.tell('revoke', String(idOrKey))
  }

  /** Returns the number of bytes of memory that the process of the service uses. */
  async memory(): Promise<number> {
    return (await this.#host.tell('memory', null)) as number
  }

  /** Returns the most memory that the process has used so far. */
  async memoryPeak(): Promise<number> {
    return (await this.#host.tell('peak', null)) as number
  }

  /**
   * Sends a request like `call` does, with the key of the service unless another one is given. It also checks that
   * browsers may not guess the media type of the answer.
   */
  async call(method: string, path: string, { key = this.key, ...options }: CallOptions = {}): Promise<Answer> {
    const answer = await call(`${this.url}/v1`, method, path, { key, ...options })
    assert.equal(answer.headers.get('x-content-type-options'), 'nosniff', `${method} ${path}: ${answer.status}`)
    return answer
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop()
  }

  /** A second call has no effect. */
  stop(): Promise<void> {
    return (this.#stopped ??= this.#host.stop())
  }

  kill(): Promise<void> {
    return this.#host.kill()
  }
}

async function startChild(env: Record<string, string>, log: string[]): Promise<Host> {
  const process = spawn(node, [child], { env: { ...plainEnvironment(), PORT: '0', ...env } })
  process.stderr.on('data', (chunk) => log.push(String(chunk)))
  const answers = createInterface({ input: process.stdout })[Symbol.asyncIterator]()
  const first = await answers.next()
  if (first.done) throw new Error(`the service did not start: ${log.join('')}`)
  const ending = async (end: () => void) => {
    if (process.exitCode !== null || process.signalCode !== null) return
    const exited = once(process, 'exit')
    end()
    await exited
  }
  return {
    port: JSON.parse(first.value).port,
    async tell(action, argument) {
      process.stdin.write(`${JSON.stringify([action, argument])}\n`)
      return JSON.parse((await answers.next()).value as string)
    },
    stop: () => ending(() => process.stdin.end()),
    kill: () => ending(() => process.kill('SIGKILL')),
  }
}

/**
 * Returns the environment without any setting of the service, so that the settings of a developer never affect a test.
 */
export function plainEnvironment(): NodeJS.ProcessEnv {
  return {
    ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !(name in settings))),
    ...pgbouncerSettings,
  }
}

/** Defines tests with a service that is started before them and stopped after them. */
function withService(
  title: string,
  define: (service: () => TestService) => void,
  { open }: Pick<Database, 'open'>,
  start: (env: Record<string, string>) => Promise<TestService>,
  env: Record<string, string>,
): void {
  describe(title, () => {
    let service: TestService
    let removeDatabase: () => Promise<void>
    before(async () => {
      const { url, remove } = await open()
      removeDatabase = remove
      service = await start({ DATABASE_URL: url, DATABASE_TIMEOUT: patientTimeout, LOG_LEVEL: 'info', ...env })
    })
    after(async () => {
      await service?.stop()
      await removeDatabase?.()
    })
    define(() => service)
  })
}

type Define = Parameters<typeof withService>[1]

/** Defines tests that depend on a process, such as on its memory. Outside the full scope, they run on SQLite. */
export function asProcess(
  title: string,
  define: Define,
  env: Record<string, string> = {},
  on: readonly Database[] = databases,
): void {
  after(releasePostgres)
  for (const database of some(on))
    withService(`${title}, on ${database.name}`, define, database, TestService.start, env)
}

/** Defines tests that depend on the database. The service runs in the process of the test. */
export function onBothDatabases(title: string, define: Define, env: Record<string, string> = {}): void {
  after(releasePostgres)
  for (const database of databases)
    withService(`${title}, on ${database.name}`, define, database, TestService.inProcess, env)
}

/**
 * Defines tests that depend on neither process nor database. The service runs in the process of the test, on SQLite.
 */
export function onOneTarget(title: string, define: Define, env: Record<string, string> = {}): void {
  withService(title, define, databases[0], TestService.inProcess, env)
}
