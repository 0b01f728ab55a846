/** The log: JSON lines on standard output, pretty-printed on a terminal. */
import { constants, openSync } from 'node:fs'
import { type LevelWithSilent, type Logger, pino, stdTimeFunctions } from 'pino'
import type { Collect } from '../metrics.ts'
import { createSink } from './sink.ts'

export interface Log {
  readonly log: Logger
  readonly samples: Collect
}

export async function createLog(level: LevelWithSilent): Promise<Log> {
  const options = {
    level,
    base: null,
    timestamp: stdTimeFunctions.isoTime,
    // No code logs request headers; if some ever does, the key is left out. PostgreSQL's errors may have the row, with a secret, or values.
    redact: ['authorization', '*.authorization', '*.*.authorization', 'err.detail', 'err.where'],
  }
  const sink = createSink(standardOutput(), {
    onResume: (dropped) => log.warn({ dropped }, 'log lines were dropped: standard output was blocked'),
  })
  const prettify = process.stdout.isTTY && (await readable())
  const log = pino(options, prettify ? { write: (line) => sink.write(prettify(line)) } : sink)
  return { log, samples: () => [['petstore_log_lines_dropped_total', sink.droppedTotal]] }
}

async function readable(): Promise<(line: string) => string> {
  const { prettyFactory } = (await import('pino-pretty')).default
  const prettify = prettyFactory({ translateTime: 'SYS:HH:MM:ss', singleLine: true, colorize: true })
  return (line) => {
    const { method, route, status, durationMs, ...rest } = JSON.parse(line)
    // Only the line of a request has no message.
    return prettify(rest.msg === undefined ? { ...rest, msg: `${method} ${route} ${status} ${durationMs} ms` } : line)
  }
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
