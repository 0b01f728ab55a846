/** Runs the statements that both databases share on PostgreSQL; two of them as one. */
import type { Sql } from '../sql.ts'
import type { Pool, Query } from './pool.ts'
import { write } from './rows.ts'

const joined = (first: string, second?: string): string =>
  second ? `WITH first AS (${first}), second AS (${second}) SELECT * FROM first` : first

/** Reads may go elsewhere than writes. */
export function createSql(pool: Pool, read: Query = pool.query): Sql {
  const { query, transaction, timeoutMilliseconds } = pool
  return {
    read: (text, ...values) => read(text, values),
    write: (values, first, second) => write(pool, joined(first, second), values),
    upkeep: (values, first, second) => query(joined(first, second), values),
    alone: (table) => (values, first, second) =>
      transaction(async ({ query }) => {
        // Transactions have no timeouts otherwise. The lock comes first: what was committed before it is seen, at any isolation.
        await query(
          `SET LOCAL statement_timeout = ${timeoutMilliseconds}; LOCK TABLE ${table} IN SHARE ROW EXCLUSIVE MODE`,
        )
        const rows = await query<object>(first, values)
        if (second && rows.length > 0) await query(second, values)
        return rows
      }),
    isCrowded: pool.isCrowded,
    ifFirst: 'EXISTS (SELECT 1 FROM first)',
    listed: (place) => `jsonb_array_elements(${place}::text::jsonb) WITH ORDINALITY AS listed (value, key)`,
    oneOf: (place) => `(SELECT jsonb_array_elements_text(${place}::text::jsonb))`,
  }
}

/** Reads in a transaction, which has no timeouts. */
export const withoutTimeouts =
  (pool: Pool): Query =>
  (text, values) =>
    pool.transaction(({ query }) => query(text, values))
