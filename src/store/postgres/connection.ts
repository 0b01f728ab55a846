/** The pool of connections: every statement is prepared, has a deadline, and is refused at once when too many wait. */
import postgres from 'postgres'
import { StoreUnavailable } from '../store.ts'
import { isCollision, unavailable } from './errors.ts'

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
  readonly timeoutMilliseconds: number
  /** Runs one statement, which commits by itself; again, a few times, where it collided with another. */
  readonly query: Query
  /** Runs statements as one transaction that may take as long as it needs: the work of operators, not of requests. */
  transaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T>
  end(): Promise<void>
}

const collisionsMax = 5
/** Statements under way or waiting for each connection, beyond which more would only wait in vain. */
const waitingPerConnection = 50
const withoutTimeouts = `SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0;
  SET LOCAL idle_in_transaction_session_timeout = 0`

export function createPool({ url, connections, timeoutMilliseconds }: PoolOptions): Pool {
  const connect = () =>
    postgres(url, {
      max: connections,
      connect_timeout: Math.ceil(timeoutMilliseconds / 1000),
      backoff: (attempts: number) => Math.min(1, 0.05 * 2 ** attempts),
      // Asks the catalogue for array types at each connection; we pass none.
      fetch_types: false,
      onnotice: () => {},
      connection: {
        application_name: 'petstore',
        statement_timeout: timeoutMilliseconds,
        // So short that a batch held up by one of its items leaves time to run the others by themselves.
        lock_timeout: Math.ceil(timeoutMilliseconds / 4),
        idle_in_transaction_session_timeout: 60_000,
      },
    })
  let sql = connect()
  let waiting = 0

  /** Leaves connections behind that bring no answers any more: the system would hold on to them for many minutes. */
  function abandon(dead: postgres.Sql): void {
    if (dead !== sql) return
    sql = connect()
    dead.end({ timeout: 0 })
  }

  function run<Row>(text: string, values: readonly Value[]): Promise<Row[]> {
    return new Promise((resolve, reject) => {
      const used = sql
      const late = () => {
        reject(new StoreUnavailable(`PostgreSQL did not answer within ${timeoutMilliseconds} ms`))
        timer = setTimeout(() => abandon(used), timeoutMilliseconds)
      }
      let timer = setTimeout(late, timeoutMilliseconds)
      waiting++
      used
        .unsafe<Row[] & readonly postgres.Row[]>(text, values as Value[], { prepare: true })
        .then(resolve, (error) => reject(isCollision(error) ? error : (unavailable(error) ?? error)))
        .finally(() => {
          clearTimeout(timer)
          waiting--
        })
    })
  }

  return {
    timeoutMilliseconds,
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
      const used = sql
      // Once begun, it may take as long as it needs.
      const timer = setTimeout(() => abandon(used), timeoutMilliseconds)
      try {
        const result = await used.begin(async (begun) => {
          clearTimeout(timer)
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
      } finally {
        clearTimeout(timer)
      }
    },
    end: () => sql.end({ timeout: timeoutMilliseconds / 1000 }),
  }
}
