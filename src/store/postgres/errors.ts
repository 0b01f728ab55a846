/** What the errors of PostgreSQL mean. */
import { DatabaseError } from 'pg'
import { Outdated } from '../shared-sql.ts'
import { StoreUnavailable } from '../store.ts'

/**
 * The SQLSTATEs of errors that an operator or time can cure, by class or code: connection, resources, operator
 * intervention, system error, failed login, read-only server, missing database, lock timeout, missing privilege, lost
 * statement.
 */
const transient = /^(?:08|53|57|58|28|25006|3D000|55P03|42501|42P05|26000)/

/** The server cannot be reached: nothing was sent. */
export class Unreachable extends StoreUnavailable {
  constructor(cause: unknown) {
    const { message, code } = cause as NodeJS.ErrnoException
    // If a host name has several addresses, the message is empty and the code has the common cause.
    super(`PostgreSQL: ${message || code}`, { cause })
  }
}

export const codeOf = (error: unknown): string =>
  error instanceof StoreUnavailable ? codeOf(error.cause) : codeIn(error)

const codeIn = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''

/**
 * A serialization failure, a deadlock, or a transaction that has read outdated rows. It was rolled back and can be
 * retried.
 */
export const isCollision = (error: unknown): boolean =>
  error instanceof Outdated || codeOf(error) === '40001' || codeOf(error) === '40P01'

/** A prepared statement is no longer valid because a column was added. It did not run. */
export const isStale = (error: unknown): boolean =>
  codeOf(error) === '0A000' && (error as { routine?: string }).routine === 'RevalidateCachedQuery'

/** A prepared statement is missing or exists already, because a pgbouncer has changed the server's connection. */
export const isNameLost = (error: unknown): boolean => codeOf(error) === '26000' || codeOf(error) === '42P05'

export const isReadOnly = (error: unknown): boolean => codeOf(error) === '25006'

/**
 * The server or the connection was shut down. Errors of the driver and of the network are not errors of the database.
 */
export const endsConnection = (error: unknown): boolean =>
  !(error instanceof DatabaseError) || /^(?:08|57P|25P0[34])/.test(codeOf(error))

/** Lock timeout; the statement was rolled back and can be retried. */
export const isLocked = (error: unknown): boolean => error instanceof StoreUnavailable && codeOf(error) === '55P03'

/** Another transaction was in the way, perhaps only for one row. The database is healthy. */
export const isContended = (error: unknown): boolean => isCollision(error) || codeOf(error) === '55P03'

/** Whether the lock was on a row of this table: the server says so in the context of the error. */
export const isLockedIn = (table: string, error: unknown): boolean =>
  isLocked(error) && String((error as { cause: { where?: unknown } }).cause.where).includes(table)

/** Unique violation; nothing was written. */
export const isTaken = (error: unknown): boolean => codeOf(error) === '23505'

/** The error as StoreUnavailable if it is transient, otherwise undefined. */
export function unavailable(error: unknown): StoreUnavailable | undefined {
  if (error instanceof StoreUnavailable) return error
  if (!transient.test(codeOf(error)) && !isCollision(error)) return undefined
  return new StoreUnavailable(`PostgreSQL: ${(error as Error).message}`, { cause: error })
}
