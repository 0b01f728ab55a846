/** The OpenAPI document, read from the declarations. */
import { type ErrorCode, errors } from '../errors.ts'
import { type HeaderName, headers } from './headers.ts'
import { type Deprecation, isRemoved, type Operation } from './operation.ts'
import type { Parameter } from './parameters.ts'

export interface DocumentOptions {
  readonly publicUrl: string
  readonly stagingUrl: string
  /** Operations past their sunset are left out. */
  readonly now: number
}

type Node = Record<string, unknown>

const tags = { animals: 'The catalogue of animals.', store: 'Ordering animals.' }

/** Refusals any operation may answer with, whatever it does. */
const alwaysPossible: readonly ErrorCode[] = [
  'bad_request',
  'missing_api_key',
  'invalid_api_key',
  'insufficient_scope',
  'request_timeout',
  'uri_too_long',
  'headers_too_large',
  'internal_error',
  'unavailable',
]
const withBody: readonly ErrorCode[] = [
  'malformed_json',
  'missing_field',
  'invalid_field',
  'unknown_field',
  'duplicate_field',
  'content_too_large',
  'unsupported_media_type',
]
const errorHeaders: Readonly<Record<number, readonly HeaderName[]>> = {
  401: ['WWW-Authenticate'],
  403: ['WWW-Authenticate'],
  409: ['Retry-After'],
  503: ['Retry-After'],
}

/** The document as text, as it is served and committed. */
export function openApiJson(operations: readonly Operation[], options: DocumentOptions): string {
  return `${JSON.stringify(openApiDocument(operations, options), undefined, 2)}\n`
}

function openApiDocument(operations: readonly Operation[], { publicUrl, stagingUrl, now }: DocumentOptions): Node {
  const live = operations.filter((operation) => !isRemoved(operation, now))
  const schemas: Record<string, Node> = { Error: errorSchema }
  const documented = (Object.keys(headers) as HeaderName[]).filter((name) => name !== 'Allow')
  const paths: Record<string, Node> = {}
  for (const operation of live) {
    paths[operation.path] ??= {}
    ;(paths[operation.path] as Node)[operation.method.toLowerCase()] = operationNode(operation, schemas)
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Pet Store',
      version: '1.0.0',
      summary: 'A catalogue of animals offered in a store.',
      description: introduction,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [
      { url: publicUrl, description: 'Production' },
      { url: stagingUrl, description: 'Staging' },
    ],
    security: [{ apiKey: [] }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          description: 'An API key, issued by the operator with `petstore keys create`.',
        },
      },
      schemas,
      headers: Object.fromEntries(
        documented.map((name) => [name, { description: headers[name], schema: { type: 'string' } }]),
      ),
    },
  }
}

const introduction = `Every operation needs an API key as a bearer token. All bodies are JSON in UTF-8, at most 64 KiB.

Every error has the same three members: \`code\` to switch on, \`message\` to read, \`status\` as in the status line. Integers of format int64 are exact over their whole range.

Operations and parameters marked \`x-stability\` may still change; those without it are stable.`

const errorSchema: Node = {
  type: 'object',
  description: 'The one shape of every error.',
  required: ['code', 'message', 'status'],
  additionalProperties: false,
  properties: {
    code: {
      type: 'string',
      enum: Object.keys(errors),
      description: 'Machine-readable error code, from a closed list.',
    },
    message: { type: 'string', description: 'Human-readable description; names every field at fault.' },
    status: { type: 'integer', format: 'int32', description: 'The HTTP status code of the response.' },
  },
}

function operationNode(operation: Operation, schemas: Record<string, Node>): Node {
  const { body, answer, deprecated } = operation
  return {
    operationId: operation.id,
    tags: [operation.tag],
    summary: operation.summary,
    description: deprecated ? `${warning(deprecated)}\n\n${operation.description}` : operation.description,
    ...(deprecated && { deprecated: true, 'x-deprecated-sunset': deprecated.sunset }),
    ...(operation.stability && { 'x-stability': operation.stability }),
    ...(operation.hideTryItPanel && { 'x-hideTryItPanel': true }),
    'x-scope': operation.scope,
    parameters: parameterNodes(operation),
    ...(body && {
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: reference(body.schema, schemas),
            examples: Object.fromEntries(Object.entries(body.examples).map(([name, value]) => [name, { value }])),
          },
        },
      },
    }),
    responses: {
      [answer.status]: {
        description: answer.description,
        headers: headerNodes([...answer.headers, 'X-Request-Id', ...(deprecated ? deprecationHeaderNames : [])]),
        ...(answer.schema && {
          content: { 'application/json': { schema: reference(answer.schema, schemas), example: answer.example } },
        }),
      },
      ...(operation.method === 'GET' && {
        304: {
          description: 'The copy named in `If-None-Match` still holds.',
          headers: headerNodes(['ETag', 'Cache-Control', 'X-Request-Id']),
        },
      }),
      ...errorNodes(operation),
    },
  }
}

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
  if (operation.method === 'GET')
    nodes.push(headerParameter('If-None-Match', 'An `ETag`; answers 304 while it still holds.'))
  if (operation.conditional)
    nodes.push(headerParameter('If-Match', 'An `ETag`; anything but the current version answers 412.'))
  if (operation.repeatable)
    nodes.push(
      headerParameter(
        'Idempotency-Key',
        'Makes the request safe to repeat for 24 hours: 1 to 255 visible ASCII characters, a new one for each new request.',
      ),
    )
  return nodes
}

const headerParameter = (name: string, description: string): Node => ({
  name,
  in: 'header',
  required: false,
  description,
  'x-stability': 'beta',
  schema: { type: 'string' },
})

const headerNodes = (names: readonly HeaderName[]): Node =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))

function errorNodes(operation: Operation): Node {
  const codes = [...alwaysPossible, ...(operation.refusals ?? [])]
  if (operation.query) codes.push('invalid_parameter')
  if (operation.query?.cursor) codes.push('invalid_cursor')
  if (operation.body) codes.push(...withBody)
  if (operation.conditional) codes.push('precondition_failed')
  if (operation.repeatable) codes.push('invalid_idempotency_key', 'idempotency_in_progress', 'idempotency_key_reused')
  const nodes: Node = {}
  for (const [status, group] of Map.groupBy(codes, (code) => errors[code][0])) {
    nodes[status] = {
      description: group.map((code) => `\`${code}\`: ${errors[code][1]}`).join('\n\n'),
      headers: headerNodes(['X-Request-Id', 'Cache-Control', ...(errorHeaders[status] ?? [])]),
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

/** A schema with a name becomes a component, and a reference to it stands in its place. */
function reference(schema: Node, schemas: Record<string, Node>): Node {
  const { $id, ...rest } = schema
  const node = Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, nested(value, schemas)]))
  if (typeof $id !== 'string') return node
  schemas[$id] = node
  return { $ref: `#/components/schemas/${$id}` }
}

function nested(value: unknown, schemas: Record<string, Node>): unknown {
  if (Array.isArray(value) || typeof value !== 'object' || value === null) return value
  return reference(value as Node, schemas)
}

const referenceOrSelf = (schema: Node): Node =>
  typeof schema.$id === 'string' ? { $ref: `#/components/schemas/${schema.$id}` } : schema
