/** The kinds of path and query parameters that operations declare. */
import type { ErrorCode } from '../errors.ts'
import { limits } from '../limits.ts'
import { wordsOf } from '../model/words.ts'
import { expects, parseInt64, readTime, sentTime, textCheck } from '../schema/schema.ts'
import { type Schema, Type } from '../schema/type.ts'

/** A query or path parameter: one value both parses the text and describes the parameter in the OpenAPI document. */
export interface Parameter<T> {
  readonly schema: Schema
  readonly description: string
  /** Absent if a documentation page that fills in the example would send a request that fails. */
  readonly example?: unknown
  readonly parse: (text: string) => T | undefined
  readonly expects: string
  readonly fallback?: T
  readonly refusal: ErrorCode
  /** Whether the parameter may be repeated, which means the same as a comma-separated list. */
  readonly isList?: boolean
  readonly beta?: boolean
}
export type Parameters = Readonly<Record<string, Parameter<unknown>>>
/** The parsed values of a set of parameters. A value with a fallback is never undefined. */
export type Values<P extends Parameters> = {
  readonly [K in keyof P]: P[K] extends { fallback: infer T }
    ? T
    : P[K] extends Parameter<infer T>
      ? T | undefined
      : never
}

export const pageSize = (description: string) => wholeNumber(limits.pageSize, description)

/** A number out of range is an error, never clamped. */
export function wholeNumber(limit: { max: number; fallback: number; text: string }, description: string) {
  const { max: maximum, fallback, text: range } = limit
  return {
    schema: { type: 'integer', minimum: 1, maximum, default: fallback },
    description,
    example: fallback,
    parse: (text: string) => {
      const value = /^[1-9][0-9]{0,8}$/.test(text) ? Number(text) : 0
      return value >= 1 && value <= maximum ? value : undefined
    },
    expects: `a whole number from ${range}`,
    fallback,
    refusal: 'invalid_parameter',
  } as const satisfies Parameter<number>
}

export function oneOf<T extends string>(schema: Schema & { enum: readonly T[] }, description: string): Parameter<T> {
  return {
    schema,
    description,
    example: schema.enum[0],
    parse: (text) => (schema.enum.includes(text as T) ? (text as T) : undefined),
    expects: `${schema.enum.length > 1 ? 'one of ' : ''}${schema.enum.join(', ')}`,
    refusal: 'invalid_parameter',
  }
}

/** A text that its schema checks; the schema has a maximum length. */
export function text(schema: Schema, description: string, example: string): Parameter<string> {
  const { type, minLength, maxLength, pattern } = schema
  const isAccepted = textCheck(schema)
  return {
    schema: { type, minLength, maxLength, pattern },
    description,
    example,
    parse: (given) => (isAccepted(given) ? given : undefined),
    expects: schema[expects as never],
    refusal: 'invalid_parameter',
  }
}

/**
 * The pattern excludes only ASCII characters that are not letters or digits, because not every dialect of regular
 * expressions supports the classes of Unicode.
 */
const searchPattern = '[^\\x00-\\x2F\\x3A-\\x40\\x5B-\\x60\\x7B-\\x7F]'

const onShortPages =
  'The page of a search can be short or empty although more pages follow: only the `Link` header says so.'

/** The text to search for. It is kept as a text, because a cursor is bound to it. */
export function search(description: string, example: string): Parameter<string> {
  const { max: maxLength, text: range } = limits.searchLength
  return {
    schema: { type: 'string', minLength: 1, maxLength, pattern: searchPattern },
    description: `${description} ${onShortPages}`,
    example,
    parse: (text) => ([...text].length <= maxLength && wordsOf(text).length > 0 ? text : undefined),
    expects: `a text of ${range} characters with a letter or digit`,
    refusal: 'invalid_parameter',
  }
}

export function someOf<T extends string>(values: readonly T[], description: string): Parameter<readonly T[]> {
  const known = new Set<string>(values)
  return {
    schema: { type: 'array', items: { type: 'string', enum: values }, minItems: 1, maxItems: values.length },
    description,
    example: values.slice(0, 1),
    parse: (text) => {
      const given = text.split(',', values.length + 1)
      return given.length <= values.length && given.every((value) => known.has(value)) ? (given as T[]) : undefined
    },
    expects: `one or several of ${values.join(', ')}`,
    refusal: 'invalid_parameter',
    isList: true,
  }
}

export function int64(
  description: string,
  example: number | undefined,
  refusal: ErrorCode = 'invalid_parameter',
): Parameter<bigint> {
  return {
    schema: { type: 'integer', format: 'int64' },
    description,
    ...(example !== undefined && { example }),
    parse: parseInt64,
    expects: 'an int64 integer',
    refusal,
  }
}

export function int64List(description: string, example: readonly number[]): Parameter<readonly bigint[]> {
  const { max: maxItems, text: range } = limits.idsInFilter
  return {
    schema: { type: 'array', items: { type: 'integer', format: 'int64' }, minItems: 1, maxItems },
    description,
    example,
    parse: (text) => {
      const values = text.split(',', maxItems + 1).map(parseInt64)
      return values.length <= maxItems && !values.includes(undefined) ? (values as bigint[]) : undefined
    },
    expects: `${range} int64 integers, written as id=1,2 or id=1&id=2`,
    refusal: 'invalid_parameter',
    isList: true,
  }
}

const SortOrder = { ...Type.Unsafe<'asc' | 'desc'>({ type: 'string' }), enum: ['asc', 'desc'] as const }

/**
 * `order` and `afterId` are the parameters of lists of rows whose ids the service assigns; `Paging.range` reads them.
 */
export const order = {
  ...oneOf(
    { ...SortOrder, default: 'asc' },
    'The order of the results by `id`: `asc` for ascending, or `desc` for descending, which is newest first.',
  ),
  fallback: 'asc' as (typeof SortOrder.enum)[number],
}

export const afterId = (rows: string): Parameter<bigint> =>
  int64(
    `Return only ${rows} with a higher \`id\` than this one, or with a lower \`id\` if \`order=desc\`. ` +
      'It cannot be combined with `cursor`.',
    undefined,
  )

/** A time, in milliseconds since 1970. */
export function time(description: string): Parameter<number> {
  const { examples, ...schema } = sentTime
  return {
    schema: { type: 'string', ...schema },
    description,
    example: examples[0],
    parse: (text) => {
      const read = readTime(text)
      return read === undefined ? undefined : Date.parse(read)
    },
    expects: 'an RFC 3339 time such as 2026-11-20T18:00:00Z, with a plus sign written as %2B',
    refusal: 'invalid_parameter',
  }
}

export const cursor: Parameter<string> = {
  schema: { type: 'string', minLength: 1, maxLength: 200, pattern: '^[\\w-]+$' },
  description:
    'The `cursor` in the `Link` header of the previous page. It is valid only with the same filters and order.',
  parse: (text) => text,
  expects: 'a cursor from a Link header',
  refusal: 'invalid_cursor',
}

export function beta<T extends Parameter<unknown>>(parameter: T): T {
  return { ...parameter, beta: true }
}
