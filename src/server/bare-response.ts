/** Responses on a socket for which Node has made no response object. */
import type { ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Outgoing } from '../http/message.ts'

const { STATUS_CODES } = process.getBuiltinModule('node:http')

/**
 * How long a client may leave its side of the connection open after we have closed ours. An open connection would keep
 * the service from stopping.
 */
const halfOpenMilliseconds = 500

/** The earlier response must be sent first. Otherwise the client would take this response for the earlier one. */
export function sendAfter(before: ServerResponse | undefined, socket: Duplex, outgoing: Outgoing): void {
  if (before && !before.writableFinished) before.once('close', () => sendOn(socket, outgoing))
  else sendOn(socket, outgoing)
}

/** Sends a response on a socket that has no response object, and closes our side of it. */
function sendOn(socket: Duplex, { status, headers, body }: Outgoing): void {
  const lines = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`]
  for (let i = 0; i < headers.length; i += 2) lines.push(`${headers[i]}: ${headers[i + 1]}`)
  lines.push(`Date: ${new Date().toUTCString()}`, 'Connection: close', '', body as string)
  endSide(socket, lines.join('\r\n'))
}

/** If it were destroyed immediately, a reset could overtake what was sent. */
export function endSide(socket: Duplex, last = ''): void {
  socket.end(last)
  const timer = setTimeout(() => socket.destroy(), halfOpenMilliseconds)
  socket.once('close', () => clearTimeout(timer))
}
