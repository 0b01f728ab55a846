/** Runs the statements that both databases share on PostgreSQL; several of them as one. */
import type { Sql } from '../sql.ts'
import type { Pool, Query } from './pool.ts'
import { write } from './rows.ts'

function joined(first: string, others: readonly (string | undefined)[]): string {
  const parts = others.flatMap((text, index) => (text ? `, other${index} AS (${text})` : []))
  return parts.length > 0 ? `WITH first AS (${first})${parts.join('')} SELECT * FROM first` : first
}

/** Reads may go elsewhere than writes. */
export function createSql(pool: Pool, read: Query = pool.query): Sql {
  const { query, transaction, timeoutMilliseconds } = pool
  return {
    read: (text, ...values) => read(text, values),
    write: (values, first, ...others) => write(pool, joined(first, others), values),
    upkeep: (values, first, ...others) => query(joined(first, others), values),
    alone:
      (table) =>
      (values, first, ...others) =>
        transaction(async ({ query }) => {
          // Transactions have no timeouts otherwise. The lock comes first: what was committed before it is seen, at any isolation.
          await query(
            `SET LOCAL statement_timeout = ${timeoutMilliseconds}; LOCK TABLE ${table} IN SHARE ROW EXCLUSIVE MODE`,
          )
          const rows = await query<object>(first, values)
          if (rows.length > 0) for (const text of others) if (text) await query(text, values)
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
