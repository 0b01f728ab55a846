/**
 * For the whole run of `npm test`: one PostgreSQL, unless the developer names a server with TEST_DATABASE_URL, and one
 * folder in which Node keeps what it compiled, as hundreds of processes load the same files.
 */
import { tmpdir } from 'node:os'
import { privateFolder } from '../../src/config/program.ts'
import { type PostgresServer, startPostgres } from './postgres.ts'

let server: PostgresServer | undefined

export async function globalSetup(): Promise<void> {
  process.env.NODE_COMPILE_CACHE ??= privateFolder(tmpdir())
  if (process.env.TEST_DATABASE_URL) return
  server = await startPostgres()
  process.env.TEST_DATABASE_URL = server.url
}

export async function globalTeardown(): Promise<void> {
  await server?.stop()
}
