/** The log of the program, on standard output: JSON lines, or text that people read if it is a terminal. */
import { constants, openSync } from 'node:fs'
import type { LogLevel } from '../config/setting-values.ts'
import { createLog, createSink, type Log, levels } from './log.ts'
import type { Collect } from './metrics.ts'

export function openLog(level: LogLevel): { log: Log; samples: Collect } {
  const sink = createSink(standardOutput(), {
    onResume: (dropped) => log.warn({ dropped }, 'log lines were dropped: standard output was blocked'),
  })
  const writeReadable = (line: string) => sink.write(readable(line))
  const log = createLog(level, process.stdout.isTTY ? { write: writeReadable, defer: writeReadable } : sink)
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

const levelNames = new Map([
  [levels.debug, '\x1b[34mDEBUG'],
  [levels.info, '\x1b[32mINFO'],
  [levels.warn, '\x1b[33mWARN'],
  [levels.error, '\x1b[31mERROR'],
])

/** A log line as text for people; the stacks of errors are below it. */
export function readable(line: string): string {
  let stacks = ''
  const { level, time, msg, ...all } = JSON.parse(line, (name, value) => {
    if (name !== 'stack' || typeof value !== 'string') return value
    // An error may quote characters that control the terminal.
    stacks += `    ${value.replaceAll(/(?!\n)\p{Cc}/gu, '').replaceAll('\n', '\n    ')}\n`
  })
  const { method, route, status, durationMs, ...others } = all
  // Only the line of a request has no message.
  const [text, members] = msg === undefined ? [`${method} ${route} ${status} ${durationMs} ms`, others] : [msg, all]
  const end = Object.keys(members).length > 0 ? ` \x1b[90m${JSON.stringify(members)}\x1b[39m` : ''
  const start = `[${new Date(time).toTimeString().slice(0, 8)}] ${levelNames.get(level)}\x1b[39m: `
  return `${start}\x1b[36m${text}\x1b[39m${end}\n${stacks}`
}
