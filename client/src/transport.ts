/** One call to the service: its tries, their timeouts, and the result. */
import { type Answer, outcomeOf, type ResponseDetails } from './answer.ts'
import { ConnectionError, NotFoundError, PetStoreError, TimeoutError } from './errors.ts'
import { stringifyJson } from './json.ts'
import { backoff, isTransient, mayHaveSucceeded, type Sleep, sleep } from './retry.ts'

export interface PetStoreOptions {
  /** The base URL of the service, ending in its version: `https://shop.example/v1`. */
  readonly baseUrl: string
  readonly apiKey: string
  /** How often a call is retried; 3 by default. */
  readonly maxRetries?: number | undefined
  /** How long the service may ask to wait before a retry; a call that would wait longer fails at once. 60 seconds by default. */
  readonly maxRetryAfterMs?: number | undefined
  /** How long each try may take, including the response body; 30 seconds by default. */
  readonly timeoutMs?: number | undefined
  /** Replacements for the platform's functions, for tests or a custom transport. */
  readonly fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined
  readonly sleep?: Sleep | undefined
  readonly random?: (() => number) | undefined
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
  readonly body?: object | undefined
  /** Makes a POST safe to retry; the same for all tries, and random unless given. */
  readonly idempotencyKey?: string | undefined
  /** An ETag, or a thing as it was returned. */
  readonly ifMatch?: string | object | undefined
  readonly isList?: boolean
}

export class Transport {
  readonly #options: { readonly [Name in keyof PetStoreOptions]-?: NonNullable<PetStoreOptions[Name]> }
  readonly #responses = new WeakMap<object, ResponseDetails>()

  constructor(options: PetStoreOptions) {
    const { baseUrl, apiKey } = checked(options)
    const { maxRetries = 3, maxRetryAfterMs = 60_000, timeoutMs = 30_000, random = Math.random } = options
    // The platform's at the time of the call: tests may replace it.
    const { fetch = (url, init) => globalThis.fetch(url, init) } = options
    const { sleep: pause = sleep } = options
    this.#options = { baseUrl, apiKey, maxRetries, maxRetryAfterMs, timeoutMs, fetch, sleep: pause, random }
  }

  /** The body of the answer; if it is one thing, `ifMatch` takes it from then on. */
  async call<T>(request: Request, options: CallOptions | undefined): Promise<T> {
    const { body, ...response } = await this.send(request, options)
    if (body) this.remember(body, response)
    return body as T
  }

  remember(thing: object, response: ResponseDetails): void {
    this.#responses.set(thing, response)
  }

  responseOf(thing: object): ResponseDetails | undefined {
    return this.#responses.get(thing)
  }

  async send(request: Request, { signal, timeoutMs = this.#options.timeoutMs }: CallOptions = {}): Promise<Answer> {
    const { maxRetries, maxRetryAfterMs, random } = this.#options
    // Built once, outside the retries: an invalid header or body fails the call.
    const init = this.#initOf(request)
    let anyMayHaveSucceeded = false
    for (let retry = 0; ; retry++) {
      signal?.throwIfAborted()
      const outcome = await this.#try(request, init, timeoutMs, signal)
      if (!(outcome instanceof PetStoreError)) return outcome
      // A 404 after a DELETE without a response: the earlier try succeeded.
      if (anyMayHaveSucceeded && request.method === 'DELETE' && outcome instanceof NotFoundError) return nothing
      anyMayHaveSucceeded ||= mayHaveSucceeded(outcome)
      const { retryAfterMs = 0 } = outcome
      if (retry >= maxRetries || retryAfterMs > maxRetryAfterMs || !isRepeatable(request, outcome)) throw outcome
      await this.#options.sleep(retryAfterMs + backoff(retry, random), signal)
    }
  }

  pause(failures: number, signal: AbortSignal | undefined): Promise<void> {
    return this.#options.sleep(backoff(failures, this.#options.random), signal)
  }

  /** The text of an event stream as it arrives. It ends when the stream does, for whatever reason, or stays silent. */
  async *pieces(path: string, more: Record<string, string>, signal?: AbortSignal): AsyncGenerator<string, void> {
    const { baseUrl, apiKey, fetch, sleep } = this.#options
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
      const headers = { Authorization: `Bearer ${apiKey}`, ...more }
      const { body, ok } = await inTime(fetch(baseUrl + path, { headers, signal: either }))
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

  #initOf({ method, body, idempotencyKey, ifMatch }: Request): RequestInit {
    const headers = new Headers({ Authorization: `Bearer ${this.#options.apiKey}` })
    if (body) headers.set('Content-Type', 'application/json')
    // A POST without a body moves an order, and may be repeated as it is.
    if (method === 'POST' && body) headers.set('Idempotency-Key', idempotencyKey ?? randomKey())
    const version = typeof ifMatch === 'object' ? this.responseOf(ifMatch)?.headers.get('etag') : ifMatch
    // A proxy that compresses the response marks its ETag as weak, which If-Match does not take.
    if (version) headers.set('If-Match', version.replace(/^W\//, ''))
    else if (ifMatch !== undefined)
      throw new TypeError('ifMatch: not what create, get, update or put of this client returned')
    // The service never redirects. fetch would turn a POST into a GET, and leave out the key.
    return { method, headers, redirect: 'manual', ...(body && { body: stringifyJson(body) }) }
  }

  async #try({ method, path, isList }: Request, init: RequestInit, timeoutMs: number, signal?: AbortSignal) {
    const url = this.#options.baseUrl + path
    const isExpected = (body: unknown) => (isList ? Array.isArray(body) : method === 'DELETE' || Object(body) === body)
    const timeout = AbortSignal.timeout(timeoutMs)
    try {
      const either = signal ? AbortSignal.any([signal, timeout]) : timeout
      const response = await this.#options.fetch(url, { ...init, signal: either })
      return outcomeOf(response, await response.text(), isExpected)
    } catch (cause) {
      signal?.throwIfAborted()
      if (timeout.aborted) return new TimeoutError(`No response within ${timeoutMs} ms.`, { cause })
      const text = `The connection to ${new URL(url).host} failed before the response was complete.`
      return new ConnectionError(text + corsHint(url), { cause })
    }
  }
}

/** The service sends a comment every 8 seconds; if none arrives, a proxy buffers the stream. */
const silenceMs = 30_000

const nothing: Answer = { body: undefined, status: 404, headers: new Headers(), requestId: undefined }

/** Not randomUUID, which browsers provide only to pages served over TLS. */
export const randomKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')

/** The options without which nothing works, or all their faults; a value is not repeated, as it may be the key. */
function checked({ baseUrl, apiKey }: Partial<PetStoreOptions> = {}): { baseUrl: string; apiKey: string } {
  const base = /^https?:\/\/[^/?#@\s]+(?:\/[^?#\s]*)?\/v[0-9]+(?=\/?$)/i.exec(baseUrl ?? '')?.[0]
  const key = /^[!-~]+$/.exec(String(apiKey ?? '').trim())?.[0]
  if (base && key) return { baseUrl: base, apiKey: key }
  const faults = [
    base ? [] : 'baseUrl must begin with https:// or http:// and end in the version, as in https://shop.example/v1',
    key ? [] : 'apiKey must be a key of the service, as made by `petstore keys create`',
  ]
  throw new TypeError(`new PetStore({ baseUrl, apiKey }): ${faults.flat().join('; ')}`)
}

/** A browser does not tell a page why a request to another origin failed. */
function corsHint(url: string): string {
  const { location } = globalThis as { location?: { origin: string } }
  if (!location || location.origin === new URL(url).origin) return ''
  return ` The cause may be CORS: the operator must list ${location.origin} in CORS_ORIGINS.`
}

/**
 * All are idempotent: a POST by its Idempotency-Key, or by itself. But the retry of a PUT or PATCH with If-Match whose first try may
 * have succeeded would get 412 because of its own change.
 */
function isRepeatable({ method, ifMatch }: Request, error: PetStoreError): boolean {
  const isChange = method === 'PUT' || method === 'PATCH'
  return isTransient(error) && !(isChange && ifMatch !== undefined && mayHaveSucceeded(error))
}
