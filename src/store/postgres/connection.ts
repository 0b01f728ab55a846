/** The connection pool: every statement is prepared and has a deadline, and is rejected at once if too many are waiting. */
import postgres from 'postgres'
import { StoreUnavailable } from '../store.ts'
import { isCollision, unavailable } from './errors.ts'
import { createSockets } from './sockets.ts'

export interface PoolOptions {
  readonly url: string
  readonly connections: number
  /** How long a statement may take, including the wait for a connection. */
  readonly timeoutMilliseconds: number
  /** How long running statements may take when the pool is closed; at most 5 seconds unless given. */
  readonly endMilliseconds?: number
}

/** An int64 is passed as text. */
export type Value = string | number | null
export type Query = <Row>(text: string, values?: readonly Value[]) => Promise<Row[]>

/** Rows as the driver's types require them. */
type Rows<Row> = Row[] & readonly postgres.Row[]

/** The statements of one transaction. */
export interface Transaction {
  readonly query: Query
  /** Reads a large result `size` rows at a time, and awaits `each`. */
  stream<Row>(text: string, size: number, each: (rows: Row[]) => Promise<void>): Promise<void>
}

export interface Pool {
  readonly timeoutMilliseconds: number
  readonly endMilliseconds: number
  /** Runs one statement with autocommit; retries a few times after a deadlock or serialization failure. */
  readonly query: Query
  /** Runs a transaction without timeouts: for operators' commands, not for requests. */
  transaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T>
  /** Waits up to `endMilliseconds` for running statements, then closes every connection. */
  end(): Promise<void>
}

const collisionsMax = 5
/** Running or waiting statements per connection, beyond which further ones would only time out. */
const waitingPerConnection = 50
/** A service that is shutting down waits no longer than this. */
const endMillisecondsMax = 5_000
const withoutTimeouts = `SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0;
  SET LOCAL idle_in_transaction_session_timeout = 0`

/** One instance of the driver; its connections are closed with it. */
interface Driver {
  readonly sql: postgres.Sql
  end(milliseconds: number): Promise<void>
}

export function createPool({ url, connections, timeoutMilliseconds, ...options }: PoolOptions): Pool {
  const endMilliseconds = Math.min(timeoutMilliseconds, options.endMilliseconds ?? endMillisecondsMax)
  const drivers = new Set<Driver>()

  function connect(): Driver {
    const sockets = createSockets()
    // The driver knows the option; its types do not.
    const socket = { socket: sockets.open }
    const sql = postgres(url, {
      ...socket,
      max: connections,
      connect_timeout: Math.ceil(timeoutMilliseconds / 1000),
      backoff: (attempts: number) => Math.min(1, 0.05 * 2 ** attempts),
      // Would query the catalogue for array types on each connection; we use none.
      fetch_types: false,
      onnotice: () => {},
      connection: {
        application_name: 'petstore',
        statement_timeout: timeoutMilliseconds,
        // Short, so that a batch blocked by one item leaves time to run the others one by one.
        lock_timeout: Math.ceil(timeoutMilliseconds / 4),
        idle_in_transaction_session_timeout: 60_000,
      },
    })
    const driver: Driver = {
      sql,
      async end(milliseconds) {
        await sql.end({ timeout: milliseconds / 1000 }).finally(sockets.destroy)
        drivers.delete(driver)
      },
    }
    drivers.add(driver)
    return driver
  }
  let current = connect()
  let isEnded = false
  let waiting = 0

  /** Replaces connections that no longer respond; the kernel would keep them open for many minutes. */
  function abandon(dead: Driver): void {
    if (dead !== current || isEnded) return
    current = connect()
    dead.end(0)
  }

  function run<Row>(text: string, values: readonly Value[]): Promise<Row[]> {
    return new Promise((resolve, reject) => {
      const used = current
      const late = () => {
        reject(new StoreUnavailable(`PostgreSQL did not answer within ${timeoutMilliseconds} ms`))
        timer = setTimeout(() => abandon(used), timeoutMilliseconds)
      }
      let timer = setTimeout(late, timeoutMilliseconds)
      waiting++
      used.sql
        .unsafe<Rows<Row>>(text, values as Value[], { prepare: true })
        .then(resolve, (error) => reject(isCollision(error) ? error : (unavailable(error) ?? error)))
        .finally(() => {
          clearTimeout(timer)
          waiting--
        })
    })
  }

  return {
    timeoutMilliseconds,
    endMilliseconds,
    async query<Row>(text: string, values: readonly Value[] = []): Promise<Row[]> {
      if (waiting >= connections * waitingPerConnection) throw new StoreUnavailable('too many statements are waiting')
      for (let collisions = 0; ; collisions++) {
        try {
          return await run<Row>(text, values)
        } catch (error) {
          if (!isCollision(error) || collisions >= collisionsMax) throw unavailable(error) ?? error
        }
      }
    },
    async transaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
      const used = current
      // Only the wait for BEGIN has a deadline.
      const timer = setTimeout(() => abandon(used), timeoutMilliseconds)
      try {
        const result = await used.sql.begin(async (begun) => {
          clearTimeout(timer)
          await begun.unsafe(withoutTimeouts)
          return work({
            query: <Row>(text: string, values: readonly Value[] = []) =>
              begun.unsafe<Rows<Row>>(text, values as Value[]).then((rows): Row[] => rows),
            stream: async <Row>(text: string, size: number, each: (rows: Row[]) => Promise<void>) => {
              // The driver awaits `each` before it reads on, but not after the last rows.
              let last = Promise.resolve()
              await begun.unsafe<Rows<Row>>(text).cursor(size, (rows) => {
                last = each(rows)
                last.catch(() => {})
                return last
              })
              await last
            },
          })
        })
        return result as T
      } catch (error) {
        throw unavailable(error) ?? error
      } finally {
        clearTimeout(timer)
      }
    },
    async end() {
      isEnded = true
      await Promise.all([...drivers].map((driver) => driver.end(endMilliseconds)))
    },
  }
}
