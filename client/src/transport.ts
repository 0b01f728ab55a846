/** One call to the service: its tries, their timeouts, and the result. */
import {
  ConnectionError,
  errorOf,
  NotFoundError,
  PetStoreError,
  TimeoutError,
  UnexpectedAnswerError,
} from './errors.ts'
import { parseJson, stringifyJson } from './json.ts'
import { delayBefore, isTransient, mayHaveSucceeded, retryAfterOf, type Sleep, sleep } from './retry.ts'

export interface PetStoreOptions {
  /** The base URL of the service, ending in its version: `https://shop.example/v1`. */
  readonly baseUrl: string
  readonly apiKey: string
  /** How often a call is retried; 3 by default. */
  readonly maxRetries?: number
  /** How long each try may take, including the response body; 30 seconds by default. */
  readonly timeoutMs?: number
  /** Replacements for the platform's functions, for tests or a custom transport. */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>
  readonly sleep?: Sleep
  readonly random?: () => number
}

export interface CallOptions {
  /** Aborts the call at once; it rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined
  /** The timeout of each try of this call. */
  readonly timeoutMs?: number | undefined
}

export interface Request {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Relative to the base URL. */
  readonly path: string
  readonly body?: object
  /** Makes a POST safe to retry; the same for all tries. */
  readonly idempotencyKey?: string
  readonly ifMatch?: string | undefined
}

export interface Answer {
  /** The parsed body with exact integers; undefined if it was empty. */
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
    // Built once, outside the retries: an invalid header or body fails the call.
    const init = { method: request.method, headers: this.#headersOf(request), ...bodyOf(request) }
    let anyMayHaveSucceeded = false
    for (let retry = 0; ; retry++) {
      signal?.throwIfAborted()
      const outcome = await this.#try(url, init, timeoutMs, signal)
      if (!(outcome instanceof PetStoreError)) return outcome
      // A 404 after a DELETE without a response: the earlier try succeeded.
      if (anyMayHaveSucceeded && request.method === 'DELETE' && outcome instanceof NotFoundError) return nothing
      anyMayHaveSucceeded ||= mayHaveSucceeded(outcome)
      const delay = isRepeatable(request, outcome) ? delayBefore(retry, outcome.retryAfterMs, random) : undefined
      if (retry >= maxRetries || delay === undefined) throw outcome
      await this.#options.sleep(delay, signal)
    }
  }

  pause(failures: number, signal: AbortSignal | undefined): Promise<void> {
    return this.#options.sleep(delayBefore(failures, 0, this.#options.random) ?? 0, signal)
  }

  /** The text of an event stream as it arrives. It ends when the stream does, for whatever reason, or stays silent. */
  async *pieces(path: string, more: Record<string, string>, signal?: AbortSignal): AsyncGenerator<string, void> {
    const { fetch = globalThis.fetch, sleep } = this.#options
    const cut = new AbortController()
    const either = signal ? AbortSignal.any([signal, cut.signal]) : cut.signal
    const inTime = async <T>(step: Promise<T>): Promise<T> => {
      const done = new AbortController()
      sleep(silenceMs, done.signal)
        .then(() => cut.abort())
        .catch(() => {})
      return step.finally(() => done.abort())
    }
    signal?.throwIfAborted()
    try {
      const headers = { Authorization: `Bearer ${this.#options.apiKey}`, ...more }
      const { body, ok } = await inTime(fetch(this.baseUrl + path, { headers, signal: either }))
      if (!ok || !body) return
      const reader = body.pipeThrough(new TextDecoderStream()).getReader()
      for (;;) {
        const { done, value } = await inTime(reader.read())
        if (done) return
        yield value
      }
    } catch {
      signal?.throwIfAborted()
    } finally {
      cut.abort()
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
      if (timeout.aborted) return new TimeoutError(`No response within ${timeoutMs} ms.`, { cause })
      return new ConnectionError('The connection failed before the response was complete.', { cause })
    }
    const { status, headers } = response
    const details = {
      status,
      requestId: headers.get('x-request-id') ?? undefined,
      retryAfterMs: retryAfterOf(headers.get('retry-after')),
    }
    try {
      const body = text === '' ? undefined : parseJson(text)
      return response.ok ? { body, headers } : errorOf(status, body, details)
    } catch (cause) {
      return new UnexpectedAnswerError(`The response, with status ${status}, is not JSON.`, { ...details, cause })
    }
  }
}

/** An event stream has a comment every 15 seconds; without one, something on the way holds it back. */
const silenceMs = 30_000

const nothing: Answer = { body: undefined, headers: new Headers() }

const bodyOf = ({ body }: Request): { body?: string } => (body === undefined ? {} : { body: stringifyJson(body) })

/**
 * Whether a request may be retried after a transient error. A GET may; a POST has its Idempotency-Key; PUT, PATCH and
 * DELETE are idempotent here. The exception is a PUT or PATCH with If-Match whose first try may have succeeded: the retry
 * would get 412 because of its own change.
 */
function isRepeatable({ method, ifMatch }: Request, error: PetStoreError): boolean {
  const isChange = method === 'PUT' || method === 'PATCH'
  return isTransient(error) && !(isChange && ifMatch !== undefined && mayHaveSucceeded(error))
}
