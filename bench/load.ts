/** Puts load on servers with wrk, and reads what it says. */
import { execFile, spawnSync } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

export interface Load {
  readonly path: string
  /** A script of lua/ with its arguments, which also gets which of how many loads it is; none asks for `path` again and again. */
  readonly script?: readonly [name: string, ...args: string[]]
}

export interface Target {
  /** The connections are shared out among these. */
  readonly ports: readonly number[]
  readonly key: string
  readonly seconds: number
  /** In all; 64 unless given. */
  readonly connections?: number
}

export interface Reading {
  readonly rate: number
  readonly p50: number
  readonly p99: number
}

/** Long enough for a server that answers 64 requests one after the other, each in half a second. */
const patience = '60s'

/** With two cores the server has one and the load the other; with one they share it. */
export const canPin = availableParallelism() > 1 && isInstalled('taskset')
export const pinned = (core: number | 'any', command: readonly string[]): string[] =>
  canPin && core !== 'any' ? ['taskset', '-c', String(core), ...command] : [...command]

export function isInstalled(command: string): boolean {
  return spawnSync('sh', ['-c', `command -v ${command}`]).status === 0
}

const running = new AbortController()
/** Ends the load under way, where the benchmark was told to stop. */
export const stopLoad = (): void => running.abort()

export async function measure(load: Load, { ports, key, seconds, connections = 64 }: Target): Promise<Reading> {
  const size = ['-c', String(Math.floor(connections / ports.length)), '-d', `${seconds}s`]
  const readings = await Promise.all(
    ports.map((port, index) => {
      const script = load.script && ([...load.script, String(index), String(ports.length)] as const)
      return wrk(script ? { ...load, script } : load, port, size, key)
    }),
  )
  return {
    rate: readings.reduce((sum, { rate }) => sum + rate, 0),
    p50: Math.max(...readings.map(({ p50 }) => p50)),
    p99: Math.max(...readings.map(({ p99 }) => p99)),
  }
}

async function wrk({ path, script }: Load, port: number, size: readonly string[], key: string): Promise<Reading> {
  const command = pinned(1, ['wrk', '-t1', ...size, '--latency', '--timeout', patience])
  command.push('-H', `Authorization: Bearer ${key}`)
  if (script) command.push('-s', fileURLToPath(new URL(`lua/${script[0]}.lua`, import.meta.url)))
  command.push(`http://127.0.0.1:${port}${path}`, ...(script ? ['--', ...script.slice(1)] : []))
  const [program = '', ...args] = command
  const { stdout } = await promisify(execFile)(program, args, { encoding: 'utf8', signal: running.signal })
  if (/Non-2xx|Socket errors/.test(stdout)) throw new Error(`the load met errors on ${path}:\n${stdout}`)
  return {
    rate: Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1]),
    p50: latency(stdout, 50),
    p99: latency(stdout, 99),
  }
}

/** Milliseconds. */
function latency(output: string, percent: number): number {
  const [, number = 'NaN', unit = ''] = new RegExp(`${percent}%\\s+([\\d.]+)(us|ms|s|m)`).exec(output) ?? []
  return Number(number) * ({ us: 0.001, ms: 1, s: 1000, m: 60_000 }[unit] ?? Number.NaN)
}

export const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  return sorted.length % 2
    ? (sorted[middle] as number)
    : ((sorted[middle - 1] as number) + (sorted[middle] as number)) / 2
}
