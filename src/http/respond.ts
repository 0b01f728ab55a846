/** Makes the response from a reply, and adds the headers of every response, of the operation and of the key. */
import type { AppError } from '../errors.ts'
import { type Cors, corsHeaders } from './cors.ts'
import { type Deprecation, deprecationHeaders } from './deprecation.ts'
import { etagOf, matchesIfNoneMatch } from './etag.ts'
import { type Incoming, jsonType, type Outgoing, type Reply, revalidate } from './message.ts'
import type { Decision } from './rate-limits.ts'

/** The part of an operation's declaration that its responses depend on. */
interface DeprecableOperation {
  readonly deprecated?: Deprecation
}

export interface ResponseContext {
  readonly requestId: string
  route: string | undefined
  operation?: DeprecableOperation
  rate?: Decision
  sent: number
}

type Respond = (incoming: Incoming, reply: Reply, context: ResponseContext) => Outgoing

export function createRespond(operations: readonly DeprecableOperation[], cors: Cors, publicUrl: string): Respond {
  const announcements = new Map<DeprecableOperation | undefined, readonly string[]>()
  for (const operation of operations)
    if (operation.deprecated) announcements.set(operation, deprecationHeaders(operation.deprecated, publicUrl))

  return function respond(incoming, reply, context) {
    const { requestId, operation, rate, route } = context
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
      if (incoming.method === 'HEAD') return { status, headers, body: '', route }
      // The connection closes with the stream: a request behind it on the same connection would wait for its end.
      headers.push('Connection', 'close')
      return { status, headers, body, route }
    }
    if (cache === 'no-store') headers.push('Cache-Control', cache)
    else if (status === 200 && (incoming.method === 'GET' || incoming.method === 'HEAD')) {
      const etag = cache?.etag ?? etagOf(body)
      headers.push('ETag', etag, 'Cache-Control', cache?.control ?? revalidate)
      const ifNoneMatch = incoming.header('if-none-match')
      if (ifNoneMatch !== undefined && matchesIfNoneMatch(ifNoneMatch, etag)) status = 304
    }
    if (status === 204 || status === 304) return { status, headers, body: '', route }
    const length = Buffer.byteLength(body)
    headers.push('Content-Type', reply.type ?? jsonType, 'Content-Length', String(length))
    if (incoming.method === 'HEAD') return { status, headers, body: '', route }
    context.sent = length
    return { status, headers, body, route }
  }
}

/** The body of an error. No other code writes one. */
export function errorReply({ code, message, status, headers }: AppError): Reply {
  return { status, body: JSON.stringify({ code, message, status }), headers, cache: 'no-store' }
}
