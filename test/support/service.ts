/** Starts the service as a process on each runtime and database, and speaks to it as a client would. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, before, describe } from 'node:test'
import { fileURLToPath } from 'node:url'
import { settings } from '../../src/config.ts'
import type { Scope } from '../../src/model/key.ts'
import { postgresDatabase, releasePostgres } from './postgres.ts'
import { root } from './project.ts'

export const main = join(root, 'src/main.ts')
const bun = join(root, 'node_modules/.bin/bun')
const child = fileURLToPath(new URL('child.ts', import.meta.url))

export interface Target {
  readonly name: string
  readonly runtime: string
  /** Makes an empty database and says how to get rid of it. */
  database(): Promise<{ url: string; remove(): Promise<void> }>
}

export function temporaryFolder(): { path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'petstore-'))
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}

async function sqliteDatabase() {
  const folder = temporaryFolder()
  return { url: `sqlite:${join(folder.path, 'test.db')}`, remove: async () => folder.remove() }
}

export const targets: readonly Target[] = [
  { name: 'Node with SQLite', runtime: process.execPath, database: sqliteDatabase },
  { name: 'Bun with SQLite', runtime: bun, database: sqliteDatabase },
  { name: 'Node with PostgreSQL', runtime: process.execPath, database: postgresDatabase },
  { name: 'Bun with PostgreSQL', runtime: bun, database: postgresDatabase },
]

export interface Answer {
  readonly status: number
  readonly headers: Headers
  /** The body as it came. */
  readonly text: string
  /** The body as JSON; integers beyond 2^53 are rounded, so look at `text` for those. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look at bodies of every shape.
  readonly json: any
}

export interface CallOptions {
  readonly headers?: Record<string, string>
  /** Sent as it stands where it is text or bytes, else as JSON; with `Content-Type: application/json` unless given. */
  readonly body?: unknown
  /** The API key; null sends none. */
  readonly key?: string | null
}

export class TestService {
  readonly url: string
  readonly port: number
  /** A key with the default scopes. */
  key = ''
  readonly #process: ChildProcess
  readonly #answers: AsyncIterator<string>
  readonly #log: string[]

  private constructor(process: ChildProcess, answers: AsyncIterator<string>, log: string[], port: number) {
    this.#process = process
    this.#answers = answers
    this.#log = log
    this.port = port
    this.url = `http://127.0.0.1:${port}`
  }

  static async start(runtime: string, env: Record<string, string>): Promise<TestService> {
    const process = spawn(runtime, [child], { env: { ...plainEnvironment(), PORT: '0', ...env } })
    const log: string[] = []
    process.stderr.on('data', (chunk) => log.push(String(chunk)))
    const answers = createInterface({ input: process.stdout })[Symbol.asyncIterator]()
    const first = await answers.next()
    if (first.done) throw new Error(`the service did not start: ${log.join('')}`)
    const service = new TestService(process, answers, log, JSON.parse(first.value).port)
    service.key = await service.makeKey()
    return service
  }

  /** What the service has logged so far. */
  get log(): string {
    return this.#log.join('')
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

  async makeKey(options: { scopes?: readonly Scope[]; expiresAt?: number } = {}): Promise<string> {
    return (await this.#tell('key', options)) as string
  }

  /** Revokes a key by its id or by itself. */
  async revokeKey(idOrKey: number | string): Promise<void> {
    await this.#tell('revoke', String(idOrKey))
  }

  /** `path` is relative to the base address, unless it stands outside the version: then it begins with `//`. */
  async call(method: string, path: string, { headers = {}, body, key = this.key }: CallOptions = {}): Promise<Answer> {
    const sent = new Headers(headers)
    if (key !== null && !sent.has('authorization')) sent.set('Authorization', `Bearer ${key}`)
    const isRaw = typeof body === 'string' || body instanceof Uint8Array
    if (body !== undefined && !sent.has('content-type')) sent.set('Content-Type', 'application/json')
    const response = await fetch(path.startsWith('//') ? this.url + path.slice(1) : `${this.url}/v1${path}`, {
      method,
      headers: sent,
      ...(body !== undefined && { body: isRaw ? (body as string) : JSON.stringify(body) }),
    })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.startsWith('application/json') && text !== ''
    return { status: response.status, headers: response.headers, text, json: isJson ? JSON.parse(text) : undefined }
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
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !(name in settings)))
}

/** Defines the same tests for every runtime and database, each with a service of its own. */
export function onEveryTarget(
  title: string,
  define: (service: () => TestService) => void,
  env: Record<string, string> = {},
): void {
  for (const target of targets)
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
        if (target === targets.at(-1)) await releasePostgres()
      })
      define(() => service)
    })
}
