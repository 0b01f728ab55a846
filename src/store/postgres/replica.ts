/**
 * Reads from a replica, where it has all that was committed when the read began; else from the primary. So a client finds
 * what it has just written, whichever instance it asks, and the horizon of ids holds for what a replica shows.
 */
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import type { SqlValue } from '../sql.ts'
import type { Pool, Query } from './pool.ts'

/** What has been flushed includes all that was acknowledged. */
const position = 'SELECT pg_current_wal_flush_lsn() AS position'
/**
 * A statement of its own before the read, whose snapshot would otherwise be older than what is compared. A replica that
 * follows nobody may be one that a failover has left behind, whose positions mean something else.
 */
const reached = `SELECT pg_last_wal_replay_lsn() >= $1::pg_lsn
  AND EXISTS (SELECT FROM pg_stat_get_wal_receiver() WHERE pid IS NOT NULL) AS reached`

/** A replica is usually behind by less than the time that two tries take. */
const triesMax = 3
const pauseMilliseconds = 1
/** How long a replica that hangs may hold up a read, in all tries. */
const patienceMilliseconds = 250
/** How long the primary has all reads, after a replica that is behind, or fails; twice as long after each further failure. */
const restMilliseconds = { behind: 100, failed: 1_000, most: 30_000 }

export interface ReplicaReader {
  readonly query: Query
  /** Reads so far, by where they were answered. */
  readonly counts: { replica: number; primary: number }
}

export function createReplicaReader(
  primary: Pool,
  replica: Pool | undefined,
  now = () => performance.now(),
): ReplicaReader {
  const counts = { replica: 0, primary: 0 }
  if (!replica) return { query: primary.query, counts }

  let restUntil = Number.NEGATIVE_INFINITY
  let failures = 0
  let asking: Promise<string> | undefined

  /** All that ask in one turn of the event loop share an answer. */
  function ask(): Promise<string> {
    asking ??= nextTurn().then(async () => {
      asking = undefined
      const [row] = await primary.query<{ position: string }>(position)
      return row?.position as string
    })
    return asking
  }

  return {
    counts,
    async query<Row>(text: string, values: readonly SqlValue[] = []): Promise<Row[]> {
      if (now() >= restUntil) {
        try {
          const first = { text: reached, values: [await ask()] }
          const deadline = performance.now() + patienceMilliseconds
          for (let tries = 0; tries < triesMax; tries++) {
            if (tries > 0) await sleep(pauseMilliseconds)
            const [[row], rows] = await replica.queryBoth<{ reached: boolean | null }, Row>(
              first,
              { text, values },
              deadline - performance.now(),
            )
            if (row?.reached) {
              counts.replica++
              failures = 0
              return rows
            }
          }
          restUntil = now() + restMilliseconds.behind
        } catch {
          restUntil = now() + Math.min(restMilliseconds.failed * 2 ** failures++, restMilliseconds.most)
        }
      }
      counts.primary++
      return primary.query<Row>(text, values)
    },
  }
}
