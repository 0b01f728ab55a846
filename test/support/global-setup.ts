/** One PostgreSQL for the whole run of `npm test`, unless the developer names a server with TEST_DATABASE_URL. */
import { type PostgresServer, startPostgres } from './postgres.ts'

let server: PostgresServer | undefined

export async function globalSetup(): Promise<void> {
  if (process.env.TEST_DATABASE_URL) return
  server = await startPostgres()
  process.env.TEST_DATABASE_URL = server.url
}

export async function globalTeardown(): Promise<void> {
  await server?.stop()
}
