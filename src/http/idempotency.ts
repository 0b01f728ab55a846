/** Requests that may be repeated: reads their Idempotency-Key, and turns what the store did into an answer. */
import { hash } from 'node:crypto'
import { refuse } from '../errors.ts'
import { limits } from '../limits.ts'
import type { IdempotencyClaim, Outcome, Rendered } from '../store/store.ts'

const visibleAscii = new RegExp(`^[!-~]{1,${limits.idempotencyKeyLength.max}}$`)

export function readIdempotencyKey(
  header: string | undefined,
  request: { keyId: number; route: string; bytes: Uint8Array; now: number },
): IdempotencyClaim | undefined {
  if (header === undefined) return undefined
  // A structured-field string ("…", RFC 8941) means the same as its content alone.
  const bare = /^"(?:[^"\\]|\\["\\])*"$/.test(header) ? header.slice(1, -1).replaceAll(/\\(.)/g, '$1') : header
  if (!visibleAscii.test(bare)) refuse('invalid_idempotency_key')
  return {
    keyId: request.keyId,
    route: request.route,
    idempotencyKey: bare,
    fingerprint: hash('sha256', request.bytes, 'base64url'),
    now: request.now,
  }
}

/** The row an claim led to, with the header that marks a repeated answer; refuses where it led to none. */
export function rowOf(outcome: Outcome): Rendered & { readonly headers: readonly string[] } {
  if (typeof outcome === 'string')
    return refuse(outcome, undefined, outcome === 'idempotency_in_progress' ? ['Retry-After', '1'] : [])
  return { ...outcome, headers: outcome.replayed ? ['Idempotency-Replayed', 'true'] : [] }
}
