/** Statements and transactions on the connections of a pool, refused at once when too many wait. */
import { hash } from 'node:crypto'
import { readPostgresUrl } from '../../config/database-url.ts'
import type { Time } from '../../time.ts'
import type { Sql, SqlValue } from '../shared-sql.ts'
import { type Rendered, StoreUnavailable } from '../store.ts'
import type { Connection } from './connection.ts'
import { Connections, type PoolOptions } from './connections.ts'
import { isCollision, isNameLost, isStale, unavailable } from './errors.ts'
import type { PoolStats } from './pool-stats.ts'

export type Query = <Row>(text: string, values?: readonly SqlValue[]) => Promise<Row[]>
export interface Statement {
  readonly text: string
  readonly values: readonly SqlValue[]
}

interface Transaction {
  readonly query: Query
  /** Reads a large result `size` rows at a time, and awaits `each`. */
  stream<Row>(text: string, size: number, each: (rows: Row[]) => Promise<void>): Promise<void>
}

export interface Pool {
  readonly time: Time
  readonly connections: number
  readonly timeoutMilliseconds: number
  readonly endMilliseconds: number
  readonly stats: PoolStats
  /** Runs one statement with autocommit; retries a few times after a deadlock or serialization failure. */
  readonly query: Query
  /** Runs several statements without values as one transaction. */
  runAll(text: string): Promise<void>
  /** Whether so many statements are waiting that optional ones should be left out. */
  isCrowded(): boolean
  /** Runs a transaction without timeouts: for operators' commands, not for requests. */
  transaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T>
  /** Lets statements under way finish for `endMilliseconds`, and closes every connection. */
  end(): Promise<void>
}

const collisionsMax = 5
/** Running or waiting statements per connection; further ones would only time out. */
const waitingPerConnection = 50
/** A service that is shutting down waits no longer than this. */
const endMillisecondsMax = 5_000
/** All rows of a cursor are read, so plans must not favour the first of them. */
const begin = `BEGIN; SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0;
  SET LOCAL idle_in_transaction_session_timeout = 0; SET LOCAL cursor_tuple_fraction = 1`

const timeoutsOf = (milliseconds: number) => ({
  statement_timeout: milliseconds,
  // Short enough to run the items of a batch by themselves after one of them was locked.
  lock_timeout: Math.ceil(milliseconds / 4),
  idle_in_transaction_session_timeout: 60_000,
})

export function createPool(options: PoolOptions): Pool {
  const { time, url, connections, timeoutMilliseconds, prepare = true, warn = () => {} } = options
  const endMilliseconds = Math.min(timeoutMilliseconds, options.endMilliseconds ?? endMillisecondsMax)
  const all = new Connections(options, readPostgresUrl(url), prepare ? timeoutsOf(timeoutMilliseconds) : {})
  const { stats } = all
  const waitingMax = connections * waitingPerConnection
  const names = new Map<string, string>()
  let areNamed = prepare

  function send<Row>(connection: Connection, text: string, values?: readonly SqlValue[]): Promise<Row[]> {
    if (!areNamed) return connection.send(text, values)
    let name = names.get(text)
    // The same in all instances: behind a pgbouncer, one might otherwise run a statement of another.
    if (name === undefined) names.set(text, (name = `petstore_${hash('sha256', text, 'base64url').slice(0, 22)}`))
    return connection.send(text, values, name)
  }

  function goOnWithoutNames(): void {
    if (areNamed)
      warn(
        'names of prepared statements do not hold: there is a pgbouncer in transaction mode. Going on without; ' +
          'set DATABASE_PREPARE=false, or max_prepared_statements in pgbouncer',
      )
    areNamed = false
  }

  async function query<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    if (all.underWay >= waitingMax) throw new StoreUnavailable('too many statements are waiting')
    for (let collisions = 0; ; collisions++) {
      const started = time.ticks()
      try {
        return await all.use(work)
      } catch (error) {
        if (isCollision(error)) stats.collisions++
        if (isNameLost(error)) goOnWithoutNames()
        const isRetried = (isCollision(error) || isStale(error) || isNameLost(error)) && collisions < collisionsMax
        if (!isRetried) throw unavailable(error) ?? error
      } finally {
        stats.statements.observe((time.ticks() - started) / 1000)
      }
    }
  }

  return {
    time,
    connections,
    timeoutMilliseconds,
    endMilliseconds,
    stats,
    query: <Row>(text: string, values?: readonly SqlValue[]) =>
      query((connection) => send<Row>(connection, text, values)),
    runAll: (text) => query(async (connection) => void (await connection.send(text))),
    // The other nine tenths are kept for the statements of clients.
    isCrowded: () => all.underWay >= waitingMax / 10,
    async transaction(work) {
      try {
        return await all.use((connection, liftTimeout) => transact(connection, liftTimeout, work))
      } catch (error) {
        throw unavailable(error) ?? error
      }
    },
    end: () => all.end(endMilliseconds),
  }
}

/** Does `work` in a transaction, of which only the beginning has a timeout. */
async function transact<T>(
  connection: Connection,
  liftTimeout: () => void,
  work: (transaction: Transaction) => Promise<T>,
): Promise<T> {
  await connection.send(begin)
  let failure: unknown
  const query: Query = async <Row>(text: string, values?: readonly SqlValue[]) => {
    try {
      return await connection.send<Row>(text, values)
    } catch (error) {
      failure ??= error
      throw error
    }
  }
  async function stream<Row>(text: string, size: number, each: (rows: Row[]) => Promise<void>): Promise<void> {
    await query(`DECLARE rows NO SCROLL CURSOR FOR ${text}`)
    for (let rows: Row[] | undefined; !rows || rows.length === size; ) {
      rows = await query<Row>(`FETCH ${size} FROM rows`)
      if (rows.length > 0) await each(rows)
    }
    await query('CLOSE rows')
  }
  try {
    liftTimeout()
    const result = await work({ query, stream })
    // COMMIT would roll back without an error.
    if (failure) throw failure
    await query('COMMIT')
    return result
  } catch (error) {
    await connection.send('ROLLBACK').catch(() => {})
    throw error
  }
}

/** Runs a statement that returns the rows it writes; if there are any, it was a commit. */
export async function write<Row>(pool: Pool, text: string, values: readonly SqlValue[]): Promise<Row[]> {
  const { time } = pool
  const started = time.ticks()
  const rows = await pool.query<Row>(text, values).catch((error) => {
    // Without a cause it was refused here, as too many wait.
    if (error instanceof StoreUnavailable && error.cause) pool.stats.commits.failures++
    throw error
  })
  if (rows.length > 0) pool.stats.commits.done(rows.length, time.ticks() - started)
  return rows
}

/** Runs a statement that writes at most one row and returns its id and doc. */
export async function writeOne(pool: Pool, text: string, values: readonly SqlValue[]): Promise<Rendered | undefined> {
  const [row] = await write<{ id: string; doc: string }>(pool, text, values)
  return row && { id: Number(row.id), json: row.doc }
}

function joined(first: string, others: readonly (string | undefined)[]): string {
  const parts = others.flatMap((text, index) => (text ? `, other${index} AS (${text})` : []))
  return parts.length > 0 ? `WITH first AS (${first})${parts.join('')} SELECT * FROM first` : first
}

/** The clock of the server in milliseconds. */
export const now = '(extract(epoch FROM statement_timestamp()) * 1000)::bigint'

const deleter = 'petstore.deleted_by'
/** A condition of a DELETE: tells its trigger the name of a key, as the old row has that of whoever wrote it last. */
export const deleteBy = (place: string): string =>
  `set_config('${deleter}', coalesce(${place}::text, ''), true) IS NOT NULL`
export const deletedBy = `nullif(current_setting('${deleter}', true), '')`

export function createSql(pool: Pool): Sql {
  const { query, transaction, timeoutMilliseconds } = pool
  return {
    read: (text, ...values) => query(text, values),
    write: (values, first, ...others) => write(pool, joined(first, others), values),
    upkeep: (values, first, ...others) => query(joined(first, others), values),
    alone: (table, values, text) =>
      transaction(async ({ query }) => {
        // The lock comes first, so that all earlier commits are seen at any isolation.
        await query(
          `SET LOCAL statement_timeout = ${timeoutMilliseconds}; LOCK TABLE ${table} IN SHARE ROW EXCLUSIVE MODE`,
        )
        return query<object>(text, values)
      }),
    isCrowded: pool.isCrowded,
    ifFirst: 'EXISTS (SELECT 1 FROM first)',
    deleteRow: (table, condition, by) => [
      `DELETE FROM ${table} WHERE id = $1 AND ${condition} AND ${deleteBy(by)} RETURNING doc`,
    ],
    now,
    tryLock: (table, place) =>
      `(SELECT pg_try_advisory_xact_lock('${table}'::regclass::int, (CAST(${place} AS bigint) % 2147483647)::int))`,
    listed: (place) => `jsonb_array_elements(${place}::text::jsonb) WITH ORDINALITY AS listed (value, key)`,
    oneOf: (place) => `(SELECT jsonb_array_elements_text(${place}::text::jsonb))`,
  }
}
