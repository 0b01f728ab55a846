/** What becomes of the outcome of a write: the row, or the error that the client gets. */
import { refuse } from '../errors.ts'
import type { Outcome } from '../store/store.ts'

/**
 * The row that was written, with the header that marks the replayed response of an earlier request; throws if the store
 * refused.
 */
export function rowOf(outcome: Outcome): Exclude<Outcome, string> & { readonly headers: readonly string[] } {
  if (typeof outcome === 'string')
    return refuse(outcome, undefined, outcome === 'idempotency_in_progress' ? ['Retry-After', '1'] : [])
  return { ...outcome, headers: outcome.replayed ? ['Idempotency-Replayed', 'true'] : [] }
}
