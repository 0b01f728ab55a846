/** `petstore migrate`: makes or updates a database ahead of the service, by as many as like at once. */
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { postgresDatabase, releasePostgres } from '../support/postgres.ts'
import { bun, command, Folder, makeKey, node, petstore } from '../support/process.ts'
import { times } from '../support/scope.ts'
import { change } from '../support/sqlite.ts'

after(releasePostgres)

describe('petstore migrate', () => {
  test('run by many at once on an empty PostgreSQL, on either runtime, succeeds for each; a newer schema is refused by every command, and not changed', async (t) => {
    const { url, connect, remove } = await postgresDatabase()
    const sql = connect()
    t.after(() => sql.end().then(remove))
    const env = { DATABASE_URL: url, PORT: '0' }
    const runs = await Promise.all(
      Array.from({ length: times(10, 3) }, (_, i) => petstore(['migrate'], { env, runtime: i % 2 ? bun : node })),
    )
    for (const { code, stdout, stderr } of runs)
      assert.deepEqual([code, stdout, stderr], [0, '', 'The database is up to date.\n'])
    assert.equal((await sql`SELECT 1 FROM schema_version`).length, 1)
    assert.match(await makeKey(env), /^pst_/)
    await sql`UPDATE schema_version SET version = 9999`
    for (const args of [['migrate'], ['serve'], ['keys', 'list']]) {
      const { code, stdout, stderr } = await command(args, env)
      assert.deepEqual([code, stdout], [1, ''])
      assert.match(
        stderr,
        /^petstore: The database was written by a newer petstore \(schema 9999, .+\)\. Run that version, or restore a backup\.\n$/,
      )
    }
    assert.equal((await sql`SELECT version FROM schema_version`)[0]?.version, 9999)
  })

  test('makes a SQLite file, too, may be run again, and refuses a newer one alike', async () => {
    using folder = new Folder()
    for (let i = 0; i < 2; i++) assert.equal((await command(['migrate'], folder.env)).code, 0)
    assert.match(await makeKey(folder.env), /^pst_/)
    change(folder.database, 'PRAGMA user_version = 9999')
    const { code, stderr } = await command(['migrate'], folder.env)
    assert.equal(code, 1)
    assert.match(stderr, /^petstore: .+ was written by a newer petstore \(schema 9999, .+\n$/)
  })
})
