/** Runs the statements of webhooks on PostgreSQL. */
import type { Sql } from '../webhooks.ts'
import type { Pool } from './pool.ts'

export const sqlOn = ({ query }: Pool): Sql => ({
  listed: (place) => `jsonb_array_elements(${place}::text::jsonb) AS listed (value)`,
  ifFirst: 'EXISTS (SELECT 1 FROM first)',
  read: (text, ...values) => query(text, values),
  write: (values, first, second) =>
    query(second ? `WITH first AS (${first}), second AS (${second}) SELECT * FROM first` : first, values),
})
