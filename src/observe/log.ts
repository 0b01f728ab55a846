/** The log: JSON lines on standard output, made for reading on a terminal. */
import { constants, openSync } from 'node:fs'
import type { LogLevel } from '../config/setting-values.ts'
import type { Collect } from '../metrics.ts'
import { headOf, levels, membersOf } from './log-line.ts'
import { createSink, type Sink } from './sink.ts'

type Write = (...line: [message: string] | [members: object, message: string]) => void
export interface Log extends Readonly<Record<'debug' | 'info' | 'warn' | 'error', Write>> {
  isLevelEnabled(level: LogLevel): boolean
  /** Writes a complete line, with the others of this turn of the event loop. */
  defer(line: string): void
}

export function createLog(level: LogLevel, { write, defer }: Pick<Sink, 'write' | 'defer'>): Log {
  const least = levels[level]
  const at =
    (number: number): Write =>
    (members, message = members as string) => {
      if (number < least) return
      const text = typeof members === 'string' ? '' : membersOf(members)
      write(`${headOf(number)}${text},"msg":${JSON.stringify(message)}}\n`)
    }
  const [debug, info, warn, error] = [at(levels.debug), at(levels.info), at(levels.warn), at(levels.error)]
  return { debug, info, warn, error, defer, isLevelEnabled: (asked) => levels[asked] >= least }
}

/** The log on standard output. */
export function openLog(level: LogLevel): { log: Log; samples: Collect } {
  const sink = createSink(standardOutput(), {
    onResume: (dropped) => log.warn({ dropped }, 'log lines were dropped: standard output was blocked'),
  })
  const show = (line: string) => sink.write(readable(line))
  const log = createLog(level, process.stdout.isTTY ? { write: show, defer: show } : sink)
  return { log, samples: () => [['petstore_log_lines_dropped_total', sink.droppedTotal]] }
}

/** Standard output in non-blocking mode. Using `process.stdout` sets it for a pipe or socket, but not for a terminal. */
function standardOutput(): number {
  const { fd, isTTY } = process.stdout
  if (!isTTY) return fd
  try {
    return openSync(`/dev/fd/${fd}`, constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY)
  } catch {
    return fd
  }
}

const names = new Map([
  [levels.debug, '\x1b[34mDEBUG'],
  [levels.info, '\x1b[32mINFO'],
  [levels.warn, '\x1b[33mWARN'],
  [levels.error, '\x1b[31mERROR'],
])

/** A line for people: all in one, and the stacks of errors below it. */
export function readable(line: string): string {
  let stacks = ''
  const { level, time, msg, ...all } = JSON.parse(line, (name, value) => {
    if (name !== 'stack' || typeof value !== 'string') return value
    // An error may quote what would control the terminal.
    stacks += `    ${value.replaceAll(/(?!\n)\p{Cc}/gu, '').replaceAll('\n', '\n    ')}\n`
  })
  const { method, route, status, durationMs, ...others } = all
  // Only the line of a request has no message.
  const [text, members] = msg === undefined ? [`${method} ${route} ${status} ${durationMs} ms`, others] : [msg, all]
  const end = Object.keys(members).length > 0 ? ` \x1b[90m${JSON.stringify(members)}\x1b[39m` : ''
  const start = `[${new Date(time).toTimeString().slice(0, 8)}] ${names.get(level)}\x1b[39m: `
  return `${start}\x1b[36m${text}\x1b[39m${end}\n${stacks}`
}
