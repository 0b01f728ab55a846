/**
 * Reads of one turn of the event loop share one read transaction: its lock costs more than many a read. It ends with
 * the turn, and before every write of this process, so that what was acknowledged is always seen.
 */
import type { DatabaseSync } from 'node:sqlite'
import { unavailable } from './errors.ts'

export interface Snapshot {
  /** Runs a query; an error of the database comes out as StoreUnavailable. */
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
    // A failed read may have ended it already.
    if (!db.isTransaction) return
    try {
      commit.run()
    } catch {
      // A damaged file: of a read there is nothing to keep, and nobody to tell who was not told by the read itself.
      if (db.isTransaction) rollback.run()
    }
  }

  return {
    end,
    read(query) {
      try {
        // A write that reads is in a transaction of its own.
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
