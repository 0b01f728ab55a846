/** What reading the counts costs: a few rows, however many animals and categories there are. */
import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { after, test } from 'node:test'
import { createPool } from '../../src/store/postgres/connection.ts'
import { createInventory } from '../../src/store/postgres/inventory.ts'
import { migrate } from '../../src/store/postgres/migrate.ts'
import type { Pool, Value } from '../../src/store/postgres/pool.ts'
import { createWriter } from '../../src/store/sqlite/commit.ts'
import { createInventory as createSqliteInventory } from '../../src/store/sqlite/inventory.ts'
import { createSnapshot } from '../../src/store/sqlite/snapshot.ts'
import { openSqlite } from '../../src/store/sqlite/sqlite.ts'
import { postgresDatabase, releasePostgres } from '../support/postgres.ts'
import { Folder } from '../support/process.ts'

after(releasePostgres)

const limit = 20
const animals = `INSERT INTO pets (id, name, category_id, status) SELECT i, 'Rex', i / 2, 'available' FROM`
const names = `INSERT INTO categories (id, name) SELECT i, 'Kind' FROM`

test('PostgreSQL reads as little of a large catalogue as of a small one', async () => {
  const { url, connect, remove } = await postgresDatabase()
  const pool = createPool({ url, connections: 1, timeoutMilliseconds: 30_000 })
  await migrate(pool)
  const sql = connect()
  await sql.unsafe(`${animals} generate_series(1, 20000) AS i; ${names} generate_series(1, 20000) AS i`)
  const seen: { text: string; values: readonly Value[] }[] = []
  const recording: Pool = {
    ...pool,
    query(text, values = []) {
      seen.push({ text, values })
      return pool.query(text, values)
    },
  }
  const inventory = createInventory(recording, recording.query)
  await inventory.fold()
  await sql.unsafe('VACUUM ANALYZE')
  // One change that is not folded.
  await sql.unsafe('DELETE FROM pets WHERE id = 7')
  seen.length = 0
  await inventory.total()
  for (const after of [undefined, 5_000n]) await inventory.page({ after, limit })
  await inventory.sales('2026-01-01')
  assert.equal(seen.length, 4)
  for (const { text, values } of seen) {
    assert.doesNotMatch(text, /\bpets\b/)
    const literals = values.map((value) => `'${value}'`)
    await sql.unsafe(`PREPARE counts AS ${text}`)
    for (const mode of ['force_custom_plan', 'force_generic_plan']) {
      await sql.unsafe(`SET plan_cache_mode = ${mode}`)
      const call = literals.length ? `counts (${literals.join()})` : 'counts'
      const [row] = await sql.unsafe(`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) EXECUTE ${call}`)
      const plan = row?.['QUERY PLAN'][0].Plan
      const pages = plan['Shared Hit Blocks'] + plan['Shared Read Blocks']
      // Each row of the page is looked up in three indexes.
      assert.ok(pages <= 20 + 10 * limit, `${pages} pages of the file with ${mode}: ${JSON.stringify(plan)}`)
    }
    await sql.unsafe('DEALLOCATE counts')
  }
  await sql.end()
  await pool.end()
  await remove()
})

test('SQLite reads as little of a large catalogue as of a small one', async () => {
  using folder = new Folder()
  await openSqlite(folder.database).close()
  const db = new DatabaseSync(folder.database)
  const statements: string[] = []
  const recording = {
    prepare(sql: string) {
      statements.push(sql)
      return db.prepare(sql)
    },
  } as DatabaseSync
  createSqliteInventory(recording, createWriter(db), createSnapshot(db))
  const recounts = statements.filter((sql) => sql.includes('counted_sold'))
  assert.equal(recounts.length, 1)
  for (const sql of statements) {
    const plan = db
      .prepare(`EXPLAIN QUERY PLAN ${sql}`)
      .all()
      .map(({ detail }) => detail)
    const scans = plan.filter((detail) => /^SCAN (?:pets|inventory|categories)\b/.test(String(detail)))
    assert.equal(scans.length > 0, recounts.includes(sql), `${sql}: ${plan.join('; ')}`)
  }
  db.close()
})
