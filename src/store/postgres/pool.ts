/** What the rest of the store sees of the connections to PostgreSQL. */
import type { PoolStats } from './stats.ts'

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
