/** What a program can say about its calls, and the check of what it must say. */
import type { ResponseDetails, Sleep } from './answer.ts'

/** A request that is about to be sent. */
export interface RequestDetails {
  readonly method: string
  readonly url: string
  readonly headers: Headers
}

export interface CallOptions {
  /** Aborts the call at once; it rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined
  /** How long each try may take, including the response body; 30 seconds by default. */
  readonly timeoutMs?: number | undefined
  /** How often the call is retried; 3 by default. */
  readonly maxRetries?: number | undefined
  /**
   * How long the service may ask to wait before a retry; a call that would wait longer fails at once. 60 seconds by
   * default.
   */
  readonly maxRetryAfterMs?: number | undefined
  /** Sent with every try, in place of the client's own if they have the same name. */
  readonly headers?: { readonly [name: string]: string } | undefined
  /** Told of every try before it is sent, and may change its `headers`. What it throws, the call throws. */
  readonly onRequest?: ((request: RequestDetails) => void | Promise<void>) | undefined
  /** Told of every response, also of one that is retried or refuses the call. What it throws, the call throws. */
  readonly onResponse?: ((response: ResponseDetails) => void) | undefined
  /** Told in words of every try, its outcome and its duration, and of every retry; never the key. */
  readonly debug?: ((line: string) => void) | undefined
}

/** What the programs of an operator have in their environment. */
const environment = (): { readonly [name: string]: string | undefined } =>
  (globalThis as { process?: { env?: { [name: string]: string | undefined } } }).process?.env ?? {}

/** The options of all calls, unless the call has its own; both hooks are told, and both `headers` are sent. */
export interface PetStoreOptions extends Omit<CallOptions, 'signal'> {
  /** The base URL of the service, ending in its version: `https://shop.example/v1`. `PETSTORE_URL` unless given. */
  readonly baseUrl?: string | undefined
  /**
   * A key, or where to get it: asked before every try, so that a key can be replaced while the program runs.
   * `PETSTORE_KEY` unless given.
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
  /** Makes a POST safe to retry, if the operation takes one; the same for all tries. */
  readonly idempotencyKey?: string | undefined
  /** An ETag, or a thing as it was returned. */
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
