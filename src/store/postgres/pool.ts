/** What the rest of the store sees of the connections to PostgreSQL, and what is counted of them. */
import { durationBounds, Histogram } from '../../histogram.ts'
import type { Sample } from '../../metrics.ts'
import { Commits } from '../commits.ts'

export interface PoolOptions {
  readonly url: string
  readonly connections: number
  /** How long a statement may take, including the wait for a connection. */
  readonly timeoutMilliseconds: number
  /** False behind a pgbouncer in transaction mode, where the server's connection changes with each transaction. */
  readonly prepare?: boolean
  /** How long what is under way may take once the pool is to end; 5 seconds at most unless given. */
  readonly endMilliseconds?: number
  /** How long a connection may be unused before it is given back; a minute unless given. */
  readonly idleMilliseconds?: number
}

/** An int64 is passed as text. */
export type Value = string | number | null
export type Query = <Row>(text: string, values?: readonly Value[]) => Promise<Row[]>
export interface Statement {
  readonly text: string
  readonly values: readonly Value[]
}

/** The statements of one transaction. */
export interface Transaction {
  readonly query: Query
  /** Reads a large result `size` rows at a time, and awaits `each`. */
  stream<Row>(text: string, size: number, each: (rows: Row[]) => Promise<void>): Promise<void>
}

export interface Pool {
  readonly connections: number
  readonly timeoutMilliseconds: number
  readonly endMilliseconds: number
  readonly stats: PoolStats
  /** Runs one statement with autocommit; retries a few times after a deadlock or serialization failure. */
  readonly query: Query
  /**
   * Runs two statements one after the other on the same connection: the second sees no less than the first, which has to be
   * answered within `milliseconds`.
   */
  queryBoth<First, Second>(first: Statement, second: Statement, milliseconds: number): Promise<[First[], Second[]]>
  /** Runs several statements without values as one transaction. */
  runAll(text: string): Promise<void>
  /** Whether so many statements are waiting that one that can be left out should be. */
  isCrowded(): boolean
  /** Runs a transaction without timeouts: for operators' commands, not for requests. */
  transaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T>
  /** Makes new connections from now on, as the server at the other end has become a standby; what is under way finishes. */
  renew(): void
  /** Lets statements under way finish, for a while, and closes every connection. */
  end(): Promise<void>
}

/** Connections, those of them without a statement, and statements without a connection. */
type Count = () => Readonly<Record<'open' | 'idle' | 'waiting', number>>

/** Plain fields, read when somebody asks. */
export class PoolStats {
  readonly commits = new Commits()
  readonly statements = new Histogram(durationBounds)
  collisions = 0
  /** Without those that were left on purpose. */
  lost = 0
  failovers = 0
  readonly #connections: number
  readonly #count: Count

  constructor(connections: number, count: Count) {
    this.#connections = connections
    this.#count = count
  }

  /** `pool` tells the pool of the primary from that of a replica. */
  samples(pool: 'primary' | 'replica'): Sample[] {
    const { open, idle, waiting } = this.#count()
    return [
      ['db_client_operation_duration_seconds', this.statements, pool],
      ['db_client_connections', open - idle, pool, 'used'],
      ['db_client_connections', idle, pool, 'idle'],
      ['db_client_connection_max', this.#connections, pool],
      ['db_client_connection_pending_requests', waiting, pool],
      ['petstore_postgres_collisions_total', this.collisions, pool],
      ['petstore_postgres_connections_lost_total', this.lost, pool],
      ['petstore_postgres_failovers_total', this.failovers, pool],
    ]
  }
}
