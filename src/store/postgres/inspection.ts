/** Checks of a PostgreSQL database; whether its files are intact is for pg_amcheck. */
import { type Check, checks, type Inspection } from '../checks.ts'
import { tableNames } from '../tables.ts'
import type { Pool } from './pool.ts'

const ours: readonly Check[] = [
  {
    name: 'every index is valid',
    faults: () => `SELECT 'Index ' || indexrelid::regclass || ' is not valid.' FROM pg_index
      WHERE NOT indisvalid AND indrelid IN (${tableNames.map((table) => `'${table}'::regclass`).join()})`,
  },
  {
    name: 'no id is assigned again',
    // The sequence is read after the snapshot of the tables was taken, and so is never behind by mistake.
    faults: () => `SELECT 'pet_ids is at ' || last_value || ', behind the last animal.' FROM pet_ids
      WHERE last_value < (SELECT max(id) FROM pets)
      UNION ALL SELECT 'order_ids is at ' || last_value || ', behind the last order.' FROM order_ids
      WHERE last_value < (SELECT max(id) FROM orders)`,
  },
]

export const createInspection = (pool: Pool): Inspection => ({
  checks: [...ours, ...checks],
  async texts(sql, isLong) {
    const rows = await (isLong
      ? pool.transaction(({ query }) => query<Record<string, string>>(sql))
      : pool.query<Record<string, string>>(sql))
    return rows.map((row) => Object.values(row)[0] as string)
  },
})
