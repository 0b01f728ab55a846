/** What a response means, and whether the call is to be retried. */
import * as errors from './errors.ts'
import { parseJson } from './json.ts'

/** How the service answered. */
export interface ResponseDetails {
  readonly status: number
  readonly headers: Headers
  /** Identifies the request in the log of the service. */
  readonly requestId: string
  /** The requests that are left, and after how many seconds there are more. Undefined if the key has no rate limit. */
  readonly rateLimit: { readonly remaining: number; readonly resetSeconds: number } | undefined
}
export interface Answer<Body = unknown> extends ResponseDetails {
  /** The parsed body, with exact integers. Undefined if there was none. */
  readonly body: Body
}

/** `sentId` is the id of the request, which is used if the response contains none. */
export function detailsOf({ status, headers }: Response, sentId: string): ResponseDetails {
  const [, remaining, resetSeconds] = /r=(\d+);t=(\d+)/.exec(headers.get('ratelimit') ?? '') ?? []
  const rateLimit = remaining ? { remaining: Number(remaining), resetSeconds: Number(resetSeconds) } : undefined
  return { status, headers, requestId: headers.get('x-request-id') ?? sentId, rateLimit }
}

/** `isExpected` says whether a body can be what was requested. */
export function outcomeOf(response: ResponseDetails, text: string, isExpected: (body: unknown) => boolean) {
  const { status, headers, requestId } = response
  const details = { status, requestId, retryAfterMs: retryAfterOf(headers.get('retry-after')) }
  const strange = (more: string, cause?: unknown) =>
    new errors.UnexpectedAnswerError(`The response, with status ${status}, ${more}.`, { ...details, cause })
  // 304 is the response to a request with If-None-Match.
  const isOk = (status >= 200 && status < 300) || status === 304
  let isOther = false
  try {
    const body = text === '' ? undefined : parseJson(text)
    if (isOk && isExpected(body)) return { ...response, body } satisfies Answer
    const { code, message, ...more } = Object(body)
    isOther = isOk && (Array.isArray(body) || 'id' in more)
    if (!isOk && typeof code === 'string' && typeof message === 'string' && more.status === status)
      return new (classOf(status))(message, { ...details, code })
  } catch (cause) {
    return strange('is not JSON', cause)
  }
  const location = headers.get('location')
  if (location !== null) return strange(`redirects to ${location}`)
  return strange(isOther ? 'is not what was requested' : 'did not come from the service')
}

/** The class of a status. A later service may send a status that has no class here. */
function classOf(status: number): typeof errors.RefusedError {
  const Known = Object.values(errors).find(
    (each) => 'statuses' in each && (each.statuses as readonly number[]).includes(status),
  )
  return (Known ?? errors.RefusedError) as typeof errors.RefusedError
}

const backoffFirstMs = 250
const backoffMaxMs = 8_000

export type Sleep = (milliseconds: number, signal?: AbortSignal) => Promise<void>

/** Statuses of the service or of a gateway, after which the work may have been done nevertheless. */
const failedStatuses: ReadonlySet<number | undefined> = new Set([500, 502, 503, 504])

/** Whether the service may have handled the request although the call failed. */
export const mayHaveSucceeded = (error: errors.PetStoreError): boolean =>
  error instanceof errors.ConnectionError || error instanceof errors.TimeoutError || failedStatuses.has(error.status)

/** Transient errors: network errors, 408, 429, 500, 502, 503, 504, and a request that is still in progress. */
export const isTransient = (error: errors.PetStoreError): boolean =>
  mayHaveSucceeded(error) || error.status === 429 || error.status === 408 || error.code === 'idempotency_in_progress'

/**
 * The delay before a retry, in addition to Retry-After. It is random, so that many clients do not retry at the same
 * moment.
 */
export const backoff = (retry: number, random: () => number): number =>
  random() * Math.min(backoffMaxMs, backoffFirstMs * 2 ** retry)

/** The delay in a Retry-After header, in milliseconds. The header contains seconds or a date. */
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
  throwIfAborted(signal)
}

/** Throws if the signal is aborted: its reason, or a `TimeoutError` if it was a timeout. */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (!signal?.aborted) return
  const { reason } = signal
  if (reason instanceof DOMException && reason.name === 'TimeoutError')
    throw new errors.TimeoutError('The signal of the call timed out.', { cause: reason })
  throw reason
}
