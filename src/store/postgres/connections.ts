/**
 * The connections of a process, in a pool of the driver. Work on a connection has a single timeout, which includes the
 * wait for the connection. A connection that may lead to the wrong server, or to no server, is closed.
 */
import { type ClientConfig, Pool, type PoolClient, type QueryResult } from 'pg'
import type { PostgresUrl } from '../../config/database-url.ts'
import { sleep, type Time } from '../../time.ts'
import type { SqlValue } from '../shared-sql.ts'
import { StoreUnavailable } from '../store.ts'
import { endsConnection, isReadOnly, isStale, Unreachable } from './errors.ts'
import { PoolStats } from './pool-stats.ts'

export interface ConnectionsOptions {
  readonly time: Time
  readonly connections: number
  /** How long work may take, including the wait for a connection. */
  readonly timeoutMilliseconds: number
  /** False behind a pgbouncer in transaction mode, where the server's connection changes with each transaction. */
  readonly prepare?: boolean
  /** How long a connection may be unused before it is closed. The default is a minute. */
  readonly idleMilliseconds?: number
}

/** Older connections are replaced, because the memory of a server process grows with its age. */
const lifetimeSeconds = 45 * 60

/** Settings in the URL take precedence over our own timeouts. */
function clientConfig({ server, settings }: PostgresUrl, timeouts: ClientConfig): ClientConfig {
  const flags = Object.entries(settings).map(([name, value]) => `-c ${name}=${value.replace(/[\s\\]/g, '\\$&')}`)
  return {
    ...server,
    application_name: server.application_name ?? 'petstore',
    options: [server.options ?? '', ...flags].join(' ').trim(),
    ...Object.fromEntries(Object.entries(timeouts).filter(([name]) => !(name in settings))),
    // In a dead network, Linux then ends the connection after 12 minutes.
    keepAlive: true,
    keepAliveInitialDelayMillis: 60_000,
  }
}

export class Connection {
  readonly client: PoolClient
  /** When it was made, or last answered. */
  provenAt: number
  /** Whether the connection was lost, or must not be used for other work. */
  isLost = false
  /** Whether an operator has cancelled the wait of a commit for its standby, of which the server only warns. */
  #isUnreplicated = false
  #isSetUp = false

  constructor(client: PoolClient, time: Time) {
    this.client = client
    this.provenAt = time.ticks()
    // The caller of the statement gets the error, too.
    client.on('error', () => {})
    client.on('notice', ({ routine }) => (this.#isUnreplicated ||= routine === 'SyncRepWaitForLSN'))
  }

  async setUp(): Promise<void> {
    if (!this.#isSetUp) await this.send('SET jit = off')
    this.#isSetUp = true
  }

  /** One statement, prepared once if it has a name; or several without values. Resolves with the rows of the last. */
  async send<Row>(text: string, values: readonly SqlValue[] = [], name?: string): Promise<Row[]> {
    try {
      const result: QueryResult | QueryResult[] = await this.client.query({ text, values: values as SqlValue[], name })
      if (this.#isUnreplicated) throw new Error('the wait of a commit for its standby was cancelled')
      return (Array.isArray(result) ? result.at(-1) : result).rows
    } catch (error) {
      if (!endsConnection(error)) throw error
      this.isLost = true
      throw new StoreUnavailable(`PostgreSQL: ${(error as Error).message}`, { cause: error })
    }
  }
}

/** `liftTimeout` lets the work take as long as it needs. */
type Work<T> = (connection: Connection, liftTimeout: () => void) => Promise<T>

const closed = () => new StoreUnavailable('PostgreSQL: the connections were closed')

export class Connections {
  readonly stats: PoolStats
  readonly #options: ConnectionsOptions
  readonly #pool: Pool
  readonly #known = new WeakMap<PoolClient, Connection>()
  /** How to fail each piece of work under way. */
  readonly #underWay = new Set<(failure: StoreUnavailable) => void>()
  /**
   * A connection that was neither made nor used successfully since this time is closed instead of used, because the
   * server did not answer on another connection in time, or has become read-only.
   */
  #trustedSince = Number.NEGATIVE_INFINITY
  #isEnding = false

  constructor(options: ConnectionsOptions, url: PostgresUrl, timeouts: ClientConfig) {
    const { time, connections, timeoutMilliseconds, idleMilliseconds = 60_000 } = options
    this.#options = options
    this.#pool = new Pool({
      ...clientConfig(url, timeouts),
      max: connections,
      connectionTimeoutMillis: timeoutMilliseconds,
      idleTimeoutMillis: idleMilliseconds,
      maxLifetimeSeconds: lifetimeSeconds,
      // A frozen server does not confirm the end of a connection, and must not keep this process from ending.
      allowExitOnIdle: true,
    })
    this.#pool.on('connect', (client) => this.#known.set(client, new Connection(client, time)))
    this.#pool.on('error', () => this.stats.lost++)
    this.stats = new PoolStats(connections, this.#pool)
  }

  /** The work that is running or waiting. */
  get underWay(): number {
    return this.#underWay.size
  }

  async use<T>(work: Work<T>): Promise<T> {
    if (this.#isEnding) throw closed()
    const { time, timeoutMilliseconds, prepare = true } = this.#options
    const started = time.ticks()
    const { promise: failed, reject } = Promise.withResolvers<never>()
    let connection: Connection | undefined
    const fail = (failure: StoreUnavailable) => {
      if (connection) connection.isLost = true
      reject(failure)
    }
    const cancel = time.after(timeoutMilliseconds, () => {
      if (connection) this.#trustedSince = Math.max(this.#trustedSince, started)
      fail(new StoreUnavailable(`PostgreSQL: the server did not answer within ${timeoutMilliseconds} ms`))
    })
    this.#underWay.add(fail)
    const connecting = this.#connect()
    try {
      const own = (connection = await Promise.race([connecting, failed]))
      if (prepare) await Promise.race([own.setUp(), failed])
      return await Promise.race([work(own, cancel), failed])
    } catch (error) {
      if (connection && this.#isTrusted(connection)) this.#learn(error)
      throw error
    } finally {
      cancel()
      this.#underWay.delete(fail)
      if (connection) this.#release(connection)
      else connecting.then((late) => this.#release(late)).catch(() => {})
    }
  }

  async #connect(): Promise<Connection> {
    try {
      for (;;) {
        const client = await this.#pool.connect()
        const connection = this.#known.get(client)
        if (connection && this.#isTrusted(connection)) return connection
        client.release(true)
      }
    } catch (error) {
      this.stats.lost++
      throw new Unreachable(error)
    }
  }

  #isTrusted({ provenAt }: Connection): boolean {
    return provenAt > this.#trustedSince
  }

  /** If the server is read-only or a prepared statement is stale, other connections would fail in the same way. */
  #learn(error: unknown): void {
    if (isReadOnly(error)) this.stats.failovers++
    if (isReadOnly(error) || isStale(error)) this.#trustedSince = this.#options.time.ticks()
  }

  #release(connection: Connection): void {
    const isKept = !connection.isLost && this.#isTrusted(connection)
    if (connection.isLost) this.stats.lost++
    if (isKept) connection.provenAt = this.#options.time.ticks()
    connection.client.release(!isKept)
  }

  /** Lets work under way finish for some time, and closes every connection. */
  async end(milliseconds: number): Promise<void> {
    if (this.#isEnding) return
    this.#isEnding = true
    const { time } = this.#options
    const deadline = time.ticks() + milliseconds
    while (this.#underWay.size > 0 && time.ticks() < deadline) await sleep(time, 5)
    for (const fail of this.#underWay) fail(closed())
    const { promise: patience, resolve } = Promise.withResolvers<void>()
    const cancel = time.after(Math.max(0, deadline - time.ticks()), resolve)
    await Promise.race([this.#pool.end(), patience]).finally(cancel)
  }
}
