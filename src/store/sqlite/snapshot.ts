/**
 * The reads of one callback of the event loop, which answers many requests, share one read transaction: taking its lock
 * costs more than most reads. It ends before the next callback reads, which may answer a client that knows of a newer write,
 * before every write of this process, and at the end of the turn at the latest, when the responses are on their way.
 *
 * With one client, most callbacks have one read. On Node it does without a transaction, and is answered 15 % sooner; on
 * Bun it would be answered as much later (docs/performance.md).
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

const isBun = 'bun' in process.versions

export function createSnapshot(db: DatabaseSync): Snapshot {
  const begin = db.prepare('BEGIN')
  const commit = db.prepare('COMMIT')
  const rollback = db.prepare('ROLLBACK')
  const done = Promise.resolve()
  let isOpen = false
  /** Whether the callback that read last is over. */
  let isOver = false
  /** Of this callback. */
  let reads = 0
  let isQuiet = false

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
    isQuiet = reads === 1 && !isBun
    reads = 0
  }

  function read<T>(query: () => T, isAlone: boolean): T {
    try {
      if (isOver) end()
      isOver = false
      if (reads++ === 0) done.then(endCallback)
      // A read inside a write is already in a transaction.
      if (!isOpen && !(isAlone && isQuiet && reads === 1) && !db.isTransaction) {
        begin.run()
        isOpen = true
        setImmediate(end)
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
