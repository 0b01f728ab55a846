/** Reads a request: its headers, its body, and the path and query parameters that operations declare. */
import { hash, randomUUID } from 'node:crypto'
import { type ErrorCode, refuse } from '../errors.ts'
import { limits } from '../limits.ts'
import { type Parsed, parseJson } from '../schema/json.ts'
import { type BodyCheck, type BodyFault, expects, parseInt64, textCheck } from '../schema/schema.ts'
import { type Schema, Type } from '../schema/type.ts'
import type { IdempotencyClaim } from '../store/store.ts'
import { type Incoming, type OnReceived, requestIdPattern } from './message.ts'

const requestId = new RegExp(requestIdPattern)

/** The X-Request-Id that the client sent, if it is safe to log, otherwise a new one. */
export const requestIdFrom = (sent: string | undefined): string =>
  sent !== undefined && requestId.test(sent) ? sent : randomUUID()

/** The trace that a request belongs to, by the W3C Trace Context recommendation. */
interface TraceContext {
  /** 32 lower-case hexadecimal digits, not all of them 0. */
  readonly traceId: string
  /** The id of the caller's span: 16 digits, not all of them 0. */
  readonly parentId: string
  /** Two digits. */
  readonly flags: string
}

/** Version ff is invalid, version 00 has nothing after its flags, and no id is all zeros. */
const traceparent = /^(?!ff|00.{54})[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(?:-.*)?$/

/** Undefined if the header `traceparent` is absent or invalid. */
export function readTraceparent(text: string | undefined): TraceContext | undefined {
  const [, traceId, parentId, flags] = (text !== undefined && traceparent.exec(text)) || []
  return traceId && parentId && flags ? { traceId, parentId, flags } : undefined
}

const visibleAscii = new RegExp(`^[!-~]{1,${limits.idempotencyKeyLength.max}}$`)

export function readIdempotencyKey(
  header: string | undefined,
  request: { keyId: number; route: string; bytes: Uint8Array; now: number },
): IdempotencyClaim | undefined {
  if (header === undefined) return undefined
  // A structured-field string ("…", RFC 8941) means the same as its unquoted content.
  const bare = /^"(?:[^"\\]|\\["\\])*"$/.test(header) ? header.slice(1, -1).replaceAll(/\\(.)/g, '$1') : header
  if (!visibleAscii.test(bare)) refuse('invalid_idempotency_key')
  return {
    keyId: request.keyId,
    route: request.route,
    idempotencyKey: bare,
    fingerprint: hash('sha256', request.bytes, 'base64url'),
    now: request.now,
  }
}

/** The raw body; its media type is checked first, its size while it arrives. */
export async function readBytes(
  incoming: Incoming,
  mediaTypes: readonly string[] | undefined,
  onReceived: OnReceived,
): Promise<Uint8Array> {
  const type = incoming.header('content-type')
  const isAccepted = type !== undefined && isMediaType(type, mediaTypes)
  if (type !== undefined && !isAccepted) refuse('unsupported_media_type')
  if (incoming.header('content-encoding') !== undefined) refuse('unsupported_media_type')
  const bytes = (await incoming.body(limits.bodySize.bytes, onReceived)) ?? refuse('content_too_large')
  // A request without type and body is refused later, for the missing body.
  return isAccepted || bytes.length === 0 ? bytes : refuse('unsupported_media_type')
}

const utf8Parameter = /^[ \t]*charset=(?:utf-8|"utf-8")[ \t]*$/i

function isMediaType(type: string, others: readonly string[] = []): boolean {
  if (type === 'application/json') return true
  const semicolon = type.indexOf(';')
  const bare = (semicolon < 0 ? type : type.slice(0, semicolon).replace(/[ \t]+$/, '')).toLowerCase()
  if (bare !== 'application/json' && !others.includes(bare)) return false
  return semicolon < 0 || utf8Parameter.test(type.slice(semicolon + 1))
}

/** The body, checked against the operation's schema; the error names every fault. */
export function readBody(check: BodyCheck<unknown>, bytes: Uint8Array): unknown {
  const checked = check(parse(bytes))
  if (checked.faults) refuse(checked.faults[0].code, summary(checked.faults))
  return checked.value
}

const messageLengthMax = 2000

function summary(faults: readonly BodyFault[]): string {
  const text = faults.map((fault) => fault.text).join('; ')
  return (text.length <= messageLengthMax ? text : `${text.slice(0, messageLengthMax)}…`).toWellFormed()
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function parse(bytes: Uint8Array): Parsed {
  if (bytes.length === 0) refuse('malformed_json', 'The body is empty; send a JSON object.')
  try {
    return parseJson(utf8.decode(bytes))
  } catch (error) {
    if (error instanceof SyntaxError) refuse('malformed_json', `The body is not valid JSON: ${error.message}.`)
    if (error instanceof TypeError) refuse('malformed_json', 'The body is not valid UTF-8.')
    throw error
  }
}

/** The path parameters; `names` and `texts` are in the order of the path. */
export function readParams(
  declared: Parameters | undefined,
  names: readonly string[],
  texts: readonly string[],
): Record<string, {}> {
  const params: Record<string, {}> = {}
  for (let i = 0; i < names.length; i++) {
    const parameter = declared?.[names[i] as string] as Parameter<{}>
    params[names[i] as string] = parameter.parse(texts[i] as string) ?? refuse(parameter.refusal)
  }
  return params
}

/**
 * The names and values of a query string. Most have nothing to decode, and splitting them is several times faster than
 * URLSearchParams.
 */
function pairsOf(query: string): readonly (readonly [name: string, value: string])[] {
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
      if (key !== name) {
        if (!mayHaveBrackets || !key.startsWith(`${name}[`)) continue
        // Many libraries write a list as id[]=1&id[]=2. Ignoring a filter in any other form would return unfiltered
        // rows.
        if (!parameter.isList || key !== `${name}[]`) {
          hasBrackets = true
          continue
        }
      }
      isTwice ||= text !== undefined
      text = text !== undefined && parameter.isList ? `${text},${value}` : value
    }
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

/** A query or path parameter: one value both parses the text and describes the parameter in the OpenAPI document. */
export interface Parameter<T> {
  readonly schema: Schema
  readonly description: string
  /** Absent where documentation pages that fill in examples would send a request that fails. */
  readonly example?: unknown
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
    parse: (text) => schema.enum.find((value) => value === text),
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
    'The order of the page by `id`: ascending, or descending, the newest first.',
  ),
  fallback: 'asc' as (typeof SortOrder.enum)[number],
}

export const afterId = (rows: string): Parameter<bigint> =>
  int64(
    `Return only ${rows} with a higher \`id\`, or with \`order=desc\` a lower ` +
      `one, for clients that cannot read the \`Link\` header. Not with \`cursor\`.`,
    undefined,
  )

export const cursor: Parameter<string> = {
  schema: { type: 'string', minLength: 1, maxLength: 200, pattern: '^[\\w-]+$' },
  description:
    'Where the page begins: taken from the `Link` header of the previous ' +
    'page, valid only with the same filters and order.',
  parse: (text) => text,
  expects: 'a cursor from a Link header',
  refusal: 'invalid_cursor',
}

export function beta<T extends Parameter<unknown>>(parameter: T): T {
  return { ...parameter, beta: true }
}
