/**
 * For the whole run of `npm test`: one PostgreSQL, unless the developer names a server with TEST_DATABASE_URL, with a
 * database that has our tables, of which hundreds of tests get a copy in half the time of making them; and one folder
 * in which Node keeps what it compiled, as hundreds of processes load the same files.
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
  // A test that kills a server has one of its own; and only a machine that stops would lose what was not synced.
  // No vacuum comes by itself in the middle of a test: it would change plans, or hold locks.
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
