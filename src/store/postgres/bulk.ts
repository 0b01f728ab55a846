/** Copies whole tables out of and into PostgreSQL. */
import { StoreRefused } from '../store.ts'
import { type Bulk, type Counts, columnsOf, type LastIds, rowsPerChunk, tableNames, tables } from '../tables.ts'
import type { Pool, Query } from './connection.ts'

export function createBulk(pool: Pool): Bulk {
  const allTables = tableNames.join(', ')
  const keySequence = `pg_get_serial_sequence('api_keys', 'id')`

  async function counts(query: Query): Promise<Counts> {
    const columns = tableNames.map((table) => `(SELECT count(*) FROM ${table}) AS ${table}`)
    const [row] = await query<Record<string, string>>(`SELECT ${columns.join()}`)
    return Object.fromEntries(Object.entries(row ?? {}).map(([table, count]) => [table, Number(count)])) as Counts
  }

  return {
    // In a transaction, which has no statement timeout: counting a large table takes long.
    counts: () => pool.transaction(({ query }) => counts(query)),
    export: (write) =>
      pool.transaction(async ({ query, stream }) => {
        await query(`LOCK TABLE ${allTables} IN SHARE MODE`)
        for (const table of tableNames) {
          const columns = columnsOf(table).map((column) => `${column}::text`)
          await stream<Record<string, string | null>>(`SELECT ${columns.join()} FROM ${table}`, rowsPerChunk, (rows) =>
            write({ table, rows: rows.map((row) => Object.values(row)) }),
          )
        }
        const [last] = await query<Record<keyof LastIds, string>>(
          `SELECT (SELECT last_value FROM pet_ids) AS pets, (SELECT last_value FROM order_ids) AS orders,
                  coalesce(pg_sequence_last_value(${keySequence}::regclass), 0) AS api_keys`,
        )
        return { pets: Number(last?.pets), orders: Number(last?.orders), api_keys: Number(last?.api_keys) }
      }),
    import: (fill) =>
      pool.transaction(async ({ query }) => {
        await query(`LOCK TABLE ${allTables} IN ACCESS EXCLUSIVE MODE`)
        if (Object.values(await counts(query)).some((count) => count > 0))
          throw new StoreRefused('The database to copy to is not empty. Name a new one.')
        const lastIds = await fill(async ({ table, rows }) => {
          const types = Object.entries(tables[table])
          const values = types.map(([, type], index) => `(r ->> ${index})::${type === 'integer' ? 'bigint' : 'text'}`)
          await query(
            `INSERT INTO ${table} (${columnsOf(table).join()}) SELECT ${values.join()} FROM json_array_elements($1::text::json) AS r`,
            [JSON.stringify(rows)],
          )
        })
        await query(`SELECT setval('pet_ids', $1), setval('order_ids', $2)`, [lastIds.pets, lastIds.orders])
        // As a given id, not as the next: otherwise the last one would be unknown to a copy made before the next key is.
        await query(`SELECT setval(${keySequence}, greatest($1::bigint, 1), $1::bigint > 0)`, [lastIds.api_keys])
        await query(`ANALYZE ${allTables}`)
      }),
  }
}
