/**
 * The setup for the whole run of `npm test`. It starts one PostgreSQL, unless TEST_DATABASE_URL names a server, and
 * makes a database with our tables; hundreds of tests get a copy of it in half the time of creating the tables. It also
 * makes one folder in which Node caches compiled code, because hundreds of processes load the same files.
 */
import { tmpdir } from 'node:os'
import { privateFolder } from '../../bin/compile-cache.js'
import { execute, type PostgresServer, startPostgres } from '../../harness/postgres.ts'
import { runSql } from '../../harness/sql.ts'
import { openPostgres } from '../../src/store/postgres/postgres.ts'
import { systemTime } from '../../src/time.ts'

let server: PostgresServer | undefined

export async function globalSetup(): Promise<void> {
  process.env.NODE_COMPILE_CACHE ??= privateFolder(tmpdir())
  if (process.env.TEST_DATABASE_URL) return
  // A test that kills a server starts its own. Only a machine that stops would lose what was not synced. Autovacuum is
  // off, because in the middle of a test it would change plans or hold locks.
  const settings = ['fsync=off', 'full_page_writes=off', 'autovacuum=off', 'wal_level=minimal', 'max_wal_senders=0']
  server = await startPostgres({ settings, inMemory: true })
  const template = 'petstore_template'
  await execute(server.url, `CREATE DATABASE ${template}`)
  const url = server.url.replace(/postgres$/, template)
  await (await openPostgres({ time: systemTime, url, connections: 1, timeoutMilliseconds: 60_000 })).close()
  await execute(server.url, `ALTER DATABASE ${template} ALLOW_CONNECTIONS false`)
  process.env.TEST_DATABASE_URL = server.url
  // Copying files without logging them is faster, and the way of every version before 15.
  const [version] = await runSql(server.url, 'SHOW server_version_num')
  const strategy = Number(version) < 150_000 ? '' : ' STRATEGY file_copy'
  process.env.TEST_DATABASE_TEMPLATE = template + strategy
  process.env.TEST_DATABASE_EMPTY = `template1${strategy}`
  // A test that starts its own server need not copy the programs again.
  process.env.TEST_POSTGRES = server.programs
}

export async function globalTeardown(): Promise<void> {
  await server?.stop()
}
