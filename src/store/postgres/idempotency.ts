/** Idempotency records in PostgreSQL: claimed in the statement that inserts the row, so that the two stand or fall together. */
import { limits } from '../../limits.ts'
import { type IdempotencyClaim, type Outcome, type Refusal, type Rendered, StoreUnavailable } from '../store.ts'
import type { Pool, Value } from './connection.ts'
import { isLocked, isTaken } from './errors.ts'

/** The columns of an claim as a batch carries them; all null where the client sent no Idempotency-Key. */
export const claimColumns = 'key_id bigint, route text, idempotency_key text, fingerprint text, created_at bigint'

export const claimFields = (claim: IdempotencyClaim | undefined) =>
  claim && {
    key_id: claim.keyId,
    route: claim.route,
    idempotency_key: claim.idempotencyKey,
    fingerprint: claim.fingerprint,
    created_at: claim.now,
  }

interface Recorded {
  readonly fingerprint: string
  readonly row_id: string
  readonly json: string
  readonly created_at: string
}

/** Columns and values that record an claim beside the row it led to; `$n` to `$n+4` are the values of `claimValues`. */
export const recordClaim = (n: number, row: string): string =>
  `INSERT INTO attempts (key_id, route, idempotency_key, fingerprint, created_at, row_id, json)
   SELECT $${n}::bigint, $${n + 1}::text, $${n + 2}::text, $${n + 3}::text, $${n + 4}::bigint, id, doc FROM ${row} WHERE $${n + 2}::text IS NOT NULL`

export const claimValues = (claim: IdempotencyClaim | undefined): Value[] =>
  claim
    ? [claim.keyId, claim.route, claim.idempotencyKey, claim.fingerprint, claim.now]
    : [null, null, null, null, null]

/** Finds out why nothing was written; undefined where the reason has gone and it is worth trying again. */
export type Explain = () => Promise<Refusal | undefined>

const triesMax = 10

/**
 * Does `write` unless this claim was made before. It resolves with undefined where it wrote nothing: because the
 * Idempotency-Key was taken (the claim waits for its holder to commit or fail, so by then the record is there to
 * read), or for a reason that `explain` knows.
 */
export async function once(
  pool: Pool,
  claim: IdempotencyClaim | undefined,
  write: () => Promise<Rendered | undefined>,
  explain: Explain = async () => undefined,
): Promise<Outcome> {
  for (let tries = 0; tries < triesMax; tries++) {
    let row: Rendered | undefined
    let isUndone = false
    try {
      row = await write()
    } catch (error) {
      if (isLocked(error) && claim) return 'idempotency_in_progress'
      // The key or the animal was taken by another in the same moment; the whole statement was undone.
      if (!isTaken(error)) throw error
      isUndone = true
    }
    if (row) return { ...row, replayed: false }
    const before = claim && (await earlier(pool, claim))
    if (before) return before
    // A record too old to count had the key, and is gone: what was undone can be done now.
    if (claim && isUndone) continue
    const reason = await explain()
    if (reason) return reason
  }
  throw new StoreUnavailable('PostgreSQL: the same rows were changed again and again')
}

/** What an earlier claim under the same Idempotency-Key led to; one too old to count is removed. */
async function earlier(pool: Pool, claim: IdempotencyClaim): Promise<Outcome | undefined> {
  const place = [claim.keyId, claim.route, claim.idempotencyKey]
  const [recorded] = await pool.query<Recorded>(
    'SELECT fingerprint, row_id, json, created_at FROM attempts WHERE key_id = $1 AND route = $2 AND idempotency_key = $3',
    place,
  )
  if (!recorded) return undefined
  if (Number(recorded.created_at) > claim.now - limits.idempotencyTime.milliseconds)
    return recorded.fingerprint === claim.fingerprint
      ? { id: Number(recorded.row_id), json: recorded.json, replayed: true }
      : 'idempotency_key_reused'
  await pool.query(
    'DELETE FROM attempts WHERE key_id = $1 AND route = $2 AND idempotency_key = $3 AND created_at <= $4',
    [...place, claim.now - limits.idempotencyTime.milliseconds],
  )
  return undefined
}
