/** Starts what is measured, each in a separate process and on a separate port. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePort } from '../harness/postgres.ts'
import { pinned } from './cores.ts'

export const root = fileURLToPath(new URL('..', import.meta.url))
export const node = process.execPath

/** Shows the progress in one line. */
export function say(text: string): void {
  process.stderr.write(process.stderr.isTTY ? `\r\x1b[2K${text}` : text && `${text}\n`)
}

export interface ServerOptions {
  readonly env?: Record<string, string | undefined>
  /** The key that its clients send. */
  readonly key?: string
  /** The path that is requested until there is an answer. */
  readonly ready?: string
  /** The core to run on. The default is the first. */
  readonly core?: number | 'any'
  readonly cwd?: string
}

export type Server = Awaited<ReturnType<typeof start>>

/** Starts a server. `{port}` in the command stands for the port, which is also in the environment. */
export async function start(name: string, command: readonly string[], options: ServerOptions = {}) {
  say(`starting ${name}`)
  const { env, key = '', ready = '/', core = 0, cwd = root } = options
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const [program = '', ...args] = pinned(
    core,
    command.map((word) => word.replace('{port}', String(port))),
  )
  const began = performance.now()
  const child = spawn(program, args, {
    env: { ...process.env, PORT: String(port), LOG_LEVEL: 'warn', NODE_ENV: 'production', ...env },
    cwd,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  children.add(child.once('exit', () => children.delete(child)))
  while (!(await answers(url + ready))) {
    if (hasEnded(child) || performance.now() - began > 30_000) {
      await end(child)
      throw new Error(`${name} did not start`)
    }
    await sleep(2)
  }
  return {
    name,
    port,
    key,
    /** The time from the start of the process to its first answer, in milliseconds. */
    startMilliseconds: Math.round(performance.now() - began),
    /** Resident memory, in megabytes. */
    memory: () => memoryOf(child.pid, 'VmRSS'),
    /** The most memory that it has used. */
    memoryPeak: () => memoryOf(child.pid, 'VmHWM'),
    /** Processor time used, in hundredths of a second. */
    ticks: () => ticksOf(child.pid),
    /** Sends a body, or requests the path. */
    async ask(path: string, body?: string): Promise<string> {
      const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
      const response = await fetch(url + path, { headers, ...(body && { method: 'POST', body }) })
      if (!response.ok) throw new Error(`${name} answers ${response.status} to ${path}`)
      return response.text()
    },
    stop: () => end(child),
  }
}

/** Resolves once a server is idle, because a slow server still works on requests after the load has ended. */
export async function untilIdle({ ticks }: { readonly ticks: () => number }): Promise<void> {
  for (let used = -Infinity, waits = 0; ticks() - used > 2 && waits < 1_200; waits++) {
    used = ticks()
    await sleep(100)
  }
}

/** Starts the service like `npm start` does. */
export function startService(name: string, url: string, options: ServerOptions = {}): Promise<Server> {
  const command = [node, '--max-semi-space-size=8', '--', 'bin/petstore.js', 'serve']
  return start(name, command, { env: { DATABASE_URL: url }, ready: '/livez', ...options })
}

const memoryOf = (pid: number | undefined, field: 'VmRSS' | 'VmHWM'): number =>
  Number(new RegExp(`${field}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024

/**
 * Returns the processor time of a process, alone or with its child processes, because PostgreSQL has one for each
 * connection.
 */
export function ticksOf(pid: number | string | undefined, withChildren = false): number {
  const ids = withChildren ? readdirSync('/proc').filter((name) => /^\d+$/.test(name)) : [String(pid)]
  return ids.reduce((sum, id) => {
    try {
      const [, parent, ...fields] = readFileSync(`/proc/${id}/stat`, 'utf8')
        .replace(/^.*\) /, '')
        .split(' ')
      const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields.slice(9, 13).map(Number)
      if (id !== String(pid)) return parent === String(pid) ? sum + user + system : sum
      return sum + user + system + (withChildren ? endedUser + endedSystem : 0)
    } catch {
      // The process has ended, and its time counts for its parent.
      return sum
    }
  }, 0)
}

const children = new Set<ChildProcess>()

/** Ends every server, including one that is still starting. */
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

/** Whether there is an answer, on a new connection. */
export async function answers(url: string): Promise<boolean> {
  try {
    await (await fetch(url, { headers: { Connection: 'close' } })).arrayBuffer()
    return true
  } catch {
    return false
  }
}
