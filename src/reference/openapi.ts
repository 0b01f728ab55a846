/** The OpenAPI document, generated from the declarations. */
import { errors } from '../errors.ts'
import { jsonType } from '../http/message.ts'
import type { Operation } from '../http/operation.ts'
import { type HeaderName, headers } from '../http/response-headers.ts'
import type { SiteReply } from '../http/site-route.ts'
import { tokenForm } from '../model/key.ts'
import type { Time } from '../time.ts'
import { introduction } from './introduction.ts'
import { asOpenApi30 } from './openapi-3.0.ts'
import { linksOf } from './openapi-links.ts'
import { type Components, type Node, operationNode } from './openapi-operation.ts'
import { webhookNodes } from './openapi-webhooks.ts'
import { fileFrom, fileReply } from './pages.ts'
import { samplesOf } from './samples.ts'

export interface DocumentOptions {
  /** Base URLs; code samples use the first. */
  readonly servers: readonly { readonly url: string; readonly description: string }[]
  /** Operations that have passed their sunset are omitted. */
  readonly now: number
  /** The default is the pet store. */
  readonly about?: About
  readonly version?: OpenApiVersion
}

/** The paths at which the service offers the document, by version of OpenAPI. */
export const documentPaths = { '3.1': '/openapi.json', '3.0': '/openapi-3.0.json' } as const
export type OpenApiVersion = keyof typeof documentPaths

export interface About {
  readonly title: string
  readonly summary: string
  readonly description: string
  readonly tags: Readonly<Record<string, string>>
  readonly key: { readonly form: RegExp; readonly description: string }
  readonly hasWebhooks: boolean
}

const petStore: About = {
  title: 'Pet Store API',
  summary: 'A catalogue of animals offered in a store.',
  description: introduction,
  tags: {
    animals: 'The catalogue of animals.',
    store: 'Orders on animals, and the number of animals in each status.',
    events: 'Changes of animals, orders and categories, as a list, a stream or webhooks.',
    keys: 'The API key that a request is made with.',
  },
  key: { form: tokenForm, description: 'An API key, which the operator issues with `petstore keys create`.' },
  hasWebhooks: true,
}

/** Serves the document. */
export function createOpenApiPage(
  operations: readonly Operation[],
  { time, ...options }: Omit<DocumentOptions, 'now'> & { readonly time: Time },
): SiteReply {
  const file = untilSunset(operations, time, (now) =>
    fileFrom(Buffer.from(openApiJson(operations, { ...options, now }))),
  )
  return (incoming) => fileReply(file(), { type: jsonType }, incoming)
}

const liveAt = (now: number, operations: readonly Operation[]) =>
  operations.filter((operation) => now < operation.removedAt)

/** Returns what was made last; it is made again only when an operation has passed its sunset. */
export function untilSunset<T>(operations: readonly Operation[], time: Time, make: (now: number) => T): () => T {
  let latest: { readonly live: number; readonly made: T } | undefined
  return () => {
    const now = time.now()
    const live = liveAt(now, operations).length
    if (latest?.live !== live) latest = { live, made: make(now) }
    return latest.made
  }
}

export function openApiJson(operations: readonly Operation[], options: DocumentOptions): string {
  const document = openApiDocument(operations, options)
  return `${JSON.stringify(options.version === '3.0' ? asOpenApi30(document) : document, undefined, 2)}\n`
}

function openApiDocument(operations: readonly Operation[], { servers, now, about = petStore }: DocumentOptions): Node {
  const live = liveAt(now, operations)
  const components: Components = { schemas: { Error: errorSchema }, responses: {}, parameters: {} }
  const baseUrl = servers[0]?.url ?? '/v1'
  const documented = (Object.keys(headers) as HeaderName[]).filter((name) => name !== 'Allow')
  const paths: Record<string, Node> = {}
  for (const operation of live) {
    const methods = (paths[operation.path] ??= {})
    methods[operation.method.toLowerCase()] = {
      ...operationNode(operation, components, linksOf(operation, live)),
      'x-codeSamples': samplesOf(operation, baseUrl),
    }
  }
  const { title, summary, description, tags, key } = about
  const webhooks = about.hasWebhooks ? { webhooks: webhookNodes(components) } : {}
  return {
    openapi: '3.1.0',
    info: {
      title,
      // This is the version of the interface. The program has its own version.
      version: '1.0.0',
      summary,
      description,
      contact: { name: 'The operator of this service' },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers,
    security: [{ apiKey: [] }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths,
    ...webhooks,
    components: {
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          'x-pattern': key.form.source,
          description: key.description,
        },
      },
      ...components,
      headers: Object.fromEntries(
        documented.map((name) => {
          const [description, schema, presence] = headers[name]
          return [name, { description, ...(presence && { required: true }), schema }]
        }),
      ),
    },
  }
}

const errorSchema: Node = {
  type: 'object',
  description: 'The body of every error response.',
  required: ['code', 'message', 'status'],
  additionalProperties: false,
  properties: {
    code: {
      type: 'string',
      maxLength: 64,
      pattern: '^[a-z_]+$',
      'x-extensible-enum': Object.keys(errors),
      description:
        'Machine-readable error code. Further codes may be added: if you do not know a code, use the `status`.',
    },
    message: {
      type: 'string',
      maxLength: 4096,
      description: 'Human-readable description. It names every invalid field.',
    },
    status: {
      type: 'integer',
      format: 'int32',
      minimum: 400,
      maximum: 599,
      description: 'The HTTP status code of the response.',
    },
  },
}
