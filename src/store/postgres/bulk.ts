/** Copies whole tables out of and into PostgreSQL. */

import { addPurged, countAll, isEmpty, refuseNewerSource, rowsPerChunk, selectAll, selectSome } from '../bulk.ts'
import { type Bulk, type Chunk, type Counts, DatabaseUnusable, type LastIds } from '../store.ts'
import { columnsOf, countedTables, tableNames, tables } from '../tables.ts'
import type { Pool, Query } from './pool.ts'
import { migrations, recount } from './schema.ts'

/** Tables with rows before the copy: the baseline fills one, and triggers that this role may not disable fill the others. */
const filledFromTheStart = ['sales', 'events', 'events_purged'] as const

/** The time of the first event: from there on, each day gets a partition. */
const timeOf = ([first]: Chunk['rows']): string => first?.[columnsOf('events').indexOf('at')] ?? '0'

/** A day has a row for each slot. */
const salesByDay =
  '(SELECT day, sum(added) AS added, sum(sold) AS sold, sum(returned) AS returned FROM sales GROUP BY day) AS sales'

type Named = Readonly<Record<string, string | null>>

export function createBulk(pool: Pool): Bulk {
  const allTables = tableNames.join(', ')
  /** The sequence of a table whose ids PostgreSQL assigns. */
  const sequenceOf = (table: 'api_keys' | 'webhooks') => `pg_get_serial_sequence('${table}', 'id')`
  const lastOf = (table: 'api_keys' | 'webhooks') =>
    `coalesce(pg_sequence_last_value(${sequenceOf(table)}::regclass), 0) AS ${table}`

  async function counts(query: Query): Promise<Counts> {
    const [row] = await query<Record<string, string>>(countAll)
    return Object.fromEntries(Object.entries(row ?? {}).map(([table, count]) => [table, Number(count)])) as Counts
  }

  /**
   * Removes indexes and foreign keys, which take half the time once the rows are there, and disables the triggers. The
   * definitions come from the catalogue, so that an operator's own are restored too. Only the owner of a table may do it.
   */
  async function removeIndexes(query: Query): Promise<() => Promise<void>> {
    const definitions = await query<{ remove: string; restore: string }>(`
      WITH owned AS (
        SELECT oid FROM pg_class
        WHERE oid IN (${tableNames.map((table) => `'${table}'::regclass`).join()}) AND pg_has_role(relowner, 'USAGE')
      )
      SELECT 'DROP INDEX ' || indexrelid::regclass AS remove, pg_get_indexdef(indexrelid) AS restore
      FROM pg_index JOIN owned ON indrelid = owned.oid
      WHERE NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid)
      UNION ALL
      SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname),
             format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname, pg_get_constraintdef(pg_constraint.oid))
      FROM pg_constraint JOIN owned ON conrelid = owned.oid WHERE contype = 'f'
      UNION ALL
      SELECT format('ALTER TABLE %s DISABLE TRIGGER %I', tgrelid::regclass, tgname), format('ALTER TABLE %s ENABLE TRIGGER %I', tgrelid::regclass, tgname)
      FROM pg_trigger JOIN owned ON tgrelid = owned.oid WHERE tgname ~ '^(pets|orders|categories)_(insert|update|delete)$'`)
    for (const { remove } of definitions) await query(remove)
    return async () => {
      for (const { restore } of definitions) await query(restore)
    }
  }

  return {
    // A transaction has no timeout: counting a large table takes long.
    counts: () => pool.transaction(({ query }) => counts(query)),
    export: (write) =>
      pool.transaction(async ({ query, stream }) => {
        await query(`LOCK TABLE ${allTables} IN SHARE MODE`)
        const [schema] = await query<{ version: number }>('SELECT version FROM schema_version')
        refuseNewerSource(schema?.version ?? 0, migrations)
        for (const table of tableNames) {
          const text = selectAll(table, table === 'sales' ? salesByDay : table)
          await stream<Named>(text, rowsPerChunk, (rows) =>
            write({ table, rows: rows.map(Object.values<string | null>) }),
          )
        }
        const [last] = await query<Record<keyof LastIds, string>>(
          `SELECT (SELECT last_value FROM pet_ids) AS pets, (SELECT last_value FROM order_ids) AS orders,
                  (SELECT last_value FROM event_ids) AS events, ${lastOf('api_keys')}, ${lastOf('webhooks')}`,
        )
        return Object.fromEntries(countedTables.map((table) => [table, Number(last?.[table])])) as LastIds
      }),
    import: (fill) =>
      pool.transaction(async ({ query }) => {
        await query(`LOCK TABLE ${allTables} IN ACCESS EXCLUSIVE MODE`)
        if (!isEmpty(await counts(query)))
          throw new DatabaseUnusable('The database to copy to is not empty. Name a new one.')
        const restore = await removeIndexes(query)
        // The next rows are read while these are written.
        let written: Promise<unknown> = Promise.resolve()
        const uncleared = new Set<string>(filledFromTheStart)
        const clear = async (table: string) => uncleared.delete(table) && (await query(`DELETE FROM ${table}`))
        const lastIds = await fill(async ({ table, rows }) => {
          await written
          await clear(table)
          if (table === 'events') await query('SELECT keep_event_days($1::bigint, 0)', [timeOf(rows)])
          const types = Object.values(tables[table])
          const values = types.map((type, index) => `(r ->> ${index})::${type === 'integer' ? 'bigint' : 'text'}`)
          // jsonb is parsed once, json once per column.
          written = query(
            `INSERT INTO ${table} (${columnsOf(table).join()}) SELECT ${values.join()} FROM jsonb_array_elements($1::text::jsonb) AS r`,
            [JSON.stringify(rows)],
          )
          written.catch(() => {})
        })
        await written
        for (const table of uncleared) await clear(table)
        await restore()
        for (const statement of [...recount, addPurged]) await query(statement)
        await query(`SELECT setval('pet_ids', $1), setval('order_ids', $2), setval('event_ids', $3)`, [
          lastIds.pets,
          lastIds.orders,
          lastIds.events,
        ])
        // As the last id, not as the next: a copy that is made before the next insert must know it.
        for (const table of ['api_keys', 'webhooks'] as const)
          await query(`SELECT setval(${sequenceOf(table)}, greatest($1::bigint, 1), $1::bigint > 0)`, [lastIds[table]])
        await query(`ANALYZE ${allTables}`)
      }),
    // One statement sees the rows of one moment.
    read: (table, columns, filters, write) =>
      pool.transaction(({ stream }) =>
        stream<Named>(selectSome(table, columns, filters), rowsPerChunk, (rows) =>
          write(rows.map(Object.values<string | null>)),
        ),
      ),
  }
}
