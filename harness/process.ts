/** Runs the real program like its users do: a command until it ends, or the service until the test ends. */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { petstore as runCommand } from '../src/commands/petstore.ts'
import { type Answer, type CallOptions, call } from './call.ts'
import { temporaryFolder } from './databases.ts'
import { inTime } from './patience.ts'
import { pgbouncerSettings } from './pgbouncer.ts'
import { node } from './runtimes.ts'
import { main, plainEnvironment } from './service.ts'

export { bun, node } from './runtimes.ts'
export { testWith } from './scope.ts'

export interface Surroundings {
  /** Settings, added to an environment that contains none. */
  readonly env?: Record<string, string>
  readonly cwd?: string
  readonly uid?: number
  /** A file for standard output. The output is then not watched. */
  readonly stdout?: number
}

export interface Ended {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

/** A process from its start to its end. It is ended when the block that holds it is left. */
export class Program {
  readonly ended: Promise<Ended>
  stdout = ''
  stderr = ''
  readonly #child: ChildProcess
  readonly #listeners = new Set<() => void>()
  #isOver = false

  constructor([file = '', ...args]: readonly string[], { env = {}, stdout, ...options }: Surroundings = {}) {
    const child = spawn(file, args, {
      ...options,
      env: { ...plainEnvironment(), ...env },
      stdio: ['pipe', stdout ?? 'pipe', 'pipe'],
    })
    this.#child = child
    child.stdout?.setEncoding('utf8').on('data', (text) => this.#say(() => (this.stdout += text)))
    child.stderr?.setEncoding('utf8').on('data', (text) => this.#say(() => (this.stderr += text)))
    this.ended = new Promise((resolve, reject) => {
      child.on('error', reject)
      child.on('close', (code, signal) => {
        this.#say(() => (this.#isOver = true))
        resolve({ code, signal, stdout: this.stdout, stderr: this.stderr })
      })
    })
  }

  /** Resolves with the standard output after the program has ended, and rejects if it failed. */
  get succeeded(): Promise<string> {
    return this.ended.then(({ code, stdout, stderr }) => {
      assert.equal(code, 0, stdout + stderr)
      return stdout
    })
  }

  get pid(): number {
    return this.#child.pid as number
  }

  /**
   * Resolves once standard output, or the other stream, matches. Rejects if the program ends before, or takes longer
   * than the given time, which is a minute by default.
   */
  until(
    pattern: RegExp,
    stream: 'stdout' | 'stderr' = 'stdout',
    milliseconds: number | undefined = undefined,
  ): Promise<RegExpExecArray> {
    const found = new Promise<RegExpExecArray>((resolve, reject) => {
      const look = () => {
        const match = pattern.exec(this[stream])
        if (!match && !this.#isOver) return
        this.#listeners.delete(look)
        if (match) resolve(match)
        else reject(new Error(`ended without ${pattern}:\n${this.stdout}${this.stderr}`))
      }
      this.#listeners.add(look)
      look()
    })
    return inTime(found, pattern, () => this.stdout + this.stderr, milliseconds)
  }

  /** Types text on its standard input. */
  type(text: string): void {
    this.#child.stdin?.write(text)
  }

  /** Sends a signal, and resolves when the program has ended. */
  async end(signal: NodeJS.Signals): Promise<Ended> {
    this.signal(signal)
    return this.ended
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#isOver) await this.end('SIGKILL')
  }

  #say(change: () => void): void {
    change()
    for (const listener of this.#listeners) listener()
  }
}

/** Runs `petstore ARGS` until it ends. */
export function petstore(args: readonly string[], surroundings: Surroundings = {}): Promise<Ended> {
  return new Program([node, main, ...args], surroundings).ended
}

/**
 * Runs `petstore ARGS` within the process of the test, which costs a tenth of a process. A test that is about the
 * process itself uses `petstore`.
 */
export async function command(
  args: readonly string[],
  env: Record<string, string> = {},
  stdin: AsyncIterable<Uint8Array> = Readable.from([]),
): Promise<Pick<Ended, 'code' | 'stdout' | 'stderr'>> {
  const said = { stdout: '', stderr: '' }
  const code = await runCommand(args, {
    env: { ...pgbouncerSettings, ...env },
    stdin,
    stdout: { write: (text) => (said.stdout += text) },
    stderr: { write: (text) => (said.stderr += text) },
  })
  return { code, ...said }
}

/** Runs a command that must succeed, and resolves with its standard error. */
export async function done(args: readonly string[], env?: Record<string, string>): Promise<string> {
  const { code, stdout, stderr } = await command(args, env)
  assert.deepEqual([code, stdout], [0, ''], stderr)
  return stderr
}

/**
 * Runs a command that must fail, and must give the reason in one line: this sentence, or a text that matches the
 * pattern.
 */
export async function fails(
  args: readonly string[],
  env: Record<string, string>,
  said: string | RegExp,
): Promise<void> {
  const { code, stdout, stderr } = await command(args, env)
  assert.deepEqual([code, stdout], [1, ''], stderr)
  if (typeof said === 'string') assert.equal(stderr, `petstore: ${said}\n`)
  else assert.match(stderr, said)
}

interface ServedOptions {
  readonly program?: readonly string[]
  readonly args?: readonly string[]
  readonly cwd?: string
}

/** Runs `petstore serve` on a free port. `program` is the command to start it, if it does not run from its source. */
export class Served extends Program {
  /** The base address, which the log contains. */
  url = ''

  static async start(
    env: Record<string, string>,
    { program = [node, main], args = [], cwd = '.' }: ServedOptions = {},
  ): Promise<Served> {
    const served = new Served([...program, 'serve', ...args], { env: { PORT: '0', ...env }, cwd })
    try {
      served.url = (await served.until(/"url":"([^"]+)"/))[1] as string
      return served
    } catch (error) {
      await served[Symbol.asyncDispose]()
      throw error
    }
  }

  get port(): number {
    return Number(new URL(this.url).port)
  }

  /** The log so far, with one record per line. */
  get log(): Record<string, unknown>[] {
    const lines = this.stdout.split('\n').slice(0, -1)
    return lines.map((line) => JSON.parse(line))
  }

  /** Sends a request like `call` does. Without an option, it sends no key. */
  call(method: string, path: string, options?: CallOptions): Promise<Answer> {
    return call(this.url, method, path, options)
  }
}

/**
 * A folder with the path and URL of a database in it, which is removed when its block is left. It is created at its
 * first use, so that tests that are left out create none.
 */
export class Folder {
  #folder: ReturnType<typeof temporaryFolder> | undefined

  get path(): string {
    this.#folder ??= temporaryFolder()
    return this.#folder.path
  }

  get database(): string {
    return join(this.path, 'test.db')
  }

  get url(): string {
    return `sqlite:${this.database}`
  }

  get env(): Record<string, string> {
    return { DATABASE_URL: this.url }
  }

  [Symbol.dispose](): void {
    this.#folder?.remove()
  }
}

/** Creates a key with the command, in the database of `env`. */
export async function makeKey(env: Record<string, string>, ...flags: string[]): Promise<string> {
  const { code, stdout, stderr } = await command(['keys', 'create', '--name', 'test', ...flags], env)
  if (code !== 0) throw new Error(`no key was made: ${stderr}`)
  return stdout.trim()
}
