/** What a listener is on every runtime, and what the two of them share. */
import { AppError } from '../errors.ts'
import type { Handler, Incoming } from '../http/message.ts'
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
  /** For a client to take some of an answer that is waiting for it. */
  readonly write: number
  /** Longer than the idle time of common load balancers, so that they, not we, close an idle connection. */
  readonly idle: number
  /** On closing, how long an idle connection may still bring a request, so that none is lost on its way. */
  readonly linger: number
}

export const waitingTimes: Waiting = {
  headers: limits.headerTime.milliseconds,
  request: limits.requestTime.milliseconds,
  check: 1_000,
  write: 30_000,
  idle: 65_000,
  linger: 500,
}

/**
 * The path and query asked for, of a request line and its Host header (one sent twice comes joined by a comma); with the
 * fault of a request that is not for this host, or is not one of HTTP/1.1.
 */
export function targetFrom(
  text: string,
  host: string | undefined,
  version: string,
): Pick<Incoming, 'target' | 'fault'> {
  const isMissing = host === undefined && version !== '1.0'
  if (!isMissing && !hostFault(host)) {
    if (text.startsWith('/') || text === '*') return { target: text, fault: undefined }
    const url = URL.parse(text)
    if (url && url.host === host?.toLowerCase()) return { target: url.pathname + url.search, fault: undefined }
  }
  return { target: '/', fault: notThisHost() }
}

const notThisHost = (): AppError =>
  new AppError('bad_request', 'The request must name this host, once, in its Host header.')

export function hostFault(host: string | undefined): AppError | undefined {
  return host === undefined || /^[^\s,/?#@]*$/.test(host) ? undefined : notThisHost()
}

/** Anything around the chunks would be unpacked by nobody. */
export function encodingFault(encoding: string | undefined): AppError | undefined {
  if (encoding === undefined || encoding.toLowerCase() === 'chunked') return undefined
  return new AppError('bad_request', 'Transfer-Encoding may be chunked, and nothing else.')
}

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
