/**
 * The reads of one callback of the event loop, which answers many requests, share one read transaction: taking its lock
 * costs more than most reads. It ends before the next callback reads, which may answer a client that knows of a newer write,
 * before every write of this process, and at the end of the turn at the latest, when the responses are on their way.
 */
import type { DatabaseSync } from 'node:sqlite'
import { unavailable } from './errors.ts'

export interface Snapshot {
  /** Runs a query; throws transient errors as StoreUnavailable. */
  read<T>(query: () => T): T
  /** Called before each write. */
  end(): void
}

/** `onBegin` is called with each transaction. */
export function createSnapshot(db: DatabaseSync, onBegin = () => {}): Snapshot {
  const begin = db.prepare('BEGIN')
  const commit = db.prepare('COMMIT')
  const rollback = db.prepare('ROLLBACK')
  const done = Promise.resolve()
  let isOpen = false
  /** Whether the callback that began the transaction is over. */
  let isOver = false

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
    isOver = true
  }

  return {
    end,
    read(query) {
      try {
        if (isOver) end()
        // A read inside a write is already in a transaction.
        if (!isOpen && !db.isTransaction) {
          begin.run()
          onBegin()
          isOpen = true
          isOver = false
          done.then(endCallback)
          setImmediate(end)
        }
        return query()
      } catch (error) {
        throw unavailable(error) ?? error
      }
    },
  }
}
