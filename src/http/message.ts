/** A request and its response as the service sees them, the same on every runtime. */
import { AppError } from '../errors.ts'

export interface Incoming {
  readonly method: string
  /** Path and query as sent; Bun has normalised the path. */
  readonly target: string
  /** An error in the request that the runtime's HTTP parser let through. */
  readonly fault?: AppError | undefined
  /** By lower-case name; a repeated header is one value, joined by commas. */
  header(name: string): string | undefined
  /** Of the other end of the connection; undefined if it is gone or has none. */
  address(): string | undefined
  /** The whole body, or undefined if it exceeds `bytesMax`. */
  body(bytesMax: number, arrived: Arrived): Uint8Array | undefined | Promise<Uint8Array | undefined>
}

/** Told how long a body is so far; throws where no more of it may be kept. */
export type Arrived = (length: number) => void

/** The error when the client disconnects before the whole body has arrived. */
export const endedEarly = (): AppError => new AppError('bad_request', 'The body ended too early.')

/** A body that goes on: called once its client has the headers. */
export type StreamBody = (output: Output) => Streaming

/** Where a stream is written to. */
export interface Output {
  /** False if the client reads more slowly: what is written before `drained` is called is held in memory. */
  write(bytes: Uint8Array): boolean
  /** Writes the last bytes and closes the connection. */
  end(bytes: Uint8Array): void
  /** Cuts the connection. */
  drop(): void
}

/** What a stream is told of its client. */
export interface Streaming {
  drained(): void
  /** The connection is closed, whoever closed it. */
  closed(): void
}

/** What an operation or a page returns; the handler adds the headers that every response has. */
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

export interface Answer {
  readonly status: number
  /** Flat pairs of name and value. */
  readonly headers: string[]
  readonly body: string | Uint8Array | StreamBody
}

export type Handler = (incoming: Incoming) => Promise<Answer>

export const jsonType = 'application/json; charset=utf-8'
