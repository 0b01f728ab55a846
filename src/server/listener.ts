/** What a listener is on every runtime, and what the two of them share. */
import type { Handler } from '../http/message.ts'
import { limits } from '../limits.ts'

/** A bound port; it knows its number before anyone answers on it. */
export interface Listener {
  readonly port: number
  /** Says who answers. Called in the turn in which the port was bound, before any request can be read. */
  serve(handler: Handler): void
  /** Stops accepting, lets every request under way finish, then resolves; what still hangs after `graceMilliseconds` is cut. */
  close(graceMilliseconds: number): Promise<void>
}

/** How long a connection may take over what it brings, in milliseconds. */
export interface Waiting {
  /** For the headers of a request, and for the whole of it; only Node counts these. */
  readonly headers: number
  readonly request: number
  /** How often Node looks for requests that are late. */
  readonly check: number
  /** Longer than the idle time of common load balancers, so that they, not we, close an idle connection. */
  readonly idle: number
  /** On closing, how long an idle connection may still bring a request, so that none is lost on its way. */
  readonly linger: number
}

export const waitingTimes: Waiting = {
  headers: limits.headerTime.milliseconds,
  request: limits.requestTime.milliseconds,
  check: 1_000,
  idle: 65_000,
  linger: 500,
}

/** Why a request with such a Host header is refused; one sent twice comes joined by a comma. */
export function hostFault(host: string | undefined): string | undefined {
  return host === undefined || /^[^\s,/?#@]*$/.test(host) ? undefined : notThisHost
}
export const notThisHost = 'The request must name this host, once, in its Host header.'

export interface ListenOptions {
  readonly host: string
  readonly port: number
  /** Whether other processes listen on the same port; the system deals connections out among them. */
  readonly isShared: boolean
  /** Those of the running service unless given. */
  readonly waiting?: Waiting
}

/**
 * Gathers what comes in one turn of the event loop and hands it on at its end, one after the other. A system call
 * between two requests, to read the next or to write the answer, pushes the code and data of the service out of the
 * processor's caches; taken up together, they find them there, and each costs about half (docs/performance.md).
 */
export function gather<T>(handOn: (item: T) => void): (item: T) => void {
  let waiting: T[] = []
  function flush(): void {
    const items = waiting
    waiting = []
    for (const item of items) handOn(item)
  }
  return (item) => {
    if (waiting.push(item) === 1) setImmediate(flush)
  }
}
