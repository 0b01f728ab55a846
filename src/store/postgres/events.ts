/**
 * Events in PostgreSQL. Their ids come from a sequence, so that no writer waits, and do not become visible in order:
 * the transaction with the higher ids may commit first. The horizon is an id up to which no event is still to be
 * committed. A reader that stops there misses no event.
 */
import { turn } from '../../time.ts'
import type { EventSource } from '../events.ts'
import type { Pool } from './pool.ts'
import { now } from './sql.ts'

const lower32 = 2 ** 32 - 1

/**
 * For the WITH of a statement that takes ids of events: locks the last id given out, which is below its own, until the
 * end of the transaction. The lock is shared, so nobody waits. A transaction takes only one, as the server has room for
 * some thousand; the setting that records it is undone, as the lock is, by a rollback to a savepoint. `at` is the time,
 * worked out once for all events of the statement.
 *
 * Advisory locks belong to the whole database, in which each schema may have its own shop. So the first number of each
 * lock that we take is the OID of the table that it is about: here that of the sequence. It is a constant of the
 * statement's plan, and costs nothing. The second number has room for the lower 32 bits of the id.
 */
export const lockLastEvent = `last_event AS MATERIALIZED (
         SELECT CASE
           WHEN current_setting('petstore.event_lock', true) IS DISTINCT FROM pg_current_xact_id_if_assigned()::text
           THEN pg_advisory_xact_lock_shared('event_ids'::regclass::int, (last_value & ${lower32})::oid::int)::text
             || set_config('petstore.event_lock', pg_current_xact_id_if_assigned()::text, true) END,
           (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS at
         FROM event_ids
       )`

/**
 * The horizon: the lowest locked id, or the last id given out. Counting back from last_value makes PostgreSQL read the
 * locks after it, and gives an id its upper bits again. A lock that was taken since is ahead of last_value, which looks
 * like nearly 2^32 behind it.
 */
const readHorizon = `SELECT coalesce(lowest_lock, last_value) AS horizon, lowest_lock FROM event_ids, LATERAL (
    SELECT last_value - max(behind) AS lowest_lock FROM (
      SELECT (last_value - objid::bigint) & ${lower32} AS behind FROM pg_locks
      WHERE locktype = 'advisory' AND objsubid = 2 AND classid = 'event_ids'::regclass
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
    ) AS locks WHERE behind < ${2 ** 31}
  ) AS locks`

function createEventHorizon(pool: Pool) {
  const { time } = pool
  let reading: Promise<number> | undefined
  let blocker: { readonly lock: string; readonly since: number } | undefined

  return {
    /**
     * Resolves with an id such that every later statement sees all events up to it. Calls in one turn of the event loop
     * share one read.
     */
    read(): Promise<number> {
      reading ??= turn(time).then(async () => {
        reading = undefined
        const [row] = await pool.query<{ horizon: string; lowest_lock: string | null }>(readHorizon)
        const lock = row?.lowest_lock ?? null
        if (lock === null) blocker = undefined
        else if (lock !== blocker?.lock) blocker = { lock, since: time.ticks() }
        return Number(row?.horizon)
      })
      return reading
    },
    /**
     * Returns for how long the same transaction has held the horizon back, as far as this process has read, or 0 if
     * none does.
     */
    blockedSeconds: (): number => (blocker ? (time.ticks() - blocker.since) / 1000 : 0),
  }
}

/** The number of events that one statement removes, which takes about 30 ms (docs/scaling.md). */
const purgeRows = 10_000

/**
 * Removes the oldest events, up to the first that is kept, even where times are not in order. It begins behind the last
 * that was removed: the index has those before it until the next vacuum. Of two processes that do it at the same time,
 * one may find its portion removed, and leaves the rest to the other.
 */
const removeOldEvents = `
  WITH portion AS MATERIALIZED (
    SELECT id, at FROM events WHERE id > (SELECT id FROM events_purged) ORDER BY id LIMIT ${purgeRows}
  ), kept AS MATERIALIZED (
    SELECT min(id) AS first FROM portion WHERE at >= ${now} - $1::bigint
  ), removed AS (
    DELETE FROM events WHERE id = ANY (ARRAY(
      SELECT id FROM portion, kept WHERE first IS NULL OR id < first
    )) RETURNING id, at
  ), noted AS (
    UPDATE events_purged SET id = last.id, at = last.at FROM (
      SELECT id, at FROM removed ORDER BY id DESC LIMIT 1
    ) AS last WHERE events_purged.id < last.id
  )
  SELECT count(*)::int AS removed FROM removed`

/**
 * Removes the rows of empty categories that cancel out, which exist because each concurrent writer counts in its own
 * slot. Rows locked by a writer are left out: the removed ones sum up to zero.
 */
const removeEmptyCounts = `
  WITH locked AS MATERIALIZED (
    SELECT * FROM inventory WHERE category_id IN (
      SELECT category_id FROM inventory GROUP BY category_id
      HAVING (sum(available), sum(pending), sum(sold)) = (0, 0, 0) LIMIT 10000
    ) FOR UPDATE SKIP LOCKED
  ), empty AS (
    SELECT category_id FROM locked GROUP BY category_id HAVING (sum(available), sum(pending), sum(sold)) = (0, 0, 0)
  )
  DELETE FROM inventory USING locked JOIN empty USING (category_id)
  WHERE inventory.category_id = locked.category_id AND inventory.slot = locked.slot`

interface PostgresEventSource extends EventSource {
  blockedSeconds(): number
}

export function createEventSource(pool: Pool): PostgresEventSource {
  const { read: horizon, blockedSeconds } = createEventHorizon(pool)
  return {
    horizon,
    blockedSeconds,
    commits: pool.stats.commits,
    async purge(olderThanMilliseconds) {
      const purgeSome = async () =>
        (await pool.write<{ removed: number }>(removeOldEvents, [olderThanMilliseconds]))[0]?.removed
      while ((await purgeSome()) === purgeRows);
      await pool.write(removeEmptyCounts)
    },
  }
}
