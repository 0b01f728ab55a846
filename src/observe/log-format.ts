/** The form of log lines: members and errors as JSON, and a line as text for people. */

export const levels = {
  ...{ trace: 10, debug: 20, info: 30, warn: 40, error: 50, fatal: 60 },
  silent: Number.POSITIVE_INFINITY,
}

type Replace = (name: string, value: unknown) => unknown
const { rawJSON } = JSON as unknown as { rawJSON(text: string): unknown }

// No code logs request headers; should some ever do, the API key is left out.
const replaceValue: Replace = (name, value) => {
  if (name === 'authorization') return '[Redacted]'
  return typeof value === 'bigint' ? rawJSON(String(value)) : value
}

function inError(): Replace {
  /** One object for each error, so that JSON.stringify detects circular causes. */
  const forms = new Map<Error, object>()
  return (name, value) => {
    // In PostgreSQL's errors these members may quote a row with a secret.
    if (name === 'detail' || name === 'where') return '[Redacted]'
    if (!(value instanceof Error)) return replaceValue(name, value)
    const form = forms.get(value) ?? errorForm(value)
    forms.set(value, form)
    return form
  }
}

/** Each member as JSON after a comma. A member that JSON cannot write is replaced; the others are written. */
export function membersOf(members: object, replace = replaceValue): string {
  let text = ''
  for (const name of Object.keys(members))
    try {
      const value = (members as Record<string, unknown>)[name]
      const isErr = name === 'err' && replace === replaceValue
      if (isErr && isError(value)) text += `,"err":{${membersOf(errorForm(value), inError()).slice(1)}}`
      // A function is left out: JSON.stringify would call one whose name is toJSON.
      else if (typeof value !== 'function') {
        const json = JSON.stringify({ [name]: value }, isErr ? inError() : replace)
        if (json !== '{}') text += `,${json.slice(1, -1)}`
      }
    } catch {
      text += `,${JSON.stringify(name)}:"[Unwritable]"`
    }
  return text
}

const isError = (value: unknown): value is Error => typeof (value as Error | undefined)?.message === 'string'

/** An error with the members that JSON.stringify leaves out; its message and its stack include those of its causes. */
function errorForm(error: Error): object {
  const form: Record<string, unknown> = {
    type: typeof error.constructor === 'function' ? error.constructor.name : error.name,
    message: withCauses(error, 'message', ': ', ': ...'),
    stack: withCauses(error, 'stack', '\ncaused by: ', '\ncauses have become circular...'),
    aggregateErrors: (error as Partial<AggregateError>).errors,
  }
  const all = error as unknown as Record<string, unknown>
  for (const name in all) if (name !== 'cause' || !isError(all.cause)) form[name] ??= all[name]
  return form
}

function withCauses(
  error: Error,
  part: 'message' | 'stack',
  between: string,
  end: string,
  above: Error[] = [],
): string {
  const text = error[part] ?? ''
  if (above.includes(error)) return text + end
  if (!isError(error.cause)) return text
  return text + between + withCauses(error.cause, part, between, end, [...above, error])
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
