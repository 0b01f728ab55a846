/** Idempotency records in SQLite, written in the same transaction as the row. */
import type { DatabaseSync } from 'node:sqlite'
import { limits } from '../../limits.ts'
import type { IdempotencyClaim, Outcome, Refusal, Rendered } from '../store.ts'
import { prepare } from './statement.ts'

export interface IdempotencyRecords {
  /** Runs `work` unless this request was made before. Called inside a transaction, so no other request is in progress. */
  once(claim: IdempotencyClaim | undefined, work: () => Rendered | Refusal): Outcome
}

export function createIdempotencyRecords(db: DatabaseSync): IdempotencyRecords {
  const find = prepare<[fingerprint: string, rowId: number, json: string, createdAt: number]>(
    db,
    'SELECT fingerprint, row_id, json, created_at FROM idempotency_records WHERE key_id = ? AND route = ? AND idempotency_key = ?',
  )
  const record = db.prepare('INSERT OR REPLACE INTO idempotency_records VALUES (?, ?, ?, ?, ?, ?, ?)')

  return {
    once(claim, work) {
      if (claim) {
        const { keyId, route, idempotencyKey } = claim
        const row = find.get(keyId, route, idempotencyKey)
        if (row && row[3] > claim.now - limits.idempotencyTime.milliseconds) {
          const [fingerprint, id, json] = row
          return fingerprint === claim.fingerprint ? { id, json, replayed: true } : 'idempotency_key_reused'
        }
      }
      const done = work()
      if (typeof done === 'string') return done
      if (claim) {
        const { keyId, route, idempotencyKey, fingerprint, now } = claim
        record.run(keyId, route, idempotencyKey, fingerprint, done.id, done.json, now)
      }
      return { ...done, replayed: false }
    },
  }
}
