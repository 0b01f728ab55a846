/** The program as its next version could be: with a migration that leaves room for this one. */
import { migrations } from '../../src/store/postgres/schema.ts'
import type { Migration } from '../../src/store/shared-sql.ts'

const next = {
  version: 101,
  sql: `ALTER TABLE pets ADD COLUMN colour text NOT NULL DEFAULT 'grey';
        CREATE TABLE colours (name text PRIMARY KEY);
        CREATE INDEX orders_by_update ON orders (updated_at)`,
}
;(migrations as Migration[]).push(next)
await import('../../src/main.ts')
