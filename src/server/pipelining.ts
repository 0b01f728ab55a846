/** Requests of one connection are answered one after another: those that a client sends early wait. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/**
 * Requests that may wait behind another of their connection, in the whole process; each takes some 4 KB. Beyond, the
 * connection that has waited longest is cut off.
 */
const pipelinedMax = 10_000

interface Connection {
  /**
   * The response to the last request until it was handed to the system; held longer, it would live through collections
   * of garbage.
   */
  latest?: ServerResponse | undefined
  /** The one that `latest` waits for. */
  earlier?: ServerResponse | undefined
  /** A request that was answered before it had arrived. Node does not count its connection as idle. */
  unread?: IncomingMessage | undefined
  /** Requests that wait until those before them are answered. */
  behind: number
  /** Whether no further request is taken from it. */
  isEnding: boolean
}

interface Pipelines {
  readonly connections: ReadonlyMap<Socket, Connection>
  connect(socket: Socket): void
  /** Whether a request is to be handled now; if it has to wait, `handle` is called with it later. */
  isNext(response: ServerResponse): boolean
}

export function createPipelines(handle: (response: ServerResponse) => void): Pipelines {
  const connections = new Map<Socket, Connection>()
  /** Those of them where requests wait, the longest first. */
  const waiting = new Map<Socket, Connection>()
  let pipelined = 0

  /** The request waits until the response before it has been handed to the system. */
  function wait(response: ServerResponse, before: ServerResponse, connection: Connection): void {
    const { socket } = response.req
    connection.earlier = before
    pipelined++
    // Nothing more is read meanwhile. Not at once: Node resumes reading at the end of each request of a packet.
    if (++connection.behind === 1) {
      waiting.set(socket, connection)
      setImmediate(() => connection.behind > 0 && socket.pause())
    }
    before.once('close', () => {
      if (!waiting.has(socket)) return
      pipelined--
      if (--connection.behind === 0) {
        waiting.delete(socket)
        socket.resume()
      }
      handle(response)
    })
    // Not this one: behind an event stream, others wait for as long as they like.
    for (const [oldest, itsConnection] of waiting) {
      if (pipelined <= pipelinedMax) break
      oldest.destroy()
      letGo(oldest, itsConnection)
    }
  }

  /** None of its requests waits any more. */
  function letGo(socket: Socket, connection: Connection): void {
    if (!waiting.delete(socket)) return
    pipelined -= connection.behind
    connection.isEnding = true
  }

  return {
    connections,
    connect(socket) {
      const connection: Connection = { behind: 0, isEnding: false }
      connections.set(socket, connection)
      socket.once('close', () => {
        connections.delete(socket)
        letGo(socket, connection)
      })
    },
    isNext(response) {
      const { socket, headers } = response.req
      const connection = connections.get(socket)
      if (!connection || connection.isEnding) return false
      const before = connection.latest
      connection.latest = response
      // Node reads on in the wrong place after a request to change the protocol: what it finds there is no request.
      connection.isEnding = headers.upgrade !== undefined
      if (before) wait(response, before, connection)
      return !before
    },
  }
}
