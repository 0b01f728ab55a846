/**
 * One connection, through an instance of the driver of its own. Once a connection is lost the driver leaves statements
 * without an answer and keeps back later ones, so the instance goes with its connection and never connects again.
 */
import type { Socket } from 'node:net'
import postgres from 'postgres'
import { StoreUnavailable } from '../store.ts'
import { unavailable } from './errors.ts'
import { openSocket } from './sockets.ts'

export interface DriverOptions {
  readonly url: string
  readonly timeoutMilliseconds: number
  /** Resolves when a connection may be tried. */
  readonly pause: () => Promise<void>
  /** Called once, when the connection is lost or cannot be made. */
  readonly onLost: (driver: Driver) => void
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

/** What the driver tells of where it connects to: lists of one. */
interface Addresses {
  readonly host: readonly string[]
  readonly port: readonly number[]
  readonly path: string | false
}

export function openDriver({ url, timeoutMilliseconds, pause, onLost }: DriverOptions): Driver {
  const outstanding = new Set<(reason: unknown) => void>()
  let lost: StoreUnavailable | undefined
  /** Resolves when the lost driver refuses statements by itself; until then it would write to a socket that is gone. */
  let gone: Promise<void> = Promise.resolve()
  let socket: Socket | undefined
  let isEstablished = false
  let onIdle = () => {}

  async function open({ host: [host = ''], port: [port = 0], path }: Addresses): Promise<Socket> {
    await pause()
    if (lost) throw lost
    try {
      return await openSocket(path ? { path } : { host, port }, {
        timeoutMilliseconds,
        hold(opening) {
          socket = opening
          // Before the driver's own listener, which may lead to further statements.
          opening.once('close', () => lose(new StoreUnavailable('PostgreSQL: the connection was lost')))
        },
      })
    } catch (error) {
      lose(unavailable(error) ?? new StoreUnavailable(`PostgreSQL: ${(error as Error).message}`, { cause: error }))
      throw error
    }
  }

  function lose(reason: StoreUnavailable): void {
    if (lost) return
    lost = reason
    socket?.destroy()
    gone = sql.end({ timeout: 0 })
    gone.then(() => {
      for (const reject of outstanding) reject(reason)
      onIdle()
    })
    onLost(driver)
  }

  // The driver knows the option; its types do not.
  const own = { socket: open }
  const sql = postgres(url, {
    ...own,
    max: 1,
    connect_timeout: Math.ceil(timeoutMilliseconds / 1000),
    max_lifetime: null,
    // Asks the catalogue for array types at each connection; we pass none.
    fetch_types: false,
    onnotice: () => {},
    onparameter: () => {
      isEstablished = true
    },
    connection: {
      application_name: 'petstore',
      statement_timeout: timeoutMilliseconds,
      // So short that a batch held up by one of its items leaves time to run the others by themselves.
      lock_timeout: Math.ceil(timeoutMilliseconds / 4),
      idle_in_transaction_session_timeout: 60_000,
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
          if (lost) gone.then(answer)
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
