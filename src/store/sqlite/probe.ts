/** Checks that the database accepts writes, by writing: only that reveals a full disk or a removed file. */
import type { DatabaseSync } from 'node:sqlite'
import { StoreUnavailable } from '../store.ts'
import type { Writer } from './commit.ts'
import { prepare } from './statement.ts'

/** How long a successful write counts, so that frequent probes do not keep the disk busy. */
const trustMilliseconds = 1_000
/** A load balancer needs an early answer; a write may wait longer than this for the write lock. */
const patienceMilliseconds = 1_000

/** Rejects if a write does not succeed in time. Concurrent probes share one write. */
export function createProbe(db: DatabaseSync, writer: Writer): () => Promise<void> {
  const version = prepare<[number]>(db, 'PRAGMA user_version')
  let succeededAt = Number.NEGATIVE_INFINITY
  let underWay: Promise<void> | undefined

  async function write(): Promise<void> {
    // Writes the current value: one page in the log, and one fsync. Read each time, as a newer version of the program may
    // have migrated the file.
    await writer.write(() => db.exec(`PRAGMA user_version = ${version.get()?.[0]}`))
    succeededAt = performance.now()
  }

  return async () => {
    if (performance.now() - succeededAt < trustMilliseconds) return
    underWay ??= write().finally(() => {
      underWay = undefined
    })
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_, reject) => {
      const error = new StoreUnavailable('SQLite: another process holds the write lock')
      timer = setTimeout(() => reject(error), patienceMilliseconds)
    })
    await Promise.race([underWay, late]).finally(() => clearTimeout(timer))
  }
}
