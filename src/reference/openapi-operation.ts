/** One operation of the OpenAPI document, generated from its declaration. */
import { type ErrorCode, errors } from '../errors.ts'
import type { Deprecation } from '../http/deprecation.ts'
import type { Operation } from '../http/operation.ts'
import type { Parameter } from '../http/parameters.ts'
import type { HeaderName } from '../http/response-headers.ts'
import { limits } from '../limits.ts'
import { positionSchema } from '../model/event.ts'

/** A placeholder such as <API_KEY> would be read as HTML, so it is written as code. */
export const inMarkdown = (text: string): string => text.replace(/[\w-]+: \w+ <\w+>/g, '`$&`')

export type Node = Record<string, unknown>
type Schemas = Record<string, Node>
/** The components of the document that operations share; filled while operations are described. */
export interface Components {
  readonly schemas: Schemas
  readonly responses: Record<string, Node>
  readonly parameters: Record<string, Node>
}

/** Errors sent before the operation is known. */
const beforeRouting: readonly ErrorCode[] = [
  'bad_request',
  'missing_api_key',
  'invalid_api_key',
  'request_timeout',
  'uri_too_long',
  'headers_too_large',
  'rate_limited',
]
const alwaysPossible: readonly ErrorCode[] = [...beforeRouting, 'internal_error', 'unavailable']
const withBody: readonly ErrorCode[] = [
  'malformed_json',
  'missing_field',
  'invalid_field',
  'unknown_field',
  'duplicate_field',
  'content_too_large',
  'unsupported_media_type',
]
const common: readonly ErrorCode[] = [...alwaysPossible, ...withBody, 'insufficient_scope', 'precondition_failed']
/** Turns `not_found` and `pet.created` into `NotFound` and `PetCreated`. */
export const pascalCase = (name: string): string =>
  name.replace(/(?:^|[_.])([a-z])/g, (_, letter) => letter.toUpperCase())
const errorHeaders: Partial<Record<ErrorCode, HeaderName>> = {
  missing_api_key: 'WWW-Authenticate',
  invalid_api_key: 'WWW-Authenticate',
  insufficient_scope: 'WWW-Authenticate',
  idempotency_in_progress: 'Retry-After',
  rate_limited: 'Retry-After',
  unavailable: 'Retry-After',
}
const always: readonly HeaderName[] = ['X-Request-Id', 'X-Content-Type-Options', 'RateLimit-Policy', 'RateLimit']

/** Adds the named schemas and the common responses it uses to `components`. */
export function operationNode(operation: Operation, components: Components, links?: Node): Node {
  const { body, answer, deprecated, scope, hideTryItPanel } = operation
  const { schemas } = components
  const headers = headerNodes([...headersOf(operation), ...always, ...(deprecated ? deprecationHeaderNames : [])])
  const answerNode = (description: string, more: readonly HeaderName[] = []): Node => ({
    description,
    headers: { ...headerNodes(more), ...headers },
    ...(answer.schema && {
      content: {
        [answer.type ?? 'application/json']: {
          schema: reference(answer.schema, schemas),
          ...examplesNode(answer.examples ?? { one: answer.example }),
        },
      },
    }),
    ...(links && { links }),
  })
  return {
    operationId: operation.id,
    tags: [operation.tag],
    summary: operation.summary,
    description: [
      ...(deprecated ? [warning(deprecated)] : []),
      operation.description,
      scope ? `Requires an API key with the scope \`${scope}\`.` : 'Requires an API key, which may have any scope.',
    ].join('\n\n'),
    ...(deprecated && { deprecated: true, 'x-deprecated-sunset': deprecated.sunset }),
    ...stabilityNode(operation.stability),
    ...(hideTryItPanel && { ...noPanel, 'x-hideTryItPanelReason': hideTryItPanel }),
    // A tool of an agent would wait for the end of a stream.
    ...(answer.type && { 'x-mcp': false }),
    ...(scope && { 'x-scope': scope, security: [{ apiKey: [scope] }] }),
    parameters: parameterNodes(operation, schemas),
    ...(body && { requestBody: { required: !body.isOptional, content: bodyContent(body, schemas) } }),
    responses: {
      [answer.status]: answerNode(answer.description),
      ...(answer.created && { 201: answerNode(answer.created, operation.method === 'POST' ? ['Location'] : []) }),
      ...(isRevalidated(operation) && {
        304: { description: 'The version in `If-None-Match` is current, so the response has no body.', headers },
      }),
      ...errorNodes(operation, components),
    },
  }
}

/** The headers of a successful response: those that follow from the declaration, and those that it names. */
function headersOf(operation: Operation): HeaderName[] {
  const { method, answer, query, acceptsIfMatch, acceptsIdempotencyKey } = operation
  const sent: Partial<Record<HeaderName, unknown>> = {
    Location: answer.status === 201,
    Link: query?.cursor && isRevalidated(operation),
    ETag: isRevalidated(operation) || (acceptsIfMatch && answer.schema),
    'Idempotency-Replayed': acceptsIdempotencyKey,
    'Cache-Control': method === 'GET',
  }
  const names = Object.keys(sent) as HeaderName[]
  return names.filter((name) => sent[name]).concat(answer.headers ?? [])
}

/** Each tool has its own name for this extension: Redocly and GitBook, ReadMe and Zudoku, Fern. */
const noPanel = { 'x-hideTryItPanel': true, 'x-explorer-enabled': false, 'x-fern-explorer': false }

/** Redocly and Scalar show the `name` of a badge, RapiDoc its `label`. */
export const stabilityNode = (stability: Operation['stability']): Node =>
  stability ? { 'x-stability': stability, 'x-badges': [{ name: stability, label: stability, color: 'orange' }] } : {}

/** Every GET has an ETag and may return 304, unless it is a stream. */
const isRevalidated = ({ method, answer }: Operation): boolean => method === 'GET' && answer.type === undefined

function bodyContent({ schema, examples, mediaTypes = [] }: NonNullable<Operation['body']>, schemas: Schemas): Node {
  const node = { schema: reference(schema, schemas), ...examplesNode(examples) }
  return Object.fromEntries(['application/json', ...mediaTypes].map((type) => [type, node]))
}

/**
 * A single example is written as `example`, which more tools read. Several examples are written as `examples`, by name.
 */
function examplesNode(examples: Record<string, unknown>): Node {
  const entries = Object.entries(examples)
  if (entries.length === 1) return { example: entries[0]?.[1] }
  return { examples: Object.fromEntries(entries.map(([name, value]) => [name, { value }])) }
}

const deprecationHeaderNames: readonly HeaderName[] = ['Deprecation', 'Sunset', 'Link']

const warning = ({ since, sunset, advice }: Deprecation): string =>
  `**Warning: deprecated** since ${since}, removed on ${sunset}. It remains available until then. ${advice}`

type Described = Pick<Parameter<unknown>, 'schema' | 'description' | 'example' | 'beta' | 'fallback'>

/** Documentation pages send every `example` that they find, and all filters together would find nothing. */
const isFilter = (location: string, { fallback }: Pick<Described, 'fallback'>) =>
  location === 'query' && fallback === undefined

const inWords = ({ description, example, schema }: Described): string =>
  example === undefined || 'enum' in schema ? description : `${description} For example: \`${example}\`.`

function parameterNodes(operation: Operation, schemas: Schemas): Node[] {
  const nodesIn = (location: 'path' | 'query' | 'header', parameters: Record<string, Described> = {}): Node[] =>
    Object.entries(parameters).map(([name, { schema, description, example, beta, ...rest }]) => ({
      name,
      in: location,
      required: location === 'path',
      description: isFilter(location, rest) ? inWords({ schema, description, example }) : description,
      ...((beta || location === 'header') && { 'x-stability': 'beta' }),
      ...((schema as Node).type === 'array' && { style: 'form', explode: false }),
      schema: reference(schema, schemas),
      ...(example !== undefined && !isFilter(location, rest) && { example }),
    }))
  const accepted: Readonly<Record<string, unknown>> = {
    'If-None-Match': isRevalidated(operation),
    'If-Match': operation.acceptsIfMatch,
    'Last-Event-ID': operation.acceptsLastEventId,
    'Idempotency-Key': operation.acceptsIdempotencyKey,
  }
  const headers = Object.fromEntries(Object.entries(requestHeaders).filter(([name]) => accepted[name]))
  return [...nodesIn('path', operation.params), ...nodesIn('query', operation.query), ...nodesIn('header', headers)]
}

const tags = {
  type: 'string',
  // The limit of all headers together.
  maxLength: limits.headerSize.bytes,
  pattern: '^(\\*|(W/)?"[^"]*"(\\s*,\\s*(W/)?"[^"]*")*)$',
}

/** The request headers that only some operations accept. They are beta. */
export const requestHeaders = {
  'If-None-Match': {
    description: 'An `ETag` from an earlier response. While it is current, the response is 304.',
    schema: tags,
  },
  'If-Match': {
    description:
      'One or more `ETag`s separated by commas, or `*` for any version. If none of them is current, the response is ' +
      '412. A weak tag (`W/…`) never matches.',
    schema: tags,
  },
  'Last-Event-ID': {
    description: 'The last `id` that the client received. The stream continues after it.',
    schema: positionSchema,
  },
  'Idempotency-Key': {
    description:
      `Makes the request safe to repeat for ${limits.idempotencyTime.text}: ` +
      `${limits.idempotencyKeyLength.text} visible ASCII characters, different for each new request.`,
    schema: { type: 'string', minLength: 1, maxLength: limits.idempotencyKeyLength.max, pattern: '^[!-~]+$' },
  },
}

const headerNodes = (names: readonly HeaderName[]): Node =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))

function errorNodes(operation: Operation, components: Components): Node {
  const codes = [...alwaysPossible, ...(operation.refusals ?? [])]
  if (operation.scope) codes.push('insufficient_scope')
  if (operation.query) codes.push('invalid_parameter')
  if (operation.query?.cursor) codes.push('invalid_cursor')
  if (operation.body) codes.push(...withBody)
  if (operation.acceptsIfMatch) codes.push('precondition_failed')
  if (operation.acceptsIdempotencyKey)
    codes.push('invalid_idempotency_key', 'idempotency_in_progress', 'idempotency_key_reused')
  const nodes: Node = {}
  for (const [status, group] of Map.groupBy(codes, (code) => errors[code][0])) {
    const isAnnounced = operation.deprecated && group.some((code) => !beforeRouting.includes(code))
    const node = {
      description: group.map((code) => `\`${code}\`: ${inMarkdown(errors[code][1])}`).join('\n\n'),
      headers: headerNodes([
        ...always,
        'Cache-Control',
        ...group.flatMap((code) => errorHeaders[code] ?? []),
        ...(isAnnounced ? deprecationHeaderNames : []),
      ]),
      content: {
        'application/json': {
          schema: { $ref: '#/components/schemas/Error' },
          ...examplesNode(Object.fromEntries(group.map((code) => [code, { code, message: errors[code][1], status }]))),
        },
      },
    }
    // Other responses depend on the operation: 400 depends on its input, and the rest on its `refusals`.
    const isCommon = status !== 400 && !isAnnounced && group.every((code) => common.includes(code))
    const name = pascalCase(group.at(-1) as string)
    if (isCommon) components.responses[name] = node
    nodes[status] = isCommon ? { $ref: `#/components/responses/${name}` } : node
  }
  return nodes
}

/** Replaces every named schema with a reference to a component. */
export function reference(value: unknown, schemas: Schemas): unknown {
  if (Array.isArray(value)) return value.map((each) => reference(each, schemas))
  if (typeof value !== 'object' || value === null) return value
  const { $id, ...rest } = value as Node
  const node = Object.fromEntries(Object.entries(rest).map(([name, each]) => [name, reference(each, schemas)]))
  if (typeof $id !== 'string') return node
  schemas[$id] = node
  return { $ref: `#/components/schemas/${$id}` }
}
