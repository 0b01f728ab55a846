/** Listens on Node: turns its requests into ours, its parser's complaints into our error body, and closes without losing any. */
import type { IncomingMessage, ServerOptions, ServerResponse } from 'node:http'
import { type AddressInfo, Server as NetServer } from 'node:net'
import type { Duplex } from 'node:stream'
import { AppError, type ErrorCode } from '../errors.ts'
import { errorReply } from '../http/handler.ts'
import { endedEarly, type Handler, type Incoming, jsonType } from '../http/message.ts'
import { limits } from '../limits.ts'
import {
  gather,
  hostFault,
  type Listener,
  type ListenOptions,
  notThisHost,
  type Waiting,
  waitingTimes,
} from './listener.ts'

// An import would touch every export of the module, and so load the whole of fetch: 60 ms of the start.
const { createServer, STATUS_CODES } = process.getBuiltinModule('node:http')

export const serverOptions = ({ headers, request, check, idle }: Waiting): ServerOptions => ({
  joinDuplicateHeaders: true,
  // Refused by us, in our error shape.
  requireHostHeader: false,
  maxHeaderSize: limits.headerSize.bytes,
  headersTimeout: headers,
  requestTimeout: request,
  keepAliveTimeout: idle,
  connectionsCheckingInterval: check,
})

export async function listenOnNode(options: ListenOptions): Promise<Listener> {
  const { host, port, isShared, waiting = waitingTimes } = options
  let handler: Handler
  let closing = false
  const server = createServer(serverOptions(waiting))
  const take = gather(answer)
  server.on('request', (_request, response) => take(response))
  // An expectation we do not know is no reason to refuse (RFC 9110, 10.1.1); Node would answer 417.
  server.on('checkExpectation', (_request, response) => take(response))
  server.on('clientError', onClientError)

  async function answer(response: ServerResponse): Promise<void> {
    const incoming = new NodeIncoming(response.req)
    const { status, headers, body } = await handler(incoming)
    if (closing || incoming.fault !== undefined) headers.push('Connection', 'close')
    response.writeHead(status, headers)
    // For ASCII the two are the same bytes, and Node writes latin1 faster.
    if (typeof body === 'string') response.end(body, isAscii(body) ? 'latin1' : 'utf8')
    else response.end(body)
  }

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen({ port, host, reusePort: isShared }, () => {
      server.off('error', reject)
      resolve()
    })
  })

  return {
    port: (server.address() as AddressInfo).port,
    serve(answering) {
      handler = answering
    },
    async close(graceMilliseconds) {
      closing = true
      // http.Server.close would also cut idle connections at once, losing a request already on its way.
      const closed = new Promise((resolve) => NetServer.prototype.close.call(server, resolve))
      const linger = setTimeout(() => server.closeIdleConnections(), waiting.linger)
      const grace = setTimeout(() => server.closeAllConnections(), graceMilliseconds)
      await closed
      clearTimeout(linger)
      clearTimeout(grace)
      server.closeAllConnections()
    },
  }
}

const isAscii = (text: string): boolean => Buffer.byteLength(text) === text.length

class NodeIncoming implements Incoming {
  readonly #request: IncomingMessage
  readonly method: string
  readonly target: string
  readonly fault: string | undefined

  constructor(request: IncomingMessage) {
    this.#request = request
    this.method = request.method as string
    const target = targetOf(request)
    this.target = target ?? '/'
    this.fault = target === undefined ? notThisHost : undefined
  }

  header(name: string): string | undefined {
    return this.#request.headers[name] as string | undefined
  }

  body(bytesMax: number): Uint8Array | undefined | Promise<Uint8Array | undefined> {
    const request = this.#request
    const chunks: Buffer[] = []
    let length = 0
    function take(chunk: Buffer): void {
      length += chunk.length
      // Past the limit nothing is kept; it is read on and thrown away, so that the client sees our answer.
      if (length <= bytesMax) chunks.push(chunk)
    }
    function whole(): Uint8Array | undefined {
      if (length > bytesMax) return undefined
      return chunks.length === 1 ? chunks[0] : Buffer.concat(chunks)
    }

    if (request.complete) {
      // Most have come by the time they are asked for, and need no waiting.
      for (let chunk = request.read(); chunk !== null; chunk = request.read()) take(chunk)
      return whole()
    }
    if (request.destroyed) throw endedEarly()
    return new Promise((resolve, reject) => {
      request.on('data', (chunk) => {
        take(chunk)
        if (length > bytesMax) resolve(undefined)
      })
      request.on('end', () => resolve(whole()))
      request.on('error', () => reject(endedEarly()))
    })
  }
}

/** The path and query asked for; undefined where the request is not for this host or not one of HTTP/1.1. */
function targetOf(request: IncomingMessage): string | undefined {
  const { host } = request.headers
  const isMissing = host === undefined && request.httpVersion !== '1.0'
  if (isMissing || hostFault(host)) return undefined
  const target = request.url as string
  if (target.startsWith('/') || target === '*') return target
  const url = URL.parse(target)
  return url?.host === host?.toLowerCase() && url ? url.pathname + url.search : undefined
}

/** A connection, with the response Node is sending on it. */
interface Connection extends Duplex {
  readonly _httpMessage?: ServerResponse | null
}

/** What Node's parser refuses never becomes a request: it is answered on the bare socket, in the same shape as every error. */
function onClientError(error: NodeJS.ErrnoException & { rawPacket?: Buffer }, socket: Connection): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy()
    return
  }
  const earlier = socket._httpMessage
  if (earlier?.req.complete) {
    // A whole request before the broken one gets its own answer first, lest the client take our refusal for it.
    earlier.once('finish', () => onClientError(error, socket))
    return
  }
  const { status, body, headers = [] } = errorReply(new AppError(parserCode(error)))
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    `Content-Type: ${jsonType}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Cache-Control: no-store',
  ]
  for (let i = 0; i < headers.length; i += 2) lines.push(`${headers[i]}: ${headers[i + 1]}`)
  socket.end(`${lines.join('\r\n')}\r\nConnection: close\r\n\r\n${body}`)
}

function parserCode({ code, rawPacket }: { code?: string | undefined; rawPacket?: Buffer }): ErrorCode {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return 'request_timeout'
  if (code !== 'HPE_HEADER_OVERFLOW') return 'bad_request'
  // Only a packet that begins with the request line tells whether that line is to blame.
  const [, target = ''] = /^[A-Z]+ ([^ \n]*)/.exec(rawPacket?.toString('latin1') ?? '') ?? []
  return target.length > limits.targetSize.bytes ? 'uri_too_long' : 'headers_too_large'
}
