/** The listener interface, and what the implementations for Node and Bun share. */

import { AppError } from '../errors.ts'
import type { Handler, Incoming } from '../http/message.ts'
import { limits } from '../limits.ts'
import type { Time } from '../time.ts'

/** A bound port; the number is known before requests are served. */
export interface Listener {
  readonly port: number
  /**
   * Sets the handler. Must be called in the same turn of the event loop as the bind, before any request can be read.
   * Health checks are answered at once, however many other requests wait.
   */
  serve(handler: Handler, isHealthCheck?: IsHealthCheck): void
  /** Stops accepting and resolves when all requests have finished; after `graceMilliseconds` the rest are cut off. */
  close(graceMilliseconds: number): Promise<void>
}

/** Whether a request for this target asks whether the service lives. */
export type IsHealthCheck = (target: string) => boolean

/** Timeouts of a connection, in milliseconds. */
export interface Timeouts {
  /** For the headers of a request to arrive; Node only. */
  readonly headers: number
  /** For the whole request to arrive; on Bun, for its body. */
  readonly request: number
  /** How often Node checks the two timeouts above. */
  readonly checkInterval: number
  /** For a client to read some of a pending response. */
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

/**
 * The path and query from the target of the request line; with a fault if the Host header is missing in HTTP/1.1,
 * invalid, repeated (joined by a comma), or differs from an absolute-form target.
 */
export function targetFrom(
  text: string,
  host: string | undefined,
  version: string,
): Pick<Incoming, 'target' | 'fault'> {
  if (version !== '1.1' && version !== '1.0')
    return { target: '/', fault: new AppError('bad_request', 'The request must be HTTP/1.1 or HTTP/1.0.') }
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

/** Only chunked bodies are decoded; one in another transfer coding would be read wrongly. */
export function encodingFault(encoding: string | undefined): AppError | undefined {
  if (encoding === undefined || encoding.toLowerCase() === 'chunked') return undefined
  return new AppError('bad_request', 'Transfer-Encoding may be chunked, and nothing else.')
}

export interface ListenOptions {
  readonly host: string
  readonly port: number
  readonly time: Time
  /** `defaultTimeouts` unless given. */
  readonly timeouts?: Timeouts
}

/**
 * More at a time make no request cheaper, and with a thousand the garbage collector takes 12 % of the time instead of
 * 5.
 */
const batchMax = 128
/** What a batch should take: as many requests as are done in this time, by what the batch before it took. */
const batchMilliseconds = 10
/**
 * What the requests of one turn may take. Then others are read: health checks, and new connections, of which Node
 * accepts one a turn.
 */
const turnMilliseconds = 20
/** With so many requests waiting, new connections no longer come first: pipelining clients would queue without end. */
const requestsMax = 2_048
/**
 * Requests wait for one connection per so many of them; if fewer did, clients that reconnect for each request would
 * take most of the time.
 */
const waitingPerConnection = 4

/**
 * Queues the requests of one turn of the event loop and handles them at its end, in batches; while many arrive, also
 * before.
 * A system call between two requests, to read the next or to write a response, evicts the service's code and data from
 * the
 * CPU caches; handled together, requests find the caches warm, and each costs about half (docs/performance.md). What is
 * not
 * done within the time of a turn waits for the next one, in order of arrival.
 *
 * Node accepts one connection per turn. While `connected` is called and enough requests wait, the batch is postponed,
 * so
 * that turns are short: otherwise a thousand busy clients make each turn so long that a new one waits for seconds.
 */
export function createTurnQueue<T>(handle: (item: T) => void, time: Time): { push(item: T): void; connected(): void } {
  const waiting: T[] = []
  let batchSize = batchMax
  /** How long batches have taken in this turn. */
  let used = 0
  let isTurn = false
  let isHandling = false
  /** Those that had arrived when the turn ended, and are not handled yet. */
  let due = 0
  let hasConnected = false
  let turnsPostponed = 0

  /** Handles up to `countMax` of those that wait; `then` is called when they have done what they can do at once. */
  function takeBatch(countMax: number, then: () => void): void {
    isHandling = true
    const items = waiting.splice(0, Math.min(batchSize, countMax))
    due -= items.length
    const began = time.ticks()
    for (const item of items) handle(item)
    // Microtasks do the work. A tick that one of them asks for comes when none is left; a second, when its responses
    // are sent.
    queueMicrotask(() =>
      process.nextTick(process.nextTick, () => {
        const took = time.ticks() - began
        used += took
        batchSize = Math.max(1, Math.min(batchMax, Math.floor((batchMilliseconds * items.length) / took)))
        isHandling = false
        then()
      }),
    )
  }

  function beginTurn(): void {
    isTurn = true
    time.nextTurn(endTurn)
  }

  function endTurn(): void {
    const isPostponed =
      hasConnected && turnsPostponed * waitingPerConnection < waiting.length && waiting.length < requestsMax
    hasConnected = false
    turnsPostponed = isPostponed ? turnsPostponed + 1 : 0
    used = 0
    due = isPostponed ? 0 : waiting.length
    handleDue()
  }

  function handleDue(): void {
    if (due > 0 && used < turnMilliseconds) takeBatch(due, handleDue)
    else {
      used = 0
      isTurn = false
      if (waiting.length > 0) beginTurn()
    }
  }

  return {
    push(item) {
      waiting.push(item)
      if (!isTurn) beginTurn()
      else if (
        !isHandling &&
        used < turnMilliseconds &&
        waiting.length >= (turnsPostponed > 0 ? requestsMax : batchMax)
      )
        takeBatch(batchMax, () => {})
    },
    connected() {
      hasConnected = true
      if (!isTurn) beginTurn()
    },
  }
}
