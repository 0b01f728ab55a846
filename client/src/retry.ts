/** When to retry, and after what delay. */
import { ConnectionError, type PetStoreError, TimeoutError } from './errors.ts'

const backoffFirstMs = 250
const backoffMaxMs = 8_000

export type Sleep = (milliseconds: number, signal?: AbortSignal) => Promise<void>

/** Whether the service may have handled the request although the call failed. A 503 may hide a commit that succeeded. */
export const mayHaveSucceeded = (error: PetStoreError): boolean =>
  error instanceof ConnectionError || error instanceof TimeoutError || error.status === 503

/** Transient errors: network, 408, 429, 503, or the same request still in progress. */
export const isTransient = (error: PetStoreError): boolean =>
  mayHaveSucceeded(error) || error.status === 429 || error.status === 408 || error.code === 'idempotency_in_progress'

/** The delay before a retry, in addition to Retry-After; random, so that many clients do not retry at the same moment. */
export const backoff = (retry: number, random: () => number): number =>
  random() * Math.min(backoffMaxMs, backoffFirstMs * 2 ** retry)

/** The delay that a Retry-After header asks for, in milliseconds; the header has seconds or a date. */
export function retryAfterOf(header: string | null): number | undefined {
  if (header === null) return undefined
  const milliseconds = /^[0-9]+$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - Date.now()
  return Number.isNaN(milliseconds) ? undefined : Math.max(0, milliseconds)
}

/** Rejects as soon as the signal is aborted. */
export const sleep: Sleep = async (milliseconds, signal) => {
  await new Promise<void>((resolve) => {
    const end = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, signal?.aborted ? 0 : milliseconds)
    signal?.addEventListener('abort', end)
  })
  signal?.throwIfAborted()
}
