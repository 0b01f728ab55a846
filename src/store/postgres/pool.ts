/** Statements and transactions of a process, which are repeated where that is safe, and refused when too many wait. */
import { hash } from 'node:crypto'
import { readPostgresUrl } from '../../config/database-url.ts'
import type { Time } from '../../time.ts'
import { Health } from '../health.ts'
import type { SqlValue } from '../shared-sql.ts'
import { StoreUnavailable } from '../store.ts'
import { type Connection, Connections, type ConnectionsOptions } from './connections.ts'
import { isCollision, isContended, isNameLost, isStale, unavailable } from './errors.ts'
import type { PoolStats } from './pool-stats.ts'

export interface PoolOptions extends ConnectionsOptions {
  readonly url: string
  /** Reports, once, what the operator should change. */
  readonly warn?: (message: string) => void
  /** How long work under way may still take when the pool ends. The default is 5 seconds. */
  readonly endMilliseconds?: number
}

export type Query = <Row>(text: string, values?: readonly SqlValue[]) => Promise<Row[]>
interface LongTransaction {
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
  readonly health: Health
  /** Runs one statement that reads. */
  readonly query: Query
  /** Runs one statement that writes, as a transaction by itself. */
  readonly write: Query
  /** Commits if `work` resolves. After a deadlock, `work` runs again. */
  transaction<T>(work: (query: Query) => Promise<T>): Promise<T>
  /** A transaction in which only the beginning has a timeout. It is for commands of operators, not for requests. */
  longTransaction<T>(work: (transaction: LongTransaction) => Promise<T>): Promise<T>
  /** Whether many statements are waiting, so that optional statements should be omitted. */
  isCrowded(): boolean
  /** Lets statements under way finish for `endMilliseconds`, and closes every connection. */
  end(): Promise<void>
}

/** How often work is done again after a deadlock, a serialization failure or a lost prepared statement. */
const retriesMax = 5
/** The number of running or waiting statements per connection. Further statements would only time out. */
const waitingPerConnection = 50
/** The longest wait of a service that is shutting down. */
const endMillisecondsMax = 5_000
/** All rows of a cursor are read, so plans must not favour the first of them. */
const beginLong = `BEGIN; SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0;
  SET LOCAL idle_in_transaction_session_timeout = 0; SET LOCAL cursor_tuple_fraction = 1`

const timeoutsOf = (milliseconds: number) => ({
  statement_timeout: milliseconds,
  // Short enough to run the items of a batch by themselves after one of them was locked.
  lock_timeout: Math.ceil(milliseconds / 4),
  idle_in_transaction_session_timeout: 60_000,
})

/** Whether a commit of ours has waited for a synchronous standby for that many milliseconds. */
const isStandbyAway = `SELECT FROM pg_stat_activity WHERE usename = current_user AND wait_event = 'SyncRep'
  AND query_start < clock_timestamp() - $1::bigint * interval '1 ms' LIMIT 1`

export function createPool(options: PoolOptions): Pool {
  const { time, url, timeoutMilliseconds, prepare = true } = options
  const endMilliseconds = Math.min(timeoutMilliseconds, options.endMilliseconds ?? endMillisecondsMax)
  const connections = new Connections(options, readPostgresUrl(url), prepare ? timeoutsOf(timeoutMilliseconds) : {})
  const { stats } = connections
  const waitingMax = options.connections * waitingPerConnection
  const names = createNames(options)
  const health = new Health()

  const queryOn =
    (connection: Connection): Query =>
    (text, values) =>
      connection.send(text, values, names.nameOf(text))

  /**
   * Repeats work if that is safe, because the server has undone it or has not begun it. Nothing is repeated after the
   * timeout has passed.
   */
  async function withRetries<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    if (connections.underWay >= waitingMax) throw new StoreUnavailable('too many statements are waiting')
    const deadline = time.ticks() + timeoutMilliseconds
    for (let retries = 0; ; retries++) {
      const started = time.ticks()
      try {
        return await connections.use(work)
      } catch (error) {
        if (isCollision(error)) stats.collisions++
        if (isNameLost(error)) names.giveUp()
        const isSafe = isCollision(error) || isStale(error) || isNameLost(error)
        if (isSafe && retries < retriesMax && time.ticks() < deadline) continue
        const reason = unavailable(error) ?? error
        if (!isContended(error)) health.failed(reason)
        throw reason
      } finally {
        stats.statements.observe((time.ticks() - started) / 1000)
      }
    }
  }

  /**
   * Writes nothing more while commits wait for a standby that is away: closing their connections does not end them on
   * the server, so further ones would soon take all the connections that it allows, and reads would get none.
   */
  const writing = <T>(work: (connection: Connection) => Promise<T>): Promise<T> =>
    withRetries(async (connection) => {
      if (health.fault && (await connection.send(isStandbyAway, [timeoutMilliseconds])).length > 0)
        throw new StoreUnavailable('PostgreSQL: commits wait for a synchronous standby, and none confirms them')
      return work(connection)
    })

  return {
    time,
    connections: options.connections,
    timeoutMilliseconds,
    endMilliseconds,
    stats,
    health,
    query: (text, values) => withRetries((connection) => queryOn(connection)(text, values)),
    write: (text, values) => writing((connection) => queryOn(connection)(text, values)),
    transaction: (work) =>
      writing(async (connection) => {
        await connection.send('BEGIN')
        return transact(connection, queryOn(connection), work)
      }),
    async longTransaction(work) {
      try {
        return await connections.use(async (connection, liftTimeout) => {
          await connection.send(beginLong)
          liftTimeout()
          const unnamed: Query = (text, values) => connection.send(text, values)
          return transact(connection, unnamed, (query) => work({ query, stream: streamOn(query) }))
        })
      } catch (error) {
        throw unavailable(error) ?? error
      }
    },
    // The other nine tenths are kept for the statements of clients.
    isCrowded: () => connections.underWay >= waitingMax / 10,
    end: () => connections.end(endMilliseconds),
  }
}

/**
 * The names of prepared statements. They are the same in all instances: behind a pgbouncer, one might otherwise run the
 * statement of another.
 */
function createNames({ prepare = true, warn = () => {} }: PoolOptions) {
  const names = new Map<string, string>()
  let areUsed = prepare
  return {
    nameOf(text: string): string | undefined {
      if (!areUsed) return undefined
      let name = names.get(text)
      if (name === undefined) names.set(text, (name = `petstore_${hash('sha256', text, 'base64url').slice(0, 22)}`))
      return name
    },
    /** From now on, statements have no name. */
    giveUp(): void {
      if (areUsed)
        warn(
          'prepared statements are lost, as they are behind pgbouncer in transaction mode, so the service continues ' +
            'without them; set DATABASE_PREPARE=false, or max_prepared_statements in pgbouncer',
        )
      areUsed = false
    },
  }
}

/** Does `work` in the transaction that was begun, and ends it. */
async function transact<T>(connection: Connection, query: Query, work: (query: Query) => Promise<T>): Promise<T> {
  let failure: unknown
  const noting: Query = async <Row>(text: string, values?: readonly SqlValue[]) => {
    try {
      return await query<Row>(text, values)
    } catch (error) {
      failure ??= error
      throw error
    }
  }
  try {
    const result = await work(noting)
    // COMMIT would roll back without an error.
    if (failure) throw failure
    await connection.send('COMMIT')
    return result
  } catch (error) {
    await connection.send('ROLLBACK').catch(() => {})
    throw error
  }
}

const streamOn = (query: Query): LongTransaction['stream'] =>
  async function stream<Row>(text: string, size: number, each: (rows: Row[]) => Promise<void>): Promise<void> {
    await query(`DECLARE rows NO SCROLL CURSOR FOR ${text}`)
    for (let rows: Row[] | undefined; !rows || rows.length === size; ) {
      rows = await query<Row>(`FETCH ${size} FROM rows`)
      if (rows.length > 0) await each(rows)
    }
    await query('CLOSE rows')
  }
