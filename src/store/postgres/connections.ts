/** The connections of a process to the servers of a DATABASE_URL: a pool of the driver, with a timeout for all work. */
import { setTimeout as sleep } from 'node:timers/promises'
import { Pool, type PoolClient } from 'pg'
import type { PostgresUrl } from '../../config/database-url.ts'
import { durationBounds, Histogram, type Sample } from '../../observe/metrics.ts'
import { Commits } from '../commits.ts'
import { StoreUnavailable } from '../store.ts'
import { Connection, type ConnectionSettings } from './connection.ts'
import { isFull, isReadOnly, isStale, isUnencrypted, Unreachable } from './errors.ts'

export interface PoolOptions {
  readonly url: string
  readonly connections: number
  /** How long a statement may take, including the wait for a connection. */
  readonly timeoutMilliseconds: number
  /** False behind a pgbouncer in transaction mode, where the server's connection changes with each transaction. */
  readonly prepare?: boolean
  /** How long work under way may take once the pool is to end; 5 seconds unless given. */
  readonly endMilliseconds?: number
  /** How long a connection may be unused before it is closed; a minute unless given. */
  readonly idleMilliseconds?: number
}

/** Older connections are replaced, as the memory of a server process grows with its age. */
const lifetimeSeconds = 45 * 60
/** When a server that had no connection left is asked again. */
const fullMilliseconds = 1_000
const abandonedPerConnection = 2

/** `liftTimeout` throws if the timeout has passed. */
type Work<T> = (connection: Connection, liftTimeout: () => void) => Promise<T>

interface Job {
  timer: NodeJS.Timeout
  connection?: PooledConnection
  isAbandoned?: boolean
  /** Why it failed, though its statement may be under way. */
  failure?: StoreUnavailable
  fail(failure: StoreUnavailable): void
}

/** Only connections of the newest generation get work. */
type PooledConnection = Connection & PoolClient & { readonly generation: number }

export function createConnections(
  { connections, timeoutMilliseconds, prepare = true, idleMilliseconds = 60_000 }: PoolOptions,
  target: PostgresUrl,
  session: ConnectionSettings['session'],
) {
  const { addresses, sslMode } = target
  const servers = Math.max(1, addresses.length)
  /** The server for new connections; the next one if it cannot be reached or is read-only. */
  let server = 0
  let generation = 0
  /** Servers without TLS, where the URL only prefers it. */
  const unencrypted = new Set<number>()
  const sockets = new Set<Connection['socket']>()
  const jobs = new Set<Job>()
  let open = 0
  let abandoned = 0
  let isEnding = false

  class NextConnection extends Connection {
    readonly generation = generation

    constructor() {
      const address = addresses[server]
      // As with libpq, a Unix socket needs no TLS.
      const isEncrypted = sslMode !== 'disable' && !address?.host.startsWith('/') && !unencrypted.has(server)
      super({ target, address, isEncrypted, session, milliseconds: Math.ceil(timeoutMilliseconds / servers) })
      sockets.add(this.socket)
      this.socket.once('close', () => sockets.delete(this.socket))
    }
  }

  const pool = new Pool({
    Client: NextConnection,
    max: connections,
    idleTimeoutMillis: idleMilliseconds,
    maxLifetimeSeconds: lifetimeSeconds,
    // Removes jobs that wait in vain; they have failed before, and connecting has a timeout of its own.
    connectionTimeoutMillis: 2 * timeoutMilliseconds,
    onConnect: (connection) => (connection as Connection).begin(prepare),
  })
  const stats = new PoolStats(connections, pool)
  pool.on('error', () => stats.lost++)
  pool.on('connect', (connection) => {
    open++
    connection.once('end', () => open--)
  })

  async function acquire(job: Job): Promise<PooledConnection> {
    let failures = 0
    while (!job.failure) {
      const tried = server
      try {
        const connection = (await pool.connect()) as PooledConnection
        if (!job.failure && connection.generation === generation) return connection
        release(connection)
      } catch (error) {
        if (job.failure) break
        if (sslMode === 'prefer' && isUnencrypted(error)) unencrypted.add(tried)
        else {
          stats.lost++
          if (isFull(error) && open > 0) makeDo()
          else if (++failures < servers) turnFrom(tried)
          else throw new Unreachable(error)
        }
      }
    }
    throw job.failure
  }

  /** Waits for the open connections while the server has no more. */
  function makeDo(): void {
    pool.options.max = open
    setTimeout(() => (pool.options.max = connections), fullMilliseconds).unref()
  }

  /** Unless another job has done so. */
  function turnFrom(tried: number): void {
    if (servers === 1 || server !== tried) return
    server = (server + 1) % servers
    stats.failovers++
  }

  function release(connection: PooledConnection): void {
    if (connection.isLost) stats.lost++
    connection.release(connection.isLost || connection.generation !== generation)
  }

  /**
   * Replaces connections that no longer answer: the operating system would keep them for many minutes. They stay open, and
   * their number is bounded: if a commit waits for an unreachable standby, closing its connection would not end the process
   * on the server, and new ones would take all that the server allows.
   */
  function abandon(job: Job, connection: PooledConnection): void {
    if (connection.generation === generation) generation++
    if (abandoned === connections * abandonedPerConnection) return
    clearInterval(job.timer)
    abandoned++
    connection.once('end', () => abandoned--)
    job.isAbandoned = true
    // The driver ends it once the statement is answered.
    connection.release(true)
  }

  async function run<T>(job: Job, work: (connection: Connection) => Promise<T>): Promise<T> {
    const connection = await acquire(job)
    job.connection = connection
    try {
      return await work(connection)
    } catch (error) {
      if (isReadOnly(error) && connection.generation === generation) stats.failovers++
      // All connections are replaced; what is under way on them finishes.
      if ((isReadOnly(error) || isStale(error)) && connection.generation === generation) generation++
      throw error
    } finally {
      if (!job.isAbandoned) release(connection)
    }
  }

  function use<T>(work: Work<T>): Promise<T> {
    if (isEnding) return Promise.reject(new StoreUnavailable('PostgreSQL: the connections were closed'))
    return new Promise((resolve, reject) => {
      const late = () => {
        job.fail(new StoreUnavailable(`PostgreSQL: the server did not answer within ${timeoutMilliseconds} ms`))
        if (job.connection) job.timer = setInterval(abandon, timeoutMilliseconds, job, job.connection)
      }
      const job: Job = {
        timer: setTimeout(late, timeoutMilliseconds),
        fail(failure) {
          job.failure = failure
          jobs.delete(job)
          reject(failure)
        },
      }
      const liftTimeout = () => {
        if (job.failure) throw job.failure
        clearTimeout(job.timer)
      }
      jobs.add(job)
      run(job, (connection) => work(connection, liftTimeout))
        .then(resolve, reject)
        .finally(() => {
          clearTimeout(job.timer)
          jobs.delete(job)
        })
    })
  }

  async function end(milliseconds: number): Promise<void> {
    isEnding = true
    const deadline = performance.now() + milliseconds
    while (jobs.size > 0 && performance.now() < deadline) await sleep(5)
    const isIdle = jobs.size === 0
    for (const { fail } of jobs) fail(new StoreUnavailable('PostgreSQL: the connections were closed'))
    if (!pool.ending) pool.end()
    // Without waiting for a server that may be frozen.
    const closed = [...sockets].map((socket) => new Promise((resolve) => socket.once('close', resolve)))
    for (const socket of sockets) isIdle ? socket.destroySoon() : socket.destroy()
    await Promise.all(closed)
  }

  /** `underWay`: how many jobs have a connection or wait for one. */
  return { stats, use, underWay: () => jobs.size, end }
}

export class PoolStats {
  readonly commits = new Commits()
  readonly statements = new Histogram(durationBounds)
  collisions = 0
  /** Connections lost or not made, without those retired on purpose. */
  lost = 0
  failovers = 0
  readonly #connections: number
  readonly #pool: Pool

  constructor(connections: number, pool: Pool) {
    this.#connections = connections
    this.#pool = pool
  }

  /** `pool` tells the pool of the primary from that of a replica. */
  samples(pool: 'primary' | 'replica'): Sample[] {
    const { totalCount, idleCount, waitingCount } = this.#pool
    return [
      ['db_client_operation_duration_seconds', this.statements, pool],
      ['db_client_connections', totalCount - idleCount, pool, 'used'],
      ['db_client_connections', idleCount, pool, 'idle'],
      ['db_client_connection_max', this.#connections, pool],
      ['db_client_connection_pending_requests', waitingCount, pool],
      ['petstore_postgres_collisions_total', this.collisions, pool],
      ['petstore_postgres_connections_lost_total', this.lost, pool],
      ['petstore_postgres_failovers_total', this.failovers, pool],
    ]
  }
}
