/** One call to the service: its tries, their timeouts, and what became of it. */
import {
  ConnectionError,
  errorOf,
  NotFoundError,
  PetStoreError,
  TimeoutError,
  UnexpectedAnswerError,
} from './errors.ts'
import { parseJson, stringifyJson } from './json.ts'
import { isPassing, isUnsettled, pauseBefore, retryAfterOf, type Sleep, sleep } from './retry.ts'

export interface PetStoreOptions {
  /** The address of the service, ending in its version: `https://shop.example/v1`. */
  readonly baseUrl: string
  readonly apiKey: string
  /** How often a call is tried again after its first try; 3 unless given. */
  readonly maxRetries?: number
  /** How long a try may take, its answer included; 30 seconds unless given. */
  readonly timeoutMs?: number
  /** Stand in for the platform's own, in tests and where requests take a way of their own. */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>
  readonly sleep?: Sleep
  readonly random?: () => number
}

export interface CallOptions {
  /** Ends the call at once, whatever it is at; it rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined
  /** For each try of this call. */
  readonly timeoutMs?: number | undefined
}

export interface Request {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** Relative to the base address. */
  readonly path: string
  readonly body?: object
  /** Makes a POST safe to repeat; the same over all its tries. */
  readonly idempotencyKey?: string
  readonly ifMatch?: string | undefined
}

export interface Answer {
  /** The body, read exactly; undefined where there was none. */
  readonly body: unknown
  readonly headers: Headers
}

export class Transport {
  readonly #options: PetStoreOptions & Required<Omit<PetStoreOptions, 'fetch'>>
  readonly baseUrl: string

  constructor(options: PetStoreOptions) {
    this.baseUrl = new URL(options.baseUrl).href.replace(/\/$/, '')
    this.#options = { maxRetries: 3, timeoutMs: 30_000, sleep, random: Math.random, ...options }
  }

  async send(request: Request, { signal, timeoutMs = this.#options.timeoutMs }: CallOptions = {}): Promise<Answer> {
    const { maxRetries, random } = this.#options
    const url = this.baseUrl + request.path
    // Made once: a header that cannot be sent or a body that cannot be written is no matter of trying again.
    const init = { method: request.method, headers: this.#headersOf(request), ...bodyOf(request) }
    let isUnsettledYet = false
    for (let retry = 0; ; retry++) {
      signal?.throwIfAborted()
      const outcome = await this.#try(url, init, timeoutMs, signal)
      if (!(outcome instanceof PetStoreError)) return outcome
      // An animal that is gone after a delete without an answer: that is what was asked for.
      if (isUnsettledYet && request.method === 'DELETE' && outcome instanceof NotFoundError) return nothing
      isUnsettledYet ||= isUnsettled(outcome)
      const pause = isRepeatable(request, outcome) ? pauseBefore(retry, outcome.retryAfterMs, random) : undefined
      if (retry >= maxRetries || pause === undefined) throw outcome
      await this.#options.sleep(pause, signal)
    }
  }

  #headersOf({ body, idempotencyKey, ifMatch }: Request): Headers {
    const headers = new Headers({ Authorization: `Bearer ${this.#options.apiKey}` })
    if (body !== undefined) headers.set('Content-Type', 'application/json')
    if (idempotencyKey !== undefined) headers.set('Idempotency-Key', idempotencyKey)
    if (ifMatch !== undefined) headers.set('If-Match', ifMatch)
    return headers
  }

  async #try(url: string, init: RequestInit, timeoutMs: number, signal?: AbortSignal): Promise<Answer | PetStoreError> {
    const timeout = AbortSignal.timeout(timeoutMs)
    let response: Response
    let text: string
    try {
      const either = signal ? AbortSignal.any([signal, timeout]) : timeout
      const { fetch = globalThis.fetch } = this.#options
      response = await fetch(url, { ...init, signal: either })
      text = await response.text()
    } catch (cause) {
      signal?.throwIfAborted()
      if (timeout.aborted) return new TimeoutError(`No answer within ${timeoutMs} ms.`, { cause })
      return new ConnectionError('The connection failed before the answer was there.', { cause })
    }
    const { status, headers } = response
    const details = {
      requestId: headers.get('x-request-id') ?? undefined,
      retryAfterMs: retryAfterOf(headers.get('retry-after')),
    }
    try {
      const body = text === '' ? undefined : parseJson(text)
      return response.ok ? { body, headers } : errorOf(status, body, details)
    } catch (cause) {
      return new UnexpectedAnswerError(`The answer, with status ${status}, is not JSON.`, { ...details, status, cause })
    }
  }
}

const nothing: Answer = { body: undefined, headers: new Headers() }

const bodyOf = ({ body }: Request): { body?: string } => (body === undefined ? {} : { body: stringifyJson(body) })

/**
 * Whether a request may be sent again after an error that passes. A GET may; a POST has its Idempotency-Key; a PATCH
 * sets members to values, and a DELETE leaves nothing to do twice. Only a PATCH with If-Match may not where the first
 * try may have worked: its own change would then answer 412.
 */
function isRepeatable({ method, ifMatch }: Request, error: PetStoreError): boolean {
  return isPassing(error) && !(method === 'PATCH' && ifMatch !== undefined && isUnsettled(error))
}
