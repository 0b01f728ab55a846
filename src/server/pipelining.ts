/**
 * Answers the requests of one connection one after another. With pipelining, a client sends further requests before it
 * has received the earlier responses. These requests wait, and most of them stay unread.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Time } from '../time.ts'
import { readInPortions } from './portions.ts'

/** How many requests may wait behind another request of their connection. */
const waitingMax = 64
/**
 * The same limit for all connections together. Each request takes about 4 KB. Beyond this limit, portions are smaller.
 */
const waitingOfAllMax = 10_000
/** The size of the shortest request: `GET / HTTP/1.1`, a line break and an empty line. */
const requestBytesMin = 18
const portionBytes = waitingMax * requestBytesMin
const smallPortionBytes = 4 * requestBytesMin
/**
 * How long every connection is read in portions after one client has exceeded the limit. Reading in portions makes a
 * request 3 µs slower, so it is not done all the time. Therefore the first packet of a flood is parsed as a whole,
 * which takes about 20 ms.
 */
const cautionMilliseconds = 60_000
/** A body sent in chunks that arrives together with more bytes than this may consist of thousands of chunks. */
const chunkedBytesMax = 8 * 1024

interface Connection {
  /** The response to the current request, until it is handed to the system. */
  current?: ServerResponse | undefined
  /** The responses to the requests that wait behind it. */
  readonly waiting: ServerResponse[]
  /** A request that was answered before it had arrived. Node does not count its connection as idle. */
  unread?: IncomingMessage | undefined
  /** Whether no further request is accepted from this connection. */
  isEnding: boolean
  /** How many bytes the connection had received when its last request with a chunked body arrived. */
  bytesReadBefore: number
  /** Reads the next portion. Undefined while Node reads the connection. */
  readOn?: () => void
}

interface Pipelines {
  readonly connections: ReadonlyMap<Socket, Connection>
  connect(socket: Socket): void
  /** Whether a request is to be handled now. If it has to wait, `handle` is called with it later. */
  isNext(response: ServerResponse): boolean
  /** Called when a response was handed to the system, so that the next request of its connection can be handled. */
  sent(response: ServerResponse): void
}

/** `later` runs a function with low priority: pipelining must not delay clients that wait for their answers. */
export function createPipelines(
  handle: (response: ServerResponse) => void,
  later: (run: () => void) => void,
  time: Time,
): Pipelines {
  const connections = new Map<Socket, Connection>()
  let waitingOfAll = 0
  let isCautiousUntil = Number.NEGATIVE_INFINITY

  /** How many bytes of a connection may be parsed now: one portion if no request waits, otherwise none. */
  function bytesMax({ current, waiting, isEnding }: Connection): number {
    const isComplete = current === undefined || current.req.complete
    if (waiting.length > 0 || (isEnding && isComplete)) return 0
    // The body waits to be read by the handler.
    if (!isComplete && current.req.readableLength >= current.req.readableHighWaterMark) return 0
    return waitingOfAll < waitingOfAllMax ? portionBytes : smallPortionBytes
  }

  function restrict(socket: Socket, connection: Connection): void {
    // If no request is under way, the next portion is needed. The rest of a request that was already answered is not.
    const next = (run: () => void) => (connection.current || connection.unread ? later(run) : run())
    connection.readOn ??= readInPortions(socket, () => bytesMax(connection), next)
  }

  function restrictAll(): void {
    const isCautious = time.ticks() < isCautiousUntil
    isCautiousUntil = time.ticks() + cautionMilliseconds
    if (!isCautious) for (const [socket, connection] of connections) restrict(socket, connection)
  }

  /** Thousands of chunks in one packet cost as much as thousands of requests. */
  function noteChunkedBody(socket: Socket, connection: Connection): void {
    restrict(socket, connection)
    if (socket.bytesRead - connection.bytesReadBefore > chunkedBytesMax) restrictAll()
    connection.bytesReadBefore = socket.bytesRead
  }

  return {
    connections,
    connect(socket) {
      const connection: Connection = { waiting: [], isEnding: false, bytesReadBefore: 0 }
      connections.set(socket, connection)
      if (time.ticks() < isCautiousUntil) restrict(socket, connection)
      socket.once('close', () => {
        connections.delete(socket)
        waitingOfAll -= connection.waiting.length
      })
    },
    isNext(response) {
      const { socket, headers } = response.req
      const connection = connections.get(socket)
      if (!connection || connection.isEnding) return false
      // After a request to change the protocol, Node continues to read in the wrong place, and what it finds there is
      // not a request.
      connection.isEnding = headers.upgrade !== undefined
      if (headers['transfer-encoding'] !== undefined) noteChunkedBody(socket, connection)
      if (!connection.current) {
        connection.current = response
        return true
      }
      restrict(socket, connection)
      connection.waiting.push(response)
      waitingOfAll++
      if (connection.waiting.length > waitingMax || waitingOfAll > waitingOfAllMax) restrictAll()
      return false
    },
    sent(response) {
      const connection = connections.get(response.req.socket)
      if (!connection || connection.current !== response) return
      const next = connection.waiting.shift()
      connection.current = next
      if (next) {
        waitingOfAll--
        later(() => handle(next))
      }
      connection.readOn?.()
    },
  }
}
