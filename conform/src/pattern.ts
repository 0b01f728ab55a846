/** Patterns of JSON, and where a value differs from one. */
import { type Json, writeJson } from './json.ts'

type Value = Json | undefined

/**
 * Describes a value. An object must have these members and may have others, and an array must have exactly these items.
 * A text must match a regular expression, and `undefined` means that the member must be absent. Anything else must be
 * equal.
 */
export type Pattern = Value | RegExp | Matcher | readonly Pattern[] | { readonly [member: string]: Pattern }

/** Where a value is not as expected, such as `body[0].id: 7`. */
interface Difference {
  readonly expected: string
  readonly actual: string
}

/** A pattern that is no plain value. */
export class Matcher {
  readonly text: string
  readonly differs: (value: Value, path: string) => Difference | undefined
  constructor(text: string, differs: (value: Value, path: string) => Difference | undefined) {
    this.text = text
    this.differs = differs
  }
}

/** Finds the first place below `path` at which a value differs from a pattern. */
export function differenceOf(value: Value, pattern: Pattern, path: string): Difference | undefined {
  if (pattern instanceof Matcher) return pattern.differs(value, path)
  const different = { expected: `${path}: ${textOf(pattern)}`, actual: `${path}: ${textOf(value)}` }
  if (pattern instanceof RegExp) return typeof value === 'string' && pattern.test(value) ? undefined : different
  if (typeof pattern === 'number') return value === BigInt(pattern) ? undefined : different
  if (typeof pattern !== 'object' || pattern === null) return value === pattern ? undefined : different
  if (typeof value !== 'object' || value === null || Array.isArray(value) !== Array.isArray(pattern)) return different
  if (Array.isArray(pattern) && pattern.length !== (value as Json[]).length) return different
  for (const [name, each] of Object.entries(pattern)) {
    const member = Object.hasOwn(value, name) ? (value as { [name: string]: Json })[name] : undefined
    const memberPath = Array.isArray(pattern) ? `${path}[${name}]` : `${path}.${name}`
    const found = differenceOf(member, each, memberPath)
    if (found) return found
  }
  return undefined
}

function textOf(pattern: Pattern): string {
  if (pattern === undefined) return 'not there'
  if (pattern instanceof Matcher) return pattern.text
  if (pattern instanceof RegExp) return `text that matches ${pattern}`
  if (Array.isArray(pattern)) return `[${pattern.map(textOf).join(', ')}]`
  if (typeof pattern !== 'object' || pattern === null) return writeJson(pattern)
  return `{ ${Object.entries(pattern)
    .map(([name, member]) => `"${name}": ${textOf(member)}`)
    .join(', ')} }`
}

const matches = (value: Value, pattern: Pattern): boolean => differenceOf(value, pattern, '') === undefined

const matcher = (text: string, test: (value: Value) => boolean): Matcher =>
  new Matcher(text, (value, path) =>
    test(value) ? undefined : { expected: `${path}: ${text}`, actual: `${path}: ${textOf(value)}` },
  )

export const text = matcher('a text', (value) => typeof value === 'string')
export const integer = matcher('an int64', (value) => typeof value === 'bigint' && BigInt.asIntN(64, value) === value)
export const bool = matcher('true or false', (value) => typeof value === 'boolean')
export const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/
export const oneOf = (...values: string[]) =>
  matcher(`one of ${values.join(', ')}`, (value) => values.includes(value as string))
export const atLeast = (least: number | bigint) =>
  matcher(`at least ${least}`, (value) => typeof value === 'bigint' && value >= least)
export const atMost = (most: number | bigint) =>
  matcher(`at most ${most}`, (value) => typeof value === 'bigint' && value <= most)

export const optional = (pattern: Pattern) =>
  matcher(`${textOf(pattern)}, or not there`, (value) => value === undefined || matches(value, pattern))
export const not = (pattern: Pattern) =>
  matcher(`not ${textOf(pattern)}`, (value) => value !== undefined && !matches(value, pattern))
/** Matches a value that is equal in every member. */
export const exactly = (wanted: Json) =>
  matcher(writeJson(wanted), (value) => matches(value, wanted) && matches(wanted, value))
/** Matches a value that matches each of the patterns. */
export const all = (...patterns: Pattern[]) =>
  new Matcher(patterns.map(textOf).join(' and '), (value, path) => {
    for (const pattern of patterns) {
      const found = differenceOf(value, pattern, path)
      if (found) return found
    }
    return undefined
  })

/** Matches an object that has exactly these members. */
export const members = (...names: string[]) =>
  matcher(
    `the members ${names.join(', ')}`,
    (value) => typeof value === 'object' && value !== null && Object.keys(value).sort().join() === names.sort().join(),
  )
/** Matches a value that does not contain this text anywhere. */
export const without = (part: string) =>
  matcher(`nothing with "${part}"`, (value) => value !== undefined && !writeJson(value).includes(part))

/** Matches an array of items that match, with the given length or minimum length. */
export const listOf = (item: Pattern, { length, least = 0 }: { length?: number; least?: number } = {}) =>
  new Matcher(`an array of ${textOf(item)}`, (value, path) => {
    if (!Array.isArray(value)) return { expected: `${path}: an array`, actual: `${path}: ${textOf(value)}` }
    const isRight = length === undefined ? value.length >= least : value.length === length
    const number = length === undefined ? `at least ${least}` : length
    if (!isRight) return { expected: `${path}: ${number} items`, actual: `${path}: ${value.length} items` }
    return differenceOf(
      value,
      value.map(() => item),
      path,
    )
  })
/** Matches an array of exactly the items with these ids, in this order. */
export const ids = (...wanted: (bigint | undefined)[]): Pattern => wanted.map((id) => ({ id }))
export const including = (item: Pattern) =>
  matcher(`an array with ${textOf(item)}`, (value) => Array.isArray(value) && value.some((each) => matches(each, item)))

const idsOf = (list: Json[]) => list.map((item) => (item as { id?: bigint } | null)?.id)
export const risingIds = matcher(
  'an array with ascending ids',
  (value) => Array.isArray(value) && idsOf(value).every((id, i, all) => i === 0 || (id ?? 0n) > (all[i - 1] ?? 0n)),
)
export const distinctIds = matcher(
  'an array with each id once',
  (value) => Array.isArray(value) && new Set(idsOf(value)).size === value.length,
)
