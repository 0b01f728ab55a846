/** Puts load on a server with wrk, and reads what it says. */
import { execFileSync, spawnSync } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'

export interface Load {
  readonly port: number
  readonly seconds: number
  readonly headers: Record<string, string>
  readonly path: string
  /** A script of lua/ with its arguments; none asks for `path` again and again. */
  readonly script?: readonly [name: string, ...args: string[]]
}

export interface Reading {
  readonly rate: number
  readonly p50: number
  readonly p99: number
}

const connections = 64

/** With two cores the server has one and the load the other; with one they share it. */
export const canPin = availableParallelism() > 1 && isInstalled('taskset')
export const pinned = (core: number, command: readonly string[]): string[] =>
  canPin ? ['taskset', '-c', String(core), ...command] : [...command]

export function isInstalled(command: string): boolean {
  return spawnSync('sh', ['-c', `command -v ${command}`]).status === 0
}

export function measure({ port, seconds, headers, path, script }: Load): Reading {
  const command = pinned(1, ['wrk', '-t1', `-c${connections}`, `-d${seconds}s`, '--latency'])
  for (const [name, value] of Object.entries(headers)) command.push('-H', `${name}: ${value}`)
  if (script) command.push('-s', fileURLToPath(new URL(`lua/${script[0]}.lua`, import.meta.url)))
  command.push(`http://127.0.0.1:${port}${path}`, ...(script ? ['--', ...script.slice(1)] : []))
  const [program = '', ...args] = command
  const output = execFileSync(program, args, { encoding: 'utf8' })
  if (/Non-2xx|Socket errors/.test(output)) throw new Error(`the load met errors on ${path}:\n${output}`)
  return {
    rate: Number(/Requests\/sec:\s+([\d.]+)/.exec(output)?.[1]),
    p50: latency(output, 50),
    p99: latency(output, 99),
  }
}

/** Milliseconds. */
function latency(output: string, percent: number): number {
  const [, number = 'NaN', unit = ''] = new RegExp(`${percent}%\\s+([\\d.]+)(us|ms|s)`).exec(output) ?? []
  return Number(number) * ({ us: 0.001, ms: 1, s: 1000 }[unit] ?? Number.NaN)
}

export const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  return sorted.length % 2
    ? (sorted[middle] as number)
    : ((sorted[middle - 1] as number) + (sorted[middle] as number)) / 2
}
