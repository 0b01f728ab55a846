/**
 * What is special about events in PostgreSQL. Their ids come from a sequence, which no writer waits for, and so do not become
 * visible in their order: of two transactions, the one with the higher ids may commit first. The horizon is an id up to
 * which all events are committed, or never will be; who reads no further misses none.
 */
import { randomUUID } from 'node:crypto'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { readPostgresUrl } from '../../config/database-url.ts'
import type { EventSource } from '../events.ts'
import { type Connection, openConnection } from './client.ts'
import type { PoolOptions } from './connections.ts'
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

function createEventHorizon(pool: Pool) {
  let reading: Promise<number> | undefined
  let held: { readonly at: string; readonly since: number } | undefined

  return {
    /** A statement that is sent later sees all events up to it. All that ask in one turn of the event loop share an answer. */
    read(): Promise<number> {
      reading ??= nextTurn().then(async () => {
        reading = undefined
        const [row] = await pool.query<{ horizon: string; held: string | null }>(readHorizon)
        const lock = row?.held ?? null
        if (lock === null) held = undefined
        else if (lock !== held?.at) held = { at: lock, since: performance.now() }
        return Number(row?.horizon)
      })
      return reading
    },
    /** For how long the same transaction has held the horizon where it is; 0 if none does. As of the last read, and by this process. */
    heldSeconds: (): number => (held ? (performance.now() - held.since) / 1000 : 0),
  }
}

const channel = 'petstore_events'
/** At most this often: the commits of transactions that notify wait for each other, in the whole server. */
const pauseMilliseconds = 50
const againMilliseconds = 1_000

/**
 * Instances tell each other of commits by NOTIFY. It is a hint only, as a pgbouncer in transaction mode does not pass it on.
 * `watch` calls `onChange` after commits of this instance and, as far as they are heard of, of others; returns how to stop.
 */
function createNotices(pool: Pool, { url, timeoutMilliseconds, prepare = true }: PoolOptions) {
  const { commits } = pool.stats
  const target = readPostgresUrl(url)
  /** By which an instance knows its own notices. */
  const own = randomUUID()
  const watchers = new Set<() => void>()
  const isOver = new AbortController()
  let connection: Connection | undefined
  let isListening = false
  let announcing: NodeJS.Timeout | undefined
  let announcedAt = 0

  /** In a statement of its own after the commit, which so waits for nobody. */
  function announce(): void {
    announcing ??= setTimeout(
      () => {
        announcing = undefined
        announcedAt = performance.now()
        if (!pool.isCrowded()) pool.query(`SELECT pg_notify('${channel}', '${own}')`).catch(() => {})
      },
      Math.max(0, announcedAt + pauseMilliseconds - performance.now()),
    ).unref()
  }
  commits.watch(announce)

  const onNotify = (sender: string | undefined) => {
    if (sender !== own) for (const onChange of watchers) onChange()
  }

  /** On a connection of its own, as long as anybody watches. */
  async function listen(): Promise<void> {
    isListening = true
    const { signal } = isOver
    for (let tries = 0; watchers.size > 0 && !signal.aborted; tries++) {
      const address = target.addresses[tries % Math.max(1, target.addresses.length)]
      const settings = { target, address, milliseconds: timeoutMilliseconds, session: {}, onNotify, signal }
      try {
        connection = await openConnection(settings)
        await connection.send(`LISTEN ${channel}`)
        if (watchers.size === 0) connection.close()
        await connection.ended
      } catch {
        connection?.close()
      }
      await sleep(againMilliseconds, undefined, { signal }).catch(() => {})
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
        if (watchers.size === 0) connection?.close()
      }
    },
    async end(): Promise<void> {
      isOver.abort()
      clearTimeout(announcing)
      await connection?.close()
    },
  }
}

const keepEventDays = 'SELECT keep_event_days(NULL, $1::bigint) AS more'

/**
 * Of categories that are empty, rows that cancel out: where several writers changed one at the same time, each in a slot of
 * its own. Rows that a writer holds are left out; without the others, what remains has the same sum.
 */
const removeEmptyCounts = `
  WITH locked AS MATERIALIZED (
    SELECT * FROM inventory WHERE category_id IN (
      SELECT category_id FROM inventory GROUP BY category_id HAVING (sum(available), sum(pending), sum(sold)) = (0, 0, 0) LIMIT 10000
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
    ...createNotices(pool, options),
    /** Whole days of events, and those that belong to none in portions; new days first, as a reader may keep old ones from being dropped. */
    async purge(before) {
      for (const end of [0, before]) while ((await pool.query<{ more: boolean }>(keepEventDays, [end]))[0]?.more);
      await pool.query(removeEmptyCounts)
    },
  }
}
