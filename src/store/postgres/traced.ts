/** Has a tracer record the statements of a pool; of two sent together, the second, which is the one asked for. */
import type { Tracer } from '../tracer.ts'
import type { Pool } from './pool.ts'

export const traced = (pool: Pool, tracer: Tracer): Pool => ({
  ...pool,
  tracer,
  query: (sql, values) => tracer.record('postgresql', sql, () => pool.query(sql, values)),
  queryBoth: (first, second) => tracer.record('postgresql', second.text, () => pool.queryBoth(first, second)),
})
