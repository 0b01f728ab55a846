/** The JSON of a log line: whatever is in it can be written, errors are complete, and secrets are left out. */

export const levels = {
  ...{ trace: 10, debug: 20, info: 30, warn: 40, error: 50, fatal: 60 },
  silent: Number.POSITIVE_INFINITY,
}

/** How every line begins. */
export const headOf = (level: number): string => `{"level":${level},"time":"${new Date().toISOString()}"`

type Replace = (name: string, value: unknown) => unknown
const { rawJSON } = JSON as unknown as { rawJSON(text: string): unknown }

// No code logs request headers; if some ever does, the key is left out.
const plain: Replace = (name, value) => {
  if (name === 'authorization') return '[Redacted]'
  return typeof value === 'bigint' ? rawJSON(String(value)) : value
}

function inError(): Replace {
  /** One of each error, so that JSON notices a circle of them. */
  const forms = new Map<Error, object>()
  return (name, value) => {
    // PostgreSQL's errors may have the row, with a secret, or values.
    if (name === 'detail' || name === 'where') return '[Redacted]'
    if (!(value instanceof Error)) return plain(name, value)
    const form = forms.get(value) ?? errorForm(value)
    forms.set(value, form)
    return form
  }
}

/** Each member as JSON after a comma; one that JSON cannot write keeps no other out of the log. */
export function membersOf(members: object, replace = plain): string {
  let text = ''
  for (const name of Object.keys(members))
    try {
      const value = (members as Record<string, unknown>)[name]
      const isErr = name === 'err' && replace === plain
      if (isErr && isError(value)) text += `,"err":{${membersOf(errorForm(value), inError()).slice(1)}}`
      // JSON would call a function of the name toJSON.
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

/** An error with what JSON leaves out of it; its causes are in its message and its stack. */
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
