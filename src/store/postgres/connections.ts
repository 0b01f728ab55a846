/** The connections of a process to the servers of a DATABASE_URL: a pool of the driver, with a timeout for all work. */

import { type ClientConfig, Pool, type PoolClient } from 'pg'
import type { PostgresUrl } from '../../config/database-url.ts'
import { sleep, type Time } from '../../time.ts'
import { StoreUnavailable } from '../store.ts'
import { Connection, configOf, tlsOf } from './connection.ts'
import { isFull, isReadOnly, isStale, isUnencrypted, Unreachable } from './errors.ts'
import { PoolStats } from './pool-stats.ts'

export interface PoolOptions {
  readonly time: Time
  readonly url: string
  readonly connections: number
  /** How long a statement may take, including the wait for a connection. */
  readonly timeoutMilliseconds: number
  /** False behind a pgbouncer in transaction mode, where the server's connection changes with each transaction. */
  readonly prepare?: boolean
  /** Tells the operator what should be changed, once. */
  readonly warn?: (message: string) => void
  /** How long work under way may take once the pool is to end; 5 seconds unless given. */
  readonly endMilliseconds?: number
  /** How long a connection may be unused before it is closed; a minute unless given. */
  readonly idleMilliseconds?: number
}

/** Older connections are replaced, as the memory of a server process grows with its age. */
const lifetimeSeconds = 45 * 60
/** When a server that had no connection left is asked again. */
const fullMilliseconds = 1_000
/** How many connections that no longer answer are kept beside those in use. */
const abandonedPerConnection = 2

/** Only connections of the newest generation get work. */
type PooledConnection = Connection & PoolClient & { readonly generation: number }

interface Job {
  connection?: PooledConnection | undefined
  /** Why it has failed; its statement may still be under way. */
  failure?: StoreUnavailable
  fail(failure: StoreUnavailable): void
}

/** `liftTimeout` throws if the timeout has passed. */
type Work<T> = (connection: Connection, liftTimeout: () => void) => Promise<T>

export class Connections {
  readonly stats: PoolStats
  readonly #options: PoolOptions
  readonly #target: PostgresUrl
  readonly #pool: Pool
  readonly #jobs = new Set<Job>()
  /** Those that get work. */
  readonly #open = new Set<Connection>()
  readonly #sockets = new Set<Connection['socket']>()
  /** The server for new connections; the next one if it cannot be reached or is read-only. */
  #server = 0
  /** Servers without TLS, where the URL only prefers it. */
  readonly #unencrypted = new Set<number>()
  #generation = 0
  #abandoned = 0
  #isEnding = false
  #cancelFull: (() => void) | undefined

  constructor(options: PoolOptions, target: PostgresUrl, timeouts: ClientConfig) {
    const { time, connections, timeoutMilliseconds, prepare = true, idleMilliseconds = 60_000 } = options
    this.#options = options
    this.#target = target
    const config = configOf(target, timeouts)
    const ssl = tlsOf(target)
    const all = this
    this.#pool = new Pool({
      max: connections,
      idleTimeoutMillis: idleMilliseconds,
      maxLifetimeSeconds: lifetimeSeconds,
      // Removes jobs that wait in vain: they have failed long before.
      connectionTimeoutMillis: 2 * timeoutMilliseconds,
      Client: class extends Connection {
        readonly generation = all.#generation

        constructor() {
          const address = target.addresses[all.#server]
          // As with libpq, a Unix socket needs no TLS.
          const isEncrypted = !address?.host.startsWith('/') && !all.#unencrypted.has(all.#server)
          super({ ...config, ...address, ssl: isEncrypted && ssl }, time, Math.ceil(timeoutMilliseconds / all.#servers))
          all.#sockets.add(this.socket)
          this.socket.once('close', () => all.#sockets.delete(this.socket))
        }
      },
      onConnect: (connection) => (connection as Connection).begin(target, prepare),
    })
    this.stats = new PoolStats(connections, this.#pool)
    this.#pool.on('error', () => this.stats.lost++)
    this.#pool.on('connect', (client) => {
      const connection = client as PooledConnection
      this.#open.add(connection)
      connection.once('end', () => this.#open.delete(connection))
    })
  }

  get #servers(): number {
    return Math.max(1, this.#target.addresses.length)
  }

  get underWay(): number {
    return this.#jobs.size
  }

  use<T>(work: Work<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      if (this.#isEnding) throw closed()
      const job: Job = {
        fail: (failure) => {
          job.failure = failure
          this.#jobs.delete(job)
          reject(failure)
        },
      }
      this.#jobs.add(job)
      this.#run(job, work).then(resolve, reject)
    })
  }

  async #run<T>(job: Job, work: Work<T>): Promise<T> {
    const { time, timeoutMilliseconds } = this.#options
    const late = () => {
      job.fail(new StoreUnavailable(`PostgreSQL: the server did not answer within ${timeoutMilliseconds} ms`))
      cancel = time.after(timeoutMilliseconds, () => this.#abandon(job))
    }
    const liftTimeout = () => {
      if (job.failure) throw job.failure
      cancel()
    }
    let cancel = time.after(timeoutMilliseconds, late)
    try {
      const connection = (job.connection = await this.#acquire(job))
      return await work(connection, liftTimeout)
    } catch (error) {
      if (isReadOnly(error) || isStale(error)) this.#replace(job, isReadOnly(error))
      throw error
    } finally {
      cancel()
      this.#jobs.delete(job)
      if (job.connection) this.#release(job.connection)
    }
  }

  async #acquire(job: Job): Promise<PooledConnection> {
    let failures = 0
    while (!job.failure) {
      const server = this.#server
      try {
        const connection = (await this.#pool.connect()) as PooledConnection
        if (!job.failure && connection.generation === this.#generation) return connection
        this.#release(connection)
      } catch (error) {
        if (job.failure) break
        if (this.#target.sslMode === 'prefer' && isUnencrypted(error)) this.#unencrypted.add(server)
        else {
          this.stats.lost++
          if (isFull(error) && this.#open.size > 0) this.#makeDo()
          else if (++failures < this.#servers) this.#turnFrom(server)
          else throw new Unreachable(error)
        }
      }
    }
    throw job.failure
  }

  /** Lets jobs wait for the open connections, as the server has no more. */
  #makeDo(): void {
    const { options } = this.#pool
    options.max = this.#open.size
    this.#cancelFull ??= this.#options.time.after(fullMilliseconds, () => {
      this.#cancelFull = undefined
      options.max = this.#options.connections
    })
  }

  #turnFrom(server: number): void {
    // Another job may have done so.
    if (this.#server !== server) return
    this.#server = (server + 1) % this.#servers
    this.stats.failovers++
  }

  /** Replaces all connections, if that of the job is not an old one; what is under way on them finishes. */
  #replace({ connection }: Job, isFailover: boolean): void {
    if (connection?.generation !== this.#generation) return
    this.#generation++
    if (isFailover) this.stats.failovers++
  }

  #release(connection: PooledConnection): void {
    if (connection.isLost) this.stats.lost++
    if (connection.isLost || connection.generation !== this.#generation) this.#remove(connection)
    else connection.release()
  }

  /**
   * Replaces connections that no longer answer: the operating system would keep them for many minutes. They stay open,
   * and their number is bounded: if a commit waits for an unreachable standby, closing its connection would not end the
   * process on the server, and new ones would take all that the server allows.
   */
  #abandon(job: Job): void {
    const { connection } = job
    this.#replace(job, false)
    if (!connection || this.#abandoned === this.#options.connections * abandonedPerConnection) return
    job.connection = undefined
    this.#abandoned++
    connection.once('end', () => this.#abandoned--)
    this.#remove(connection)
  }

  /** The driver ends it once the statement under way is answered. */
  #remove(connection: PooledConnection): void {
    this.#open.delete(connection)
    connection.release(true)
  }

  async end(milliseconds: number): Promise<void> {
    this.#isEnding = true
    this.#cancelFull?.()
    const { time } = this.#options
    const deadline = time.ticks() + milliseconds
    while (this.#jobs.size > 0 && time.ticks() < deadline) await sleep(time, 5)
    for (const job of this.#jobs) job.fail(closed())
    if (!this.#pool.ending) this.#pool.end()
    // Without waiting for a server that may be frozen.
    await Promise.all(
      [...this.#sockets].map((socket) => new Promise((resolve) => socket.once('close', resolve).destroy())),
    )
  }
}

const closed = () => new StoreUnavailable('PostgreSQL: the connections were closed')
