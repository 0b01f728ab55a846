/** The options of a client and of its calls. */
import type { ResponseDetails, Sleep } from './answer.ts'

/** A request that is about to be sent. */
export interface RequestDetails {
  readonly method: string
  readonly url: string
  readonly headers: Headers
}

export interface CallOptions {
  /** Aborts the call immediately. The call then rejects with the reason of the signal. */
  readonly signal?: AbortSignal | undefined
  /** How long each attempt may take, including the response body. 30 seconds by default. */
  readonly timeoutMs?: number | undefined
  /** How often the call is retried. 3 by default. */
  readonly maxRetries?: number | undefined
  /**
   * The longest `Retry-After` that the client waits for. If the service asks for more, the call fails immediately. 60
   * seconds by default.
   */
  readonly maxRetryAfterMs?: number | undefined
  /** Sent with every attempt. They replace headers of the client that have the same name. */
  readonly headers?: { readonly [name: string]: string } | undefined
  /** Called before every attempt, and can change its `headers`. If it throws, the call fails with that error. */
  readonly onRequest?: ((request: RequestDetails) => void | Promise<void>) | undefined
  /**
   * Called with every response, including those that are errors or are retried. If it throws, the call fails with that
   * error.
   */
  readonly onResponse?: ((response: ResponseDetails) => void) | undefined
  /**
   * Called with a line of text about every attempt, its outcome and its duration, and about every retry. The line never
   * contains the key.
   */
  readonly debug?: ((line: string) => void) | undefined
}

/** What the programs of an operator have in their environment. */
const environment = (): { readonly [name: string]: string | undefined } =>
  (globalThis as { process?: { env?: { [name: string]: string | undefined } } }).process?.env ?? {}

/**
 * The options of all calls. An option of a single call takes precedence, except that the functions of both are called
 * and the `headers` of both are sent.
 */
export interface PetStoreOptions extends Omit<CallOptions, 'signal'> {
  /**
   * The base URL of the service, including the version, such as `https://shop.example/v1`. `PETSTORE_URL` by default.
   */
  readonly baseUrl?: string | undefined
  /**
   * The API key, or a function that returns it. The function is called before every attempt, so that a key can be
   * replaced while the program runs. `PETSTORE_KEY` by default.
   */
  readonly apiKey?: string | (() => string | Promise<string>) | undefined
  /** Replacements for the platform's functions, for tests or a custom transport. */
  readonly fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined
  readonly sleep?: Sleep | undefined
  readonly random?: (() => number) | undefined
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
export type Query = { readonly [name: string]: string | number | bigint | readonly (string | bigint)[] | undefined }

export interface RequestOptions extends CallOptions {
  readonly query?: Query | undefined
  readonly body?: object | undefined
  /** Makes a POST safe to retry, if the operation accepts it. It is the same for all attempts. */
  readonly idempotencyKey?: string | undefined
  /** An ETag, or an object that the client returned. */
  readonly ifMatch?: string | object | undefined
}

export const keyIn = (text: unknown): string | undefined => /^[!-~]+$/.exec(String(text ?? '').trim())?.[0]
export const keyRule = 'must be a key of the service, as made by `petstore keys create`'

const engines = 'Node 22, Chrome 114, Firefox 135 or Safari 18.4, or newer'

/** The options without which nothing works, or all their faults; a value is not repeated, as it may be the key. */
export function checked({
  baseUrl = environment().PETSTORE_URL,
  apiKey = environment().PETSTORE_KEY,
}: PetStoreOptions): { readonly baseUrl: string; readonly apiKey: string | (() => string | Promise<string>) } {
  // Both came with this: to read how a number was written, and to write a bigint.
  if (typeof (JSON as { rawJSON?: unknown }).rawJSON !== 'function')
    throw new TypeError(`petstore-client needs ${engines}, to keep every digit of an id`)
  const base = /^https?:\/\/[^/?#@\s]+(?:\/[^?#\s]*)?\/v[0-9]+(?=\/?$)/i.exec(baseUrl ?? '')?.[0]
  const key = typeof apiKey === 'function' ? apiKey : keyIn(apiKey)
  if (base && key) return { baseUrl: base, apiKey: key }
  const faults = [
    base ? [] : 'baseUrl must begin with https:// or http:// and end in the version, as in https://shop.example/v1',
    key ? [] : `apiKey ${keyRule}`,
    baseUrl && apiKey ? [] : 'or set PETSTORE_URL and PETSTORE_KEY',
  ]
  throw new TypeError(`new PetStore({ baseUrl, apiKey }): ${faults.flat().join('; ')}`)
}
