/** The pool of connections: every statement is prepared, has a deadline, and is refused at once when too many wait. */
import { setTimeout as sleep } from 'node:timers/promises'
import type postgres from 'postgres'
import { readTarget } from '../../database-url.ts'
import { StoreUnavailable } from '../store.ts'
import { type Driver, NotSent, openDriver } from './driver.ts'
import { isCollision, isReadOnly, isStarting, unavailable } from './errors.ts'
import type { Pool, PoolOptions, Statement, Transaction, Value } from './pool.ts'
import { PoolStats } from './stats.ts'

/** Rows as the driver's types require them. */
type Rows<Row> = Row[] & readonly postgres.Row[]

const collisionsMax = 5
/** Running or waiting statements per connection, beyond which further ones would only time out. */
const waitingPerConnection = 50
/** A service that is shutting down waits no longer than this. */
const endMillisecondsMax = 5_000
const withoutTimeouts = `SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0;
  SET LOCAL idle_in_transaction_session_timeout = 0`

/** A connection older than this is replaced when it is free, as servers grow with the age of their connections. */
const lifetimeMilliseconds = 45 * 60_000
const pauseMillisecondsMax = 1_000
const abandonedPerConnection = 2
const abandonedMilliseconds = 10 * 60_000

export function createPool({ url, connections, timeoutMilliseconds, ...options }: PoolOptions): Pool {
  const endMilliseconds = Math.min(timeoutMilliseconds, options.endMilliseconds ?? endMillisecondsMax)
  const prepare = options.prepare ?? true
  const target = readTarget(url)
  const servers = Math.max(1, target.addresses.length)
  /** The server that new connections are made to: the next one, once this cannot be reached or will not do. */
  let server = 0
  /** Each with the time at which it is to be replaced. */
  const drivers = new Map<Driver, number>()
  /** Those that carry out a transaction: a statement behind it might wait for long. */
  const reserved = new Set<Driver>()
  const turns = new WeakMap<Driver, Promise<unknown>>()
  const ending = new Set<Promise<void>>()
  const abandoned = new Set<Driver>()
  const isOver = new AbortController()
  let isEnded = false
  /** Connections in a row that could not be made, and when the last of them failed. */
  let failures = 0
  let failedAt = 0
  let losses = 0
  const stats = new PoolStats(connections, () => [...drivers.keys()].map(({ load }) => load))

  async function pause(): Promise<void> {
    const rounds = Math.floor(failures / servers)
    const milliseconds = rounds && Math.min(pauseMillisecondsMax, 50 * 2 ** rounds) - (performance.now() - failedAt)
    if (milliseconds > 0) await sleep(milliseconds, undefined, { signal: isOver.signal }).catch(() => {})
  }

  function open(): Driver {
    const used = server
    const driver = openDriver({
      target,
      address: target.addresses[used],
      timeoutMilliseconds,
      hasSession: prepare,
      connectMilliseconds: Math.ceil(timeoutMilliseconds / servers),
      pause,
      onLost(lost, reason) {
        if (drivers.delete(lost)) stats.lost++
        losses++
        const isFailure = !lost.isEstablished || reason instanceof NotSent
        const isNext = isFailure && used === server && servers > 1
        if (isNext) server = (used + 1) % servers
        if (isNext) stats.failovers++
        failures = isFailure ? failures + 1 : 0
        failedAt = performance.now()
      },
    })
    drivers.set(driver, performance.now() + lifetimeMilliseconds)
    return driver
  }

  const loadOf = (driver: Driver): number => driver.load + (reserved.has(driver) ? waitingPerConnection : 0)

  /** A connection that is free, else a new one, else the one with the least to do. */
  function pick(): Driver {
    if (isEnded) throw new StoreUnavailable('PostgreSQL: the connections were closed')
    let least: Driver | undefined
    for (const [driver, replaceAt] of drivers) {
      if (driver.load === 0 && performance.now() > replaceAt) leave(driver)
      else if (!least || loadOf(driver) < loadOf(least)) least = driver
    }
    return least && (least.load === 0 || drivers.size >= connections) ? least : open()
  }

  /** Counts the connections in use only: one that was given up may keep its statements for minutes. */
  function waiting(): number {
    let statements = 0
    for (const { load } of drivers.keys()) statements += load
    return statements
  }

  /** Lets what is outstanding on a connection finish, and gives it nothing more to do. */
  function leave(driver: Driver, milliseconds = timeoutMilliseconds): void {
    drivers.delete(driver)
    const end = driver.end(milliseconds).finally(() => {
      ending.delete(end)
      abandoned.delete(driver)
    })
    ending.add(end)
  }

  /**
   * Leaves connections behind that bring no answers any more: the system would hold on to them for many minutes. They stay
   * open, and are counted: where a commit waits for a standby that is away, closing one would not end its process on the
   * server, and further ones would take all that the server allows.
   */
  function abandon(): void {
    losses++
    for (const driver of [...drivers.keys()]) {
      if (abandoned.size >= connections * abandonedPerConnection) return
      abandoned.add(driver)
      leave(driver, abandonedMilliseconds)
    }
  }

  function renew(): void {
    stats.failovers++
    for (const driver of [...drivers.keys()]) if (!reserved.has(driver)) leave(driver)
  }

  /** A pgbouncer before 1.21 gives the server's connection away after the first of several statements sent ahead. */
  function inTurn<T>(driver: Driver, send: () => PromiseLike<T>): Promise<T> {
    const answer = (turns.get(driver) ?? Promise.resolve()).then(send, send)
    turns.set(driver, answer)
    return answer
  }

  function run<T>(statements: (sql: postgres.Sql) => PromiseLike<T>): Promise<T> {
    const driver = pick()
    const send = () => statements(driver.sql)
    return new Promise((resolve, reject) => {
      const late = () => {
        reject(new StoreUnavailable(`PostgreSQL: the server did not answer within ${timeoutMilliseconds} ms`))
        timer = setTimeout(() => drivers.has(driver) && abandon(), timeoutMilliseconds)
      }
      let timer = setTimeout(late, timeoutMilliseconds)
      const started = performance.now()
      driver
        .run<T>(prepare ? send : () => inTurn(driver, send))
        .then(resolve, (error) => {
          if (isReadOnly(error) && drivers.has(driver)) renew()
          reject(isCollision(error) ? error : (unavailable(error) ?? error))
        })
        .finally(() => {
          clearTimeout(timer)
          stats.statements.observeSince(started)
        })
    })
  }

  async function transaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    const driver = pick()
    reserved.add(driver)
    // Once begun, it may take as long as it needs.
    const timer = setTimeout(() => drivers.has(driver) && abandon(), timeoutMilliseconds)
    const begin = () =>
      driver.sql.begin(async (begun) => {
        clearTimeout(timer)
        await driver.run(() => begun.unsafe(withoutTimeouts))
        const result = await work({
          query: <Row>(text: string, values: readonly Value[] = []) =>
            driver.run<Row[]>(() => begun.unsafe<Rows<Row>>(text, values as Value[])),
          stream: async <Row>(text: string, size: number, each: (rows: Row[]) => Promise<void>) => {
            // The driver waits for `each` before it reads on, but not after the last rows.
            let last = Promise.resolve()
            const read = (rows: Row[]) => {
              last = each(rows)
              last.catch(() => {})
              return last
            }
            await driver.run(() => begun.unsafe<Rows<Row>>(text).cursor(size, read))
            await last
          },
        })
        // A lost driver must not be asked to commit: it would write to a socket that is gone.
        return driver.run(async () => result)
      })
    try {
      return (await driver.run(begin)) as T
    } catch (error) {
      throw unavailable(error) ?? error
    } finally {
      clearTimeout(timer)
      reserved.delete(driver)
    }
  }

  /** Tries the servers one after another, for as long as nothing has been sent to any. */
  async function onAnyServer<T>(work: () => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries++) {
      try {
        return await work()
      } catch (error) {
        if (tries >= servers || !(error instanceof NotSent || isStarting(error))) throw error
      }
    }
  }

  async function query<T>(statements: (sql: postgres.Sql) => PromiseLike<T>): Promise<T> {
    if (waiting() >= connections * waitingPerConnection) throw new StoreUnavailable('too many statements are waiting')
    for (let collisions = 0; ; collisions++) {
      try {
        return await onAnyServer(() => run(statements))
      } catch (error) {
        if (isCollision(error)) stats.collisions++
        if (!isCollision(error) || collisions >= collisionsMax) throw unavailable(error) ?? error
      }
    }
  }
  const send = <Row>(sql: postgres.Sql, text: string, values: readonly Value[]) =>
    sql.unsafe<Rows<Row>>(text, values as Value[], { prepare })

  return {
    connections,
    timeoutMilliseconds,
    endMilliseconds,
    losses: () => losses,
    stats,
    query: <Row>(text: string, values: readonly Value[] = []) => query<Row[]>((sql) => send<Row>(sql, text, values)),
    queryBoth: <First, Second>(first: Statement, second: Statement) =>
      query<[First[], Second[]]>(async (sql) => {
        const answer = send<First>(sql, first.text, first.values).execute()
        // See `inTurn`.
        if (!prepare) await answer
        return Promise.all([answer, send<Second>(sql, second.text, second.values)])
      }),
    // One tenth: the rest is kept for the statements of clients.
    isCrowded: () => waiting() >= (connections * waitingPerConnection) / 10,
    transaction: (work) => onAnyServer(() => transaction(work)),
    renew,
    async end() {
      isEnded = true
      for (const driver of [...drivers.keys()]) leave(driver, endMilliseconds)
      for (const driver of abandoned) driver.lose(new StoreUnavailable('PostgreSQL: the connection was given up'))
      await Promise.all(ending)
      isOver.abort()
    },
  }
}
