/** Starts what is measured, each in a process of its own, on a port and a database of its own. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePort } from '../test/support/postgres.ts'
import { pinned } from './load.ts'

export const root = fileURLToPath(new URL('..', import.meta.url))
export const node = process.execPath
export const bun = join(root, 'node_modules/.bin/bun')
export const runtimes = { 'petstore on Node': node, 'petstore on Bun': bun }

export interface ServerOptions {
  readonly env?: Record<string, string>
  /** What its clients send. */
  readonly key?: string
  /** The path that is asked until there is an answer. */
  readonly ready?: string
  /** The first unless given. */
  readonly core?: number | 'any'
  readonly cwd?: string
}

export class Server {
  readonly name: string
  readonly port: number
  readonly key: string
  /** From the start of the process to its first answer, in milliseconds. */
  readonly startMilliseconds: number
  readonly #process: ChildProcess

  private constructor(name: string, port: number, key: string, startMilliseconds: number, process: ChildProcess) {
    this.name = name
    this.port = port
    this.key = key
    this.startMilliseconds = startMilliseconds
    this.#process = process
  }

  /** `{port}` in the command stands for the port, which is in the environment too. */
  static async start(name: string, command: readonly string[], options: ServerOptions = {}): Promise<Server> {
    const port = await freePort()
    const [program = '', ...args] = pinned(
      options.core ?? 0,
      command.map((word) => word.replace('{port}', String(port))),
    )
    const started = performance.now()
    const child = spawn(program, args, {
      env: { ...process.env, PORT: String(port), LOG_LEVEL: 'warn', NODE_ENV: 'production', ...options.env },
      cwd: options.cwd ?? root,
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    children.add(child.once('exit', () => children.delete(child)))
    while (!(await answers(`http://127.0.0.1:${port}${options.ready ?? '/'}`))) {
      if (hasEnded(child) || performance.now() - started > 30_000) {
        await end(child)
        throw new Error(`${name} did not start`)
      }
      await sleep(2)
    }
    return new Server(name, port, options.key ?? '', performance.now() - started, child)
  }

  /** Resident memory, in megabytes. */
  get memory(): number {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${this.#process.pid}/status`, 'utf8'))?.[1]) / 1024
  }

  /** Processor time used, in hundredths of a second. */
  get ticks(): number {
    return ticksOf(this.#process.pid)
  }

  /** Resolves once it rests: a slow server still works on what it was sent when the load has ended. */
  async settled(): Promise<void> {
    for (let used = this.ticks, waits = 0; waits < 1_200; waits++) {
      await sleep(100)
      const now = this.ticks
      if (now - used <= 2) return
      used = now
    }
    throw new Error(`${this.name} does not come to rest`)
  }

  stop(): Promise<void> {
    return end(this.#process)
  }

  get(path: string): Promise<string> {
    return this.#ask(path, {})
  }

  post(path: string, body: string): Promise<string> {
    return this.#ask(path, { method: 'POST', body })
  }

  async #ask(path: string, request: RequestInit): Promise<string> {
    const headers = { Authorization: `Bearer ${this.key}`, 'Content-Type': 'application/json' }
    const response = await fetch(`http://127.0.0.1:${this.port}${path}`, { ...request, headers })
    if (!response.ok) throw new Error(`${this.name} answers ${response.status} to ${path}`)
    return response.text()
  }
}

/** Of a process by itself, or with those it started: PostgreSQL has one for each connection. */
export function ticksOf(pid: number | string | undefined, withChildren = false): number {
  const ids = withChildren ? readdirSync('/proc').filter((name) => /^\d+$/.test(name)) : [String(pid)]
  return ids.reduce((sum, id) => {
    try {
      const fields = readFileSync(`/proc/${id}/stat`, 'utf8')
        .replace(/^.*\) /, '')
        .split(' ')
      if (id === String(pid)) return fields.slice(11, withChildren ? 15 : 13).reduce((a, b) => a + Number(b), sum)
      return fields[1] === String(pid) ? sum + Number(fields[11]) + Number(fields[12]) : sum
    } catch {
      // It has ended, and the time it took is with the one that started it.
      return sum
    }
  }, 0)
}

const children = new Set<ChildProcess>()

/** Ends every server, also one that is still starting. */
export async function stopServers(): Promise<void> {
  await Promise.all([...children].map(end))
}

const hasEnded = (child: ChildProcess): boolean => child.exitCode !== null || child.signalCode !== null

async function end(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return
  const exited = once(child, 'exit')
  child.kill()
  const lastResort = setTimeout(() => child.kill('SIGKILL'), 10_000)
  await exited
  clearTimeout(lastResort)
}

/** Whether there is an answer, on a connection of its own. */
export async function answers(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { headers: { Connection: 'close' } })
    await response.arrayBuffer()
    return true
  } catch {
    return false
  }
}
