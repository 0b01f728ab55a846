/** Requests that Node's parser rejects have no response object: they are answered on the raw socket, in the same format. */
import type { ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { AppError, type ErrorCode } from '../errors.ts'
import type { Handler, Incoming, Outgoing } from '../http/message.ts'
import { limits } from '../limits.ts'
import { targetFrom } from './listener.ts'

const { METHODS } = process.getBuiltinModule('node:http')

/** A connection, with the response Node is sending on it. */
interface Connection extends Duplex {
  readonly _httpMessage?: ServerResponse | null
  readonly remoteAddress?: string
}

interface ParserError extends NodeJS.ErrnoException {
  /** The packet that the parser rejected. */
  readonly rawPacket?: Buffer
}

/** `send` sends a response on a socket and closes it. */
export async function answerParserError(
  error: ParserError,
  socket: Connection,
  handler: Handler,
  send: (socket: Duplex, answer: Outgoing) => void,
): Promise<void> {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy()
    return
  }
  const head = error.rawPacket?.toString('latin1') ?? ''
  const incoming = error.code === 'HPE_INVALID_METHOD' ? incomingFrom(head, socket) : undefined
  const answer = await handler(incoming ?? refused(new AppError(codeOf(error, head))))
  afterEarlier(socket, () => send(socket, answer))
}

/** Sends after the responses to complete requests before it: the client would take our error for the first of them. */
function afterEarlier(socket: Connection, send: () => void): void {
  const earlier = socket._httpMessage
  if (earlier?.req.complete) earlier.once('finish', () => afterEarlier(socket, send))
  else send()
}

function codeOf({ code }: ParserError, head: string): ErrorCode {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return 'request_timeout'
  if (code !== 'HPE_HEADER_OVERFLOW') return 'bad_request'
  // Only a packet that begins with the request line shows whether that line is too long.
  const [, target = ''] = /^[A-Z]+ ([^ \n]*)/.exec(head) ?? []
  return target.length > limits.targetSize.bytes ? 'uri_too_long' : 'headers_too_large'
}

const refused = (fault: AppError): Incoming => ({
  method: '(none)',
  target: '/',
  fault,
  header: () => undefined,
  address: () => undefined,
  body: () => undefined,
})

const token = "[!#$%&'*+.^_`|~\\w-]+"
const requestLine = new RegExp(`^(${token}) (\\S+) HTTP/(1\\.[01])$`)
const headerLine = new RegExp(`^(${token}):[ \\t]*(.*?)[ \\t]*$`)

/** A request whose only fault is a method unknown to Node: it is handled like any other, and gets 401, 404 or 405. */
function incomingFrom(text: string, socket: Connection): Incoming | undefined {
  const end = text.indexOf('\r\n\r\n')
  const [first = '', ...lines] = text.slice(0, end).split('\r\n')
  const [, method, target, version] = requestLine.exec(first) ?? []
  // A known method belongs to an earlier request in the same packet.
  if (end < 0 || !method || !target || !version || METHODS.includes(method)) return undefined
  const headers = new Map<string, string>()
  for (const line of lines) {
    const [, name, value = ''] = headerLine.exec(line) ?? []
    if (!name) return undefined
    const key = name.toLowerCase()
    headers.set(key, headers.has(key) ? `${headers.get(key)}, ${value}` : value)
  }
  return {
    method,
    ...targetFrom(target, headers.get('host'), version),
    header: (name) => headers.get(name),
    address: () => socket.remoteAddress,
    body: () => undefined,
  }
}
