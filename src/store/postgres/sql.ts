/** Runs the statements that both databases share, and writes that are counted as commits, on PostgreSQL. */
import type { Sql, SqlValue } from '../shared-sql.ts'
import { type Rendered, StoreUnavailable } from '../store.ts'
import type { Pool } from './pool.ts'

/** Runs a statement that returns the rows it writes; if there are any, it was a commit. */
export async function write<Row>(pool: Pool, text: string, values: readonly SqlValue[]): Promise<Row[]> {
  const { time } = pool
  const started = time.ticks()
  const rows = await pool.write<Row>(text, values).catch((error) => {
    // Without a cause it was refused here, as too many wait.
    if (error instanceof StoreUnavailable && error.cause) pool.stats.commits.failures++
    throw error
  })
  if (rows.length > 0) pool.stats.commits.done(rows.length, time.ticks() - started)
  return rows
}

/** Runs a statement that writes at most one row and returns its id and doc. */
export async function writeOne(pool: Pool, text: string, values: readonly SqlValue[]): Promise<Rendered | undefined> {
  const [row] = await write<{ id: string; doc: string }>(pool, text, values)
  return row && { id: Number(row.id), json: row.doc }
}

function joined(first: string, others: readonly (string | undefined)[]): string {
  const parts = others.flatMap((text, index) => (text ? `, other${index} AS (${text})` : []))
  return parts.length > 0 ? `WITH first AS (${first})${parts.join('')} SELECT * FROM first` : first
}

/** The clock of the server in milliseconds. */
export const now = '(extract(epoch FROM statement_timestamp()) * 1000)::bigint'

/** A time of the server as text, as the times of an order are. */
export const timeTextOf = (time: string): string =>
  `to_char((${time}) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
export const nowText = timeTextOf('statement_timestamp()')

const deleter = 'petstore.deleted_by'
/** A condition of a DELETE: tells its trigger the name of a key, as the old row has that of whoever wrote it last. */
export const deleteBy = (place: string): string =>
  `set_config('${deleter}', coalesce(${place}::text, ''), true) IS NOT NULL`
export const deletedBy = `nullif(current_setting('${deleter}', true), '')`

export function createSql(pool: Pool): Sql {
  const { query, transaction } = pool
  return {
    read: (text, ...values) => query(text, values),
    write: (values, first, ...others) => write(pool, joined(first, others), values),
    upkeep: (values, first, ...others) => pool.write(joined(first, others), values),
    alone: (table, values, text) =>
      transaction(async (query) => {
        // The lock comes first, so that all earlier commits are seen at any isolation.
        await query(`LOCK TABLE ${table} IN SHARE ROW EXCLUSIVE MODE`)
        return query<object>(text, values)
      }),
    isCrowded: pool.isCrowded,
    ifFirst: 'EXISTS (SELECT 1 FROM first)',
    deleteRow: (table, condition, by) => [
      `DELETE FROM ${table} WHERE id = $1 AND ${condition} AND ${deleteBy(by)} RETURNING doc`,
    ],
    now,
    nowText,
    tryLock: (table, place) =>
      `(SELECT pg_try_advisory_xact_lock('${table}'::regclass::int, (CAST(${place} AS bigint) % 2147483647)::int))`,
    listed: (place) => `jsonb_array_elements(${place}::text::jsonb) WITH ORDINALITY AS listed (value, key)`,
    oneOf: (place) => `(SELECT jsonb_array_elements_text(${place}::text::jsonb))`,
  }
}
