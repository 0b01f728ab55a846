/** Responses that clients have not read to their end: a client that stops reading must not hold one forever. */
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Bytes of them in the whole process; beyond, the one that has waited longest is cut off. */
const unsentBytesMax = 64 * 1024 * 1024

interface Unsent {
  /** How many there are. */
  readonly size: number
  /** Adds a response whose client has to read some of it every so many milliseconds. */
  add(response: ServerResponse, milliseconds: number): void
  /** Gives all of them another time. */
  hurry(milliseconds: number): void
}

export function createUnsent(): Unsent {
  /** The bytes by connection; Node counts these as idle. */
  const unsent = new Map<Socket, number>()
  let total = 0

  /** The client has read it, or was cut off. */
  function settle(socket: Socket): void {
    total -= unsent.get(socket) ?? 0
    unsent.delete(socket)
  }

  return {
    get size() {
      return unsent.size
    },
    add(response, milliseconds) {
      const { socket } = response.req
      const bytes = socket.writableLength
      // Once all is sent, Node sets the keep-alive timeout.
      limitTime(socket, milliseconds)
      unsent.set(socket, bytes)
      total += bytes
      response.once('close', () => settle(socket))
      for (const [oldest] of unsent) {
        if (total <= unsentBytesMax) break
        oldest.destroy()
        settle(oldest)
      }
    },
    hurry(milliseconds) {
      for (const socket of unsent.keys()) limitTime(socket, milliseconds)
    },
  }
}

/**
 * Node looks at the end of a timeout whether less is left to send. At the first look that is always so: the client is
 * cut off at the second.
 */
const limitTime = (socket: Socket, milliseconds: number) => socket.setTimeout(milliseconds / 2)
