/** Listens on Node: adapts requests, answers parser errors in our error format, and shuts down without losing a request. */
import type { IncomingMessage, ServerOptions, ServerResponse } from 'node:http'
import { type AddressInfo, Server as NetServer, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { setFlagsFromString } from 'node:v8'
import type { AppError } from '../errors.ts'
import {
  endedEarly,
  type Handler,
  type Incoming,
  type OnReceived,
  type Outgoing,
  type StreamBody,
} from '../http/message.ts'
import { limits } from '../limits.ts'
import {
  createTurnQueue,
  defaultTimeouts,
  encodingFault,
  type Listener,
  type ListenOptions,
  type Timeouts,
  targetFrom,
} from './listener.ts'
import { answerParserError } from './parser-errors.ts'

// An import would touch every export of the module and so load all of fetch: 60 ms of the startup time.
const { createServer, STATUS_CODES } = process.getBuiltinModule('node:http')

/** Connections that may wait to be accepted. With the default of 511, a client beyond them would try again only after a second. */
const backlog = 4096

export const serverOptions = ({ headers, request, checkInterval, idle }: Timeouts): ServerOptions => ({
  joinDuplicateHeaders: true,
  // We reject a missing Host ourselves, in our error format.
  requireHostHeader: false,
  maxHeaderSize: limits.headerSize.bytes,
  headersTimeout: headers,
  requestTimeout: request,
  keepAliveTimeout: idle,
  connectionsCheckingInterval: checkInterval,
})

export async function listenOnNode(options: ListenOptions): Promise<Listener> {
  const { host, port, timeouts = defaultTimeouts } = options
  // Once a thousand requests have waited at a time, V8 would allocate such objects as long-lived for good: 20 % slower.
  setFlagsFromString('--no-allocation-site-pretenuring')
  let handler: Handler
  let closing = false
  /** Connections that were sent a response before their whole request had arrived; Node does not count them as idle. */
  const unread = new Set<Socket>()
  /** Connections whose client has not read the response to its end; Node counts them as idle. */
  const unsent = new Set<Socket>()
  const server = createServer(serverOptions(timeouts))
  const { push, connected } = createTurnQueue(answer)
  server.on('connection', connected)
  server.on('request', (_request, response) => push(response))
  // An unknown Expect header may be ignored (RFC 9110, 10.1.1); Node would send 417.
  server.on('checkExpectation', (_request, response) => push(response))
  server.on('clientError', (error, socket) => answerParserError(error, socket, handler, sendOn))
  // Without a listener, Node would close the connection without a response. With one, the socket is ours: an unhandled
  // error on it would end the process, and a connection that the client keeps open would keep the process from exiting.
  server.on('connect', async (request, socket) => {
    socket.on('error', () => socket.destroy())
    socket.on('finish', () => socket.destroy())
    sendOn(socket, await handler(new NodeIncoming(request)))
  })

  async function answer(response: ServerResponse): Promise<void> {
    const incoming = new NodeIncoming(response.req)
    const outgoing = await handler(incoming)
    const isLast = closing || incoming.fault !== undefined
    if (isLast) outgoing.headers.push('Connection', 'close')
    if (!isLast && typeof outgoing.body === 'string' && staysOpen(response)) sendWhole(response, outgoing)
    else sendInParts(response, outgoing)
  }

  const kept = `Connection: keep-alive\r\nKeep-Alive: timeout=${Math.floor(timeouts.idle / 1000)}`
  let ending = { second: 0, text: '' }
  /** What the headers of a response end with. Written once a second: a new date takes 4 % of a request. */
  function endingNow(): string {
    const second = Math.floor(Date.now() / 1000)
    if (second !== ending.second) ending = { second, text: `${dateLine(second * 1000)}\r\n${kept}` }
    return ending.text
  }

  /** Responses of this turn whose text is complete. */
  let prepared: ServerResponse[] = []

  /**
   * Sends what `writeHead` and `end` would, as one text. Those of one turn are sent right after one another: a client that
   * waits for them stays awake, and waking it costs the sender. Together this saves a fifth of a request (bench/NOTES.md).
   * Node has no public way to give it the text; `_header` is what it sends first, and `headersSent` tells whether it still is.
   */
  function sendWhole(response: ServerResponse & { _header?: string }, outgoing: Outgoing): void {
    response._header = textOf(outgoing, endingNow())
    if (!response.headersSent) sendInParts(response, outgoing)
    else if (prepared.push(response) === 1) process.nextTick(sendPrepared)
  }

  function sendPrepared(): void {
    const responses = prepared
    prepared = []
    for (const response of responses) response.end()
    for (const response of responses) awaitClient(response)
  }

  function sendInParts(response: ServerResponse, { status, headers, body }: Outgoing): void {
    response.writeHead(status, headers)
    if (typeof body !== 'function') response.end(body)
    else if (response.socket) startStream(response, body)
    // A pipelined request, which gets the socket when the response before it has ended; after a stream, never.
    else response.once('socket', () => startStream(response, body))
    awaitClient(response)
  }

  function awaitClient(response: ServerResponse): void {
    awaitReading(response)
    if (!response.req.complete) awaitRest(response.req)
  }

  /** A client that stops reading must not hold the response forever; once all is sent, Node sets the keep-alive timeout. */
  function awaitReading(response: ServerResponse): void {
    const { socket } = response
    // A pipelined response is sent when the one before it has ended.
    if (!socket) response.once('socket', () => process.nextTick(awaitReading, response))
    else if (socket.writableLength > 0) {
      socket.setTimeout(closing ? timeouts.linger : timeouts.write)
      unsent.add(socket)
      response.once('close', () => unsent.delete(socket))
    }
  }

  function startStream(response: ServerResponse, body: StreamBody): void {
    // The client has disconnected already: `close` would not be emitted again, and the stream would never end.
    if (response.destroyed) return
    // When the client resets the connection, `close` follows the error and ends the stream.
    response.on('error', () => {})
    const { drained, closed } = body({
      write: (bytes) => response.destroyed || response.write(bytes),
      end(bytes) {
        if (response.destroyed) return
        response.end(bytes)
        awaitReading(response)
      },
      drop: () => response.destroy(),
    })
    response.on('drain', drained)
    response.on('close', closed)
  }

  function awaitRest(request: IncomingMessage): void {
    const { socket, closed } = request
    if (closed) return
    unread.add(socket)
    request.once('close', () => unread.delete(socket))
  }

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen({ port, host, backlog }, () => {
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
      // http.Server.close would also close idle connections at once and lose a request already in transit.
      const closed = new Promise((resolve) => NetServer.prototype.close.call(server, resolve))
      for (const socket of unsent) socket.setTimeout(timeouts.linger)
      const closeIdle = () => {
        if (unsent.size > 0) linger = closeIdleLater()
        else {
          server.closeIdleConnections()
          for (const socket of unread) socket.destroy()
        }
      }
      // Timers run before sockets are read: after a long turn, a request that has arrived in time must be read first.
      const closeIdleLater = () => setTimeout(() => setImmediate(closeIdle), timeouts.linger)
      let linger = closeIdleLater()
      const grace = setTimeout(() => server.closeAllConnections(), graceMilliseconds)
      await closed
      clearTimeout(linger)
      clearTimeout(grace)
      server.closeAllConnections()
    },
  }
}

/** How long a client may leave its side of the connection open after we have closed ours; it would keep the service from stopping. */
const halfOpenMilliseconds = 500

/** Sends a response on a socket that has no response object, and closes our side of it; destroyed at once, a reset could overtake the response. */
function sendOn(socket: Duplex, outgoing: Outgoing): void {
  socket.end(textOf(outgoing, `${dateLine(Date.now())}\r\nConnection: close`), 'latin1')
  const timer = setTimeout(() => socket.destroy(), halfOpenMilliseconds)
  socket.once('close', () => clearTimeout(timer))
}

const staysOpen = ({ req, shouldKeepAlive }: ServerResponse): boolean => shouldKeepAlive && req.httpVersion === '1.1'

/** As Node defines it; with a line break in it, a header could be several, or a body. */
const notInHeader = /[^\t\x20-\x7e\x80-\xff]/

const dateLine = (milliseconds: number): string => `Date: ${new Date(milliseconds).toUTCString()}`

/** A response as it is sent, a character for each byte; `ending` are its last headers. A header that cannot be sent is left out. */
export function textOf({ status, headers, body }: Outgoing, ending: string): string {
  let text = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n`
  for (let i = 0; i < headers.length; i += 2) {
    const value = headers[i + 1] as string
    if (!notInHeader.test(value)) text += `${headers[i]}: ${value}\r\n`
  }
  return `${text}${ending}\r\n\r\n${bytesOf(body as string)}`
}

/** UTF-8, a character for each byte. */
const bytesOf = (text: string): string =>
  Buffer.byteLength(text) === text.length ? text : Buffer.from(text).toString('latin1')

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

  address(): string | undefined {
    return this.#request.socket.remoteAddress
  }

  body(bytesMax: number, onReceived: OnReceived): Uint8Array | undefined | Promise<Uint8Array | undefined> {
    const request = this.#request
    const chunks: Buffer[] = []
    let length = 0
    function keep(chunk: Buffer): void {
      length += chunk.length
      // Past the limit, the rest is read and discarded, so that the client gets our response.
      if (length > bytesMax) return
      onReceived(length)
      chunks.push(chunk)
    }
    function whole(): Uint8Array | undefined {
      if (length > bytesMax) return undefined
      return chunks.length === 1 ? chunks[0] : Buffer.concat(chunks)
    }

    if (request.complete) {
      // Most bodies have already arrived at this point.
      for (let chunk = request.read(); chunk !== null; chunk = request.read()) keep(chunk)
      return whole()
    }
    if (request.destroyed) throw endedEarly()
    return new Promise((resolve, reject) => {
      const onData = (chunk: Buffer) => {
        try {
          keep(chunk)
          if (length <= bytesMax) return
          resolve(undefined)
        } catch (error) {
          reject(error)
        }
        request.off('data', onData).resume()
      }
      request.on('data', onData)
      request.on('end', () => resolve(whole()))
      request.on('error', () => reject(endedEarly()))
    })
  }
}
