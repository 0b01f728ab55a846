/**
 * `petstore migrate` creates or updates a database before the service starts. It may run several times concurrently.
 */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { postgresDatabase, releasePostgres } from '../../harness/postgres.ts'
import { fails, makeKey, petstore } from '../../harness/process.ts'

after(releasePostgres)

test('petstore migrate can run twice concurrently, and refuses a later major version', async (t) => {
  const { url, connect, remove } = await postgresDatabase()
  const sql = connect()
  t.after(() => sql.end().then(remove))
  const env = { DATABASE_URL: url, PORT: '0' }
  const runs = await Promise.all([petstore(['migrate'], { env }), petstore(['migrate'], { env })])
  for (const { code, stdout, stderr } of runs)
    assert.deepEqual([code, stdout, stderr], [0, '', 'The database is up to date.\n'])
  assert.equal((await sql`SELECT 1 FROM schema_version`).length, 1)
  assert.match(await makeKey(env), /^pst_/)
  await sql`UPDATE schema_version SET version = 9999`
  const said =
    /^petstore: The database was written by a newer petstore \(schema 9999, .+\)\. Run that version, or .+\.\n$/
  for (const args of [['migrate'], ['serve'], ['keys', 'list']]) await fails(args, env, said)
  assert.equal((await sql`SELECT version FROM schema_version`)[0]?.version, 9999)
})
