/** The log: JSON lines on standard output, made readable on a terminal. */
import { constants, openSync } from 'node:fs'
import { type LevelWithSilent, type Logger, pino, stdTimeFunctions } from 'pino'
import { createSink } from './sink.ts'

export async function createLog(level: LevelWithSilent): Promise<Logger> {
  const options = {
    level,
    base: null,
    timestamp: stdTimeFunctions.isoTime,
    // Nothing logs a request's headers; should anyone ever do, the key stays out.
    redact: ['authorization', '*.authorization', '*.*.authorization'],
  }
  const sink = createSink(standardOutput(), {
    onResume: (dropped) => log.warn({ dropped }, 'lines of the log were dropped: standard output took no more'),
  })
  const prettify = process.stdout.isTTY && (await readable())
  const log = pino(options, prettify ? { write: (line) => sink.write(prettify(line)) } : sink)
  return log
}

async function readable(): Promise<(line: string) => string> {
  const { prettyFactory } = (await import('pino-pretty')).default
  return prettyFactory({ translateTime: 'SYS:HH:MM:ss', singleLine: true, colorize: true })
}

/** Standard output in non-blocking mode. Both runtimes put a pipe or socket into it once `process.stdout` is used, but not a terminal. */
function standardOutput(): number {
  const { fd, isTTY } = process.stdout
  if (!isTTY) return fd
  try {
    return openSync(`/dev/fd/${fd}`, constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY)
  } catch {
    return fd
  }
}
