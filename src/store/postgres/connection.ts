/** Statements and transactions on lent connections; they are refused at once when too many wait. */
import { readTarget } from '../../database-url.ts'
import { StoreUnavailable } from '../store.ts'
import type { Connection } from './client.ts'
import { isCollision, isStale, unavailable } from './client.ts'
import { createLender } from './lender.ts'
import type { Pool, PoolOptions, Query, Statement, Transaction, Value } from './pool.ts'

const collisionsMax = 5
/** Running or waiting statements per connection, beyond which further ones would only time out. */
const waitingPerConnection = 50
/** A service that is shutting down waits no longer than this. */
const endMillisecondsMax = 5_000
/** All rows of a cursor are read, so a plan should not be for the first of them. */
const begin = `BEGIN; SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0;
  SET LOCAL idle_in_transaction_session_timeout = 0; SET LOCAL cursor_tuple_fraction = 1`

const timeouts = (milliseconds: number) => ({
  statement_timeout: milliseconds,
  // So short that a batch held up by one of its items leaves time to run the others by themselves.
  lock_timeout: Math.ceil(milliseconds / 4),
  idle_in_transaction_session_timeout: 60_000,
})

export function createPool(options: PoolOptions): Pool {
  const { url, connections, timeoutMilliseconds, prepare = true } = options
  const endMilliseconds = Math.min(timeoutMilliseconds, options.endMilliseconds ?? endMillisecondsMax)
  const session = prepare ? timeouts(timeoutMilliseconds) : {}
  const { lend, underWay, stats, renew, end } = createLender(options, { target: readTarget(url), session })
  const waitingMax = connections * waitingPerConnection
  /** Of prepared statements, by their text. */
  const names = new Map<string, string>()

  function send<Row>(connection: Connection, text: string, values?: readonly Value[]): Promise<Row[]> {
    if (!prepare) return connection.send(text, values)
    let name = names.get(text)
    if (name === undefined) names.set(text, (name = `petstore_${names.size}`))
    return connection.send(text, values, name)
  }

  async function query<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    if (underWay() >= waitingMax) throw new StoreUnavailable('too many statements are waiting')
    for (let collisions = 0; ; collisions++) {
      const started = performance.now()
      try {
        return await lend(work)
      } catch (error) {
        if (isCollision(error)) stats.collisions++
        const isRetried = (isCollision(error) || isStale(error)) && collisions < collisionsMax
        if (!isRetried) throw unavailable(error) ?? error
      } finally {
        stats.statements.observeSince(started)
      }
    }
  }

  return {
    connections,
    timeoutMilliseconds,
    endMilliseconds,
    stats,
    query: <Row>(text: string, values?: readonly Value[]) => query((connection) => send<Row>(connection, text, values)),
    queryBoth: <First, Second>(first: Statement, second: Statement, milliseconds: number) => {
      const { promise: late, reject } = Promise.withResolvers<never>()
      const hangs = new StoreUnavailable(`PostgreSQL: the server did not answer within ${Math.ceil(milliseconds)} ms`)
      const timer = setTimeout(reject, milliseconds, hangs)
      const both = query(async (connection) => {
        const answer = send<First>(connection, first.text, first.values).finally(() => clearTimeout(timer))
        // A pgbouncer before 1.21 gives the server's connection away after the first of several statements sent ahead.
        if (!prepare) await answer
        return Promise.all([answer, send<Second>(connection, second.text, second.values)])
      })
      return Promise.race([both, late])
    },
    runAll: (text) => query(async (connection) => void (await connection.send(text))),
    // One tenth: the rest is kept for the statements of clients.
    isCrowded: () => underWay() >= waitingMax / 10,
    async transaction(work) {
      try {
        return await lend(async (connection, takeTime) => {
          await connection.send(begin)
          return await transact(connection, (transaction) => {
            takeTime()
            return work(transaction)
          })
        })
      } catch (error) {
        throw unavailable(error) ?? error
      }
    },
    renew,
    end: () => end(endMilliseconds),
  }
}

/** Does `work` in the transaction that was begun, and commits it. */
async function transact<T>(connection: Connection, work: (transaction: Transaction) => Promise<T>): Promise<T> {
  let failure: unknown
  const query: Query = async <Row>(text: string, values?: readonly Value[]) => {
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
    const result = await work({ query, stream })
    // Otherwise COMMIT would roll back, and say nothing.
    if (failure) throw failure
    await query('COMMIT')
    return result
  } catch (error) {
    await connection.send('ROLLBACK').catch(() => {})
    throw error
  }
}
