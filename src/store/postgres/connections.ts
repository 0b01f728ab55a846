/** The connections of a pool: each does one piece of work at a time, in the order of asking, within a timeout. */
import { setTimeout as sleep } from 'node:timers/promises'
import { durationBounds, Histogram, type Sample } from '../../observe/metrics.ts'
import { Commits } from '../commits.ts'
import { StoreUnavailable } from '../store.ts'
import { type Connection, type ConnectionSettings, isFull, isReadOnly, isStale, openConnection } from './client.ts'

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
const lifetimeMilliseconds = 45 * 60_000
const restMillisecondsMax = 1_000
const retiredPerConnection = 2
const retiredMilliseconds = 10 * 60_000

/** `liftTimeout` throws if the timeout has passed. */
type Work<T> = (connection: Connection, liftTimeout: () => void) => Promise<T>

interface Job {
  start(connection: Connection): void
  fail(reason: unknown): void
}

export function createConnections(
  { connections, timeoutMilliseconds, idleMilliseconds = 60_000 }: PoolOptions,
  settings: Pick<ConnectionSettings, 'target' | 'session'>,
) {
  const { addresses } = settings.target
  const servers = Math.max(1, addresses.length)
  /** The server for new connections; the next one if it cannot be reached or is read-only. */
  let server = 0
  const open = new Set<Connection>()
  /** A stack: the connection used last is used next, so that surplus ones stay idle and are closed. */
  const idle: { readonly connection: Connection; readonly timer: NodeJS.Timeout }[] = []
  /** Connections that finish their work and get no more. */
  const retired = new Set<Connection>()
  const waiting: Job[] = []
  const isOver = new AbortController()
  const { signal } = isOver
  let onIdle: (() => void) | undefined
  let isOpening = false
  /** Failed attempts to connect, since the last that succeeded. */
  let failures = 0
  const stats = new PoolStats(connections, () => ({ open: open.size, idle: idle.length, waiting: waiting.length }))
  /** Work that has a connection or waits for one, except on retired connections. */
  const underWay = () => open.size - idle.length + waiting.length

  /** Makes connections while work waits, one at a time: an unreachable server is tried once, not ten times. */
  async function grow(): Promise<void> {
    if (isOpening) return
    isOpening = true
    const milliseconds = Math.ceil(timeoutMilliseconds / servers)
    while (waiting.length > 0 && open.size < connections && !signal.aborted)
      try {
        add(await openConnection({ ...settings, address: addresses[server], milliseconds, signal }))
      } catch (error) {
        await failed(error)
      }
    isOpening = false
  }

  function add(connection: Connection): void {
    failures = 0
    open.add(connection)
    const timer = setTimeout(retire, lifetimeMilliseconds, connection).unref()
    connection.ended.then(() => {
      clearTimeout(timer)
      if (open.has(connection)) stats.lost++
      retire(connection)
      retired.delete(connection)
    })
    release(connection)
  }

  /** Nothing was sent: waiting work goes on with an open connection, or with the next server. */
  async function failed(error: unknown): Promise<void> {
    stats.lost++
    failures++
    const isEnough = isFull(error) && open.size > 0
    if (servers > 1 && !isEnough) {
      server = (server + 1) % servers
      stats.failovers++
      if (failures % servers > 0) return
    }
    if (open.size === 0) for (const job of waiting.splice(0)) job.fail(error)
    const milliseconds = isFull(error) ? restMillisecondsMax : 50 * 2 ** (failures / servers)
    await sleep(Math.min(milliseconds, restMillisecondsMax), undefined, { signal }).catch(() => {})
  }

  function release(connection: Connection): void {
    if (!open.has(connection) || connection.isLost || signal.aborted) connection.close()
    else {
      const job = waiting.shift()
      if (job) job.start(connection)
      else idle.push({ connection, timer: setTimeout(retire, idleMilliseconds, connection).unref() })
    }
    if (underWay() === 0) onIdle?.()
  }

  /** Lets a connection finish its work, and gives it no more. */
  function retire(connection: Connection): void {
    if (!open.delete(connection)) return
    retired.add(connection)
    const index = idle.findIndex((each) => each.connection === connection)
    if (index >= 0) {
      clearTimeout(idle.splice(index, 1)[0]?.timer)
      connection.close()
    }
    grow()
  }

  /**
   * Retires connections that no longer answer: the operating system would keep them for many minutes. They stay open, and
   * their number is bounded: if a commit waits for an unreachable standby, closing its connection would not end the process
   * on the server, and new ones would take all that the server allows.
   */
  function abandon(): void {
    for (const connection of open) if (retired.size < connections * retiredPerConnection) retire(connection)
  }

  function retireAll(): void {
    for (const connection of open) retire(connection)
  }

  function renew(): void {
    stats.failovers++
    retireAll()
  }

  function use<T>(work: Work<T>): Promise<T> {
    if (onIdle) throw new StoreUnavailable('PostgreSQL: the connections were closed')
    return new Promise((resolve, reject) => {
      let used: Connection | undefined
      let timeoutError: StoreUnavailable | undefined
      const late = () => {
        timeoutError = new StoreUnavailable(`PostgreSQL: the server did not answer within ${timeoutMilliseconds} ms`)
        reject(timeoutError)
        if (used) timer = setInterval(giveUp, timeoutMilliseconds, used, performance.now() + retiredMilliseconds)
        else waiting.splice(waiting.indexOf(job), 1)
      }
      const giveUp = (connection: Connection, closeAt: number) => {
        if (open.has(connection)) abandon()
        if (performance.now() > closeAt) connection.close()
      }
      const liftTimeout = () => {
        if (timeoutError) throw timeoutError
        clearTimeout(timer)
      }
      let timer = setTimeout(late, timeoutMilliseconds)
      const job: Job = {
        fail(reason) {
          clearTimeout(timer)
          reject(reason)
        },
        async start(connection) {
          used = connection
          try {
            resolve(await work(connection, liftTimeout))
          } catch (error) {
            if (isReadOnly(error) && open.has(connection)) renew()
            if (isStale(error)) retireAll()
            reject(error)
          } finally {
            clearTimeout(timer)
            release(connection)
          }
        },
      }
      const free = idle.pop()
      clearTimeout(free?.timer)
      if (free) job.start(free.connection)
      else {
        waiting.push(job)
        grow()
      }
    })
  }

  return {
    stats,
    use,
    underWay,
    renew,
    async end(milliseconds: number): Promise<void> {
      const drained = new Promise<void>((resolve) => (onIdle = resolve))
      if (underWay() > 0) await Promise.race([drained, sleep(milliseconds, undefined, { ref: false })])
      isOver.abort()
      for (const job of waiting.splice(0)) job.fail(new StoreUnavailable('PostgreSQL: the connections were closed'))
      retireAll()
      await Promise.all([...retired].map((connection) => connection.close()))
    },
  }
}

/** How many connections are open, how many of them are idle, and how many statements wait for one. */
type Count = () => Readonly<Record<'open' | 'idle' | 'waiting', number>>

export class PoolStats {
  readonly commits = new Commits()
  readonly statements = new Histogram(durationBounds)
  collisions = 0
  /** Connections lost or not made, without those retired on purpose. */
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
