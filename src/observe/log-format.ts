/** The form of log lines: members and errors as JSON, and a line as text for people. */
import { inspect } from 'node:util'
import { timeText } from '../time.ts'

export const levels = {
  trace: 10,
  debug: 20,
  info: 30,
  warn: 40,
  error: 50,
  fatal: 60,
  silent: Number.POSITIVE_INFINITY,
}

const { rawJSON } = JSON as unknown as { rawJSON(text: string): unknown }

/**
 * Members that are never logged: a header with an API key, in case some code logs it, and members of PostgreSQL's
 * errors that may quote a row.
 */
const secretNames = ['authorization', 'detail', 'where']

function replaceValue(name: string, value: unknown): unknown {
  if (secretNames.includes(name)) return '[Redacted]'
  if (typeof value === 'bigint') return rawJSON(String(value))
  return value instanceof Error ? errorForm(value) : value
}

const stringify = (value: unknown): string => JSON.stringify(value, replaceValue)

/**
 * A line as JSON. If JSON cannot write a member, all members that are objects are omitted, and errors are written
 * without their members.
 */
export function jsonLine(level: number, time: number, members: object, msg: string): string {
  const start = { level, time: timeText(time) }
  try {
    const { err } = members as { err?: unknown }
    // An error within another is written without its members, which may lead back to it.
    const form = err instanceof Error && { err: { ...errorForm(err), aggregateErrors: errorsIn(err), ...err } }
    return `${stringify({ ...start, ...members, ...form, msg })}\n`
  } catch {
    const plain = Object.entries(members).filter(([, each]) => typeof each !== 'object' || each instanceof Error)
    return `${stringify({ ...start, ...Object.fromEntries(plain), msg })}\n`
  }
}

const errorsIn = (error: Error): unknown => (error instanceof AggregateError ? error.errors : undefined)

/**
 * The parts of an error that JSON.stringify omits. The message and the stack include those of its causes. If an error
 * ends with the message of its cause, as errors of a store do, the message is written once.
 */
function errorForm(error: Error): object {
  const chain: Error[] = []
  for (let each: unknown = error; each instanceof Error && !chain.includes(each); each = each.cause) chain.push(each)
  const messages = chain.map(({ message }) => message)
  return {
    type: error.constructor.name,
    message: messages.filter((message, i) => i === 0 || !messages[i - 1]?.endsWith(message)).join(': '),
    stack: chain.map(({ stack }) => stack).join('\ncaused by: '),
    code: (error as NodeJS.ErrnoException).code,
  }
}

const levelNames = new Map([
  [levels.debug, '\x1b[34mDEBUG'],
  [levels.info, '\x1b[32mINFO'],
  [levels.warn, '\x1b[33mWARN'],
  [levels.error, '\x1b[31mERROR'],
])

export function readable(line: string): string {
  const { level, time, msg, err, ...members } = JSON.parse(line)
  const { method, route, status, durationMs } = members
  // Only the line of a request has no message.
  const text = msg ?? `${method} ${route} ${status} ${durationMs} ms`
  const details = inspect(members, { colors: true, depth: null, breakLength: Number.POSITIVE_INFINITY })
  // Escapes what would control the terminal, which an error may quote.
  const below = err === undefined ? '' : `${inspect(err, { colors: true, depth: null })}\n`
  return `[${new Date(time).toTimeString().slice(0, 8)}] ${levelNames.get(level)}\x1b[39m: ${text} ${details}\n${below}`
}
