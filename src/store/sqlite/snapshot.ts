/**
 * The reads of one turn of the event loop share one read transaction: taking its lock costs more than most reads. It
 * ends with the turn, and before every write of this process, so that acknowledged writes are always visible.
 */
import type { DatabaseSync } from 'node:sqlite'
import { unavailable } from './errors.ts'

export interface Snapshot {
  /** Runs a query; throws transient errors as StoreUnavailable. */
  read<T>(query: () => T): T
  /** Called before each write. */
  end(): void
}

export function createSnapshot(db: DatabaseSync): Snapshot {
  const begin = db.prepare('BEGIN')
  const commit = db.prepare('COMMIT')
  const rollback = db.prepare('ROLLBACK')
  let isOpen = false

  function end(): void {
    if (!isOpen) return
    isOpen = false
    // A failed read may have ended the transaction.
    if (!db.isTransaction) return
    try {
      commit.run()
    } catch {
      // A damaged file. The read itself has reported the error; there is nothing to commit.
      if (db.isTransaction) rollback.run()
    }
  }

  return {
    end,
    read(query) {
      try {
        // A read inside a write is already in a transaction.
        if (!isOpen && !db.isTransaction) {
          begin.run()
          isOpen = true
          setImmediate(end)
        }
        return query()
      } catch (error) {
        throw unavailable(error) ?? error
      }
    },
  }
}
