/** Idempotency records in SQLite, written in the transaction of the row they stand for. */
import type { DatabaseSync } from 'node:sqlite'
import { limits } from '../../limits.ts'
import type { IdempotencyClaim, Outcome, Refusal, Rendered } from '../store.ts'
import { prepare } from './statement.ts'

export interface IdempotencyRecords {
  /** Does `work` unless this claim was made before. Called inside a transaction: writers queue, so none is ever half done. */
  once(claim: IdempotencyClaim | undefined, work: () => Rendered | Refusal): Outcome
  purge(before: number): void
}

export function createIdempotencyRecords(db: DatabaseSync): IdempotencyRecords {
  const find = prepare<[fingerprint: string, rowId: number, json: string, createdAt: number]>(
    db,
    'SELECT fingerprint, row_id, json, created_at FROM attempts WHERE key_id = ? AND route = ? AND idempotency_key = ?',
  )
  const record = db.prepare('INSERT OR REPLACE INTO attempts VALUES (?, ?, ?, ?, ?, ?, ?)')
  const purge = db.prepare('DELETE FROM attempts WHERE created_at < ?')

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
    purge: (before) => void purge.run(before),
  }
}
