/** Idempotency records in SQLite, written in the transaction of the row they stand for. */
import type { DatabaseSync } from 'node:sqlite'
import type { ErrorCode } from '../../errors.ts'
import { type Attempt, attemptMilliseconds, type Outcome, type Rendered } from '../store.ts'
import { prepare } from './rows.ts'

export interface Attempts {
  /** Does `work` unless this attempt was made before. Called inside a transaction: writers queue, so none is ever half done. */
  once(attempt: Attempt | undefined, work: () => Rendered | ErrorCode): Outcome
  forget(before: number): void
}

export function createAttempts(db: DatabaseSync): Attempts {
  const find = prepare(
    db,
    'SELECT fingerprint, row_id, json, created_at FROM attempts WHERE key_id = ? AND route = ? AND idempotency_key = ?',
  )
  const record = db.prepare('INSERT OR REPLACE INTO attempts VALUES (?, ?, ?, ?, ?, ?, ?)')
  const forget = db.prepare('DELETE FROM attempts WHERE created_at < ?')

  return {
    once(attempt, work) {
      if (attempt) {
        const { keyId, route, idempotencyKey } = attempt
        const row = find.get(keyId, route, idempotencyKey) as unknown as [string, number, string, number] | undefined
        if (row && row[3] > attempt.now - attemptMilliseconds) {
          const [fingerprint, id, json] = row
          return fingerprint === attempt.fingerprint ? { id, json, replayed: true } : 'idempotency_key_reused'
        }
      }
      const done = work()
      if (typeof done === 'string') return done
      if (attempt) {
        const { keyId, route, idempotencyKey, fingerprint, now } = attempt
        record.run(keyId, route, idempotencyKey, fingerprint, done.id, done.json, now)
      }
      return { ...done, replayed: false }
    },
    forget: (before) => void forget.run(before),
  }
}
