/**
 * Offers operations as tools of the Model Context Protocol: the description, the request for the arguments, and the
 * result.
 */
import { AppError } from '../errors.ts'
import type { Incoming, Reply } from '../http/message.ts'
import type { Operation } from '../http/operation.ts'
import type { Parameter } from '../http/parameters.ts'
import { versionPrefix } from '../http/urls.ts'
import { type Json, type JsonObject, parseJson, writeJson } from '../schema/json.ts'
import { ignored, parseInt64 } from '../schema/schema.ts'

type Schema = Readonly<Record<string, unknown>>
interface Argument {
  readonly location: 'path' | 'query' | 'header' | 'body'
  readonly schema: Schema
  readonly expects?: string
}

interface Tool {
  readonly operation: Operation
  readonly arguments: ReadonlyMap<string, Argument>
  readonly json: string
}

/**
 * The tools by name. Streams are excluded because they never end, and deprecated operations because they are not for
 * new clients.
 */
export function toolsOf(operations: readonly Operation[]): ReadonlyMap<string, Tool> {
  const offered = operations.filter(({ answer, deprecated }) => answer.type === undefined && !deprecated)
  return new Map(offered.map((operation) => [operation.id, toolOf(operation)]))
}

function toolOf(operation: Operation): Tool {
  const { method, answer } = operation
  const known = argumentsOf(operation)
  const required = [...Object.keys(operation.params ?? {}), ...(operation.body?.schema.required ?? [])]
  const tool = {
    name: operation.id,
    title: operation.summary,
    description: inWordsOfTools(operation.description),
    inputSchema: {
      type: 'object',
      properties: Object.fromEntries([...known].map(([name, { schema }]) => [name, only(schema)])),
      ...(required.length > 0 && { required }),
      additionalProperties: false,
    },
    // A POST that creates something changes nothing else, and every PATCH here is a merge patch.
    annotations: {
      ...(method === 'GET'
        ? { readOnlyHint: true }
        : {
            destructiveHint: method !== 'POST' || !(answer.status === 201 || answer.created),
            idempotentHint: method !== 'POST' || operation.isRepeatable === true,
          }),
      // Only webhooks reach systems outside the store.
      openWorldHint: operation.scope === 'webhooks:write',
    },
  }
  return { operation, arguments: known, json: JSON.stringify(tool) }
}

/** Descriptions are written for HTTP. A result contains the values of these two headers as members. */
const inWordsOfTools = (description: string): string =>
  description.replaceAll(/the `Link` header/gi, '`next`').replaceAll('`ETag`', '`etag`')

function argumentsOf({ params = {}, query = {}, body, ...accepts }: Operation): Map<string, Argument> {
  const known = new Map<string, Argument>()
  const add = (location: Argument['location'], parameters: Record<string, Parameter<unknown>>) => {
    for (const [name, { schema, description, expects }] of Object.entries(parameters))
      known.set(name, { location, schema: { ...schema, description }, expects })
  }
  add('path', params)
  add('query', query)
  for (const [name, schema] of Object.entries<Schema>(body?.schema.properties ?? {}))
    if (!(ignored in schema)) known.set(name, { location: 'body', schema })
  const header = (name: string, description: string) =>
    known.set(name, { location: 'header', schema: { type: 'string', description }, expects: 'a string' })
  if (accepts.acceptsIdempotencyKey) header('Idempotency-Key', 'Any new text; to repeat a call safely, send it again.')
  if (accepts.acceptsIfMatch) header('If-Match', 'An `etag`: change only that version.')
  return known
}

const asText = ' 16 digits or more: as a string.'
const keywords = ['type', 'items', 'enum', 'description', 'default', 'minimum', 'maximum', 'maxItems']

/**
 * The part of the schema of an argument that a model needs. An int64 may be a string, because few clients keep large
 * integers exact.
 */
function only(schema: Schema): Schema {
  const isInt64 = schema.format === 'int64'
  const part = (keyword: string, value: unknown): unknown => {
    if (keyword === 'items') return only(value as Schema)
    if (keyword === 'description') return inWordsOfTools(value as string) + (isInt64 ? asText : '')
    return keyword === 'type' && isInt64 ? ['integer', 'string'] : value
  }
  const kept = Object.entries(schema).filter(([keyword]) => keywords.includes(keyword))
  return Object.fromEntries(kept.map(([keyword, value]) => [keyword, part(keyword, value)]))
}

/** The request that the arguments describe, in the trace of the outer request, or an error that names every problem. */
export function requestOf(tool: Tool, given: JsonObject, outer: Incoming): Incoming | AppError {
  const { operation, arguments: known } = tool
  const problems: string[] = []
  const headers = new Map(['traceparent', 'x-request-id'].map((name) => [name, outer.header(name)]))
  const query = new URLSearchParams()
  const body: JsonObject = new Map()
  let path = versionPrefix + operation.path
  for (const [name, { location, schema, expects }] of known) {
    const value = given.get(name)
    const sent = value === undefined ? undefined : parameterText(value, schema)
    if (value !== undefined && mayBeRounded(value, schema)) problems.push(`${name}: ${sendText}`)
    else if (value === undefined) location === 'path' && problems.push(`${name}: is required`)
    else if (location === 'body') body.set(name, exact(value, schema))
    else if (sent === undefined) problems.push(`${name}: must be ${expects}`)
    else if (location === 'path') path = path.replace(`{${name}}`, encodeURIComponent(sent))
    else if (location === 'query') query.set(name, sent)
    else headers.set(name.toLowerCase(), sent)
  }
  for (const [name, value] of given) {
    if (known.has(name)) continue
    const meant = [...known.keys()].find((each) => lettersOf(each) === lettersOf(name))
    if (meant !== undefined) problems.push(`${name}: is not a known argument; its name is ${meant}`)
    else if (operation.body) body.set(name, value)
    else problems.push(`${name}: is not a known argument; known are ${[...known.keys()].join(', ')}`)
  }
  if (problems.length > 0) return new AppError('invalid_parameter', problems.join('; '))
  if (operation.body) headers.set('content-type', 'application/json')
  return {
    method: operation.method,
    target: query.size > 0 ? `${path}?${query}` : path,
    header: (name) => headers.get(name),
    address: () => outer.address(),
    body: () => Buffer.from(writeJson(body)),
  }
}

const sendText =
  'send an integer of 16 digits or more as a string, such as "9007199254740993"; as a number it may have been rounded'

/** Few clients keep a number beyond 2⁵³ exact, so the number that arrives may not be the intended one. */
const mayBeRounded = (value: Json, { format, items }: Schema): boolean =>
  Array.isArray(value)
    ? items !== undefined && value.some((each) => mayBeRounded(each, items as Schema))
    : format === 'int64' && typeof value === 'bigint' && !Number.isSafeInteger(Number(value))

const lettersOf = (name: string): string => name.replaceAll(/[^a-z]/gi, '').toLowerCase()

/** An int64 may be a string of digits. */
const exact = (value: Json, { format }: Schema): Json =>
  (format === 'int64' && typeof value === 'string' ? parseInt64(value) : undefined) ?? value

/** A value in the form for a path, a query or a header. Undefined if it is of another type. */
function parameterText(value: Json, { type, format, items }: Schema): string | undefined {
  if (Array.isArray(value) && type === 'array') {
    const texts = value.map((each) => parameterText(each, items as Schema))
    return texts.includes(undefined) ? undefined : texts.join()
  }
  return typeof exact(value, { format }) === (type === 'integer' ? 'bigint' : type) ? String(value) : undefined
}

export function resultOf({ operation }: Tool, { status, headers = [], body }: Reply): string {
  const header = (name: string): string | undefined =>
    headers.includes(name) ? headers[headers.indexOf(name) + 1] : undefined
  const content = (shown: string) => `"content":[{"type":"text","text":${JSON.stringify(shown)}}]`
  const json = String(body)
  const wait = header('Retry-After')
  if (status >= 400) return `${content(wait ? `${json.slice(0, -1)},"retryAfter":${wait}}` : json)},"isError":true`
  if (json === '') return content(operation.answer.description)
  const [, next] = /[?&]cursor=([^&>]+)>; rel="next"/.exec(header('Link') ?? '') ?? []
  const others = JSON.stringify({ next, etag: header('ETag') }).slice(1)
  const structured = `{"body":${inDoubles(json)}${others === '}' ? '' : ','}${others}`
  return `${content(structured)},"structuredContent":${structured}`
}

/** Most bodies contain no integer of 16 digits, and stay unchanged. */
const inDoubles = (json: string): string => (/\d{16}/.test(json) ? writeJson(parseJson(json).value, asDouble) : json)
const asDouble = (integer: bigint) => (Number.isSafeInteger(Number(integer)) ? Number(integer) : String(integer))
