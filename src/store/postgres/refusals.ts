/** Why petstore cannot use a PostgreSQL database: each reason is a sentence that says what to do. */
import { DatabaseError } from 'pg'
import { namesIn, refuseMissing } from '../migrations.ts'
import { DatabaseUnusable, type SchemaChange, StoreUnavailable } from '../store.ts'
import { copiedColumns, neededColumns, tableNames } from '../tables.ts'
import type { Pool } from './pool.ts'
import { migrations } from './schema.ts'

const oldestVersion = 14

interface Server {
  /** The version, such as 15.4 (Debian 15.4-1). */
  readonly version: string
  readonly encoding: string
  /** The schema in which tables are made: the first of the search path that exists and that the role may use. */
  readonly schema: string | null
  readonly path: string
}

function unfit({ version, encoding, schema, path }: Server): string | undefined {
  if (Number.parseInt(version, 10) < oldestVersion)
    return `The server is PostgreSQL ${version}. Upgrade it: petstore needs version ${oldestVersion} or newer.`
  if (encoding !== 'UTF8')
    return (
      `The database has the encoding ${encoding}, which lacks characters that names may have. ` +
      `Create one with ENCODING 'UTF8' TEMPLATE template0, and name it in DATABASE_URL.`
    )
  if (schema === null)
    return (
      `The search_path (${path}) names no schema that exists and that the role may use. ` +
      'Create the schema, or change the search_path of the role or in DATABASE_URL.'
    )
  return undefined
}

const askServer = `SELECT current_setting('server_version') AS version, current_setting('server_encoding') AS encoding,
  current_schema() AS schema, current_setting('search_path') AS path`

export async function assertFit({ query }: Pick<Pool, 'query'>): Promise<void> {
  const [server] = await query<Server>(askServer)
  const fault = server && unfit(server)
  if (fault) throw new DatabaseUnusable(fault)
}

const relations = namesIn(migrations, /CREATE (?:(?:UNLOGGED )?TABLE|SEQUENCE|UNIQUE INDEX) (\w+)/g)
const triggers = namesIn(migrations, /CREATE TRIGGER (\w+) AFTER \w+(?: OF \w+)? ON (\w+)/g)
const arrayOf = (pairs: readonly string[][], index: 0 | 1): string => `'{${pairs.map((pair) => pair[index])}}'::text[]`

const missing = (names: readonly string[] | string[][]): string =>
  `SELECT name FROM unnest('{${names}}'::text[]) AS name WHERE to_regclass(name) IS NULL`
const missingColumns = (pairs: readonly string[][]): string => `
  SELECT of_table || '.' || name FROM unnest(${arrayOf(pairs, 0)}, ${arrayOf(pairs, 1)}) AS made (of_table, name)
  WHERE NOT EXISTS (SELECT 1 FROM pg_attribute WHERE attrelid = to_regclass(of_table) AND attname = name)
    AND to_regclass(of_table) IS NOT NULL`
/** Without its trigger, a table would accept writes as before, but their events and counts would be missing. */
const missingTriggers = `
  SELECT 'trigger ' || name FROM unnest(${arrayOf(triggers, 0)}, ${arrayOf(triggers, 1)}) AS made (name, of_table)
  WHERE NOT EXISTS (SELECT 1 FROM pg_trigger WHERE tgname = name AND tgrelid = to_regclass(of_table))`

/**
 * Refuses a database that lacks a part: a dump was restored in part, or somebody has dropped something. Reading needs
 * only what is copied from one database to another.
 */
export async function assertWhole({ query }: Pool, schema: SchemaChange): Promise<void> {
  const needed =
    schema === 'read'
      ? [missing(tableNames), missingColumns(copiedColumns)]
      : [missing(relations), missingColumns(neededColumns), missingTriggers]
  const parts = await query<{ name: string }>(needed.join(' UNION ALL '))
  refuseMissing(
    parts.map(({ name }) => name),
    'The database',
  )
}

/** Advice for errors of a server that was reached, by SQLSTATE. The message of the error precedes it. */
const advice: readonly (readonly [pattern: RegExp, advice: string])[] = [
  [/^28/, 'Check the user and the password in DATABASE_URL, and pg_hba.conf of the server.'],
  [/^3D000/, 'Create the database, or correct its name in DATABASE_URL.'],
  [/^53300/, 'Close other connections, lower DATABASE_POOL, or raise the limit.'],
  [/^53/, 'Free what the server has run out of, and run this again.'],
  [/^57P0/, 'Run this again when the server has started.'],
  [/^25006/, 'It may be a standby: name the primary in DATABASE_URL.'],
  [/^55000/, 'Allow connections to the database, or name another in DATABASE_URL.'],
  [/^55P03|^57014/, 'End the transactions that hold its tables, and run this again.'],
  [/^42704.*plpgsql/, 'Run CREATE EXTENSION plpgsql in it, as its owner.'],
  [/^42501/, 'Grant the role in DATABASE_URL this right.'],
  [/^08/, 'Check DATABASE_URL, and what stands in front of the server, such as pgbouncer.'],
]

function errorOfServer(error: unknown): DatabaseError | undefined {
  if (error instanceof DatabaseError) return error
  return error instanceof StoreUnavailable ? errorOfServer(error.cause) : undefined
}

/** Why the database could not be opened, if it is for an operator to cure. */
export function refusalOf(error: unknown): DatabaseUnusable | undefined {
  const { message } = error as Error
  if (message.includes('unsupported startup parameter'))
    return new DatabaseUnusable(
      `pgbouncer refuses the connection: ${message}. ` +
        'Set DATABASE_PREPARE=false, or ignore_startup_parameters in pgbouncer, and the timeouts on the role.',
    )
  const ofServer = errorOfServer(error)
  if (ofServer) {
    const { code = '' } = ofServer
    const [, whatToDo] = advice.find(([pattern]) => pattern.test(`${code} ${ofServer.message}`)) ?? []
    // Any other error is a mistake of ours, unless it came while connecting.
    if (!whatToDo && !(error instanceof StoreUnavailable)) return undefined
    return new DatabaseUnusable(
      `The database cannot be used: ${ofServer.message}. ${whatToDo ?? 'Check DATABASE_URL, with its parameters.'}`,
    )
  }
  if (!(error instanceof StoreUnavailable)) return undefined
  // The driver reports the next two without a code.
  if (message.includes('password must be a string'))
    return new DatabaseUnusable('The server asks for a password. Put it into DATABASE_URL.')
  if (/SSL|TLS|certificate/i.test(message))
    return new DatabaseUnusable(
      `Cannot connect to the database securely: ${message}. Check sslmode and sslrootcert in DATABASE_URL.`,
    )
  return new DatabaseUnusable(
    `Cannot reach the database: ${message}. Check DATABASE_URL, and that the server is running.`,
  )
}
