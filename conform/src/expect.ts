/** What rules expect of an answer: patterns of JSON, headers and statuses, and where an answer differs from them. */
import { type Json, parseJson, writeJson } from './json.ts'

export interface Received {
  readonly status: number
  /** By lower-case name. */
  readonly headers: ReadonlyMap<string, string>
  readonly text: string
}

/** A pattern that is no plain value; `expected` describes it. */
export class Matcher {
  readonly expected: string
  readonly test: (value: Json | undefined) => boolean
  constructor(expected: string, test: (value: Json | undefined) => boolean) {
    this.expected = expected
    this.test = test
  }
}

/**
 * An object must have these members and may have others; an array must have exactly these items; a text must match a
 * regular expression; `undefined` must not be there; anything else must be equal.
 */
export type Pattern = Json | undefined | RegExp | Matcher | readonly Pattern[] | { readonly [member: string]: Pattern }

export interface Expected {
  /** Several where any of them will do. */
  readonly status: number | readonly number[]
  /** The code of an error. */
  readonly code?: string
  readonly headers?: Readonly<Record<string, string | RegExp | Matcher | undefined>>
  readonly body?: Pattern
  /** The whole body, as it was sent. */
  readonly text?: string
}

/** What was expected; its message is what came instead. */
export class Mismatch extends Error {
  readonly expected: string
  /** The name of the header that was not as expected, `code`, `status` or `body`. */
  readonly subject: string
  constructor(subject: string, expected: string, actual: string) {
    super(actual)
    this.expected = expected
    this.subject = subject
  }
}

export const describe = ({ status, text }: Received): string => `${status} ${text}`.trim()

/** Throws at the first expectation that does not hold. */
export function compare(received: Received, { status, code, headers = {}, ...expected }: Expected): void {
  if (![status].flat().includes(received.status))
    throw new Mismatch('status', [status, code].flat().filter(Boolean).join(' '), describe(received))
  for (const [name, pattern] of Object.entries(headers))
    compareValue(received.headers.get(name.toLowerCase()), pattern, name, name)
  if ('body' in expected) compareValue(bodyOf(received), expected.body, 'body', 'body')
  if (expected.text !== undefined && received.text !== expected.text)
    throw new Mismatch('body', `body: ${JSON.stringify(expected.text)}`, `body: ${JSON.stringify(received.text)}`)
  // Last, so that everything else is as expected where only the code differs.
  if (code !== undefined) compareValue(bodyOf(received), { code }, 'body', 'code')
}

export function bodyOf(received: Received): Json {
  try {
    return parseJson(received.text)
  } catch {
    throw new Mismatch('body', 'a body of JSON', describe(received))
  }
}

function compareValue(value: Json | undefined, pattern: Pattern, path: string, subject: string): void {
  if (typeof pattern === 'object' && pattern !== null && !(pattern instanceof RegExp || pattern instanceof Matcher)) {
    const isSimilar = typeof value === 'object' && value !== null && Array.isArray(value) === Array.isArray(pattern)
    if (isSimilar && (!Array.isArray(pattern) || pattern.length === (value as Json[]).length)) {
      for (const [name, each] of Object.entries(pattern)) {
        const member = Object.hasOwn(value, name) ? (value as { [name: string]: Json })[name] : undefined
        compareValue(member, each, Array.isArray(pattern) ? `${path}[${name}]` : `${path}.${name}`, subject)
      }
      return
    }
  } else if (isLike(value, pattern)) return
  throw new Mismatch(subject, `${path}: ${patternText(pattern)}`, `${path}: ${valueText(value)}`)
}

function isLike(value: Json | undefined, pattern: Pattern): boolean {
  if (pattern instanceof Matcher) return pattern.test(value)
  if (pattern instanceof RegExp) return typeof value === 'string' && pattern.test(value)
  return typeof pattern === 'number' ? value === BigInt(pattern) : value === pattern
}

const valueText = (value: Json | undefined): string => (value === undefined ? 'not there' : writeJson(value))

function patternText(pattern: Pattern): string {
  if (pattern instanceof Matcher) return pattern.expected
  if (pattern instanceof RegExp) return `text that matches ${pattern}`
  if (Array.isArray(pattern)) return `[${pattern.map(patternText).join(', ')}]`
  if (typeof pattern !== 'object' || pattern === null) return valueText(pattern as Json | undefined)
  const members = Object.entries(pattern).map(([name, member]) => `"${name}": ${patternText(member)}`)
  return `{ ${members.join(', ')} }`
}

/** Whether a value matches a pattern. */
function matches(value: Json | undefined, pattern: Pattern): boolean {
  try {
    compareValue(value, pattern, '', '')
    return true
  } catch {
    return false
  }
}

const itemsOf = (value: Json | undefined): Json[] => (Array.isArray(value) ? value : [])
const idsOf = (value: Json | undefined) => itemsOf(value).map((item) => BigInt((item as { id: bigint }).id))
const membersOf = (value: Json | undefined) => Object.keys(value && typeof value === 'object' ? value : {}).sort()

export const integer = new Matcher(
  'an int64',
  (value) => typeof value === 'bigint' && BigInt.asIntN(64, value) === value,
)
export const text = new Matcher('a text', (value) => typeof value === 'string')
export const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/
export const bool = new Matcher('true or false', (value) => typeof value === 'boolean')
export const anyObject = new Matcher('an object', (value) => membersOf(value).length > 0)
export const oneOf = (...values: string[]) =>
  new Matcher(`one of ${values.join(', ')}`, (value) => values.includes(value as string))
export const optional = (pattern: Pattern) =>
  new Matcher(`${patternText(pattern)}, or nothing`, (value) => value === undefined || matches(value, pattern))
export const not = (pattern: Pattern) =>
  new Matcher(`not ${patternText(pattern)}`, (value) => value !== undefined && !matches(value, pattern))
export const atLeast = (least: number | bigint) =>
  new Matcher(`at least ${least}`, (value) => (value as bigint) >= least)
export const atMost = (most: number | bigint) => new Matcher(`at most ${most}`, (value) => (value as bigint) <= most)
/** Equal in every member. */
export const exactly = (wanted: Json) =>
  new Matcher(writeJson(wanted), (value) => matches(value, wanted) && matches(wanted, value))
/** Each of the patterns. */
export const all = (...patterns: Pattern[]) =>
  new Matcher(patterns.map(patternText).join(' and '), (value) => patterns.every((each) => matches(value, each)))

/** An array whose items match, as many as said. */
export function listOf(pattern: Pattern, { length, least = 0 }: { length?: number; least?: number } = {}): Matcher {
  const number = length === undefined ? (least > 0 ? `at least ${least} of ` : '') : `${length} of `
  return new Matcher(
    `an array of ${number}${patternText(pattern)}`,
    (value) =>
      Array.isArray(value) &&
      (length === undefined ? value.length >= least : value.length === length) &&
      value.every((item) => matches(item, pattern)),
  )
}
/** The items with these ids, in this order, and no others. */
export const ids = (...wanted: (bigint | undefined)[]): readonly Pattern[] => wanted.map((id) => ({ id }))
export const including = (pattern: Pattern) =>
  new Matcher(`an array with ${patternText(pattern)}`, (value) => itemsOf(value).some((item) => matches(item, pattern)))
/** Nowhere has it this text. */
export const without = (part: string) =>
  new Matcher(`nothing with "${part}"`, (value) => value !== undefined && !writeJson(value).includes(part))
export const members = (...names: string[]) =>
  new Matcher(`the members ${names.join(', ')}`, (value) => membersOf(value).join() === names.sort().join())
export const risingIds = new Matcher('ascending ids', (value) =>
  idsOf(value).every((id, i, before) => i === 0 || id > (before[i - 1] as bigint)),
)
export const distinctIds = new Matcher('each id once', (value) => new Set(idsOf(value)).size === itemsOf(value).length)
