/** Listens for requests, sends the responses, and shuts down without losing a request. */
import type { IncomingMessage, ServerOptions, ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Handler, StreamBody } from '../http/message.ts'
import { limits } from '../limits.ts'
import { endSide, sendAfter } from './bare-response.ts'
import { incomingOf } from './incoming.ts'
import { defaultTimeouts, type Listener, type ListenOptions, type Timeouts } from './listener.ts'
import { incomingFrom } from './parser-errors.ts'
import { createPipelines } from './pipelining.ts'
import type { Spans } from './spans.ts'
import { createTurnQueue } from './turn-queue.ts'
import { createUnsent } from './unsent.ts'

// An import would touch every export of the module and so load all of fetch: 60 ms of the startup time.
const { Server } = process.getBuiltinModule('node:http')
const { Server: TcpServer } = process.getBuiltinModule('node:net')

/**
 * How many connections may wait to be accepted. With the default of 511, a client beyond this number would try again
 * only after a second.
 */
const backlog = 4096
const serverOptions = ({ headers, request, checkInterval, idle }: Timeouts): ServerOptions => ({
  joinDuplicateHeaders: true,
  // We reject a missing Host ourselves, in our error format.
  requireHostHeader: false,
  // A request without a body is complete when its headers are, and needs no stream.
  optimizeEmptyRequests: true,
  maxHeaderSize: limits.headerSize.bytes,
  headersTimeout: headers,
  requestTimeout: request,
  keepAliveTimeout: idle,
  connectionsCheckingInterval: checkInterval,
})

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: the functions in it share the server and its connections
export async function listen(options: ListenOptions): Promise<Listener> {
  const { host, port, timeouts = defaultTimeouts } = options
  let handler: Handler
  let urgent: ReadonlySet<string> = new Set()
  let closing = false
  let spans: Spans<ServerResponse> | undefined

  const server = new Server(serverOptions(timeouts))
  const { push, pushLow } = createTurnQueue(answer, options.time)
  const { connections, connect, isNext, sent } = createPipelines(answer, pushLow, options.time)
  const unsent = createUnsent()
  server.on('connection', connect)
  server.on('request', receive)
  // An unknown Expect header may be ignored (RFC 9110, 10.1.1); Node would send 417.
  server.on('checkExpectation', receive)
  server.on('clientError', async (error, socket) => {
    const incoming = socket.writable && incomingFrom(error)
    if (!incoming) return socket.destroy()
    const { current, waiting = [], unread } = connections.get(socket as Socket) ?? {}
    // The request was answered before the rest of it arrived. The client would take a second response for that to
    // another request.
    if (unread?.complete === false) return endSide(socket)
    // The fault may be in the body of the last request.
    const before = [current, ...waiting].findLast((response) => response?.req.complete)
    sendAfter(before, socket, await handler(incoming))
  })
  // Without a listener, Node would close the connection without a response. With one, the socket is ours: an unhandled
  // error on it would end the process, and a connection that the client keeps open would keep the process from exiting.
  server.on('connect', async (request, socket) => {
    socket.on('error', () => socket.destroy())
    socket.on('finish', () => socket.destroy())
    const { current, waiting = [] } = connections.get(request.socket) ?? {}
    sendAfter(waiting.at(-1) ?? current, socket, await handler(incomingOf(request)))
  })

  function receive({ url = '' }: IncomingMessage, response: ServerResponse): void {
    spans?.keep(response)
    if (!isNext(response)) return
    const mark = url.indexOf('?')
    if (urgent.has(mark < 0 ? url : url.slice(0, mark))) answer(response)
    else push(response)
  }

  async function answer(response: ServerResponse): Promise<void> {
    const { req } = response
    // The previous response may have been the last of its connection.
    if (!req.socket.writable) return
    const incoming = incomingOf(req)
    const { status, headers, body } = await (spans?.handle(response, incoming, handler) ?? handler(incoming))
    const connection = connections.get(req.socket)
    const isLast = connection?.isEnding && connection.waiting.length === 0
    if (closing || incoming.fault !== undefined || isLast) headers.push('Connection', 'close')
    try {
      response.writeHead(status, headers)
    } catch {
      // A header with a line break in it cannot be sent: the rest would be read as another header, or as a body.
      response.destroy()
      return
    }
    if (typeof body === 'function') startStream(response, body)
    else {
      // Node writes a text of one byte a character as it is, and looks at each character of others.
      const encoding = body.length === Buffer.byteLength(body) ? 'latin1' : 'utf8'
      if (ready.push({ response, body, encoding }) === 1) process.nextTick(sendReady)
    }
  }

  let ready: { response: ServerResponse; body: string | Uint8Array; encoding: 'latin1' | 'utf8' }[] = []

  /**
   * Sends the responses of one turn directly one after another. A client that waits for them then stays awake, and
   * waking it would cost the sender time.
   */
  function sendReady(): void {
    const responses = ready
    ready = []
    for (const { response, body, encoding } of responses) response.end(body, encoding)
    for (const { response } of responses) {
      if (response.req.socket.writableLength === 0) sent(response)
      else awaitReading(response)
      if (!response.req.complete) awaitRest(response.req)
    }
  }

  function awaitReading(response: ServerResponse): void {
    unsent.add(response, closing ? timeouts.linger : timeouts.write)
    response.once('close', () => sent(response))
  }

  function startStream(response: ServerResponse, body: StreamBody): void {
    const { socket } = response
    // The client has already disconnected. `close` would not be emitted again, and the stream would never end.
    if (response.destroyed || !socket) return
    // An error without a listener would end the process. `close` follows it, and ends the stream.
    response.on('error', () => {})
    // The client sends nothing more and waits for nothing, so it has disconnected.
    socket.on('end', () => response.destroy())
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
    const connection = connections.get(request.socket)
    if (!connection || request.closed) return
    connection.unread = request
    request.once('close', () => (connection.unread = undefined))
  }

  // The port belongs to its own server, which can stop accepting connections without any other effect. `close()` of an
  // HTTP server also ends idle connections immediately, and so loses requests that are on their way (156 of 251,733 in
  // 20 restarts).
  const acceptor = new TcpServer()
  await new Promise<void>((resolve, reject) => {
    acceptor.once('error', reject)
    acceptor.listen({ port, host, backlog }, () => {
      acceptor.off('error', reject)
      server.listen(acceptor, resolve)
    })
  })

  // This runs after the start, because it would take a tenth of the startup time.
  const loadSpans = async () => {
    const { createSpans } = await import('./spans.ts')
    spans = createSpans()
  }
  loadSpans()

  return {
    port: (acceptor.address() as AddressInfo).port,
    serve(answering, answeredAtOnce = urgent) {
      handler = answering
      urgent = answeredAtOnce
    },
    async close(graceMilliseconds) {
      closing = true
      acceptor.close()
      const closed = Promise.all(
        Array.from(connections.keys(), (socket) => new Promise((resolve) => socket.once('close', resolve))),
      )
      unsent.hurry(timeouts.linger)
      const closeIdle = () => {
        if (unsent.size > 0) linger = closeIdleLater()
        else {
          server.closeIdleConnections()
          for (const [socket, { unread }] of connections) if (unread) socket.destroy()
        }
      }
      // Timers run before sockets are read: after a long turn, a request that has arrived in time must be read first.
      const closeIdleLater = () => setTimeout(() => setImmediate(closeIdle), timeouts.linger)
      let linger = closeIdleLater()
      const grace = setTimeout(() => server.closeAllConnections(), graceMilliseconds)
      await closed
      clearTimeout(linger)
      clearTimeout(grace)
      // Ends the timer that checks the timeouts.
      server.close()
    },
  }
}
