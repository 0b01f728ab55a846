/** A request and its response in the service's form, which is independent of how they are transferred. */
import { AppError } from '../errors.ts'
import type { Key } from '../model/key.ts'

export interface Incoming {
  readonly method: string
  /** Path and query as sent. */
  readonly target: string
  /** An error in the request that the runtime's HTTP parser let through. */
  readonly fault?: AppError | undefined
  /** Returns a header by its name in lower case. A repeated header is one value, joined by commas. */
  header(name: string): string | undefined
  /** The IP address of the client. Undefined if the connection is closed or has no address. */
  address(): string | undefined
  /** The whole body, or undefined if it exceeds `bytesMax`. */
  body(bytesMax: number, onReceived: OnReceived): Uint8Array | undefined | Promise<Uint8Array | undefined>
}

/** Called with the number of bytes of a body received so far; throws if no more of them may be kept. */
export type OnReceived = (length: number) => void

/** The error when the client disconnects before the whole body has arrived. */
export const endedEarly = (): AppError =>
  new AppError('bad_request', 'The connection ended before the whole body had arrived.')

/** The body of a stream: a function that is called when the headers have been sent. */
export type StreamBody = (output: StreamOutput) => StreamCallbacks

export interface StreamOutput {
  /**
   * False if the client reads too slowly. Bytes that are written from then on until `drained` is called stay in memory.
   */
  write(bytes: Uint8Array): boolean
  /** Writes the last bytes and closes the connection. */
  end(bytes: Uint8Array): void
  drop(): void
}

/** What the listener calls when something happens to the client of a stream. */
interface StreamCallbacks {
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

export interface Outgoing {
  readonly status: number
  /** Flat pairs of name and value. */
  readonly headers: string[]
  readonly body: string | Uint8Array | StreamBody
  /** The declared path of the operation, such as `/pets/{petId}`, for traces. Undefined if no path matches. */
  readonly route?: string | undefined
}

/**
 * `caller` is the key of an outer request that makes this request. The outer request was already checked and counted
 * against the rate limit of the key.
 */
export type Handler = (incoming: Incoming, caller?: Key) => Promise<Outgoing>

export const jsonType = 'application/json; charset=utf-8'

/** The Cache-Control of a response that may be cached, but must be revalidated with its ETag before use. */
export const revalidate = 'private, no-cache'
