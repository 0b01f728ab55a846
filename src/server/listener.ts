/** The listener interface, and what the implementations for Node and Bun share. */
import { AppError } from '../errors.ts'
import type { Handler, Incoming } from '../http/message.ts'
import { limits } from '../limits.ts'

/** A bound port; the number is known before requests are served. */
export interface Listener {
  readonly port: number
  /** Sets the handler. Must be called in the same turn of the event loop as the bind, before any request can be read. */
  serve(handler: Handler): void
  /** Stops accepting and resolves when all requests have finished; after `graceMilliseconds` the rest are cut off. */
  close(graceMilliseconds: number): Promise<void>
}

/** Timeouts of a connection, in milliseconds. */
export interface Waiting {
  /** For the headers of a request (Node only), and for the whole request to arrive (on Bun, for its body). */
  readonly headers: number
  readonly request: number
  /** How often Node checks the two timeouts above. */
  readonly check: number
  /** For a client to read some of a pending response. */
  readonly write: number
  /** Keep-alive. Longer than in common load balancers, so that they, not we, close an idle connection. */
  readonly idle: number
  /** During shutdown, how long an idle connection may still send a request, so that none is lost in transit. */
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
 * The path and query from the target of the request line; with a fault if the Host header is missing in HTTP/1.1,
 * invalid, repeated (joined by a comma), or differs from an absolute-form target.
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

/** No other transfer coding would be decoded. */
export function encodingFault(encoding: string | undefined): AppError | undefined {
  if (encoding === undefined || encoding.toLowerCase() === 'chunked') return undefined
  return new AppError('bad_request', 'Transfer-Encoding may be chunked, and nothing else.')
}

export interface ListenOptions {
  readonly host: string
  readonly port: number
  /** `waitingTimes` unless given. */
  readonly waiting?: Waiting
}

/** More at a time are no cheaper, and with a thousand the garbage collector takes 12 % of the time instead of 5. */
export const gatheredMax = 128
/** Further ones wait: clients that are answered at once would send the next, and the turn, with the commit at its end, never end. */
export const earlyMax = 1_024
/** With so many waiting, no connection comes first: clients that do not wait for answers would bring ever more. */
export const waitingMax = 2_048
/** How many requests wait for each connection that comes first: with fewer, clients that connect anew each time would take most of the time. */
export const waitingPerConnection = 4

/**
 * Collects the items of one turn of the event loop and passes them on at its end, the first `earlyMax` of them as soon as
 * `gatheredMax` are there, one after the other. A system call between two requests, to read the next or to write a
 * response, evicts the service's code and data from the CPU caches; handled together, requests find the caches warm, and
 * each costs about half (docs/performance.md).
 *
 * Node accepts one connection in a turn. While `connected` tells of them, and enough requests wait, turns have nothing
 * else to do: otherwise a thousand busy clients make each turn so long that a new one waits for seconds.
 */
export function gather<T>(handOn: (item: T) => void): { take(item: T): void; connected(): void } {
  let waiting: T[] = []
  let early = 0
  let isTurn = false
  let hasConnected = false
  let putOff = 0
  function flush(): void {
    const items = waiting
    waiting = []
    for (const item of items) handOn(item)
  }
  function beginTurn(): void {
    isTurn = true
    setImmediate(endTurn)
  }
  function endTurn(): void {
    const isPutOff = hasConnected && putOff * waitingPerConnection < waiting.length && waiting.length < waitingMax
    hasConnected = false
    putOff = isPutOff ? putOff + 1 : 0
    if (isPutOff) beginTurn()
    else {
      isTurn = false
      early = 0
      flush()
    }
  }
  return {
    take(item) {
      waiting.push(item)
      if (!isTurn) beginTurn()
      else if (waiting.length >= (putOff > 0 ? waitingMax : gatheredMax) && early < earlyMax) {
        early += waiting.length
        flush()
      }
    },
    connected() {
      hasConnected = true
      if (!isTurn) beginTurn()
    },
  }
}
