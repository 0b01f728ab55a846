/**
 * Requests that Node's parser rejects, as the handler sees them: they get their answer in the same format as all
 * others.
 */
import type { Duplex } from 'node:stream'
import { AppError, type ErrorCode } from '../errors.ts'
import type { Incoming } from '../http/message.ts'
import { limits } from '../limits.ts'
import { targetFrom } from './request-faults.ts'

const { METHODS } = process.getBuiltinModule('node:http')

interface ParserError extends NodeJS.ErrnoException {
  /** The packet that the parser rejected. */
  readonly rawPacket?: Buffer
}

/** Undefined if the client has cut the connection, and nobody waits for an answer. */
export function incomingFrom(error: ParserError, socket: Duplex & { remoteAddress?: string }): Incoming | undefined {
  if (error.code === 'ECONNRESET') return undefined
  const head = error.rawPacket?.toString('latin1') ?? ''
  const unknown = error.code === 'HPE_INVALID_METHOD' ? withUnknownMethod(head, () => socket.remoteAddress) : undefined
  return unknown ?? refused(new AppError(errorCodeFor(error, head)))
}

function errorCodeFor({ code }: ParserError, head: string): ErrorCode {
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
function withUnknownMethod(text: string, address: Incoming['address']): Incoming | undefined {
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
    address,
    body: () => undefined,
  }
}
