/** Idempotency records in SQLite, written in the transaction of the row, so that both exist or neither. */
import type { DatabaseSync } from 'node:sqlite'
import { limits } from '../../limits.ts'
import type { IdempotencyClaim, Outcome, Refusal, Rendered } from '../store.ts'
import { now, prepare } from './statement.ts'

export interface IdempotencyRecords {
  /** Runs `work` unless this request was made before. Inside a transaction, so no other request is in progress. */
  runOnce(claim: IdempotencyClaim | undefined, work: () => Rendered | Refusal): Outcome
}

export function createIdempotencyRecords(db: DatabaseSync): IdempotencyRecords {
  const find = prepare<[fingerprint: string, rowId: number, json: string]>(
    db,
    `SELECT fingerprint, row_id, json FROM idempotency_records WHERE key_id = ? AND route = ? AND idempotency_key = ?
     AND created_at > ${now} - ${limits.idempotencyTime.milliseconds}`,
  )
  const record = db.prepare(
    `INSERT OR REPLACE INTO idempotency_records (key_id, route, idempotency_key, fingerprint, row_id, json, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ${now})`,
  )

  return {
    runOnce(claim, work) {
      if (claim) {
        const { keyId, route, idempotencyKey } = claim
        const row = find.get(keyId, route, idempotencyKey)
        if (row) {
          const [fingerprint, id, json] = row
          return fingerprint === claim.fingerprint ? { id, json, replayed: true } : 'idempotency_key_reused'
        }
      }
      const done = work()
      if (typeof done === 'string') return done
      if (claim) {
        const { keyId, route, idempotencyKey, fingerprint } = claim
        record.run(keyId, route, idempotencyKey, fingerprint, done.id, done.json)
      }
      return { ...done, replayed: false }
    },
  }
}
