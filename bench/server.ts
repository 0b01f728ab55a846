/** Starts what is measured, each in a process of its own, on a port and a database of its own. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { defaultScopes } from '../src/keys/key.ts'
import { issueKey } from '../src/keys/keyring.ts'
import { openStore } from '../src/store/open.ts'
import { pinned } from './load.ts'

export const root = fileURLToPath(new URL('..', import.meta.url))
export const node = process.execPath
export const bun = join(root, 'node_modules/.bin/bun')

export class Server {
  readonly name: string
  readonly port: number
  /** From the start of the process to its first answer, in milliseconds. */
  readonly startMilliseconds: number
  readonly #process: ChildProcess

  private constructor(name: string, port: number, startMilliseconds: number, process: ChildProcess) {
    this.name = name
    this.port = port
    this.startMilliseconds = startMilliseconds
    this.#process = process
  }

  static async start(
    name: string,
    command: readonly string[],
    options: { env?: Record<string, string>; ready?: string; core?: number; cwd?: string } = {},
  ): Promise<Server> {
    const port = await freePort()
    const [program = '', ...args] = pinned(options.core ?? 0, command)
    const started = performance.now()
    const child = spawn(program, args, {
      env: { ...process.env, PORT: String(port), LOG_LEVEL: 'warn', NODE_ENV: 'production', ...options.env },
      cwd: options.cwd ?? root,
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    const url = `http://127.0.0.1:${port}${options.ready ?? '/'}`
    while (!(await answers(url))) {
      if (child.exitCode !== null || performance.now() - started > 30_000) throw new Error(`${name} did not start`)
      await sleep(2)
    }
    return new Server(name, port, performance.now() - started, child)
  }

  /** Resident memory, in megabytes. */
  get memory(): number {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${this.#process.pid}/status`, 'utf8'))?.[1]) / 1024
  }

  async stop(): Promise<void> {
    const exited = once(this.#process, 'exit')
    this.#process.kill()
    await exited
  }
}

async function answers(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { headers: { Connection: 'close' } })
    await response.arrayBuffer()
    return true
  } catch {
    return false
  }
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  await once(probe, 'close')
  return typeof address === 'object' && address ? address.port : 0
}

const batch = 2_000

/** Fills a new database with animals of every status and makes a key for it. */
export async function fill(url: string, count: number, progress: (done: number) => void = () => {}): Promise<string> {
  const store = await openStore({ url, connections: 10, timeoutMilliseconds: 60_000 })
  const statuses = ['available', 'pending', 'sold'] as const
  for (let done = 0; done < count; done += batch) {
    const rows = Array.from({ length: Math.min(batch, count - done) }, (_, i) => done + i)
    await Promise.all(
      rows.map((n) =>
        store.pets.insert(
          { name: `Animal ${n}`, categoryId: BigInt(n % 500), status: statuses[n % 3] ?? 'sold' },
          undefined,
        ),
      ),
    )
    progress(done + rows.length)
  }
  const { token } = await issueKey(store.keys, {
    name: 'bench',
    scopes: defaultScopes,
    now: Date.now(),
    expiresAt: undefined,
  })
  await store.close()
  return token
}
