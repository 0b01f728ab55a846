/** Turns the outcome of a write into the row, or into the error for the client. */
import { refuse } from '../errors.ts'
import type { Outcome } from '../store/store.ts'

/**
 * The row that was written, with the header that marks the replayed response of an earlier request. Throws if the store
 * refused the write.
 */
export function rowOf(outcome: Outcome): Exclude<Outcome, string> & { readonly headers: readonly string[] } {
  if (typeof outcome === 'string')
    return refuse(outcome, undefined, outcome === 'idempotency_in_progress' ? ['Retry-After', '1'] : [])
  return { ...outcome, headers: outcome.replayed ? ['Idempotency-Replayed', 'true'] : [] }
}
