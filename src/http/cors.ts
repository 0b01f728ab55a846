/** CORS: allowed only for origins that the operator lists. */
import { headers } from './headers.ts'
import type { Incoming } from './message.ts'

/** Allowed origins; `*` allows any, an empty list turns CORS off. */
export type Cors = readonly string[]

const exposed = Object.keys(headers).join(', ')
const accepted = 'Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, X-Request-Id'
const preflightSeconds = '600'

export function corsHeaders(cors: Cors, incoming: Incoming, into: string[]): void {
  into.push('Vary', 'Origin')
  const origin = incoming.header('origin')
  if (origin === undefined || !isAllowed(cors, origin)) return
  into.push('Access-Control-Allow-Origin', origin, 'Access-Control-Expose-Headers', exposed)
}

/** A preflight from an allowed origin. Unknown paths answer it too, or the page could not even read the 404. */
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
    accepted,
    'Access-Control-Max-Age',
    preflightSeconds,
  ]
}

const isAllowed = (cors: Cors, origin: string): boolean => cors.includes(origin) || cors.includes('*')
