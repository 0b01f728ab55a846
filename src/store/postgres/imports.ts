/**
 * Imports into PostgreSQL: some thousand animals in a transaction, which is short enough not to hold back the ids of others.
 * Two are under way, on a connection each, as a server's process uses one core; the later one has the higher ids.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { type ImportTable, StoreUnavailable } from '../store.ts'
import { nextId, taking } from './ids.ts'
import type { Pool, Query } from './pool.ts'

const takeIds = `
  WITH ${taking('pets', '$1::bigint > 0')}
  SELECT array_agg(${nextId('pets')})::text AS ids FROM taking, generate_series(1, $1::bigint)`
/** jsonb is parsed once, json once per column. */
const insert = `
  INSERT INTO pets (id, name, category_id, status)
  SELECT coalesce(id, (r ->> 3)::bigint), r ->> 0, (r ->> 1)::bigint, r ->> 2
  FROM ROWS FROM (jsonb_array_elements($1::text::jsonb), unnest($2::text::bigint[])) AS rows (r, id)`
const advance = `
  UPDATE imports SET rows_done = rows_done + $3::bigint, finished_at = $4::bigint
  WHERE hash = $1 AND rows_done = $2::bigint AND finished_at IS NULL RETURNING 1`

async function isNew(query: Query): Promise<boolean> {
  const [row] = await query<{ is_new: boolean }>('SELECT last_value = 0 AS is_new FROM pet_ids')
  return row?.is_new === true
}

export function createImports(pool: Pool): ImportTable {
  /** For a transaction and the one before it, each as long as a statement of a request. */
  const milliseconds = 2 * pool.timeoutMilliseconds
  // An importer that was stopped must not hold back ids; and the second transaction has to see the first once it waited for it.
  const settings = `SET TRANSACTION ISOLATION LEVEL READ COMMITTED; SET LOCAL idle_in_transaction_session_timeout = ${milliseconds}`
  const none = Promise.resolve(true)
  /** Settles when the last transaction that began has its ids. */
  let lastTaking: Promise<unknown> = none
  /** Whether the last transaction that is under way has added its animals; true if there is none. */
  let lastAdding: Promise<boolean> = none

  // Out here, so that what it waits with does not keep the animals.
  const tooLate = () =>
    sleep(milliseconds, undefined, { ref: false }).then(() => {
      throw new StoreUnavailable(`PostgreSQL: a transaction of the import did not end within ${milliseconds} ms`)
    })

  return {
    // 21 µs of the server for each row; answers to others wait for both transactions.
    rowsPerBatch: 2_500,
    atOnce: 2,
    isNew: () => isNew(pool.query),
    begin: (hash, again, lastId) =>
      pool.transaction(async ({ query }) => {
        // Whoever adds an animal waits, so that its id is taken before or after all that are reserved.
        if (lastId !== undefined) await query('LOCK TABLE pets IN SHARE ROW EXCLUSIVE MODE')
        const keepsIds = lastId !== undefined && (await isNew(query))
        const [begun] = await query(
          `INSERT INTO imports (hash, rows_done, keeps_ids) VALUES ($1, 0, $2)
           ON CONFLICT (hash) DO UPDATE SET rows_done = 0, keeps_ids = excluded.keeps_ids, finished_at = NULL
           WHERE $3 = 1 AND imports.finished_at IS NOT NULL RETURNING 1`,
          [hash, Number(keepsIds), Number(again)],
        )
        if (begun && keepsIds) await query(`SELECT setval('pet_ids', $1)`, [lastId])
        const [found] = await query<{ rows_done: string; keeps_ids: number; finished_at: string | null }>(
          'SELECT rows_done, keeps_ids, finished_at FROM imports WHERE hash = $1',
          [hash],
        )
        const { rows_done = 0, keeps_ids = 0, finished_at = null } = found ?? {}
        return { rowsDone: Number(rows_done), keepsIds: keeps_ids === 1, finishedAt: Number(finished_at) || undefined }
      }),
    add(hash, { rowsDone, keepsIds, finishedAt = null }, batch, rows) {
      const [takingBefore, addingBefore] = [lastTaking, lastAdding]
      const taken = Promise.withResolvers<void>()
      let isCurrent = true
      const add = async ({ query }: { query: Query }) => {
        await query(settings)
        await takingBefore
        const [given] = await query<{ ids: string | null }>(takeIds, [keepsIds ? 0 : batch.count])
        taken.resolve()
        await query(insert, [batch.pets(), given?.ids ?? null])
        // If another process has added those before, this one leaves the rest to it: it would take turns with this one.
        isCurrent = await addingBefore
        if (isCurrent) isCurrent = (await query(advance, [hash, rowsDone, rows, finishedAt])).length > 0
        if (!isCurrent) throw new Error('another process has advanced it')
      }
      const run = async (): Promise<boolean> => {
        try {
          await pool.transaction(add)
          return true
        } catch (error) {
          if (isCurrent) throw error
          return false
        } finally {
          taken.resolve()
          if (lastAdding === ended) lastAdding = none
        }
      }
      const adding = run()
      const ended = adding.catch(() => false)
      lastTaking = taken.promise
      lastAdding = ended
      return Promise.race([adding, tooLate()])
    },
  }
}
