/** What the service needs of a listener, and how long the listener waits for clients. */
import type { Handler } from '../http/message.ts'
import { limits } from '../limits.ts'
import type { Time } from '../time.ts'

/** A bound port; the number is known before requests are served. */
export interface Listener {
  readonly port: number
  /**
   * Sets the handler. Must be called in the same turn of the event loop as the bind, before any request can be read.
   * `urgent` has the paths that are answered immediately, however many other requests wait.
   */
  serve(handler: Handler, urgent?: ReadonlySet<string>): void
  /** Stops accepting and resolves when all requests have finished; after `graceMilliseconds` the rest are cut off. */
  close(graceMilliseconds: number): Promise<void>
}

/** Timeouts of a connection, in milliseconds. */
export interface Timeouts {
  /** The time for the headers of a request to arrive. */
  readonly headers: number
  /** The time for the whole request to arrive. */
  readonly request: number
  /** How often Node checks the two timeouts above. */
  readonly checkInterval: number
  /** The time for a client to read some of a pending response. */
  readonly write: number
  /** Keep-alive. Longer than in common load balancers, so that they, not we, close an idle connection. */
  readonly idle: number
  /** During shutdown, how long an idle connection may still send a request, so that none is lost in transit. */
  readonly linger: number
}

export const defaultTimeouts: Timeouts = {
  headers: limits.headerTime.milliseconds,
  request: limits.requestTime.milliseconds,
  checkInterval: 1_000,
  write: 30_000,
  idle: 65_000,
  linger: 500,
}

export interface ListenOptions {
  readonly host: string
  readonly port: number
  readonly time: Time
  /** `defaultTimeouts` unless given. */
  readonly timeouts?: Timeouts
}
