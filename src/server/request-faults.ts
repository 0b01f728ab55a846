/** Faults in a request that Node's parser lets through: in its version, target, Host and Transfer-Encoding. */
import { AppError } from '../errors.ts'
import type { Incoming } from '../http/message.ts'

/**
 * The path and query from the target of the request line. There is a fault if the Host header is missing in HTTP/1.1,
 * is invalid or repeated (joined by a comma), or differs from an absolute-form target.
 */
export function targetFrom(
  text: string,
  host: string | undefined,
  version: string,
): Pick<Incoming, 'target' | 'fault'> {
  if (version !== '1.1' && version !== '1.0')
    return { target: '/', fault: new AppError('bad_request', 'The request must use HTTP/1.1 or HTTP/1.0.') }
  const isMissing = host === undefined && version !== '1.0'
  if (!isMissing && hostPattern.test(host ?? '')) {
    if (text.startsWith('/') || text === '*') return { target: text, fault: undefined }
    const url = URL.parse(text)
    if (url && url.host === host?.toLowerCase()) return { target: url.pathname + url.search, fault: undefined }
  }
  return { target: '/', fault: notThisHost() }
}

const hostPattern = /^[^\s,/?#@]*$/
const notThisHost = (): AppError =>
  new AppError('bad_request', 'The request must contain exactly one Host header, which names this host.')

/** Only chunked bodies are decoded. A body in another transfer coding would be read wrongly. */
export function encodingFault(encoding: string): AppError | undefined {
  if (encoding.toLowerCase() === 'chunked') return undefined
  return new AppError('bad_request', 'Transfer-Encoding must be chunked.')
}
