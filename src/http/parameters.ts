/** Query and path parameters: one value both parses the text and describes the parameter in the OpenAPI document. */
import type { TSchema } from '@sinclair/typebox'
import { type ErrorCode, refuse } from '../errors.ts'
import { limits } from '../limits.ts'
import { parseInt64 } from '../schema/schema.ts'

export interface Parameter<T> {
  readonly schema: TSchema | Record<string, unknown>
  readonly description: string
  readonly example: unknown
  /** The parsed value, or undefined if the text is invalid. */
  readonly parse: (text: string) => T | undefined
  readonly expects: string
  /** Used when the parameter is missing. */
  readonly fallback?: T
  readonly refusal: ErrorCode
  /** Whether it may be repeated, which means the same as one comma-separated list. */
  readonly isList?: boolean
  readonly beta?: boolean
}
export type Parameters = Readonly<Record<string, Parameter<unknown>>>
/** The parsed values of a set of parameters; one with a fallback is never undefined. */
export type Values<P extends Parameters> = {
  readonly [K in keyof P]: P[K] extends { fallback: infer T }
    ? T
    : P[K] extends Parameter<infer T>
      ? T | undefined
      : never
}

export const pageSize = (description: string) => wholeNumber(limits.pageSize, description)

/** An error when out of range, never clamped. */
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

export function oneOf<T extends string>(schema: TSchema & { enum: readonly T[] }, description: string): Parameter<T> {
  return {
    schema,
    description,
    example: schema.enum[0],
    parse: (text) => schema.enum.find((value) => value === text),
    expects: `${schema.enum.length > 1 ? 'one of ' : ''}${schema.enum.join(', ')}`,
    refusal: 'invalid_parameter',
  }
}

/** One or several of a fixed set of strings. */
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
  example: number,
  refusal: ErrorCode = 'invalid_parameter',
): Parameter<bigint> {
  return {
    schema: { type: 'integer', format: 'int64' },
    description,
    example,
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

export const cursor: Parameter<string> = {
  schema: { type: 'string', minLength: 1, maxLength: 200, pattern: '^[\\w-]+$' },
  description:
    'Where the page begins: taken from the `Link` header of the previous page, valid only with the same filters.',
  example: 'rSP1qZ0x16',
  parse: (text) => text,
  expects: 'a cursor from a Link header',
  refusal: 'invalid_cursor',
}

export function beta<T extends Parameter<unknown>>(parameter: T): T {
  return { ...parameter, beta: true }
}

/** The names and values of a query string. Most have nothing to decode, and are split in a fraction of the time. */
export function pairsOf(query: string): readonly (readonly [name: string, value: string])[] {
  if (query === '') return []
  if (/[%+]/.test(query)) return [...new URLSearchParams(`?${query}`)]
  return query.split('&').map((pair) => {
    const at = pair.indexOf('=')
    return at < 0 ? [pair, ''] : [pair.slice(0, at), pair.slice(at + 1)]
  })
}

/** Reads the declared parameters from a query string and ignores others; the error names every fault. */
export function readQuery(declared: Parameters, query: string): Record<string, unknown> {
  const values: Record<string, unknown> = {}
  const faults: string[] = []
  let code: ErrorCode = 'invalid_parameter'
  const given = pairsOf(query)
  const mayHaveBrackets = /\[|%5b/i.test(query)
  for (const name in declared) {
    const parameter = declared[name] as Parameter<unknown>
    let text: string | undefined
    let isTwice = false
    let hasBrackets = false
    for (const [key, value] of given) {
      if (mayHaveBrackets) hasBrackets ||= key.startsWith(`${name}[`)
      if (key !== name) continue
      isTwice ||= text !== undefined
      text = text !== undefined && parameter.isList ? `${text},${value}` : value
    }
    // Ignoring it would drop the filter and return other rows.
    if (hasBrackets) faults.push(`${name}: write it without brackets, as ${name}=…`)
    if (isTwice && !parameter.isList) faults.push(`${name}: given more than once`)
    else if (text === undefined) values[name] = parameter.fallback
    else {
      const value = parameter.parse(text)
      if (value === undefined) {
        faults.push(`${name}: must be ${parameter.expects}`)
        if (faults.length === 1) code = parameter.refusal
      } else values[name] = value
    }
  }
  if (faults.length > 0) refuse(code, faults.join('; '))
  return values
}
