/** Reads the request headers that clients may choose, as far as their values are safe. */
import { hash, randomUUID } from 'node:crypto'
import { refuse } from '../errors.ts'
import { limits } from '../limits.ts'
import type { IdempotencyClaim } from '../store/store.ts'

/** An X-Request-Id that is safe to log. */
export const requestIdPattern = `^[\\w.-]{1,${limits.requestIdLength.max}}$`
const requestId = new RegExp(requestIdPattern)

/** The X-Request-Id that the client sent, if it is safe to log, otherwise a new one. */
export const requestIdFrom = (sent: string | undefined): string =>
  sent !== undefined && requestId.test(sent) ? sent : randomUUID()

/** Version ff is invalid, nothing may follow the flags in version 00, and no id consists only of zeros. */
const traceparent = /^(?!ff|00.{54})[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(?:-.*)?$/

/** The trace that a request belongs to, by the W3C Trace Context recommendation: 32 hexadecimal digits. */
export const traceIdFrom = (sent: string | undefined): string | undefined =>
  sent === undefined ? undefined : traceparent.exec(sent)?.[1]

const visibleAscii = new RegExp(`^[!-~]{1,${limits.idempotencyKeyLength.max}}$`)

/** The claim of a request with an Idempotency-Key, which must take effect only once. */
export function claimOf(header: string, keyId: number, route: string, body: Uint8Array): IdempotencyClaim {
  // A structured-field string ("…", RFC 8941) means the same as its unquoted content.
  const bare = /^"(?:[^"\\]|\\["\\])*"$/.test(header) ? header.slice(1, -1).replaceAll(/\\(.)/g, '$1') : header
  if (!visibleAscii.test(bare)) refuse('invalid_idempotency_key')
  return { keyId, route, idempotencyKey: bare, fingerprint: hash('sha256', body, 'base64url') }
}
