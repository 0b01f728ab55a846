/**
 * The program as its next version could be: its migrations use everything that the rule for migrations allows. If this
 * file is run, it is that program.
 */

import type { Migration } from '../src/store/migrations.ts'
import { migrations as ofPostgres } from '../src/store/postgres/schema.ts'
import { migrations as ofSqlite } from '../src/store/sqlite/schema.ts'
import { tableNames } from '../src/store/tables.ts'

const grown = (tables: readonly string[]): string =>
  tables
    .map(
      (table) =>
        `ALTER TABLE ${table} ADD COLUMN colour text NOT NULL DEFAULT 'grey';
         ALTER TABLE ${table} ADD COLUMN note text;`,
    )
    .join('\n')
const added = `CREATE TABLE colours (name text PRIMARY KEY);
  CREATE INDEX pets_by_colour ON pets (colour, id);
  CREATE INDEX orders_by_update ON orders (updated_at, colour)`

const kept = [...tableNames, 'pet_words', 'order_words', 'inventory', 'inventory_total', 'order_counts']
const nextOf = (tables: readonly string[]): Migration[] => [
  { version: 101, sql: grown(tables) },
  { version: 102, sql: added },
]
const additions = [
  [ofSqlite as Migration[], nextOf(kept)],
  [ofPostgres as Migration[], nextOf([...kept, 'rate_usage', 'probe', 'schema_version'])],
] as const

/** Turns this process into the next version, until it is disposed of. */
export function becomeNextVersion(): Disposable {
  for (const [migrations, next] of additions) migrations.push(...next)
  return {
    [Symbol.dispose]() {
      for (const [migrations, next] of additions) migrations.splice(-next.length)
    },
  }
}

if (import.meta.main) {
  becomeNextVersion()
  await import('../src/main.ts')
}
