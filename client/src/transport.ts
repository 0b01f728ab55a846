/** Sends a call to the service, with its retries and timeouts. */
import {
  type Answer,
  backoff,
  detailsOf,
  isTransient,
  mayHaveSucceeded,
  outcomeOf,
  type ResponseDetails,
  sleep,
  throwIfAborted,
} from './answer.ts'
import { Call } from './call.ts'
import { ConnectionError, NotFoundError, PetStoreError, TimeoutError } from './errors.ts'
import { int64Text, stringifyJson } from './json.ts'
import {
  type CallOptions,
  checked,
  keyIn,
  keyRule,
  type Method,
  type PetStoreOptions,
  type Query,
  type RequestOptions,
} from './options.ts'

interface SendOptions extends RequestOptions {
  /** Whether a body can be what was requested. */
  readonly isExpected?: (body: unknown) => boolean
  /** Members that the result must contain, such as the `id` that was requested. */
  readonly expected?: { readonly [name: string]: bigint }
  /** Whether a POST without an Idempotency-Key may be sent twice. */
  readonly isIdempotent?: boolean
}

type Replaceable = 'baseUrl' | 'apiKey' | 'fetch' | 'sleep' | 'random'

/** A path, or a function that returns it. The function throws if an id cannot be in a path, which fails the call. */
export type Path = string | (() => string)

/** The version in package.json. */
const version = '1.0.0'

export class Transport {
  readonly #options: PetStoreOptions & { readonly [Name in Replaceable]: NonNullable<PetStoreOptions[Name]> }
  readonly #etags = new WeakMap<object, string>()

  constructor(options: PetStoreOptions) {
    // The platform's fetch at the time of the call: tests may replace it.
    const { fetch = (url: string, init: RequestInit) => globalThis.fetch(url, init) } = options
    const { sleep: pause = sleep, random = Math.random } = options
    this.#options = { ...options, ...checked(options), fetch, sleep: pause, random }
  }

  /** A call whose result is the body of the response. */
  call<T>(method: Method, path: Path, options: SendOptions = {}): Call<T> {
    const { expected = {} } = options
    const isExpected = (body: unknown) =>
      method === 'DELETE' || (Object(body) === body && has(body as object, expected))
    const answered = this.send(method, path, { ...options, isExpected })
    return new Call(answered.then((response) => ({ result: response.body as T, response })))
  }

  /** A POST that creates something exactly once, however often it is retried. */
  add<T>(path: Path, body: object, { idempotencyKey = randomKey(), ...options }: SendOptions = {}): Call<T> {
    return this.call('POST', path, { ...options, body, idempotencyKey })
  }

  /** A POST that can be repeated without an Idempotency-Key. */
  act<T>(path: Path, options?: SendOptions): Call<T> {
    return this.call('POST', path, { ...options, isIdempotent: true })
  }

  /** From then on, the object can be passed as `ifMatch`. */
  remember<T>(thing: T, headers: Headers): T {
    const etag = headers.get('etag')
    if (etag && Object(thing) === thing) this.#etags.set(thing as object, etag)
    return thing
  }

  etagOf(thing: object): string | undefined {
    return this.#etags.get(thing)
  }

  async send(method: Method, path: Path, options: SendOptions = {}): Promise<Answer> {
    const { signal, maxRetries = this.#options.maxRetries ?? 3 } = options
    const { maxRetryAfterMs = this.#options.maxRetryAfterMs ?? 60_000 } = options
    // Built once, outside the retries: an invalid header or body fails the call.
    const url = this.#options.baseUrl + pathWith(typeof path === 'string' ? path : path(), options.query)
    const init = this.#initOf(method, options)
    const debug = options.debug ?? this.#options.debug
    let anyMayHaveSucceeded = false
    for (let retry = 0; ; retry++) {
      throwIfAborted(signal)
      const began = Date.now()
      const outcome = await this.#try(url, init, options)
      debug?.(`${method} ${url}: ${wordsOf(outcome)} (${outcome.requestId}, ${Date.now() - began} ms)`)
      if (!(outcome instanceof PetStoreError)) {
        this.remember(outcome.body, outcome.headers)
        return outcome
      }
      // A 404 after a DELETE without a response means that the earlier attempt succeeded.
      if (anyMayHaveSucceeded && method === 'DELETE' && outcome instanceof NotFoundError)
        return { status: 204, headers: new Headers(), body: undefined, rateLimit: undefined, requestId: idOf(init) }
      anyMayHaveSucceeded ||= mayHaveSucceeded(outcome)
      const { retryAfterMs = 0 } = outcome
      if (retry >= maxRetries || retryAfterMs > maxRetryAfterMs || !isRepeatable(init, options, outcome)) throw outcome
      const pause = retryAfterMs + backoff(retry, this.#options.random)
      debug?.(`${method} ${url}: retrying in ${Math.round(pause)} ms`)
      await this.#options.sleep(pause, signal)
    }
  }

  pause(failures: number, signal: AbortSignal | undefined): Promise<void> {
    return this.#options.sleep(backoff(failures, this.#options.random), signal)
  }

  /**
   * The text of an event stream as it arrives. It ends when the stream ends for any reason, or when nothing arrives for
   * too long.
   */
  async *pieces(
    path: string,
    options: RequestOptions,
    onCut: (error: PetStoreError) => void,
  ): AsyncGenerator<string, void> {
    const { baseUrl, fetch, sleep } = this.#options
    const { signal } = options
    const cut = new AbortController()
    const either = signal ? AbortSignal.any([signal, cut.signal]) : cut.signal
    let failure: unknown
    /** Undefined if the step fails or takes too long. */
    const inTime = async <T>(step: Promise<T>): Promise<T | undefined> => {
      const done = new AbortController()
      sleep(silenceMs, done.signal)
        .then(() => cut.abort())
        .catch(() => {})
      const failed = (cause: unknown) => {
        failure = cause
      }
      const result = await step.catch(failed).finally(() => done.abort())
      throwIfAborted(signal)
      return result ?? undefined
    }
    throwIfAborted(signal)
    const init = this.#initOf('GET', options)
    try {
      const url = baseUrl + pathWith(path, options.query)
      const prepared = await this.#prepared(url, init, options)
      const response = await inTime(fetch(url, { ...prepared, signal: either }))
      if (response) this.#report(response, init, options)
      if (!response?.ok || !response.body) return
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
      for (;;) {
        const piece = await inTime(reader.read())
        if (!piece) {
          const details = { cause: failure, requestId: idOf(init) }
          onCut(
            cut.signal.aborted
              ? new TimeoutError(`The stream was silent for ${silenceMs} ms.`, details)
              : new ConnectionError('The stream was cut off.', details),
          )
        }
        if (!piece || piece.done) return
        yield piece.value
      }
    } finally {
      cut.abort()
    }
  }

  #initOf(method: Method, { body, idempotencyKey, ifMatch, headers: more }: RequestOptions): Init {
    const { headers: usual } = this.#options
    // The service writes this id to its log. So it is known even if no response arrives.
    const headers = new Headers({ 'X-Request-Id': randomKey() })
    // A browser sends its own User-Agent. Setting it there would cause a CORS preflight.
    if (!('location' in globalThis)) headers.set('User-Agent', `petstore-client/${version}`)
    if (body) headers.set('Content-Type', 'application/json')
    if (idempotencyKey !== undefined) headers.set('Idempotency-Key', idempotencyKey)
    const etag = typeof ifMatch === 'object' ? this.etagOf(ifMatch) : ifMatch
    // A proxy that compresses the response marks its ETag as weak, which If-Match does not take.
    if (etag) headers.set('If-Match', etag.replace(/^W\//, ''))
    else if (ifMatch !== undefined)
      throw new TypeError(
        'ifMatch: must be an ETag, or an object that create, get, update or put of this client returned',
      )
    for (const [name, value] of Object.entries({ ...usual, ...more })) headers.set(name, value)
    // Bun itself repeats a DELETE or a PUT if a connection that it kept open is cut. The client would not know that the
    // first request may have succeeded.
    const once = (method === 'DELETE' || method === 'PUT') && { keepalive: false }
    // The service never redirects. fetch would turn a POST into a GET, and would omit the key.
    return { method, headers, redirect: 'manual', ...once, ...(body && { body: stringifyJson(body) }) }
  }

  /** The request of one attempt, with the current key, and after `onRequest` was called. */
  async #prepared(url: string, init: Init, { onRequest }: CallOptions): Promise<Init> {
    const { apiKey } = this.#options
    const key = typeof apiKey === 'function' ? keyIn(await apiKey()) : apiKey
    if (!key) throw new TypeError(`apiKey: the function returned an invalid key; it ${keyRule}`)
    const headers = new Headers(init.headers)
    if (!headers.has('Authorization')) headers.set('Authorization', `Bearer ${key}`)
    const details = { method: init.method, url, headers }
    await this.#options.onRequest?.(details)
    await onRequest?.(details)
    return { ...init, headers }
  }

  async #try(url: string, init: Init, options: SendOptions): Promise<Answer | PetStoreError> {
    const { signal, timeoutMs = this.#options.timeoutMs ?? 30_000, isExpected = () => true } = options
    const timeout = AbortSignal.timeout(timeoutMs)
    const either = signal ? AbortSignal.any([signal, timeout]) : timeout
    const prepared = await this.#prepared(url, init, options)
    let response: Response
    let text: string
    try {
      response = await this.#options.fetch(url, { ...prepared, signal: either })
      text = await response.text()
    } catch (cause) {
      throwIfAborted(signal)
      const details = { cause, requestId: idOf(init) }
      if (timeout.aborted) return new TimeoutError(`No response within ${timeoutMs} ms.`, details)
      const { host, origin } = new URL(url)
      const message = `The connection to ${host} failed before the response was complete.`
      return new ConnectionError(message + corsHint(origin), details)
    }
    return outcomeOf(this.#report(response, init, options), text, isExpected)
  }

  #report(response: Response, init: Init, { onResponse }: CallOptions): ResponseDetails {
    const details = detailsOf(response, idOf(init))
    this.#options.onResponse?.(details)
    onResponse?.(details)
    return details
  }
}

const has = (thing: object, expected: { readonly [name: string]: bigint }): boolean =>
  Object.entries(expected).every(([name, value]) => String((thing as typeof expected)[name]) === String(value))

/** How an attempt ended, in words. */
function wordsOf(outcome: Answer | PetStoreError): string {
  if (!(outcome instanceof PetStoreError)) return String(outcome.status)
  const { name, status, code, message } = outcome
  return `${name}: ${[status, code, message].filter((each) => each !== undefined).join(' ')}`
}

type Init = RequestInit & { readonly method: Method; readonly headers: Headers }

/** The service sends a comment every 8 seconds. If none arrives, a proxy buffers the stream. */
const silenceMs = 30_000

/** Not randomUUID, which browsers provide only to pages served over TLS. */
export const randomKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')

const idOf = ({ headers }: Init): string => headers.get('x-request-id') ?? ''

function pathWith(path: string, query: Query = {}): string {
  const search = new URLSearchParams()
  const textOf = (value: string | number | bigint) => (typeof value === 'string' ? value : int64Text(value))
  for (const [name, value] of Object.entries(query))
    if (value !== undefined) search.set(name, [value].flat().map(textOf).join())
  return search.size === 0 ? path : `${path}?${search}`
}

/** A browser does not let a page know why a request to another origin failed. */
function corsHint(origin: string): string {
  const { location } = globalThis as { location?: { origin: string } }
  if (!location || location.origin === origin) return ''
  return ` The cause may be CORS: the operator must list ${location.origin} in CORS_ORIGINS.`
}

/**
 * Whether to retry. A POST that may have succeeded is not repeated without an Idempotency-Key. Nor is a PUT or PATCH with
 * If-Match, which would get 412 because of its own change.
 */
function isRepeatable({ method, headers }: Init, options: SendOptions, error: PetStoreError): boolean {
  const { idempotencyKey, isIdempotent = idempotencyKey !== undefined } = options
  if (!mayHaveSucceeded(error)) return isTransient(error)
  return method === 'POST' ? isIdempotent : method === 'DELETE' || !headers.has('if-match')
}
