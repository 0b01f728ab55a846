/**
 * The reads of one callback of the event loop, which answers many requests, share one read transaction: taking its lock
 * costs more than most reads. It ends with the callback, as the next one may bring a client that knows of a newer write, and
 * before every write of this process. With one client, most callbacks have one read, which does without: the transaction
 * would be a third of its cost.
 */
import type { DatabaseSync } from 'node:sqlite'
import { unavailable } from './errors.ts'

export interface Snapshot {
  /** Runs a query of one statement; throws transient errors as StoreUnavailable. */
  read<T>(query: () => T): T
  /** The same with several statements, which see the same state. */
  readTogether<T>(query: () => T): T
  /** Called before each write. */
  end(): void
}

export function createSnapshot(db: DatabaseSync): Snapshot {
  const begin = db.prepare('BEGIN')
  const commit = db.prepare('COMMIT')
  const rollback = db.prepare('ROLLBACK')
  /** Of this callback. */
  let reads = 0
  let isQuiet = true
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

  function endCallback(): void {
    isQuiet = reads === 1
    reads = 0
    end()
  }

  function read<T>(query: () => T, isAlone: boolean): T {
    try {
      if (reads++ === 0) process.nextTick(endCallback)
      // A read inside a write is already in a transaction.
      if (!isOpen && !(isAlone && isQuiet && reads === 1) && !db.isTransaction) {
        begin.run()
        isOpen = true
      }
      return query()
    } catch (error) {
      throw unavailable(error) ?? error
    }
  }

  return {
    end,
    read: (query) => read(query, true),
    readTogether: (query) => read(query, false),
  }
}
