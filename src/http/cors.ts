/** CORS: which web pages may call the service, and the headers that their browsers need. */
import type { Incoming, Reply } from './message.ts'
import { headers as documentedHeaders } from './response-headers.ts'

/**
 * The origins whose pages may call the service. `*` allows any origin, or in place of a port any port. An empty list
 * turns CORS off.
 */
export type Cors = readonly string[]

const exposedHeaders = Object.keys(documentedHeaders).join(', ')
const acceptedHeaders =
  'Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, ' +
  'Last-Event-ID, Mcp-Method, Mcp-Name, MCP-Protocol-Version, X-Request-Id'
const preflightSeconds = '600'

/** An origin is returned in a header, so it must consist of characters that a header can contain. */
export const isAllowed = (cors: Cors, origin: string): boolean =>
  cors.includes(origin) ||
  cors.includes(origin.replace(/:\d+$/, ':*')) ||
  (cors.includes('*') && /^[!-~]+$/.test(origin))

export function corsHeaders(cors: Cors, incoming: Incoming, into: string[]): void {
  into.push('Vary', 'Origin')
  const origin = incoming.header('origin')
  if (origin === undefined || !isAllowed(cors, origin)) return
  into.push('Access-Control-Allow-Origin', origin, 'Access-Control-Expose-Headers', exposedHeaders)
}

/**
 * Whether a request is a preflight from an allowed origin. This includes unknown paths, because otherwise a web page
 * could not read the 404.
 */
export function isPreflight(cors: Cors, incoming: Incoming): boolean {
  const origin = incoming.header('origin')
  return (
    origin !== undefined && incoming.header('access-control-request-method') !== undefined && isAllowed(cors, origin)
  )
}

export function optionsReply(cors: Cors, incoming: Incoming, allow: string): Reply {
  const headers = ['Allow', allow]
  const origin = incoming.header('origin')
  if (origin !== undefined && isAllowed(cors, origin))
    headers.push(
      'Access-Control-Allow-Methods',
      allow,
      'Access-Control-Allow-Headers',
      acceptedHeaders,
      'Access-Control-Max-Age',
      preflightSeconds,
    )
  return { status: 204, body: '', headers }
}
