/** Checks of a PostgreSQL database; whether its files are intact is for pg_amcheck. */
import { type Check, checks, type Inspection } from '../checks.ts'
import type { Pool } from './pool.ts'

/** The sequence is read after the snapshot of the rows was taken, and so is never behind by mistake. */
const behind = (sequence: string, table: string): string =>
  `SELECT '${sequence} is at ' || last_value || ', behind the last id in ${table}.' FROM ${sequence}
   WHERE last_value < (SELECT max(id) FROM ${table})`

const idsAreNew: Check = {
  name: 'no id is assigned again',
  faults: () =>
    [behind('pet_ids', 'pets'), behind('order_ids', 'orders'), behind('event_ids', 'events')].join(' UNION ALL '),
}

export const createInspection = (pool: Pool): Inspection => ({
  checks: [idsAreNew, ...checks],
  // In a transaction, which has no statement timeout.
  async texts(sql) {
    const rows = await pool.transaction(({ query }) => query<Record<string, string>>(sql))
    return rows.map((row) => Object.values(row)[0] as string)
  },
})
