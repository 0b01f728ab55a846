/**
 * Reads from a replica if it has all that was committed when the read began, else from the primary. So a client finds
 * what it has just written, whichever instance it asks.
 */
import { sleep, type Time, turn } from '../../time.ts'
import type { SqlValue } from '../shared-sql.ts'
import type { Pool, Query } from './pool.ts'

/** Where the flushed log of the primary ends: it has all acknowledged commits. */
const position = 'SELECT pg_current_wal_flush_lsn() AS position'
/**
 * A statement before the read, so that the snapshot of the read is newer. A replica without a primary may have been
 * left behind by a failover, and its positions then mean something else.
 */
const reached = `SELECT pg_last_wal_replay_lsn() >= $1::pg_lsn
  AND EXISTS (SELECT FROM pg_stat_get_wal_receiver() WHERE pid IS NOT NULL) AS reached`

/** A replica is usually behind by less than the time that two tries take. */
const triesMax = 3
const pauseMilliseconds = 1
/** How long a replica that hangs may hold up a read, in all tries. */
const patienceMilliseconds = 250
/** How long all reads go to the primary after the replica was behind or failed; doubled by each further failure. */
const restMilliseconds = { behind: 100, failed: 1_000, most: 30_000 }

export function createReplicaQuery(primary: Pool, replica: Pool | undefined, time: Time): Query {
  if (!replica) return primary.query

  let restUntil = Number.NEGATIVE_INFINITY
  let failures = 0
  let asking: Promise<string> | undefined

  /** The calls of one turn of the event loop share an answer. */
  function ask(): Promise<string> {
    asking ??= turn(time).then(async () => {
      asking = undefined
      const [row] = await primary.query<{ position: string }>(position)
      return row?.position as string
    })
    return asking
  }

  return async <Row>(text: string, values: readonly SqlValue[] = []) => {
    if (time.ticks() >= restUntil) {
      try {
        const first = { text: reached, values: [await ask()] }
        const deadline = time.ticks() + patienceMilliseconds
        for (let tries = 0; tries < triesMax; tries++) {
          if (tries > 0) await sleep(time, pauseMilliseconds)
          const [[row], rows] = await replica.queryBoth<{ reached: boolean | null }, Row>(
            first,
            { text, values },
            deadline - time.ticks(),
          )
          if (row?.reached) {
            failures = 0
            return rows
          }
        }
        restUntil = time.ticks() + restMilliseconds.behind
      } catch {
        restUntil = time.ticks() + Math.min(restMilliseconds.failed * 2 ** failures++, restMilliseconds.most)
      }
    }
    return primary.query<Row>(text, values)
  }
}
