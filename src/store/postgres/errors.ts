/** What PostgreSQL's errors mean for a caller: try again, give up for now, or a mistake of ours. */
import { StoreUnavailable } from '../store.ts'

/** Connection failures of the driver and the system, which carry no SQLSTATE. */
const lostConnections = new Set([
  'CONNECTION_CLOSED',
  'CONNECTION_ENDED',
  'CONNECTION_DESTROYED',
  'CONNECT_TIMEOUT',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
])
/** SQLSTATEs, by class or whole: connection, resources, intervention, system; a read-only server; a failed login; a lock. */
const transient = /^(?:08|53|57|58|28|25006|3D000|55P03)/

export const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''

/** Two transactions stood in each other's way and the database undid this one: it may simply run again. */
export const isCollision = (error: unknown): boolean => codeOf(error) === '40001' || codeOf(error) === '40P01'

/** Another transaction holds what is needed and has not let go in time; the statement was undone, and may run again. */
export const isLocked = (error: unknown): boolean =>
  error instanceof StoreUnavailable && codeOf(error.cause) === '55P03'

/** A unique index found the value taken; nothing was written. */
export const isTaken = (error: unknown): boolean => codeOf(error) === '23505'

/** A row is still referred to by another table; nothing was written. */
export const isReferred = (error: unknown): boolean => codeOf(error) === '23503'

/** The error as StoreUnavailable where the database is the cause, else undefined. */
export function unavailable(error: unknown): StoreUnavailable | undefined {
  if (error instanceof StoreUnavailable) return error
  const code = codeOf(error)
  if (!lostConnections.has(code) && !transient.test(code) && !isCollision(error)) return undefined
  // Where a name has several addresses, the message is empty and the code says what all of them came to.
  return new StoreUnavailable(`PostgreSQL: ${(error as Error).message || code}`, { cause: error })
}
