/** A request and its response as the service sees them, the same on every runtime. */
import { AppError } from '../errors.ts'
import { limits } from '../limits.ts'
import type { Key } from '../model/key.ts'

export interface Incoming {
  readonly method: string
  /** Path and query as sent; Bun has normalised the path. */
  readonly target: string
  /** An error in the request that the runtime's HTTP parser let through. */
  readonly fault?: AppError | undefined
  /** By lower-case name; a repeated header is one value, joined by commas. */
  header(name: string): string | undefined
  /** The IP address of the other end of the connection; undefined if the connection is closed or has none. */
  address(): string | undefined
  /** The whole body, or undefined if it exceeds `bytesMax`. */
  body(bytesMax: number, onReceived: OnReceived): Uint8Array | undefined | Promise<Uint8Array | undefined>
}

/** Called with the number of bytes of a body received so far; throws if no more of them may be kept. */
export type OnReceived = (length: number) => void

/** The error when the client disconnects before the whole body has arrived. */
export const endedEarly = (): AppError => new AppError('bad_request', 'The body ended too early.')

/** The body of a stream: a function that is called when the headers have been sent. */
export type StreamBody = (output: StreamOutput) => StreamCallbacks

/** Where a stream is written to. */
export interface StreamOutput {
  /** False if the client is behind: bytes written from then on until `drained` is called are held in memory. */
  write(bytes: Uint8Array): boolean
  /** Writes the last bytes and closes the connection. */
  end(bytes: Uint8Array): void
  /** Cuts the connection. */
  drop(): void
}

/** What the listener calls when something happens to the client of a stream. */
export interface StreamCallbacks {
  /** The client has read everything that was written. */
  drained(): void
  /** The connection is closed, by either side. */
  closed(): void
}

/** What an operation or a site route returns; `createRespond` makes the response from it. */
export interface Reply {
  readonly status: number
  readonly body: string | Uint8Array | StreamBody
  /** Flat pairs of name and value. */
  readonly headers?: readonly string[]
  /** The media type, if it is not JSON. */
  readonly type?: string
  /** How a 200 may be cached; by default revalidated with an ETag of its body. */
  readonly cache?: 'no-store' | { readonly etag: string; readonly control: string }
}

/** A complete response, as the listener sends it. */
export interface Outgoing {
  readonly status: number
  /** Flat pairs of name and value. */
  readonly headers: string[]
  readonly body: string | Uint8Array | StreamBody
}

/** `caller` is the key of a request that makes this one: that was checked, and counted against its rate. */
export type Handler = (incoming: Incoming, caller?: Key) => Promise<Outgoing>

export const jsonType = 'application/json; charset=utf-8'

/** The Cache-Control of a response that may be cached, but must be revalidated with its ETag before use. */
export const revalidate = 'private, no-cache'
/** An X-Request-Id that is safe to log. */
export const requestIdPattern = `^[\\w.-]{1,${limits.requestIdLength.max}}$`

/**
 * The response headers that clients may rely on: description, schema, and whether no response that documents one is
 * without it.
 */
export const headers = {
  'X-Request-Id': [
    `Identifies the request in the log: the one sent if it matches \`${requestIdPattern}\`, otherwise a new one.`,
    { type: 'string', maxLength: limits.requestIdLength.max, pattern: '^[\\w.-]+$' },
    'always',
  ],
  'X-Content-Type-Options': ['`nosniff`, on every response.', { type: 'string', enum: ['nosniff'] }, 'always'],
  ETag: [
    'The version of the resource; send it in `If-None-Match` to get 304 while it is unchanged.',
    { type: 'string', maxLength: 24, pattern: '^"[\\w-]{22}"$' },
    'always',
  ],
  'Cache-Control': [
    `\`${revalidate}\` on responses that may be cached and revalidated, \`no-store\` on errors, streams and secrets.`,
    { type: 'string', enum: [revalidate, 'no-store'] },
    'always',
  ],
  Link: [
    'Related URLs (RFC 8288): `rel="next"` is the next page, absent on the last one; on a deprecated operation, ' +
      '`rel="deprecation"` and `rel="sunset"` are its documentation and ' +
      '`rel="successor-version"` is what to use instead.',
    { type: 'string', maxLength: limits.headerSize.bytes, pattern: '^<[^>]+>; rel="' },
  ],
  Location: ['The URL of the created resource.', { type: 'string', format: 'uri', maxLength: 2048 }, 'always'],
  'Idempotency-Replayed': [
    '`true` if this is the stored response to an earlier request with the same `Idempotency-Key`.',
    { type: 'string', enum: ['true'] },
  ],
  Deprecation: [
    'Since when the operation is deprecated (RFC 9745).',
    { type: 'string', maxLength: 13, pattern: '^@\\d+$' },
  ],
  Sunset: ['When the operation is removed (RFC 8594).', { type: 'string', maxLength: 29, pattern: ' GMT$' }],
  Allow: ['The methods the path supports.', { type: 'string', maxLength: 128, pattern: '^[A-Z]+(, [A-Z]+)*$' }],
  'WWW-Authenticate': [
    'How to authenticate (RFC 6750).',
    { type: 'string', maxLength: 256, pattern: '^Bearer realm="petstore"' },
    'always',
  ],
  'Retry-After': [
    'Seconds to wait before trying again.',
    { type: 'integer', format: 'int32', minimum: 1, maximum: 86400 },
  ],
  'RateLimit-Policy': [
    'The rate limit of the API key, if it has one: `q` requests in `w` seconds (IETF draft, version 10).',
    { type: 'string', maxLength: 32, pattern: '^"default";q=\\d+;w=\\d+$' },
  ],
  RateLimit: [
    'What is left of the rate limit: `r` requests at once; after `t` seconds it is more (IETF draft, version 10).',
    { type: 'string', maxLength: 32, pattern: '^"default";r=\\d+;t=\\d+$' },
  ],
} as const satisfies Record<
  string,
  readonly [description: string, schema: Record<string, unknown>, presence?: 'always']
>

export type HeaderName = keyof typeof headers
