/** A request and its answer as the service sees them, the same on every runtime. */
import { AppError } from '../errors.ts'

export interface Incoming {
  readonly method: string
  /** Path and query as they were sent. */
  readonly target: string
  /** Why the request cannot be taken at all, where the runtime let it through. */
  readonly fault?: AppError | undefined
  /** By lower-case name; a header sent twice comes as one value, joined by a comma. */
  header(name: string): string | undefined
  /** The whole body, or undefined once it outgrows `bytesMax`. */
  body(bytesMax: number): Uint8Array | undefined | Promise<Uint8Array | undefined>
}

/** The refusal of a request whose client goes away before its body has arrived. */
export const endedEarly = (): AppError => new AppError('bad_request', 'The body ended too early.')

/** What an operation or a page replies; the headers every answer has are added to it. */
export interface Reply {
  readonly status: number
  readonly body: string | Uint8Array
  /** Flat pairs of name and value. */
  readonly headers?: readonly string[]
  /** The media type, where it is not JSON. */
  readonly type?: string
  /** How a 200 may be cached: by default for as long as the tag of its body matches. */
  readonly cache?: 'no-store' | { readonly etag: string; readonly control: string }
}

export interface Answer {
  readonly status: number
  /** Flat pairs of name and value. */
  readonly headers: string[]
  readonly body: string | Uint8Array
}

export type Handler = (incoming: Incoming) => Promise<Answer>

export const jsonType = 'application/json; charset=utf-8'
