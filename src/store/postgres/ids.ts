/**
 * Ids from a sequence, which no writer has to wait for, and yet visible in their order: a client that follows the pages
 * never passes an id that is still to come. The horizon is the highest id with none missing below it: all up to it are
 * committed, or never will be. Pages end at it, and an answer waits until it has passed the new id.
 */
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { type Outcome, StoreUnavailable } from '../store.ts'
import type { Pool } from './pool.ts'

export interface Ids {
  /** The horizon as far as it is known; it is never too high for a statement that is sent later. */
  known(): number
  /** Reads the horizon anew. */
  read(): Promise<number>
  /** Holds an outcome back until the horizon has passed its id: then every page that is asked for shows the row. */
  shown(written: Promise<Outcome>): Promise<Outcome>
  /** Resolves when no outcome is awaited or held back. */
  drained(): Promise<void>
}

type Table = keyof typeof sequences

/** With the first byte of its locks, among all that programs take in the database. */
const sequences = {
  pets: { name: 'pet_ids', byte: 0x50 },
  orders: { name: 'order_ids', byte: 0x4f },
  events: { name: 'event_ids', byte: 0x45 },
}

/** For the WITH of a statement that takes ids: it joins with `taking`, so that the lock comes before the first id. */
export const taking = (table: Table, condition = 'true'): string => `taking AS MATERIALIZED (
    SELECT pg_advisory_xact_lock_shared((${sequences[table].byte}::bigint << 56) + last_value)
    FROM ${sequences[table].name} WHERE ${condition}
  )`
export const nextId = (table: Table): string => `nextval('${sequences[table].name}')`

const pauseMilliseconds = 1

/**
 * A writer takes a lock on the last id given out, and then its own, which is higher; the lock ends with its transaction,
 * after its rows have become visible. So whoever reads the last id, and then the locks, knows that up to the lowest of
 * them nothing is under way. A statement sent afterwards sees all that was committed up to there.
 */
export function createIds(pool: Pool, table: Table): Ids {
  const { name, byte } = sequences[table]
  // The locks are compared with the last id, so that they are read after it.
  const horizon = `SELECT coalesce(held, last_value) AS horizon FROM ${name}, LATERAL (
      SELECT min(id) AS held FROM (
        SELECT ((classid::bigint & 16777215) << 32) + objid::bigint AS id FROM pg_locks
        WHERE locktype = 'advisory' AND objsubid = 1 AND classid::bigint >> 24 = ${byte}
          AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
      ) AS locks WHERE id <= last_value
    ) AS locks`

  let highest = 0
  let losses = pool.losses()
  let reading: Promise<number> | undefined
  let underWay = 0
  const onDrained: (() => void)[] = []

  function known(): number {
    // After a lost connection the next server may be one that has not all of these ids.
    if (losses !== pool.losses()) highest = 0
    losses = pool.losses()
    return highest
  }

  /** All that ask in one turn of the event loop share an answer. */
  function read(): Promise<number> {
    reading ??= nextTurn().then(async () => {
      reading = undefined
      const [row] = await pool.query<{ horizon: string }>(horizon)
      highest = Math.max(known(), Number(row?.horizon))
      return highest
    })
    return reading
  }

  async function pass(id: number): Promise<void> {
    const deadline = performance.now() + pool.timeoutMilliseconds
    while (known() < id && (await read()) < id) {
      if (performance.now() > deadline)
        throw new StoreUnavailable('PostgreSQL: an earlier write does not end, so this one cannot be shown yet')
      await sleep(pauseMilliseconds)
    }
  }

  return {
    known,
    read,
    async shown(written) {
      underWay++
      try {
        const outcome = await written
        if (typeof outcome === 'object') await pass(outcome.id)
        return outcome
      } finally {
        if (--underWay === 0) for (const resolve of onDrained.splice(0)) resolve()
      }
    },
    drained: () => (underWay === 0 ? Promise.resolve() : new Promise((resolve) => onDrained.push(resolve))),
  }
}
