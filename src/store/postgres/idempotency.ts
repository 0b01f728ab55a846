/** Idempotency records in PostgreSQL, written in the transaction of the row, so that both exist or neither. */
import { limits } from '../../limits.ts'
import { Outdated, query, type Steps } from '../shared-sql.ts'
import type { IdempotencyClaim, Outcome, Refusal, Rendered } from '../store.ts'
import { isLockedIn } from './errors.ts'
import { now } from './sql.ts'

/** The columns of a claim in a batch; all null if the client sent no Idempotency-Key. */
export const claimColumns = 'key_id bigint, route text, idempotency_key text, fingerprint text'

/** Batches insert records in this order. In another order, two batches with the same keys could deadlock. */
export const claimKey = 'key_id, route, idempotency_key'

export const claimFields = (claim: IdempotencyClaim | undefined) =>
  claim && {
    key_id: claim.keyId,
    route: claim.route,
    idempotency_key: claim.idempotencyKey,
    fingerprint: claim.fingerprint,
  }

/** This uses the clock of the database, because the clock of an instance may be wrong. */
const isLive = `idempotency_records.created_at > ${now} - ${limits.idempotencyTime.milliseconds}`

interface Recorded {
  readonly fingerprint: string
  readonly row_id: string
  readonly json: string
}

/**
 * The commit of a transaction that has locked a row waits for a standby, as that of a write does: after a crash or a
 * cancelled wait, the record may be here alone, and must not be acknowledged.
 */
const find = `SELECT fingerprint, row_id, json FROM idempotency_records
  WHERE key_id = $1 AND route = $2 AND idempotency_key = $3 AND ${isLive} FOR KEY SHARE`

/** Replaces a record that is too old. Waits for another transaction that has just used the key; writes nothing then. */
const record = `
  INSERT INTO idempotency_records (key_id, route, idempotency_key, fingerprint, row_id, json, created_at)
  VALUES ($1, $2, $3, $4, $5, $6, ${now})
  ON CONFLICT (${claimKey}) DO UPDATE SET
    fingerprint = excluded.fingerprint, row_id = excluded.row_id, json = excluded.json, created_at = excluded.created_at
  WHERE NOT (${isLive}) RETURNING 1`

/** The outcome of an earlier request with the same Idempotency-Key. */
function* findEarlier({ keyId, route, idempotencyKey, fingerprint }: IdempotencyClaim): Steps<Outcome | undefined> {
  const [earlier] = yield* query<Recorded>(find, keyId, route, idempotencyKey)
  if (!earlier) return undefined
  if (earlier.fingerprint !== fingerprint) return 'idempotency_key_reused'
  return { id: Number(earlier.row_id), json: earlier.json, replayed: true }
}

/** Does some steps of a transaction, unless this request was made before. */
export function* once(claim: IdempotencyClaim | undefined, work: () => Steps<Rendered | Refusal>): Steps<Outcome> {
  if (!claim) return outcomeOf(yield* work())
  const earlier = yield* findEarlier(claim)
  if (earlier) return earlier
  const done = yield* work()
  // The conflict may be caused by the same request, which another instance has completed since.
  if (typeof done === 'string') return (yield* findEarlier(claim)) ?? done
  const { keyId, route, idempotencyKey, fingerprint } = claim
  const recorded = yield* query(record, keyId, route, idempotencyKey, fingerprint, done.id, done.json)
  if (recorded.length === 0) throw new Outdated('another request has just used the Idempotency-Key')
  return outcomeOf(done)
}

const outcomeOf = (done: Rendered | Refusal): Outcome =>
  typeof done === 'string' ? done : { ...done, replayed: false }

/**
 * For a request that could not wait any longer for another request with the same key: refuses it because the other
 * request is still in progress.
 */
export function inProgress(error: unknown): 'idempotency_in_progress' {
  if (isLockedIn('idempotency_records', error)) return 'idempotency_in_progress'
  throw error
}
