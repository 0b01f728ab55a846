/** Migrations are only added. What a release has done to a database must not change. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { migrations as ofPostgres } from '../../src/store/postgres/schema.ts'
import { migrations as ofSqlite } from '../../src/store/sqlite/schema.ts'

/** Until 1.0.0 is released, its own two lines may change. Afterwards, lines are only added. */
const released = {
  SQLite: [ofSqlite, ['c736f7f860f00e69']],
  PostgreSQL: [ofPostgres, ['d9a69e0d5cbf3a78']],
} as const

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16)

for (const [database, [migrations, hashes]] of Object.entries(released))
  test(`No released migration of ${database} has changed, nor an expression that it uses`, () => {
    assert.deepEqual(
      migrations.map(({ sql }) => hashOf(sql)),
      hashes,
    )
  })
