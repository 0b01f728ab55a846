/** A request and its answer as the service sees them, the same on every runtime. */
import { AppError } from '../errors.ts'

export interface Incoming {
  readonly method: string
  /** Path and query as they were sent. */
  readonly target: string
  /** Why the request cannot be taken at all, where the runtime let it through. */
  readonly fault?: string | undefined
  /** By lower-case name; a header sent twice comes as one value, joined by a comma. */
  header(name: string): string | undefined
  /** The whole body, or undefined once it outgrows `bytesMax`. */
  body(bytesMax: number): Uint8Array | undefined | Promise<Uint8Array | undefined>
}

/** What reading a body comes to when the client goes away meanwhile. */
export const endedEarly = (): AppError => new AppError('bad_request', 'The body ended too early.')

export interface Answer {
  readonly status: number
  /** Flat pairs of name and value. */
  readonly headers: string[]
  readonly body: string | Uint8Array
}

export type Handler = (incoming: Incoming) => Promise<Answer>

export const jsonType = 'application/json; charset=utf-8'
