/**
 * The building blocks of schemas, and the check of a body. A schema serves as a TypeScript type, as a check and as an
 * OpenAPI component.
 */
import { limits } from '../limits.ts'
import type { Json, Parsed } from './json.ts'
import { type ObjectSchema, type Schema, type Static, Type } from './type.ts'

/**
 * A stricter check than `pattern`, which every regex dialect must understand. A symbol, so that JSON leaves it out.
 */
export const accepts = Symbol('accepts')
/** Says what a text must be, for error messages. */
export const expects = Symbol('expects')
/** A member that is accepted and ignored. */
export const ignored = Symbol('ignored')
interface Marks {
  readonly [accepts]?: Pick<RegExp, 'test'>
  readonly [expects]?: string
  readonly [ignored]?: true
}

/** An int64: a bigint in the code, a JSON number on the wire. */
export const Int64 = (options: { description: string; examples?: bigint[]; readOnly?: boolean }) =>
  Type.Unsafe<bigint>({ type: 'integer', format: 'int64', ...options })

export const Choice = <const T extends string>(
  values: readonly T[],
  options: { $id: string; description: string },
) => ({ ...Type.Unsafe<T>({ type: 'string', ...options }), enum: values })

export const Timestamp = (description: string) =>
  Type.String({ format: 'date-time', maxLength: 24, description, examples: ['2026-11-15T09:30:00.000Z'] })

/** A time in RFC 3339. Whether the day exists is checked when the text is read. */
const dateTime = /^(\d{4}-\d\d-\d\d)T(?:[01]\d|2[0-3]):\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/i

/** Reads a time that a client has sent, and returns it in UTC. Undefined if there is no such time. */
export function readTime(text: string): string | undefined {
  const day = dateTime.exec(text)?.[1]
  const time = new Date(text.toUpperCase())
  // Some runtimes take 30 February for 2 March.
  return day && !Number.isNaN(time.getTime()) && new Date(day).toJSON()?.startsWith(day)
    ? time.toISOString()
    : undefined
}

export const sentTime = {
  format: 'date-time',
  maxLength: 35,
  examples: ['2026-11-20T18:00:00Z'],
  [accepts]: { test: (text: string) => readTime(text) !== undefined },
}

/** A member that a client may send with any value, and that has no effect. */
export const Ignored = (description: string) =>
  Type.Optional(Type.Unsafe<never>({ type: 'integer', format: 'int64', description, [ignored]: true }))

const int64Min = -(2n ** 63n)
const int64Max = 2n ** 63n - 1n

export const isInt64 = (value: unknown): value is bigint =>
  typeof value === 'bigint' && value >= int64Min && value <= int64Max

/** Parses an int64 in canonical form only: no plus sign, no leading zeros. */
export function parseInt64(text: string): bigint | undefined {
  if (!/^(?:0|-?[1-9][0-9]{0,18})$/.test(text)) return undefined
  // A number of up to 15 digits is exact, and reading it takes half the time of a bigint.
  if (text.length < 16) return BigInt(Number(text))
  const value = BigInt(text)
  return isInt64(value) ? value : undefined
}

export const PageOf = <Item extends Schema>(item: Item, $id: string, what: string) =>
  Type.Array(item, { $id, description: `A page of ${what}.`, maxItems: limits.pageSize.max })

interface Problem {
  readonly code: 'duplicate_field' | 'missing_field' | 'invalid_field' | 'unknown_field'
  readonly text: string
}

/** How many problems of a body are described. A body of 64 KiB may have thousands. */
const problemsMax = 10
/** How many characters the descriptions may have together: the name of an unknown member may be very long. */
const messageLengthMax = 2_000

/** The problems in the order of their codes above. The first problem determines the error code. */
interface Refused {
  readonly problems: readonly [Problem, ...Problem[]]
  /** How many more there are. */
  readonly more: number
}

/** The typed body, or its problems. */
type Checked<T> = { readonly value: T; readonly problems?: undefined } | Refused
export type BodyCheck<T> = (parsed: Parsed) => Checked<T>

interface Rule {
  readonly expected: string
  accepts(value: Json): boolean
}

/**
 * Compiles the check of a JSON body: it reports every problem and never coerces a value. Throws if it does not support
 * the schema.
 */
export function createBodyCheck<S extends Schema>(schema: S): BodyCheck<Static<S>> {
  if (!schema.anyOf) return createCheck(schema) as BodyCheck<Static<S>>
  const [ofList, ofObject] = schema.anyOf.map(createCheck)
  return (parsed) => (Array.isArray(parsed.value) ? ofList : ofObject)(parsed)
}

const createCheck = (schema: Schema): BodyCheck<unknown> =>
  schema.type === 'array' ? createListCheck(schema) : createObjectCheck(schema as unknown as ObjectSchema)

/** Each problem names the item of the list that it is in. */
function createListCheck({ items, maxItems }: Schema): BodyCheck<unknown> {
  const check = createObjectCheck(items)
  return ({ value, duplicates }) => {
    if (!Array.isArray(value) || value.length > maxItems)
      return refused([{ code: 'invalid_field', text: `The body must be a JSON list of at most ${maxItems} objects.` }])
    const checked = value.map((each) => check({ value: each, duplicates }))
    const problems = checked.flatMap(({ problems = [] }, index) =>
      problems.map(({ code, text }) => ({ code, text: `[${index}] ${text}` })),
    )
    const more = checked.reduce((sum, each) => sum + ('more' in each ? each.more : 0), problems.length)
    if (problems.length > 0) return refused(problems, more)
    return { value: checked.map((each) => ('value' in each ? each.value : undefined)) }
  }
}

function createObjectCheck<S extends ObjectSchema>(schema: S): BodyCheck<Static<S>> {
  const rules = new Map<string, Rule | typeof ignored>()
  for (const [name, member] of Object.entries(schema.properties))
    rules.set(name, (member as Marks)[ignored] ? ignored : ruleOf(name, member))
  const required = schema.required ?? []

  return ({ value, duplicates }) => {
    if (!(value instanceof Map)) return refused([{ code: 'invalid_field', text: 'The body must be a JSON object.' }])
    const body: Record<string, Json> = {}
    const problems: Problem[] = []
    const unknown: string[] = []
    const repeated = [...new Set(duplicates)]
    for (const name of repeated.slice(0, problemsMax))
      problems.push({ code: 'duplicate_field', text: `${name}: must be given only once` })
    for (const name of required)
      if (!value.has(name)) problems.push({ code: 'missing_field', text: `${name}: is required` })
    for (const [name, member] of value) {
      const rule = rules.get(name)
      if (rule === undefined) unknown.push(name)
      else if (rule === ignored) continue
      else if (rule.accepts(member)) body[name] = member
      else problems.push({ code: 'invalid_field', text: `${name}: must be ${rule.expected}` })
    }
    const count = problems.length + Math.max(0, repeated.length - problemsMax) + unknown.length
    if (count === 0) return { value: body as Static<S> }
    for (const name of unknown.slice(0, problemsMax))
      problems.push({ code: 'unknown_field', text: `${name}: is not a known field` })
    return refused(problems, count)
  }
}

/** The problems as a message: as many as fit, and the number of further problems. */
export function problemsText({ problems, more }: Refused): string {
  const text = problems.map((problem) => problem.text).join('; ')
  const fitting = (text.length <= messageLengthMax ? text : `${text.slice(0, messageLengthMax)}…`).toWellFormed()
  return more === 0 ? fitting : `${fitting}; and ${more.toLocaleString('en')} more`
}

function refused(problems: readonly Problem[], count = problems.length): Refused {
  const described = problems.slice(0, problemsMax) as [Problem, ...Problem[]]
  return { problems: described, more: count - described.length }
}

/** Keywords that describe a value without restricting it. */
const annotations = ['$id', 'description', 'examples', 'readOnly']

function ruleOf(name: string, schema: Schema): Rule {
  const says = (...keywords: readonly string[]) =>
    Object.keys(schema).every((keyword) => keywords.includes(keyword) || annotations.includes(keyword))

  if (schema.enum && says('type', 'enum'))
    return { expected: `one of ${schema.enum.join(', ')}`, accepts: (value) => schema.enum.includes(value) }
  if (schema.type === 'object' && says('type'))
    return { expected: 'an object', accepts: (value) => value instanceof Map }
  if (schema.type === 'boolean' && says('type'))
    return { expected: 'true or false', accepts: (value) => typeof value === 'boolean' }
  if (schema.type === 'array' && schema.maxItems && says('type', 'items', 'maxItems')) {
    const item = ruleOf(name, schema.items)
    return {
      expected: `a list of at most ${schema.maxItems}, each ${item.expected}`,
      accepts: (value) => Array.isArray(value) && value.length <= schema.maxItems && value.every(item.accepts),
    }
  }
  if (schema.type === 'integer' && schema.format === 'int64' && says('type', 'format'))
    return { expected: 'an int64 integer', accepts: isInt64 }
  if (schema.type === 'integer' && schema.format === 'int32' && says('type', 'format', 'minimum', 'maximum'))
    return {
      expected: `an integer from ${schema.minimum} to ${schema.maximum}`,
      accepts: (value) => typeof value === 'bigint' && value >= schema.minimum && value <= schema.maximum,
    }
  // A schema with a format has its own regular expression, under `accepts`.
  const format = accepts in schema ? 'format' : 'pattern'
  const expected = (schema as Marks)[expects]
  const isText = says('type', 'minLength', 'maxLength', 'pattern', format)
  if (schema.type === 'string' && expected && isText) return { expected, accepts: textCheck(schema) }
  if (String(schema.type) === 'string,null' && expected && isText) {
    const isAccepted = textCheck(schema)
    return { expected, accepts: (value) => value === null || isAccepted(value) }
  }
  // A rule that ignored a keyword would accept values that the document forbids.
  throw new TypeError(`${name}: no check is known for the schema ${JSON.stringify(schema)}`)
}

export function textCheck(schema: Schema & Marks) {
  const {
    minLength = 0,
    maxLength = Number.POSITIVE_INFINITY,
    pattern = '',
    [accepts]: compiled = new RegExp(pattern, 'u'),
  } = schema
  return (value: Json): boolean => {
    // A text has at most as many code points as code units, and at least half: most texts need no counting.
    if (typeof value !== 'string' || value.length > 2 * maxLength) return false
    const length = value.length <= maxLength ? value.length : [...value].length
    return length >= minLength && length <= maxLength && compiled.test(value)
  }
}
