/** The log: JSON lines on standard output, made readable on a terminal. */
import { type LevelWithSilent, type Logger, pino, stdTimeFunctions } from 'pino'

export async function createLog(level: LevelWithSilent): Promise<Logger> {
  const options = {
    level,
    base: null,
    timestamp: stdTimeFunctions.isoTime,
    // Nothing logs a request's headers; should anyone ever do, the key stays out.
    redact: ['authorization', '*.authorization', '*.*.authorization'],
  }
  if (!process.stdout.isTTY) return pino(options)
  const { default: pretty } = await import('pino-pretty')
  return pino(options, pretty({ sync: true, translateTime: 'SYS:HH:MM:ss', singleLine: true }))
}
