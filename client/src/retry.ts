/** When to try again, and after how long. */
import { ConnectionError, type PetStoreError, TimeoutError } from './errors.ts'

const backoffFirstMs = 250
const backoffMaxMs = 8_000
/** Asked to wait longer than this, the client hands the error over at once: the caller knows what else to do. */
const retryAfterMaxMs = 60_000

export type Sleep = (milliseconds: number, signal?: AbortSignal) => Promise<void>

/** Whether what was asked may have happened, though no one said so. A 503 may come from a commit that was cut. */
export const isUnsettled = (error: PetStoreError): boolean =>
  error instanceof ConnectionError || error instanceof TimeoutError || error.status === 503

/** Errors that pass: the network, too many requests, a service that cannot answer, the same request still under way. */
export const isPassing = (error: PetStoreError): boolean =>
  isUnsettled(error) || error.status === 429 || error.status === 408 || error.code === 'idempotency_in_progress'

/** The pause before a retry, or undefined where the service asks for a longer one than the client waits. */
export function pauseBefore(retry: number, retryAfterMs = 0, random: () => number): number | undefined {
  if (retryAfterMs > retryAfterMaxMs) return undefined
  // Full jitter, on top of what the service asks for: many clients told the same second do not return together.
  return retryAfterMs + random() * Math.min(backoffMaxMs, backoffFirstMs * 2 ** retry)
}

/** The wait a Retry-After header asks for: seconds, or a date. */
export function retryAfterOf(header: string | null): number | undefined {
  if (header === null) return undefined
  const milliseconds = /^[0-9]+$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - Date.now()
  return Number.isNaN(milliseconds) ? undefined : Math.max(0, milliseconds)
}

/** Rejects at once when the signal is aborted. */
export const sleep: Sleep = (milliseconds, signal) =>
  new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', end)
      resolve()
    }, milliseconds)
    signal?.addEventListener('abort', end, { once: true })
  })
