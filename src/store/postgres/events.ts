/**
 * Events in PostgreSQL. Their ids come from a sequence, so that no writer waits, and do not become visible in order:
 * the transaction with the higher ids may commit first. The horizon is an id up to which no event is still to be
 * committed: who reads no further misses none.
 */
import { randomUUID } from 'node:crypto'
import { sleep, turn } from '../../time.ts'
import type { EventSource } from '../events.ts'
import type { PoolOptions } from './connections.ts'
import { createPool, now, type Pool } from './pool.ts'

/** The first byte of our advisory locks on event ids. */
const lockByte = 0x45

/**
 * For the WITH of a statement that takes ids of events: locks the last id given out, which is below its own, until the
 * end of the transaction. The lock is shared, so nobody waits. A transaction takes only one, as the server has room for
 * some thousand; the setting that records it is undone, as the lock is, by a rollback to a savepoint.
 */
export const lockLastEvent = `last_event AS MATERIALIZED (
         SELECT CASE
           WHEN current_setting('petstore.event_lock', true) IS DISTINCT FROM pg_current_xact_id_if_assigned()::text
           THEN pg_advisory_xact_lock_shared((${lockByte}::bigint << 56) + last_value)::text
             || set_config('petstore.event_lock', pg_current_xact_id_if_assigned()::text, true) END
         FROM event_ids
       )`

/**
 * The horizon: the lowest locked id, or the last id given out. Comparing with last_value makes PostgreSQL read the
 * locks after it.
 */
const readHorizon = `SELECT coalesce(held, last_value) AS horizon, held FROM event_ids, LATERAL (
    SELECT min(id) AS held FROM (
      SELECT ((classid::bigint & 16777215) << 32) + objid::bigint AS id FROM pg_locks
      WHERE locktype = 'advisory' AND objsubid = 1 AND classid::bigint >> 24 = ${lockByte}
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
    ) AS locks WHERE id <= last_value
  ) AS locks`

function createEventHorizon(pool: Pool) {
  const { time } = pool
  let reading: Promise<number> | undefined
  let held: { readonly at: string; readonly since: number } | undefined

  return {
    /**
     * An id: a statement sent after this resolves sees all events up to it. Calls of one turn of the event loop share
     * one read.
     */
    read(): Promise<number> {
      reading ??= turn(time).then(async () => {
        reading = undefined
        const [row] = await pool.query<{ horizon: string; held: string | null }>(readHorizon)
        const lock = row?.held ?? null
        if (lock === null) held = undefined
        else if (lock !== held?.at) held = { at: lock, since: time.ticks() }
        return Number(row?.horizon)
      })
      return reading
    },
    /** For how long the same transaction has held the horizon back, as far as this process has read; 0 if none does. */
    heldSeconds: (): number => (held ? (time.ticks() - held.since) / 1000 : 0),
  }
}

const channel = 'petstore_events'
/**
 * The least time between two notifications: in the whole server, commits of transactions that notify wait for each
 * other.
 */
const pauseMilliseconds = 50
const againMilliseconds = 1_000

/**
 * Instances tell each other of commits by NOTIFY: a hint only, as a pgbouncer in transaction mode does not pass it on.
 * `watch` calls `onChange` after commits of this instance and known ones of others; returns how to stop.
 */
function createNotifications(pool: Pool, options: PoolOptions) {
  const { commits } = pool.stats
  const { time, prepare = true } = options
  /** Sent with the notifications of this instance, which ignores them itself. */
  const own = randomUUID()
  const watchers = new Set<() => void>()
  const listener = createPool({ ...options, connections: 1 })
  let isListening = false
  let isOver = false
  let stopListening = new AbortController()
  let cancelNotify: (() => void) | undefined
  let notifiedAt = Number.NEGATIVE_INFINITY

  /** Notifies in a statement after the commit, so that the commit itself waits for no other. */
  function notify(): void {
    cancelNotify ??= time.after(Math.max(0, notifiedAt + pauseMilliseconds - time.ticks()), () => {
      cancelNotify = undefined
      notifiedAt = time.ticks()
      if (!pool.isCrowded()) pool.query(`SELECT pg_notify('${channel}', '${own}')`).catch(() => {})
    })
  }
  commits.watch(notify)

  const onNotify = (sender: string | undefined) => {
    if (sender !== own) for (const onChange of watchers) onChange()
  }

  /** Listens on a connection of its own, as long as there are watchers. */
  async function listen(): Promise<void> {
    isListening = true
    while (watchers.size > 0 && !isOver) {
      stopListening = new AbortController()
      await listener.listen(channel, onNotify, stopListening.signal).catch(() => {})
      await sleep(time, againMilliseconds, stopListening.signal)
    }
    isListening = false
  }

  return {
    watch(onChange: () => void): () => void {
      const stop = commits.watch(onChange)
      watchers.add(onChange)
      if (prepare && !isListening) listen()
      return () => {
        stop()
        watchers.delete(onChange)
        if (watchers.size === 0) stopListening.abort()
      }
    },
    async end(): Promise<void> {
      isOver = true
      cancelNotify?.()
      stopListening.abort()
      await listener.end()
    },
  }
}

const addEventDays = 'SELECT keep_event_days(NULL, 0)'
const removeEventDays = `SELECT keep_event_days(NULL, ${now} - $1::bigint) AS more`

/**
 * Removes the rows of empty categories that cancel out, as concurrent writers each count in a slot of their own. Rows
 * locked by a writer are left out: the removed ones sum up to zero.
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
  heldSeconds(): number
  end(): Promise<void>
}

export function createEventSource(pool: Pool, options: PoolOptions): PostgresEventSource {
  const { read: horizon, heldSeconds } = createEventHorizon(pool)
  return {
    horizon,
    heldSeconds,
    ...createNotifications(pool, options),
    /** Makes new partitions first, as a reader may keep old ones from being dropped. */
    async purge(olderThanMilliseconds) {
      await pool.query(addEventDays)
      while ((await pool.query<{ more: boolean }>(removeEventDays, [olderThanMilliseconds]))[0]?.more);
      await pool.query(removeEmptyCounts)
    },
  }
}
