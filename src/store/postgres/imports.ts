/** Imports into PostgreSQL: many animals in a statement, which is short enough not to hold back the ids of others. */
import type { ImportTable } from '../store.ts'
import { nextId, taking } from './ids.ts'
import type { Pool, Query } from './pool.ts'

/** jsonb is parsed once, json once per column. */
const rows = 'jsonb_array_elements($5::text::jsonb) WITH ORDINALITY AS rows (r, ord)'
const add = (id: string, from: string) => `
  WITH advanced AS (
    UPDATE imports SET rows_done = rows_done + $3::bigint, finished_at = $4::bigint
    WHERE hash = $1 AND rows_done = $2::bigint AND finished_at IS NULL
    RETURNING 1
  ), ${taking('pets', 'EXISTS (SELECT 1 FROM advanced)')}, added AS (
    INSERT INTO pets (id, name, category_id, status)
    SELECT ${id}, r ->> 0, (r ->> 1)::bigint, r ->> 2 FROM ${from}, ${rows} ORDER BY ord
  )
  SELECT 1 FROM advanced`
const addWithNewIds = add(nextId('pets'), 'taking')
const addWithIds = add('(r ->> 3)::bigint', 'advanced')

async function isNew(query: Query): Promise<boolean> {
  const [row] = await query<{ is_new: boolean }>('SELECT last_value = 0 AS is_new FROM pet_ids')
  return row?.is_new === true
}

export function createImports(pool: Pool): ImportTable {
  return {
    // 18 µs of the server for each row (2,000 in a statement: 19), and fewer commits to wait for; answers to others wait 0.1 s for it.
    rowsPerBatch: 5_000,
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
    async add(hash, { rowsDone, keepsIds, finishedAt = null }, pets, rows) {
      const values = [hash, rowsDone, rows, finishedAt, pets]
      return (await pool.query(keepsIds ? addWithIds : addWithNewIds, values)).length > 0
    },
  }
}
