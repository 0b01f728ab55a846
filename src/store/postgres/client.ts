/** One connection to one server, and what its errors mean. */
import { readFileSync } from 'node:fs'
import type { Socket } from 'node:net'
import { type ConnectionOptions, checkServerIdentity } from 'node:tls'
import { Client, type QueryResult } from 'pg'
import type { PostgresUrl, ServerAddress } from '../../config/database-url.ts'
import type { SqlValue } from '../shared-sql.ts'
import { StoreUnavailable } from '../store.ts'

export interface Connection {
  readonly isLost: boolean
  /** Resolves when the connection has ended, for whatever reason. */
  readonly ended: Promise<void>
  /** Statements run in the order of sending; one with a name is prepared once. */
  send<Row>(text: string, values?: readonly SqlValue[], name?: string): Promise<Row[]>
  /** Statements under way fail. */
  close(): Promise<void>
}

export interface ConnectionSettings {
  readonly target: PostgresUrl
  /** Which of the target's servers; undefined for the one that the driver finds. */
  readonly address: ServerAddress | undefined
  readonly milliseconds: number
  /** Settings of the session. */
  readonly session: Readonly<Record<string, number>>
  readonly onNotify?: (payload: string | undefined) => void
  readonly signal: AbortSignal
}

/** What the driver's types leave out. */
interface Inside {
  readonly connection: {
    readonly stream: Socket
    on(event: 'parameterStatus', listener: (told: { parameterName: string; parameterValue: string }) => void): void
  }
}

const readOnlySigns = new Set(['in_hot_standby', 'default_transaction_read_only'])
const noTls = 'The server does not support SSL connections'

/** Rejects if the server cannot be reached or, though it must write, is read-only. */
export async function openConnection(settings: ConnectionSettings): Promise<Connection> {
  try {
    return await connect(settings, tlsOf(settings))
  } catch (error) {
    const isPlain = settings.target.sslMode === 'prefer' && (error as Error).message === noTls
    if (isPlain) return await connect(settings, false)
    if (error instanceof Unreachable) throw error
    const { message, code } = error as NodeJS.ErrnoException
    // If a host name has several addresses, the message is empty and the code has the common cause.
    throw new Unreachable(`PostgreSQL: ${message || code}`, { cause: error })
  }
}

async function connect(settings: ConnectionSettings, ssl: ConnectionOptions | false): Promise<Connection> {
  const { target, address, milliseconds, session, onNotify, signal } = settings
  const { user, password, database } = target
  const client = new Client({
    ...address,
    user,
    password,
    database,
    ssl,
    connectionTimeoutMillis: milliseconds,
    // A statement may be sent while another runs.
    pipeline: true,
  }) as Client & Inside
  // The driver itself passes a few settings only.
  const parameters = Object.entries({ application_name: 'petstore', ...session, ...target.parameters })
  const startup = Object.fromEntries(parameters.map(([name, value]) => [name, String(value)]))
  Object.assign(client, { getStartupConf: () => ({ user: client.user, database: client.database, ...startup }) })
  if (onNotify) client.on('notification', ({ payload }) => onNotify(payload))

  let isReadOnly = false
  client.connection.on('parameterStatus', ({ parameterName, parameterValue }) => {
    if (readOnlySigns.has(parameterName) && parameterValue === 'on') isReadOnly = true
  })
  let underWay = 0
  let isLost = false
  function lose(): void {
    isLost = true
    client.connection.stream.destroy()
  }
  client.on('error', lose)
  const ended = new Promise<void>((resolve) => client.on('end', resolve))
  ended.then(lose)

  signal.addEventListener('abort', lose)
  try {
    signal.throwIfAborted()
    await client.connect()
    if (isReadOnly && target.mustWrite)
      throw new Unreachable('PostgreSQL: the server is read-only (a standby, or default_transaction_read_only)')
  } catch (error) {
    lose()
    throw error
  } finally {
    signal.removeEventListener('abort', lose)
  }

  return {
    ended,
    get isLost() {
      return isLost
    },
    async send<Row>(text: string, values: readonly SqlValue[] = [], name?: string): Promise<Row[]> {
      underWay++
      try {
        const answer: QueryResult | QueryResult[] = await client.query({ text, values: values as SqlValue[], name })
        return (Array.isArray(answer) ? answer.at(-1) : answer).rows
      } catch (error) {
        if (endsConnection(error)) lose()
        throw isLost ? new StoreUnavailable(`PostgreSQL: ${(error as Error).message}`, { cause: error }) : error
      } finally {
        underWay--
      }
    },
    close() {
      if (underWay > 0 || isLost) lose()
      else {
        client.end()
        // Without waiting for a server that may be frozen.
        client.connection.stream.destroySoon()
      }
      return ended
    },
  }
}

/** As with libpq, a Unix socket needs no TLS. */
function tlsOf({ target, address }: ConnectionSettings): ConnectionOptions | false {
  const { sslMode, sslRootCert } = target
  if (sslMode === 'disable' || address?.host.startsWith('/')) return false
  return {
    ...(sslRootCert === undefined ? {} : { ca: readFileSync(sslRootCert) }),
    rejectUnauthorized: sslMode.startsWith('verify-') || (sslMode === 'require' && sslRootCert !== undefined),
    checkServerIdentity: (host, certificate) =>
      sslMode === 'verify-full' ? checkServerIdentity(host, certificate) : undefined,
  }
}

/**
 * Transient SQLSTATEs, by class or code: connection, resources, operator intervention, system error, failed login,
 * read-only server, missing database, lock timeout.
 */
const transient = /^(?:08|53|57|58|28|25006|3D000|55P03)/

/** No server can be reached, or each is read-only: nothing was sent. */
export class Unreachable extends StoreUnavailable {}

export const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''

/** A serialization failure or deadlock; the transaction was rolled back and can be retried. */
export const isCollision = (error: unknown): boolean => codeOf(error) === '40001' || codeOf(error) === '40P01'

/** A prepared statement is no longer valid, as a column was added; it did not run. */
export const isStale = (error: unknown): boolean =>
  codeOf(error) === '26000' ||
  (codeOf(error) === '0A000' && (error as { routine?: string }).routine === 'RevalidateCachedQuery')

export const isReadOnly = (error: unknown): boolean => codeOf(error) === '25006'

/** The server or the connection was shut down. */
const endsConnection = (error: unknown): boolean => /^(?:08|57P|25P0[34])/.test(codeOf(error))

/** The server has no connection left for us. */
export const isFull = (error: unknown): boolean => error instanceof StoreUnavailable && codeOf(error.cause) === '53300'

/** Lock timeout; the statement was rolled back and can be retried. */
export const isLocked = (error: unknown): boolean =>
  error instanceof StoreUnavailable && codeOf(error.cause) === '55P03'

/** Whether the lock was on a row of this table: the server says so in the context of the error. */
export const isLockedIn = (table: string, error: unknown): boolean =>
  isLocked(error) && String((error as { cause: { where?: unknown } }).cause.where).includes(table)

/** Unique violation; nothing was written. */
export const isTaken = (error: unknown): boolean => codeOf(error) === '23505'

/** Foreign key violation; nothing was written. */
export const isReferred = (error: unknown): boolean => codeOf(error) === '23503'

/** The error as StoreUnavailable if it is transient, otherwise undefined. */
export function unavailable(error: unknown): StoreUnavailable | undefined {
  if (error instanceof StoreUnavailable) return error
  if (!transient.test(codeOf(error)) && !isCollision(error)) return undefined
  return new StoreUnavailable(`PostgreSQL: ${(error as Error).message}`, { cause: error })
}
