/** Separates SQLite's transient errors from bugs. */
import { StoreUnavailable } from '../store.ts'

// Primary result codes, https://www.sqlite.org/rescode.html
const transient = new Map([
  [5, 'busy'],
  [6, 'locked'],
  [8, 'read-only'],
  [10, 'disk I/O error'],
  [11, 'corrupt'],
  [13, 'disk full'],
  [14, 'cannot open the file'],
  [15, 'locking protocol'],
  [26, 'not a database'],
])

/** The error as StoreUnavailable if it is transient, otherwise undefined. */
export function unavailable(error: unknown): StoreUnavailable | undefined {
  const reason = transient.get(codeOf(error))
  return reason === undefined ? undefined : new StoreUnavailable(`SQLite: ${reason}`, { cause: error })
}

/** For a message to the operator. */
export const reasonOf = (error: unknown): string =>
  unavailable(error)?.message ?? (error instanceof Error ? error.message : String(error))

export const isBusy = (error: unknown): boolean => codeOf(error) === 5

function codeOf(error: unknown): number {
  const code = error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' ? error.errcode : 0
  return code & 0xff
}
