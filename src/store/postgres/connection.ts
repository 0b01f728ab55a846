/** The pool of connections: every statement is prepared, has a deadline, and is refused at once when too many wait. */
import postgres from 'postgres'
import { StoreUnavailable } from '../store.ts'
import { isCollision, unavailable } from './faults.ts'

export interface PoolOptions {
  readonly url: string
  readonly connections: number
  /** How long a statement may take, waiting for a connection included. */
  readonly timeoutMilliseconds: number
}

/** An int64 goes as text. */
export type Value = string | number | null
export type Query = <Row>(text: string, values?: readonly Value[]) => Promise<Row[]>

/** What runs inside one transaction. */
export interface Transaction {
  readonly query: Query
  /** Reads a large result `size` rows at a time, waiting for `each`. */
  stream<Row>(text: string, size: number, each: (rows: Row[]) => Promise<void>): Promise<void>
}

export interface Pool {
  /** Runs one statement, which commits by itself; again, a few times, where it collided with another. */
  readonly query: Query
  /** Runs statements as one transaction that may take as long as it needs: the work of operators, not of requests. */
  transaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T>
  end(): Promise<void>
}

const collisionsMax = 5
/** Statements under way or waiting for each connection, beyond which more would only wait in vain. */
const waitingPerConnection = 50
const endSeconds = 5
const withoutTimeouts = `SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0;
  SET LOCAL idle_in_transaction_session_timeout = 0`

export function createPool({ url, connections, timeoutMilliseconds }: PoolOptions): Pool {
  const sql = postgres(url, {
    max: connections,
    connect_timeout: Math.ceil(timeoutMilliseconds / 1000),
    backoff: (attempts: number) => Math.min(1, 0.05 * 2 ** attempts),
    // Asks the catalogue for array types at each connection; we pass none.
    fetch_types: false,
    onnotice: () => {},
    connection: {
      application_name: 'petstore',
      statement_timeout: timeoutMilliseconds,
      lock_timeout: Math.ceil(timeoutMilliseconds / 2),
      idle_in_transaction_session_timeout: 60_000,
    },
  })
  let waiting = 0

  function run<Row>(text: string, values: readonly Value[]): Promise<Row[]> {
    return new Promise((resolve, reject) => {
      const late = () => reject(new StoreUnavailable(`PostgreSQL did not answer within ${timeoutMilliseconds} ms`))
      const timer = setTimeout(late, timeoutMilliseconds)
      waiting++
      sql
        .unsafe<Row[] & readonly postgres.Row[]>(text, values as Value[], { prepare: true })
        .then(resolve, (error) => reject(isCollision(error) ? error : (unavailable(error) ?? error)))
        .finally(() => {
          clearTimeout(timer)
          waiting--
        })
    })
  }

  return {
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
      try {
        const result = await sql.begin(async (begun) => {
          await begun.unsafe(withoutTimeouts)
          return work({
            query: async <Row>(text: string, values: readonly Value[] = []) =>
              (await begun.unsafe(text, values as Value[])) as unknown as Row[],
            stream: async <Row>(text: string, size: number, each: (rows: Row[]) => Promise<void>) => {
              await begun.unsafe(text).cursor(size, (rows) => each(rows as unknown as Row[]))
            },
          })
        })
        return result as T
      } catch (error) {
        throw unavailable(error) ?? error
      }
    },
    end: () => sql.end({ timeout: endSeconds }),
  }
}
