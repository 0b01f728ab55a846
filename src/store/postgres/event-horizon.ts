/**
 * Up to where the events can be read. Their ids come from a sequence, which no writer waits for, and so do not become
 * visible in their order: of two transactions, the one with the higher ids may commit first. The horizon is an id up to
 * which all events are committed, or never will be; who reads no further misses none.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Pool } from './pool.ts'

/** The first byte of these locks, among all that programs take in the database. */
const lockByte = 0x45

/**
 * For the WITH of a statement that takes ids of events. It locks the last id given out, which is below its own, until its
 * transaction ends, after its rows have become visible. The lock is shared: nobody waits for it. A transaction takes one, as the
 * server has room for some thousand; that it has one is noted where a rollback to a savepoint forgets it together with the lock.
 */
export const lockLastEvent = `last_event AS MATERIALIZED (
         SELECT CASE WHEN current_setting('petstore.event_lock', true) IS DISTINCT FROM pg_current_xact_id_if_assigned()::text
           THEN pg_advisory_xact_lock_shared((${lockByte}::bigint << 56) + last_value)::text
             || set_config('petstore.event_lock', pg_current_xact_id_if_assigned()::text, true) END
         FROM event_ids
       )`

/** The locks are compared with the last id, so that they are read after it: up to the lowest of them nothing is under way. */
const readHorizon = `SELECT coalesce(held, last_value) AS horizon, held FROM event_ids, LATERAL (
    SELECT min(id) AS held FROM (
      SELECT ((classid::bigint & 16777215) << 32) + objid::bigint AS id FROM pg_locks
      WHERE locktype = 'advisory' AND objsubid = 1 AND classid::bigint >> 24 = ${lockByte}
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
    ) AS locks WHERE id <= last_value
  ) AS locks`

export interface EventHorizon {
  /** A statement that is sent later sees all events up to it. */
  read(): Promise<number>
  /** For how long the same transaction has held the horizon where it is; 0 if none does. As of the last read, and by this process. */
  heldSeconds(): number
}

export function createEventHorizon(pool: Pick<Pool, 'query'>, ticks = () => performance.now()): EventHorizon {
  let reading: Promise<number> | undefined
  let held: { readonly at: string; readonly since: number } | undefined

  return {
    /** All that ask in one turn of the event loop share an answer. */
    read() {
      reading ??= nextTurn().then(async () => {
        reading = undefined
        const [row] = await pool.query<{ horizon: string; held: string | null }>(readHorizon)
        const lock = row?.held ?? null
        if (lock === null) held = undefined
        else if (lock !== held?.at) held = { at: lock, since: ticks() }
        return Number(row?.horizon)
      })
      return reading
    },
    heldSeconds: () => (held ? (ticks() - held.since) / 1000 : 0),
  }
}
