/** Turns requests that Node's parser rejects into an `Incoming` as well, so that their errors have the usual format. */
import { AppError, type ErrorCode } from '../errors.ts'
import type { Incoming } from '../http/message.ts'
import { limits } from '../limits.ts'

interface ParserError extends NodeJS.ErrnoException {
  /** The packet that the parser rejected. */
  readonly rawPacket?: Buffer
}

/** Undefined if the client has cut the connection, so that no response can be sent. */
export function incomingFrom(error: ParserError): Incoming | undefined {
  if (error.code === 'ECONNRESET') return undefined
  return {
    method: '(none)',
    target: '/',
    fault: new AppError(errorCodeFor(error)),
    header: () => undefined,
    address: () => undefined,
    body: () => undefined,
  }
}

function errorCodeFor({ code, rawPacket }: ParserError): ErrorCode {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return 'request_timeout'
  if (code !== 'HPE_HEADER_OVERFLOW') return 'bad_request'
  // Only a packet that begins with the request line shows whether that line is too long.
  const [, target = ''] = /^[A-Z]+ ([^ \n]*)/.exec(rawPacket?.toString('latin1') ?? '') ?? []
  return target.length > limits.targetSize.bytes ? 'uri_too_long' : 'headers_too_large'
}
