/** Turns a request of Node into the form that the handler takes. */
import type { IncomingMessage } from 'node:http'
import { endedEarly, type Incoming, type OnReceived } from '../http/message.ts'
import { encodingFault, targetFrom } from './request-faults.ts'

/**
 * How many pieces of a body may be kept separately. A client can send a body in chunks of one byte, and Node keeps
 * about 400 bytes for each: 6 MB of them would take 500 MB of memory.
 */
const piecesMax = 64

export function incomingOf(request: IncomingMessage): Incoming {
  const { method, url, headers, httpVersion, socket } = request
  const { target, fault } = targetFrom(url as string, headers.host, httpVersion)
  const encoding = headers['transfer-encoding']
  return {
    method: method as string,
    target,
    fault: fault ?? (encoding === undefined ? undefined : encodingFault(encoding)),
    header: (name) => headers[name] as string | undefined,
    address: () => socket.remoteAddress,
    body(bytesMax, onReceived) {
      // Most bodies have already arrived at this point.
      if (!request.complete) return arriving(request, bytesMax, onReceived)
      const chunks: Buffer[] = []
      for (let chunk = request.read(); chunk !== null; chunk = request.read()) chunks.push(chunk)
      const bytes = Buffer.concat(chunks)
      if (bytes.length > bytesMax) return undefined
      onReceived(bytes.length)
      return bytes
    },
  }
}

function arriving(request: IncomingMessage, bytesMax: number, onReceived: OnReceived): Promise<Uint8Array | undefined> {
  if (request.destroyed) throw endedEarly()
  let chunks: Buffer[] = []
  let length = 0
  return new Promise((resolve, reject) => {
    const onData = (chunk: Buffer) => {
      length += chunk.length
      try {
        if (length <= bytesMax) {
          onReceived(length)
          chunks.push(chunk)
          if (chunks.length > piecesMax) chunks = [Buffer.concat(chunks)]
          return
        }
        resolve(undefined)
      } catch (error) {
        reject(error)
      }
      // The rest of the body is read and discarded, so that the client gets our response.
      request.off('data', onData).resume()
    }
    request.on('data', onData)
    request.on('end', () => resolve(Buffer.concat(chunks)))
    request.on('error', () => reject(endedEarly()))
  })
}
