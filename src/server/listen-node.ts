/** Listens on Node: turns its requests into ours, its parser's complaints into our error body, and closes without losing any. */
import type { IncomingMessage, ServerOptions, ServerResponse } from 'node:http'
import { type AddressInfo, Server as NetServer } from 'node:net'
import type { AppError } from '../errors.ts'
import { endedEarly, type Handler, type Incoming } from '../http/message.ts'
import { limits } from '../limits.ts'
import {
  encodingFault,
  gather,
  type Listener,
  type ListenOptions,
  targetFrom,
  type Waiting,
  waitingTimes,
} from './listener.ts'
import { answerParserError, sendOn } from './parser-errors.ts'

// An import would touch every export of the module, and so load the whole of fetch: 60 ms of the start.
const { createServer } = process.getBuiltinModule('node:http')

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
  server.on('clientError', (error, socket) => answerParserError(error, socket, handler))
  // Without a listener, Node would close the connection without a word. With one it lets go of the connection: an error
  // that nobody hears would end the process, and one that its client keeps open would keep the process from ending.
  server.on('connect', async (request, socket) => {
    socket.on('error', () => socket.destroy())
    socket.on('finish', () => socket.destroy())
    sendOn(socket, await handler(new NodeIncoming(request)))
  })

  async function answer(response: ServerResponse): Promise<void> {
    const incoming = new NodeIncoming(response.req)
    const { status, headers, body } = await handler(incoming)
    if (closing || incoming.fault !== undefined) headers.push('Connection', 'close')
    response.writeHead(status, headers)
    // For ASCII the two are the same bytes, and Node writes latin1 faster.
    if (typeof body === 'string') response.end(body, isAscii(body) ? 'latin1' : 'utf8')
    else response.end(body)
    // Who does not take the answer must not keep it here for ever; once all is taken, Node sets the idle time.
    if (response.socket?.writableLength) response.socket.setTimeout(waiting.write)
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
  readonly fault: AppError | undefined

  constructor(request: IncomingMessage) {
    this.#request = request
    this.method = request.method as string
    const { headers, url, httpVersion } = request
    const { target, fault } = targetFrom(url as string, headers.host, httpVersion)
    this.target = target
    this.fault = fault ?? encodingFault(headers['transfer-encoding'])
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
