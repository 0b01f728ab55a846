/** Requests that may be repeated: reads their Idempotency-Key, and tells what became of them. */
import { hash } from 'node:crypto'
import { refuse } from '../errors.ts'
import type { Attempt, Outcome, Rendered } from '../store/store.ts'

export function readAttempt(
  header: string | undefined,
  request: { keyId: number; route: string; bytes: Uint8Array; now: number },
): Attempt | undefined {
  if (header === undefined) return undefined
  // A structured-field string ("…", RFC 8941) means the same as its content alone.
  const bare = /^"(?:[^"\\]|\\["\\])*"$/.test(header) ? header.slice(1, -1).replaceAll(/\\(.)/g, '$1') : header
  if (!/^[\x21-\x7e]{1,255}$/.test(bare)) refuse('invalid_idempotency_key')
  return {
    keyId: request.keyId,
    route: request.route,
    idempotencyKey: bare,
    fingerprint: hash('sha256', request.bytes, 'base64url'),
    now: request.now,
  }
}

/** The row an attempt led to, with the header that marks a repeated answer; refuses where it led to none. */
export function settle(outcome: Outcome): Rendered & { readonly headers: readonly string[] } {
  if (typeof outcome === 'string')
    return refuse(outcome, undefined, outcome === 'idempotency_in_progress' ? ['Retry-After', '1'] : [])
  return { ...outcome, headers: outcome.replayed ? ['Idempotency-Replayed', 'true'] : [] }
}
