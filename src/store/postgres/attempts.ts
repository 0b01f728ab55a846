/** Idempotency records in PostgreSQL: claimed in the statement that inserts the row, so that the two stand or fall together. */
import { type Attempt, attemptMilliseconds, type Outcome, type Rendered, StoreUnavailable } from '../store.ts'
import type { Pool } from './connection.ts'
import { isLocked } from './faults.ts'

/** The columns of an attempt as a batch carries them; all null where the client sent no Idempotency-Key. */
export const attemptColumns = 'key_id bigint, route text, idempotency_key text, fingerprint text, created_at bigint'

export const attemptFields = (attempt: Attempt | undefined) =>
  attempt && {
    key_id: attempt.keyId,
    route: attempt.route,
    idempotency_key: attempt.idempotencyKey,
    fingerprint: attempt.fingerprint,
    created_at: attempt.now,
  }

interface Recorded {
  readonly fingerprint: string
  readonly row_id: string
  readonly json: string
  readonly created_at: string
}

/**
 * Does `insert` unless this attempt was made before. It resolves with undefined where the Idempotency-Key was taken:
 * the claim waits for whoever holds the key to commit or fail, so by then the record is there to read.
 */
export async function once(
  pool: Pool,
  attempt: Attempt | undefined,
  insert: () => Promise<Rendered | undefined>,
): Promise<Outcome> {
  for (;;) {
    let row: Rendered | undefined
    try {
      row = await insert()
    } catch (error) {
      if (!isLocked(error)) throw error
      if (attempt) return 'idempotency_in_progress'
      throw new StoreUnavailable('PostgreSQL: another transaction holds the rows', { cause: error })
    }
    if (row) return { ...row, replayed: false }
    if (!attempt) throw new Error('an insert without an Idempotency-Key returned no row')
    const place = [attempt.keyId, attempt.route, attempt.idempotencyKey]
    const [recorded] = await pool.query<Recorded>(
      'SELECT fingerprint, row_id, json, created_at FROM attempts WHERE key_id = $1 AND route = $2 AND idempotency_key = $3',
      place,
    )
    if (recorded && Number(recorded.created_at) > attempt.now - attemptMilliseconds)
      return recorded.fingerprint === attempt.fingerprint
        ? { id: Number(recorded.row_id), json: recorded.json, replayed: true }
        : 'idempotency_key_reused'
    // Too old to count: it makes room, and the insert is tried again.
    await pool.query(
      'DELETE FROM attempts WHERE key_id = $1 AND route = $2 AND idempotency_key = $3 AND created_at <= $4',
      [...place, attempt.now - attemptMilliseconds],
    )
  }
}
