/**
 * The setup for the whole run of `npm test`. It starts one PostgreSQL, unless TEST_DATABASE_URL names a server, and
 * makes a database with our tables; hundreds of tests get a copy of it in half the time of creating the tables. It also
 * makes one folder in which Node caches compiled code, because hundreds of processes load the same files.
 */
import { tmpdir } from 'node:os'
import { privateFolder } from '../../bin/compile-cache.js'
import { execute, type PostgresServer, startPostgres } from '../../harness/postgres.ts'
import { openPostgres } from '../../src/store/postgres/postgres.ts'
import { systemTime } from '../../src/time.ts'

let server: PostgresServer | undefined

export async function globalSetup(): Promise<void> {
  process.env.NODE_COMPILE_CACHE ??= privateFolder(tmpdir())
  if (process.env.TEST_DATABASE_URL) return
  // A test that kills a server starts its own. Only a machine that stops would lose what was not synced. Autovacuum is
  // off, because in the middle of a test it would change plans or hold locks.
  server = await startPostgres({ settings: ['fsync=off', 'full_page_writes=off', 'autovacuum=off'] })
  const template = 'petstore_template'
  await execute(server.url, `CREATE DATABASE ${template}`)
  const url = server.url.replace(/postgres$/, template)
  await (await openPostgres({ time: systemTime, url, connections: 1, timeoutMilliseconds: 60_000 })).close()
  await execute(server.url, `ALTER DATABASE ${template} ALLOW_CONNECTIONS false`)
  process.env.TEST_DATABASE_URL = server.url
  process.env.TEST_DATABASE_TEMPLATE = template
}

export async function globalTeardown(): Promise<void> {
  await server?.stop()
}
