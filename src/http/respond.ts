/**
 * Makes the response from a reply: the headers of every response, of its operation and of its key; ETags, CORS and
 * deprecation.
 */
import type { AppError } from '../errors.ts'
import { type Deprecation, deprecationHeaders } from './deprecation.ts'
import { etagOf, matchesIfNoneMatch } from './etag.ts'
import {
  headers as documentedHeaders,
  type Incoming,
  jsonType,
  type Outgoing,
  type Reply,
  revalidate,
} from './message.ts'
import type { Decision } from './rate-limits.ts'

/** The part of an operation's declaration that its responses depend on. */
interface DeprecableOperation {
  readonly deprecated?: Deprecation
}

/** What a response needs to know about its request. */
export interface ResponseContext {
  readonly requestId: string
  operation?: DeprecableOperation
  /** Absent if the key has no rate limit. */
  rate?: Decision
  /** Bytes of the response's body. */
  sent: number
}

type Respond = (incoming: Incoming, reply: Reply, context: ResponseContext) => Outgoing

export function createRespond(operations: readonly DeprecableOperation[], cors: Cors, publicUrl: string): Respond {
  const announcements = new Map<DeprecableOperation | undefined, readonly string[]>()
  for (const operation of operations)
    if (operation.deprecated) announcements.set(operation, deprecationHeaders(operation.deprecated, publicUrl))

  return (incoming, reply, context) => {
    const { requestId, operation, rate } = context
    const { body, cache } = reply
    let { status } = reply
    const headers = ['X-Request-Id', requestId, 'X-Content-Type-Options', 'nosniff']
    if (reply.headers) headers.push(...reply.headers)
    if (rate)
      headers.push(
        'RateLimit-Policy',
        rate.limit.policy,
        'RateLimit',
        `"default";r=${rate.remaining};t=${rate.seconds}`,
      )
    const announcement = announcements.get(operation)
    if (announcement) headers.push(...announcement)
    if (cors.length > 0) corsHeaders(cors, incoming, headers)
    if (typeof body === 'function') {
      headers.push('Cache-Control', 'no-store', 'Content-Type', reply.type ?? jsonType)
      if (incoming.method === 'HEAD') return { status, headers, body: '' }
      // The connection closes with the stream: a request behind it on the same connection would wait for its end.
      headers.push('Connection', 'close')
      return { status, headers, body }
    }
    if (cache === 'no-store') headers.push('Cache-Control', cache)
    else if (status === 200 && (incoming.method === 'GET' || incoming.method === 'HEAD')) {
      const etag = cache?.etag ?? etagOf(body)
      headers.push('ETag', etag, 'Cache-Control', cache?.control ?? revalidate)
      if (matchesIfNoneMatch(incoming.header('if-none-match'), etag)) status = 304
    }
    if (status === 204 || status === 304) return { status, headers, body: '' }
    const length = Buffer.byteLength(body)
    headers.push('Content-Type', reply.type ?? jsonType, 'Content-Length', String(length))
    if (incoming.method === 'HEAD') return { status, headers, body: '' }
    context.sent = length
    return { status, headers, body }
  }
}

/** The error body with its three members; no other code writes one. */
export function errorReply({ code, message, status, headers }: AppError): Reply {
  return { status, body: JSON.stringify({ code, message, status }), headers, cache: 'no-store' }
}

/** The origins whose pages may call the service; `*` allows any, an empty list turns CORS off. */
export type Cors = readonly string[]

const exposedHeaders = Object.keys(documentedHeaders).join(', ')
const acceptedHeaders =
  'Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, ' +
  'Last-Event-ID, Mcp-Method, Mcp-Name, MCP-Protocol-Version, X-Request-Id'
const preflightSeconds = '600'

/** An origin is sent back to its page, so it must be one that a header can have. */
export const isAllowed = (cors: Cors, origin: string): boolean =>
  cors.includes(origin) || (cors.includes('*') && /^[!-~]+$/.test(origin))

function corsHeaders(cors: Cors, incoming: Incoming, into: string[]): void {
  into.push('Vary', 'Origin')
  const origin = incoming.header('origin')
  if (origin === undefined || !isAllowed(cors, origin)) return
  into.push('Access-Control-Allow-Origin', origin, 'Access-Control-Expose-Headers', exposedHeaders)
}

/**
 * Whether a request is a preflight from an allowed origin; also for an unknown path, as a web page could not read the
 * 404 otherwise.
 */
export function isPreflight(cors: Cors, incoming: Incoming): boolean {
  const origin = incoming.header('origin')
  return (
    origin !== undefined && incoming.header('access-control-request-method') !== undefined && isAllowed(cors, origin)
  )
}

export function preflightHeaders(cors: Cors, incoming: Incoming, allow: string): string[] {
  const origin = incoming.header('origin')
  if (origin === undefined || !isAllowed(cors, origin)) return []
  return [
    'Access-Control-Allow-Methods',
    allow,
    'Access-Control-Allow-Headers',
    acceptedHeaders,
    'Access-Control-Max-Age',
    preflightSeconds,
  ]
}
