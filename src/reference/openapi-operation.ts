/** One operation of the OpenAPI document, generated from its declaration. */
import { type ErrorCode, errors } from '../errors.ts'
import type { HeaderName } from '../http/headers.ts'
import type { Deprecation, Operation } from '../http/operation.ts'
import type { Parameter } from '../http/parameters.ts'
import { limits } from '../limits.ts'

export type Node = Record<string, unknown>

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
/** Errors that any operation may return. */
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
/** Headers sent only with certain errors. */
const errorHeaders: Partial<Record<ErrorCode, HeaderName>> = {
  missing_api_key: 'WWW-Authenticate',
  invalid_api_key: 'WWW-Authenticate',
  insufficient_scope: 'WWW-Authenticate',
  idempotency_in_progress: 'Retry-After',
  rate_limited: 'Retry-After',
  unavailable: 'Retry-After',
}
const always: readonly HeaderName[] = ['X-Request-Id', 'X-Content-Type-Options', 'RateLimit-Policy', 'RateLimit']

/** Adds the named schemas it uses to `schemas`. */
export function operationNode(operation: Operation, schemas: Record<string, Node>): Node {
  const { body, answer, deprecated } = operation
  const announced = deprecated ? deprecationHeaderNames : []
  const answerNode = (description: string): Node => ({
    description,
    headers: headerNodes([...answer.headers, ...always, ...announced]),
    ...(answer.schema && {
      content: {
        [answer.type ?? 'application/json']: { schema: reference(answer.schema, schemas), example: answer.example },
      },
    }),
  })
  return {
    operationId: operation.id,
    tags: [operation.tag],
    summary: operation.summary,
    description: deprecated ? `${warning(deprecated)}\n\n${operation.description}` : operation.description,
    ...(deprecated && { deprecated: true, 'x-deprecated-sunset': deprecated.sunset }),
    ...(operation.stability && { 'x-stability': operation.stability }),
    ...(operation.hideTryItPanel && { 'x-hideTryItPanel': true }),
    ...(operation.scope && { 'x-scope': operation.scope }),
    parameters: parameterNodes(operation),
    ...(body && {
      requestBody: {
        required: true,
        content: Object.fromEntries(
          ['application/json', ...(body.mediaTypes ?? [])].map((type) => [type, bodyNode(body, schemas)]),
        ),
      },
    }),
    responses: {
      [answer.status]: answerNode(answer.description),
      ...(answer.created && { 201: answerNode(answer.created) }),
      ...(isRevalidated(operation) && {
        304: {
          description: 'The version named in `If-None-Match` is current.',
          headers: headerNodes([...answer.headers, ...always, ...announced]),
        },
      }),
      ...errorNodes(operation),
    },
  }
}

/** Whatever can be read, unless it is a stream. */
const isRevalidated = ({ method, answer }: Operation): boolean => method === 'GET' && answer.type === undefined

const bodyNode = ({ schema, examples }: NonNullable<Operation['body']>, schemas: Record<string, Node>): Node => ({
  schema: reference(schema, schemas),
  examples: Object.fromEntries(Object.entries(examples).map(([name, value]) => [name, { value }])),
})

const deprecationHeaderNames: readonly HeaderName[] = ['Deprecation', 'Sunset', 'Link']

function warning({ since, sunset, advice }: Deprecation): string {
  return `**Warning: deprecated** since ${since}, removed on ${sunset}. It remains available until then. ${advice}`
}

function parameterNodes(operation: Operation): Node[] {
  const nodes: Node[] = []
  const add = (where: 'path' | 'query', parameters: Record<string, Parameter<unknown>> = {}) => {
    for (const [name, { schema, description, beta }] of Object.entries(parameters))
      nodes.push({
        name,
        in: where,
        required: where === 'path',
        description,
        ...(beta && { 'x-stability': 'beta' }),
        ...((schema as Node).type === 'array' && { style: 'form', explode: false }),
        schema: referenceOrSelf(schema as Node),
      })
  }
  add('path', operation.params)
  add('query', operation.query)
  if (isRevalidated(operation))
    nodes.push(headerParameter('If-None-Match', 'An `ETag`; the response is 304 while it is current.', conditionSchema))
  if (operation.acceptsIfMatch)
    nodes.push(
      headerParameter(
        'If-Match',
        'One or more `ETag`s separated by commas, or `*` for any version; 412 if none is current. A weak tag (`W/…`) never matches.',
        conditionSchema,
      ),
    )
  if (operation.acceptsLastEventId)
    nodes.push(
      headerParameter('Last-Event-ID', 'The last `id` that the client got; the stream goes on after it.', {
        type: 'string',
        maxLength: 16,
        pattern: '^[0-9]+$',
      }),
    )
  if (operation.acceptsIdempotencyKey)
    nodes.push(
      headerParameter(
        'Idempotency-Key',
        `Makes the request safe to repeat for ${limits.idempotencyTime.text}: ${limits.idempotencyKeyLength.text} visible ASCII characters, different for each new request.`,
        { type: 'string', minLength: 1, maxLength: limits.idempotencyKeyLength.max, pattern: '^[!-~]+$' },
      ),
    )
  return nodes
}

/** One or more ETags, or `*`; at most as long as all headers together. */
const conditionSchema: Node = {
  type: 'string',
  maxLength: limits.headerSize.bytes,
  pattern: '^(\\*|(W/)?"[^"]*"(\\s*,\\s*(W/)?"[^"]*")*)$',
}

const headerParameter = (name: string, description: string, schema: Node): Node => ({
  name,
  in: 'header',
  required: false,
  description,
  'x-stability': 'beta',
  schema,
})

const headerNodes = (names: readonly HeaderName[]): Node =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))

function errorNodes(operation: Operation): Node {
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
    nodes[status] = {
      description: group.map((code) => `\`${code}\`: ${errors[code][1]}`).join('\n\n'),
      headers: headerNodes([
        ...always,
        'Cache-Control',
        ...group.flatMap((code) => errorHeaders[code] ?? []),
        ...(operation.deprecated && group.some((code) => !beforeRouting.includes(code)) ? deprecationHeaderNames : []),
      ]),
      content: {
        'application/json': {
          schema: { $ref: '#/components/schemas/Error' },
          examples: Object.fromEntries(
            group.map((code) => [code, { value: { code, message: errors[code][1], status } }]),
          ),
        },
      },
    }
  }
  return nodes
}

/** Replaces a named schema with a reference to a component. */
function reference(schema: Node, schemas: Record<string, Node>): Node {
  const { $id, ...rest } = schema
  const node = Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, nested(value, schemas)]))
  if (typeof $id !== 'string') return node
  schemas[$id] = node
  return { $ref: `#/components/schemas/${$id}` }
}

function nested(value: unknown, schemas: Record<string, Node>): unknown {
  if (Array.isArray(value)) return value.map((each) => nested(each, schemas))
  if (typeof value !== 'object' || value === null) return value
  return reference(value as Node, schemas)
}

const referenceOrSelf = (schema: Node): Node =>
  typeof schema.$id === 'string' ? { $ref: `#/components/schemas/${schema.$id}` } : schema
