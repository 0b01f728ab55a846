/**
 * One connection, through an instance of the driver of its own. Once a connection is lost the driver leaves statements
 * without an answer and keeps back later ones, so the instance goes with its connection and never connects again.
 */
import type { Socket } from 'node:net'
import postgres from 'postgres'
import type { Address, Target } from '../../database-url.ts'
import { StoreUnavailable } from '../store.ts'
import { openSocket } from './sockets.ts'

/** The server cannot be reached, or will not do: no statement was sent to it, so another server may be tried. */
export class NotSent extends StoreUnavailable {}

export interface DriverOptions {
  readonly target: Target
  /** Which of the target's servers; undefined for the one that the driver finds. */
  readonly address: Address | undefined
  readonly timeoutMilliseconds: number
  readonly connectMilliseconds: number
  /** Whether what is set for the connection stays with it. */
  readonly hasSession: boolean
  /** Resolves when a connection may be tried. */
  readonly pause: () => Promise<void>
  /** Called for each notification, if the connection listens to any. */
  readonly onNotify?: (channel: string, payload: string) => void
  /** Called once, when the connection is lost or cannot be made. */
  readonly onLost: (driver: Driver, reason: StoreUnavailable) => void
}

export interface Driver {
  readonly sql: postgres.Sql
  /** The outstanding work, settled or not yet. */
  readonly load: number
  /** Whether the server has ever answered. */
  readonly isEstablished: boolean
  /** Does `work` on the connection, and fails at once where that is lost. Whether the work was done is then not known. */
  run<T>(work: () => PromiseLike<T>): Promise<T>
  /** Gives the connection up: all that is outstanding fails. */
  lose(reason: StoreUnavailable): void
  /** Lets what is outstanding finish, for a while, and closes the connection. */
  end(milliseconds: number): Promise<void>
}

const readOnlySigns = new Set(['in_hot_standby', 'default_transaction_read_only'])

/** What the driver tells of where it connects to: lists of one. */
interface Addresses {
  readonly host: readonly string[]
  readonly port: readonly number[]
  readonly path: string | false
}

export function openDriver(options: DriverOptions): Driver {
  const { target, address, timeoutMilliseconds, connectMilliseconds, hasSession, pause, onNotify, onLost } = options
  const outstanding = new Set<(reason: unknown) => void>()
  let lost: StoreUnavailable | undefined
  /** Resolves when the lost driver refuses statements by itself; until then it would write to a socket that is gone. */
  let gone: Promise<void> = Promise.resolve()
  let socket: Socket | undefined
  let isEstablished = false
  let login: NodeJS.Timeout | undefined
  const told = new Set<string>()
  let onIdle = () => {}

  async function open({ host: [host = ''], port: [port = 0], path }: Addresses): Promise<Socket> {
    await pause()
    if (lost) throw lost
    const hold = (opening: Socket) => {
      socket = opening
    }
    try {
      const opened = await openSocket(address ?? (path ? { path } : { host, port }), target, {
        timeoutMilliseconds: connectMilliseconds,
        hold,
      })
      hold(opened)
      // Before the driver's own listener, which may lead to further statements.
      opened.once('close', () => lose(new StoreUnavailable('PostgreSQL: the connection was lost')))
      const late = () => lose(new NotSent(`PostgreSQL: no login within ${connectMilliseconds} ms`))
      login = setTimeout(late, connectMilliseconds)
      return opened
    } catch (error) {
      const { message, code } = error as NodeJS.ErrnoException
      lose(new NotSent(`PostgreSQL: ${message || code}`, { cause: error }))
      throw lost
    }
  }

  function lose(reason: StoreUnavailable): void {
    if (lost) return
    lost = reason
    clearTimeout(login)
    socket?.destroy()
    gone = sql.end({ timeout: 0 })
    gone.then(() => {
      for (const reject of outstanding) reject(reason)
      onIdle()
    })
    onLost(driver, reason)
  }

  const timeouts = {
    statement_timeout: timeoutMilliseconds,
    // So short that a batch held up by one of its items leaves time to run the others by themselves.
    lock_timeout: Math.ceil(timeoutMilliseconds / 4),
    idle_in_transaction_session_timeout: 60_000,
  }
  // The driver knows the options; its types do not.
  const own = { socket: open, onnotify: onNotify }
  const { user, password, database } = target
  const sql = postgres({
    ...own,
    ...(address && 'host' in address ? address : {}),
    ...(user === undefined ? {} : { user }),
    ...(password === undefined ? {} : { password }),
    ...(database === undefined ? {} : { database }),
    ssl: false,
    max: 1,
    // `open` has limits of its own, which tell whether another server may be tried.
    connect_timeout: 0,
    max_lifetime: null,
    // Asks the catalogue for array types at each connection; we pass none.
    fetch_types: false,
    // The driver prepares its own COMMIT. Behind a pgbouncer the next server may not know it: it would fail the transaction, and
    // the driver, which then tries again, take the rollback for the commit.
    prepare: hasSession,
    onnotice: () => {},
    onparameter: (name: string, value: unknown) => {
      isEstablished = true
      clearTimeout(login)
      // Told first before any statement is sent, and again only when it changes: by then some may have been.
      const isFirst = target.mustWrite && readOnlySigns.has(name) && !told.has(name)
      told.add(name)
      if (isFirst && value === 'on')
        lose(new NotSent('PostgreSQL: the server is read-only (a standby, or default_transaction_read_only)'))
    },
    connection: {
      application_name: 'petstore',
      ...(hasSession ? timeouts : {}),
      ...target.parameters,
    },
  })

  const driver: Driver = {
    sql,
    get load() {
      return outstanding.size
    },
    get isEstablished() {
      return isEstablished
    },
    run: (work) =>
      new Promise((resolve, reject) => {
        if (lost) {
          reject(lost)
          return
        }
        outstanding.add(reject)
        const settle = (answer: () => void) => {
          outstanding.delete(reject)
          if (outstanding.size === 0) onIdle()
          if (lost instanceof NotSent) reject(lost)
          else if (lost) gone.then(answer)
          else answer()
        }
        work().then(
          (value) => settle(() => resolve(value)),
          (error) => settle(() => reject(error)),
        )
      }),
    lose,
    async end(milliseconds) {
      if (outstanding.size > 0)
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, milliseconds)
          onIdle = () => {
            clearTimeout(timer)
            resolve()
          }
        })
      await sql.end({ timeout: 0 })
      lose(new StoreUnavailable('PostgreSQL: the connections were closed'))
    },
  }
  return driver
}
