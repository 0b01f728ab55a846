/** Idempotency records in PostgreSQL, written by the same statement as the row, so that both exist or neither. */
import { limits } from '../../limits.ts'
import { type IdempotencyClaim, type Outcome, type Refusal, type Rendered, StoreUnavailable } from '../store.ts'
import { isLockedIn, isTaken } from './errors.ts'
import type { Pool } from './pool.ts'
import { now } from './sql.ts'

/** The columns of a claim in a batch; all null if the client sent no Idempotency-Key. */
export const claimColumns = 'key_id bigint, route text, idempotency_key text, fingerprint text'

export const claimFields = (claim: IdempotencyClaim | undefined) =>
  claim && {
    key_id: claim.keyId,
    route: claim.route,
    idempotency_key: claim.idempotencyKey,
    fingerprint: claim.fingerprint,
  }

/** By the clock of the database, as that of an instance may be wrong. */
const isLive = `(created_at > ${now} - ${limits.idempotencyTime.milliseconds})`

interface Recorded {
  readonly fingerprint: string
  readonly row_id: string
  readonly json: string
  readonly is_live: boolean
}

const triesMax = 10

/**
 * Runs `write` unless this request was made before. `write` resolves with undefined if it wrote nothing: because the
 * Idempotency-Key was taken (its insert waits until the holder has committed or failed, so by then the record can be
 * read), or for a reason that `explain` finds: undefined if that no longer holds and a retry may succeed.
 */
export async function writeOnce<Reason = Refusal>(
  pool: Pool,
  claim: IdempotencyClaim | undefined,
  write: () => Promise<Rendered | undefined>,
  explain: () => Promise<Reason | undefined> = async () => undefined,
): Promise<Outcome | Reason> {
  for (let tries = 0; tries < triesMax; tries++) {
    let row: Rendered | undefined
    let isUndone = false
    try {
      row = await write()
    } catch (error) {
      if (claim && isLockedIn('idempotency_records', error)) return 'idempotency_in_progress'
      // A concurrent request took the key or the animal; the whole statement was rolled back.
      if (!isTaken(error)) throw error
      isUndone = true
    }
    if (row) return { ...row, replayed: false }
    // Before the look for a record: what prevented this write may have been the same request.
    const reason = claim && isUndone ? undefined : await explain()
    const before = claim && (await findEarlier(pool, claim))
    if (before) return before
    // Without a reason, an expired record was deleted or the obstacle is gone: the write can be retried.
    if (reason) return reason
  }
  throw new StoreUnavailable('PostgreSQL: the same rows were changed again and again')
}

/**
 * For a SELECT that acknowledges what was written before: its commit waits for a standby, as that of a write does.
 * After a crash or a cancelled wait, the row may be here alone.
 */
export const forAcknowledgement = 'FOR KEY SHARE'

/** The outcome of an earlier request with the same Idempotency-Key; an expired record is deleted. */
async function findEarlier(pool: Pool, claim: IdempotencyClaim): Promise<Outcome | undefined> {
  const place = [claim.keyId, claim.route, claim.idempotencyKey]
  const [recorded] = await pool.query<Recorded>(
    `SELECT fingerprint, row_id, json, ${isLive} AS is_live FROM idempotency_records
     WHERE key_id = $1 AND route = $2 AND idempotency_key = $3 ${forAcknowledgement}`,
    place,
  )
  if (!recorded) return undefined
  if (recorded.is_live)
    return recorded.fingerprint === claim.fingerprint
      ? { id: Number(recorded.row_id), json: recorded.json, replayed: true }
      : 'idempotency_key_reused'
  await pool.query(
    `DELETE FROM idempotency_records WHERE key_id = $1 AND route = $2 AND idempotency_key = $3 AND NOT ${isLive}`,
    place,
  )
  return undefined
}
