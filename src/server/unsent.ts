/**
 * Limits responses that clients have not read completely, because a client that stops reading must not keep one
 * forever.
 */
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/**
 * The bytes of such responses in the whole process. Beyond this limit, the response that has waited longest is cut off.
 */
const unsentBytesMax = 64 * 1024 * 1024

interface Unsent {
  /** The number of such responses. */
  readonly size: number
  /** Adds a response. Its client has to read some of it within every period of this many milliseconds. */
  add(response: ServerResponse, milliseconds: number): void
  /** Sets another period for all of them. */
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
 * At the end of a timeout, Node checks whether less is left to send. At the first check this is always true, so the
 * client is cut off at the second check.
 */
const limitTime = (socket: Socket, milliseconds: number) => socket.setTimeout(milliseconds / 2)
