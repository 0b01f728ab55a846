/** Removing what has become old, in SQL that both databases understand. */
import type { Sql } from './sql.ts'

/** Takes about 2 ms, during which no request is answered by a process on SQLite. */
const portionRows = 250

/**
 * Removes the rows that meet a condition on $1, a portion at a time, until there are none: where two processes do it at
 * once, one may find that the other has removed its whole portion, and leaves the rest to that.
 */
export async function purge(
  { upkeep }: Pick<Sql, 'upkeep'>,
  { table, key, condition }: { readonly table: string; readonly key: string; readonly condition: string },
  before: number,
): Promise<void> {
  const text = `DELETE FROM ${table} WHERE (${key}) IN
    (SELECT ${key} FROM ${table} WHERE ${condition} LIMIT ${portionRows}) RETURNING 1`
  while ((await upkeep([before], text)).length > 0);
}

export const purgeIdempotencyRecords = (sql: Sql, before: number): Promise<void> =>
  purge(
    sql,
    { table: 'idempotency_records', key: 'key_id, route, idempotency_key', condition: 'created_at < $1' },
    before,
  )
