/** Idempotent requests: reads the Idempotency-Key, and turns the store's outcome into a response. */
import { hash } from 'node:crypto'
import { refuse } from '../errors.ts'
import { limits } from '../limits.ts'
import type { IdempotencyClaim, Outcome } from '../store/store.ts'

const visibleAscii = new RegExp(`^[!-~]{1,${limits.idempotencyKeyLength.max}}$`)

export function readIdempotencyKey(
  header: string | undefined,
  request: { keyId: number; route: string; bytes: Uint8Array; now: number },
): IdempotencyClaim | undefined {
  if (header === undefined) return undefined
  // A structured-field string ("…", RFC 8941) means the same as its unquoted content.
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

/** The row that was written, with the header that marks a replayed response; throws if the store refused. */
export function rowOf(outcome: Outcome): Exclude<Outcome, string> & { readonly headers: readonly string[] } {
  if (typeof outcome === 'string')
    return refuse(outcome, undefined, outcome === 'idempotency_in_progress' ? ['Retry-After', '1'] : [])
  return { ...outcome, headers: outcome.replayed ? ['Idempotency-Replayed', 'true'] : [] }
}
