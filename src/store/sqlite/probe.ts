/** Tells whether the database takes writes, by writing: a full disk or a file that has gone shows only then. */
import type { DatabaseSync } from 'node:sqlite'
import { StoreUnavailable } from '../store.ts'
import type { Writer } from './commit.ts'
import { prepare } from './statement.ts'

/** How long a write that succeeded speaks for the next: who asks again and again must not keep the disk busy. */
const trustMilliseconds = 1_000
/** A balancer wants to know soon; a write may wait longer than this for another process. */
const patienceMilliseconds = 1_000

/** Rejects where a write does not succeed in time. Those who ask meanwhile share one write. */
export function createProbe(db: DatabaseSync, writer: Writer): () => Promise<void> {
  const version = prepare<[number]>(db, 'PRAGMA user_version')
  let succeededAt = Number.NEGATIVE_INFINITY
  let underWay: Promise<void> | undefined

  async function write(): Promise<void> {
    // What is there already: a page in the log, and a wait for the disk. Read anew, as a newer program may have brought
    // the file up to its own version meanwhile.
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
