/** Migrates the database to this program's schema, without needless rights and without holding others up. */
import { sleep, type Time } from '../../time.ts'
import { type Migration, nextMigrations } from '../migrations.ts'
import { DatabaseUnusable, type SchemaChange } from '../store.ts'
import { tableNames } from '../tables.ts'
import { codeOf, isLocked } from './errors.ts'
import type { Pool, Query } from './pool.ts'
import { migrations } from './schema.ts'

/** Instances that start together on one schema migrate it one after another. */
const lockSchema = `SELECT pg_advisory_xact_lock('pg_namespace'::regclass::int, oid::int)
  FROM pg_namespace WHERE nspname = current_schema()`
const triesMax = 60

/** Errors of a database of another program, with other tables, columns and functions. */
const foreign = new Set(['42P07', '42703', '42710', '42723', '42809', '42804'])
/** Errors of a role without permission, or without a schema to create tables in. */
const forbidden = new Set(['42501', '3F000'])

interface Patience {
  readonly lockMilliseconds: number
  /** Resolves when it is time to try again. */
  readonly pause: (time: Time) => Promise<unknown>
}

/**
 * A migration waits for a lock for a moment only, and tries again: while it waits, all other statements queue behind
 * it.
 */
const usual: Patience = { lockMilliseconds: 200, pause: (time) => sleep(time, 1_000) }

/**
 * Refuses a database that this program cannot use, or may not change. Returns how many steps it took; if none is
 * needed, it only reads.
 */
export async function migrate(pool: Pool, change: SchemaChange, patience = usual, all = migrations): Promise<number> {
  const next = (query: Query) => missingMigrations(query, all, change)
  let steps = 0
  for (let tries = 1; ; tries++) {
    try {
      if ((await next(pool.query)).length === 0) return steps
      steps += await takeStep(pool, patience, next)
      tries = 0
      continue
    } catch (error) {
      if (!isLocked(error)) throw unusable(error) ?? error
      if (tries === triesMax)
        throw new DatabaseUnusable(
          'Cannot bring the database up to date: other transactions hold its tables. ' +
            'End them, and run "petstore migrate".',
        )
    }
    await patience.pause(pool.time)
  }
}

/** Returns the migrations to run next. A database without schema_version is new. */
async function missingMigrations(
  query: Query,
  all: readonly Migration[],
  change: SchemaChange,
): Promise<readonly Migration[]> {
  let version: unknown = 0
  try {
    const [row] = await query<{ version: unknown }>('SELECT version FROM schema_version')
    if (row) version = row.version
  } catch (error) {
    if (codeOf(error) !== '42P01') throw error
  }
  if (typeof version !== 'number') throw notOurs('schema_version holds something else')
  return nextMigrations(version, all, 'The database', change)
}

type Next = (query: Query) => Promise<readonly Migration[]>

const takeStep = (pool: Pool, { lockMilliseconds }: Patience, next: Next): Promise<number> =>
  pool.longTransaction(async ({ query }) => {
    // There is no timeout here, because another instance may be migrating.
    await query(lockSchema)
    // This does not wait for a standby, because without one it would hang silently. A standby that has become the
    // primary without the tables gets them from the next process that starts.
    await query(`SET LOCAL lock_timeout = ${lockMilliseconds}; SET LOCAL synchronous_commit = local`)
    await query('CREATE TABLE IF NOT EXISTS schema_version (version integer NOT NULL)')
    const steps = await next(query)
    for (const { sql, version } of steps) {
      await query(sql)
      const [row] = await query('UPDATE schema_version SET version = $1 RETURNING 1', [version])
      if (!row) await query('INSERT INTO schema_version (version) VALUES ($1)', [version])
    }
    return steps.length
  })

const servedTables = [...tableNames, 'pet_words', 'inventory', 'inventory_total', 'order_counts', 'rate_usage', 'probe']
/** The privileges that the role lacks, as statements that the owner can run. */
const missingRights = `
  SELECT format('GRANT %s ON %s TO %I', string_agg(needed, ', '), name, current_user) AS missing FROM (
    SELECT name, needed FROM unnest('{${servedTables}}'::text[]) AS name,
      unnest('{SELECT,INSERT,UPDATE,DELETE}'::text[]) AS needed WHERE NOT has_table_privilege(name, needed)
    UNION ALL
    SELECT 'SEQUENCE ' || name, needed FROM unnest('{pet_ids,order_ids,event_ids}'::text[]) AS name,
      unnest('{USAGE,SELECT}'::text[]) AS needed WHERE NOT has_sequence_privilege(name, needed)
  ) AS rights GROUP BY name ORDER BY name`

export async function assertRights({ query }: Pool): Promise<void> {
  const missing = await query<{ missing: string }>(missingRights)
  if (missing.length > 0)
    throw new DatabaseUnusable(
      `The role in DATABASE_URL lacks rights. Run as the owner: ${missing.map((row) => row.missing).join('; ')}`,
    )
}

const notOurs = (reason: string): DatabaseUnusable =>
  new DatabaseUnusable(`The database has tables that are not of petstore: ${reason}. Name another in DATABASE_URL.`)

function unusable(error: unknown): DatabaseUnusable | undefined {
  const code = codeOf(error)
  const { message } = error as Error
  if (foreign.has(code)) return notOurs(message)
  if (forbidden.has(code))
    return new DatabaseUnusable(
      `The role in DATABASE_URL may not read the schema or bring it up to date: ${message}. ` +
        'Run "petstore migrate" as the owner, and grant the role its rights.',
    )
  return undefined
}
