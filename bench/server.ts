/** Starts what is measured, each in a process of its own, on a port and a database of its own. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { issueKey } from '../src/keys/keys.ts'
import { defaultScopes } from '../src/model/key.ts'
import { wordsOf } from '../src/model/pet.ts'
import { columnsOf, rowsPerChunk } from '../src/store/bulk.ts'
import { openStore } from '../src/store/store.ts'
import { freePort } from '../test/support/postgres.ts'
import { pinned } from './load.ts'

export const root = fileURLToPath(new URL('..', import.meta.url))
export const node = process.execPath
export const bun = join(root, 'node_modules/.bin/bun')

export interface ServerOptions {
  readonly env?: Record<string, string>
  /** The path that is asked until there is an answer. */
  readonly ready?: string
  /** The first unless given. */
  readonly core?: number | 'any'
  readonly cwd?: string
}

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
    const url = `http://127.0.0.1:${port}${options.ready ?? '/'}`
    while (!(await answers(url))) {
      if (hasEnded(child) || performance.now() - started > 30_000) {
        await end(child)
        throw new Error(`${name} did not start`)
      }
      await sleep(2)
    }
    return new Server(name, port, performance.now() - started, child)
  }

  /** Resident memory, in megabytes. */
  get memory(): number {
    return Number(/VmRSS:\s+(\d+)/.exec(this.#about('status'))?.[1]) / 1024
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

  /** Processor time used, in hundredths of a second. */
  get ticks(): number {
    const fields = this.#about('stat')
      .replace(/^.*\) /, '')
      .split(' ')
    return Number(fields[11]) + Number(fields[12])
  }

  #about(file: string): string {
    return readFileSync(`/proc/${this.#process.pid}/${file}`, 'utf8')
  }
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

async function answers(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { headers: { Connection: 'close' } })
    await response.arrayBuffer()
    return true
  } catch {
    return false
  }
}

/** As `npm start` and `npm run start:bun` start it. */
export const serviceCommand = (runtime: string): string[] => [
  runtime,
  ...(runtime === node ? ['--max-semi-space-size=8'] : []),
  'src/main.ts',
  'serve',
]
export const serviceOptions = (databaseUrl: string): ServerOptions => ({
  env: { DATABASE_URL: databaseUrl },
  ready: '/livez',
})

const statuses = ['available', 'pending', 'sold'] as const
/** The animal that stands at a place of the catalogue. */
export type AnimalAt = (n: number) => {
  readonly name: string
  readonly categoryId: number
  readonly status: (typeof statuses)[number]
}
/** For every server the same. */
export const animal: AnimalAt = (n) => ({
  name: `Animal ${n}`,
  categoryId: n % 500,
  status: statuses[n % statuses.length] ?? 'sold',
})

/** Fills a new database with animals and makes a key for it. */
export async function fill(
  url: string,
  count: number,
  at: AnimalAt = animal,
  progress: (done: number) => void = () => {},
): Promise<string> {
  const store = await openStore({ url, connections: 10, timeoutMilliseconds: 60_000 })
  try {
    await store.bulk.import(async (write) => {
      for (let done = 0; done < count; done += rowsPerChunk) {
        const rows = Array.from({ length: Math.min(rowsPerChunk, count - done) }, (_, i) => {
          const { name, categoryId, status } = at(done + i)
          const row: Record<string, string> = {
            id: String(done + i + 1),
            name,
            words: wordsOf(name).join(' '),
            category_id: String(categoryId),
            status,
            held: '0',
          }
          return columnsOf('pets').map((column) => row[column] ?? null)
        })
        await write({ table: 'pets', rows })
        progress(done + rows.length)
      }
      return { api_keys: 0, pets: count, orders: 0, events: 0, webhooks: 0 }
    })
    const { token } = await issueKey(store.keys, {
      name: 'bench',
      scopes: defaultScopes,
      now: Date.now(),
      expiresAt: undefined,
    })
    return token
  } finally {
    await store.close()
  }
}
