/** Copies whole tables out of and into PostgreSQL. */
import { countAll, refuseNewerSource, requireEmpty, rowsPerChunk, selectAll, selectSome, writtenRows } from '../bulk.ts'
import type { Bulk, Counts, LastIds } from '../maintenance.ts'
import { fillWords } from '../search.ts'
import { countedTables, tableNames } from '../tables.ts'
import type { Pool, Query } from './pool.ts'
import { eachWord, migrations, recount } from './schema.ts'

/** Their triggers would count each row and write events. Only the owner of the tables may disable them. */
const triggers = [
  ['pets', 'pets_insert'],
  ['orders', 'orders_insert'],
  ['orders', 'order_words_add'],
  ['categories', 'categories_insert'],
] as const

/** A day has a row for each slot. */
const salesByDay =
  '(SELECT day, sum(added) AS added, sum(sold) AS sold, sum(returned) AS returned FROM sales GROUP BY day) AS sales'

type Named = Readonly<Record<string, string | null>>

const allTables = tableNames.join(', ')
const sequenceOf = (table: 'api_keys' | 'webhooks') => `pg_get_serial_sequence('${table}', 'id')`
const lastOf = (table: 'api_keys' | 'webhooks') =>
  `coalesce(pg_sequence_last_value(${sequenceOf(table)}::regclass), 0) AS ${table}`

async function counts(query: Query): Promise<Counts> {
  const [row] = await query<Record<string, string>>(countAll)
  return Object.fromEntries(Object.entries(row ?? {}).map(([table, count]) => [table, Number(count)])) as Counts
}

export function createBulk(pool: Pool): Bulk {
  return {
    // A transaction has no timeout: counting a large table takes long.
    counts: () => pool.longTransaction(({ query }) => counts(query)),
    export: (write) =>
      pool.longTransaction(async ({ query, stream }) => {
        await query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ')
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
    import: (fill, kept) => pool.longTransaction(({ query }) => copyIn(query, fill, kept)),
    // One statement sees the rows of one moment.
    read: (table, columns, write) =>
      pool.longTransaction(({ stream }) =>
        stream<Named>(selectSome(table, columns), rowsPerChunk, (rows) =>
          write(rows.map(Object.values<string | null>)),
        ),
      ),
  }
}

type Import = Parameters<Bulk['import']>

async function copyIn(query: Query, fill: Import[0], kept: Import[1] = []): Promise<void> {
  await query(`LOCK TABLE ${allTables} IN ACCESS EXCLUSIVE MODE`)
  requireEmpty(await counts(query), kept)
  for (const [table, name] of triggers) await query(`ALTER TABLE ${table} DISABLE TRIGGER ${name}`)
  // The next rows are read while these are written.
  let written: Promise<unknown> = Promise.resolve()
  const lastIds = await fill(async (chunk) => {
    const { table } = chunk
    const { columns, types, json } = writtenRows(chunk)
    await written
    if (table === 'events_purged') await query('DELETE FROM events_purged')
    const values = types.map((type, index) => `(r ->> ${index})::${type === 'integer' ? 'bigint' : 'text'}`)
    // jsonb is parsed once, json once per column.
    written = query(
      `INSERT INTO ${table} (${columns.join()})
       SELECT ${values.join()} FROM jsonb_array_elements($1::text::jsonb) AS r`,
      [json],
    )
    written.catch(() => {})
  })
  await written
  for (const [table, name] of triggers) await query(`ALTER TABLE ${table} ENABLE TRIGGER ${name}`)
  for (const statement of [...fillWords(eachWord), ...recount]) await query(statement)
  await query(`SELECT setval('pet_ids', $1), setval('order_ids', $2), setval('event_ids', $3)`, [
    lastIds.pets,
    lastIds.orders,
    lastIds.events,
  ])
  // It is set as the last id, not as the next, because a copy that is made before the next insert must know it.
  for (const table of (['api_keys', 'webhooks'] as const).filter((table) => !kept.includes(table)))
    await query(`SELECT setval(${sequenceOf(table)}, greatest($1::bigint, 1), $1::bigint > 0)`, [lastIds[table]])
  await query(`ANALYZE ${allTables}`)
}
