/** `petstore migrate`: makes or updates a database ahead of the service, by as many as like at once. */
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import type postgres from 'postgres'
import { openSqlite } from '../../src/store/sqlite/sqlite.ts'
import { postgresDatabase, releasePostgres } from '../support/postgres.ts'
import { bun, Folder, makeKey, node, petstore } from '../support/process.ts'
import { times } from '../support/scope.ts'

after(releasePostgres)

/** A connection of the test's own to a new database. */
async function withPostgres(work: (url: string, sql: postgres.Sql) => Promise<void>): Promise<void> {
  const { url, connect, remove } = await postgresDatabase()
  const sql = connect()
  try {
    await work(url, sql)
  } finally {
    await sql.end()
    await remove()
  }
}

describe('petstore migrate', { timeout: 120_000 }, () => {
  test('run by many at once on an empty PostgreSQL, on either runtime, succeeds for each', () =>
    withPostgres(async (url, sql) => {
      const runs = await Promise.all(
        Array.from({ length: times(10, 4) }, (_, i) =>
          petstore(['migrate'], { env: { DATABASE_URL: url }, runtime: i % 2 ? bun : node }),
        ),
      )
      for (const { code, stdout, stderr } of runs)
        assert.deepEqual([code, stdout, stderr], [0, '', 'The database is up to date.\n'])
      assert.equal((await sql`SELECT 1 FROM schema_version`).length, 1)
      assert.match(await makeKey({ DATABASE_URL: url }), /^pst_/)
    }))

  test('makes a SQLite file, too, and may be run again', async () => {
    using folder = new Folder()
    for (const runtime of [node, bun]) assert.equal((await petstore(['migrate'], { env: folder.env, runtime })).code, 0)
    assert.match(await makeKey(folder.env), /^pst_/)
  })

  test('refuses a newer schema with exit code 1, as serve and every command on it do, and changes nothing', () =>
    withPostgres(async (url, sql) => {
      const env = { DATABASE_URL: url, PORT: '0' }
      assert.equal((await petstore(['migrate'], { env })).code, 0)
      await sql`UPDATE schema_version SET version = 9999`
      const commands = [['migrate'], ['serve'], ['keys', 'list']]
      for (const { code, stdout, stderr } of await Promise.all(commands.map((args) => petstore(args, { env })))) {
        assert.deepEqual([code, stdout], [1, ''])
        assert.match(
          stderr,
          /^petstore: The database was written by a newer petstore \(schema 9999, .+\)\. Run that version, or restore a backup\.\n$/,
        )
      }
      assert.equal((await sql`SELECT version FROM schema_version`)[0]?.version, 9999)
    }))

  test('refuses a newer SQLite file alike', async () => {
    using folder = new Folder()
    await openSqlite(folder.database).close()
    const { DatabaseSync } = await import('node:sqlite')
    const db = new DatabaseSync(folder.database)
    db.exec('PRAGMA user_version = 9999')
    db.close()
    const { code, stderr } = await petstore(['migrate'], { env: folder.env })
    assert.equal(code, 1)
    assert.match(stderr, /^petstore: .+ was written by a newer petstore \(schema 9999, .+\n$/)
  })

  test('takes no arguments', async () => {
    const { code, stderr } = await petstore(['migrate', 'now'])
    assert.equal(code, 2)
    assert.match(stderr, /^petstore: Unexpected argument "now"\./)
  })
})
