/** Turns a reply into the response: the headers that every response has, those of its operation and key, and 304. */
import type { AppError } from '../errors.ts'
import type { Decision } from '../keys/rate-limits.ts'
import { type Cors, corsHeaders } from './cors.ts'
import { deprecationHeaders } from './deprecation.ts'
import { etagOf, matchesIfNoneMatch } from './etag.ts'
import { revalidate } from './headers.ts'
import { type Answer, type Incoming, jsonType, type Reply } from './message.ts'
import type { Operation } from './operation.ts'

export interface Responding {
  readonly requestId: string
  operation?: Operation
  /** If the key has a rate limit. */
  rate?: Decision
  /** Bytes of the body. */
  sent: number
}

export type Respond = (incoming: Incoming, reply: Reply, trace: Responding) => Answer

export function createRespond(operations: readonly Operation[], cors: Cors, publicUrl: string): Respond {
  const announcements = new Map<Operation | undefined, readonly string[]>()
  for (const operation of operations)
    if (operation.deprecated) announcements.set(operation, deprecationHeaders(operation.deprecated, publicUrl))

  return (incoming, reply, trace) => {
    const { requestId, operation, rate } = trace
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
      // Its connection ends with it, so that no request is sent behind a stream.
      headers.push('Cache-Control', 'no-store', 'Content-Type', reply.type ?? jsonType, 'Connection', 'close')
      return { status, headers, body: incoming.method === 'HEAD' ? '' : body }
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
    trace.sent = length
    return { status, headers, body }
  }
}

/** The error body with its three members; no other code writes one. */
export function errorReply({ code, message, status, headers }: AppError): Reply {
  return { status, body: JSON.stringify({ code, message, status }), headers, cache: 'no-store' }
}
