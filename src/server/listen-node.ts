/** Listens on Node: takes the requests of each connection one after another, and shuts down without losing one. */
import type { IncomingMessage, ServerOptions, ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
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
  type IsHealthCheck,
  type Listener,
  type ListenOptions,
  type Timeouts,
  targetFrom,
} from './listener.ts'
import { incomingFrom } from './parser-errors.ts'

// An import would touch every export of the module and so load all of fetch: 60 ms of the startup time.
const { Server, STATUS_CODES } = process.getBuiltinModule('node:http')

/** Node closes idle connections when a server closes, and would lose a request that is on its way on one of them. */
class PatientServer extends Server {
  override closeIdleConnections(): void {}

  closeIdle(): void {
    super.closeIdleConnections()
  }
}

/**
 * Connections that may wait to be accepted. With the default of 511, a client beyond them would try again only after a
 * second.
 */
const backlog = 4096
/**
 * Requests that may wait behind another of their connection, in the whole process; each takes some 4 KB. Beyond, the
 * connection that has waited longest is cut off.
 */
const pipelinedMax = 10_000
/**
 * Bytes of responses that clients have not read yet, in the whole process; beyond, the one that has waited longest is
 * cut off.
 */
const unsentBytesMax = 64 * 1024 * 1024

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

/** What is known of a connection. */
interface Connection {
  /**
   * The response to the last request until it was handed to the system; held longer, it would live through collections
   * of garbage.
   */
  latest?: ServerResponse | undefined
  /** The one that `latest` waits for. */
  earlier?: ServerResponse | undefined
  /** Requests that wait until those before them are answered. */
  behind: number
  /** Whether no further request is taken from it. */
  isEnding: boolean
}

export async function listenOnNode(options: ListenOptions): Promise<Listener> {
  const { host, port, timeouts = defaultTimeouts } = options
  let handler: Handler
  let isHealthCheck: IsHealthCheck = () => false
  let closing = false
  const connections = new Map<Socket, Connection>()
  /** Those of them where requests wait, the longest first. */
  const waiting = new Map<Socket, Connection>()
  let pipelined = 0
  /** Requests that were answered before they had arrived, by their connection. Node does not count it as idle. */
  const unread = new Map<Socket, IncomingMessage>()
  /** Connections whose client has not read the response to its end, with its bytes; Node counts them as idle. */
  const unsent = new Map<Socket, number>()
  let unsentBytes = 0

  const server = new PatientServer(serverOptions(timeouts))
  // A client may close its side when it has sent its request; Node would then close ours, and the response would be
  // lost.
  Object.assign(server, { httpAllowHalfOpen: true })
  const { push, connected } = createTurnQueue(answer, options.time)
  server.on('connection', (socket) => {
    const connection: Connection = { behind: 0, isEnding: false }
    connections.set(socket, connection)
    socket.once('close', () => {
      connections.delete(socket)
      letGo(socket, connection)
    })
    connected()
  })
  server.on('request', (_request, response) => receive(response))
  // An unknown Expect header may be ignored (RFC 9110, 10.1.1); Node would send 417.
  server.on('checkExpectation', (_request, response) => receive(response))
  server.on('clientError', async (error, socket) => {
    const incoming = socket.writable && incomingFrom(error, socket)
    if (!incoming) return socket.destroy()
    // Its request was answered before the rest of it came: a second response would be taken for that to another.
    if (unread.get(socket as Socket)?.complete === false) return endSide(socket)
    const { latest, earlier } = connections.get(socket as Socket) ?? {}
    sendAfter(latest?.req.complete ? latest : earlier, socket, await handler(incoming))
  })
  // Without a listener, Node would close the connection without a response. With one, the socket is ours: an unhandled
  // error on it would end the process, and a connection that the client keeps open would keep the process from exiting.
  server.on('connect', async (request, socket) => {
    socket.on('error', () => socket.destroy())
    socket.on('finish', () => socket.destroy())
    sendAfter(connections.get(request.socket)?.latest, socket, await handler(new NodeIncoming(request)))
  })

  /** Requests behind another of the same connection wait until its response has been handed to the system. */
  function receive(response: ServerResponse): void {
    const { socket, url, headers } = response.req
    const connection = connections.get(socket)
    if (!connection || connection.isEnding) return
    const before = connection.latest
    connection.latest = response
    // Node reads on in the wrong place after a request to change the protocol: what it finds there is no request.
    connection.isEnding = headers.upgrade !== undefined
    if (before) wait(response, before, connection)
    else if (isHealthCheck(url as string)) answer(response)
    else push(response)
  }

  function wait(response: ServerResponse, before: ServerResponse, connection: Connection): void {
    const { socket } = response.req
    connection.earlier = before
    pipelined++
    // Nothing more is read meanwhile. Not at once: Node resumes reading at the end of each request of a packet.
    if (++connection.behind === 1) {
      waiting.set(socket, connection)
      setImmediate(() => connection.behind > 0 && socket.pause())
    }
    before.once('close', () => {
      if (!waiting.has(socket)) return
      pipelined--
      if (--connection.behind === 0) {
        waiting.delete(socket)
        socket.resume()
      }
      push(response)
    })
    // Not this one: behind an event stream, others wait for as long as they like.
    for (const [oldest, itsConnection] of waiting) {
      if (pipelined <= pipelinedMax) break
      oldest.destroy()
      letGo(oldest, itsConnection)
    }
  }

  /** None of its requests waits any more. */
  function letGo(socket: Socket, connection: Connection): void {
    if (!waiting.delete(socket)) return
    pipelined -= connection.behind
    connection.behind = 0
    connection.isEnding = true
  }

  async function answer(response: ServerResponse): Promise<void> {
    const { req } = response
    // The response before it may have been the last of its connection.
    if (!req.socket.writable) return
    const incoming = new NodeIncoming(req)
    const { status, headers, body } = await handler(incoming)
    const connection = connections.get(req.socket)
    const isLast = connection?.latest === response && (connection.isEnding || req.socket.readableEnded)
    if (closing || incoming.fault !== undefined || isLast) headers.push('Connection', 'close')
    try {
      response.writeHead(status, headers)
    } catch {
      // A header that cannot be sent, such as one with a line break in it, would be another header, or a body.
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
   * Sends the responses of one turn right after one another: a client that waits for them stays awake, and waking it
   * costs the sender.
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

  /**
   * A client that stops reading must not hold the response forever; once all is sent, Node sets the keep-alive timeout.
   */
  function awaitReading(response: ServerResponse): void {
    const { socket } = response.req
    const bytes = socket.writableLength
    // Node looks at the end of this time whether less is left to send. At the first look that is always so: it is cut
    // off at the second.
    socket.setTimeout((closing ? timeouts.linger : timeouts.write) / 2)
    unsent.set(socket, bytes)
    unsentBytes += bytes
    response.once('close', () => {
      settle(socket)
      sent(response)
    })
    for (const [oldest] of unsent) {
      if (unsentBytes <= unsentBytesMax) break
      oldest.destroy()
      settle(oldest)
    }
  }

  /** The client has read it, or was cut off. */
  function settle(socket: Socket): void {
    unsentBytes -= unsent.get(socket) ?? 0
    unsent.delete(socket)
  }

  /** The response was handed to the system. */
  function sent(response: ServerResponse): void {
    const connection = connections.get(response.req.socket)
    if (connection && connection.latest === response) connection.latest = undefined
  }

  function startStream(response: ServerResponse, body: StreamBody): void {
    const { socket } = response
    // The client has disconnected already: `close` would not be emitted again, and the stream would never end.
    if (response.destroyed || !socket) return
    // When the client resets the connection, `close` follows the error and ends the stream.
    response.on('error', () => {})
    // It sends nothing more, and there is nothing that it would wait for: it has gone.
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
    const { socket, closed } = request
    if (closed) return
    unread.set(socket, request)
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
    serve(answering, isCheck = isHealthCheck) {
      handler = answering
      isHealthCheck = isCheck
    },
    async close(graceMilliseconds) {
      closing = true
      const closed = new Promise((resolve) => server.close(resolve))
      for (const socket of unsent.keys()) socket.setTimeout(timeouts.linger / 2)
      const closeIdle = () => {
        if (unsent.size > 0) linger = closeIdleLater()
        else {
          server.closeIdle()
          for (const socket of unread.keys()) socket.destroy()
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

/**
 * How long a client may leave its side of the connection open after we have closed ours; it would keep the service from
 * stopping.
 */
const halfOpenMilliseconds = 500

/** The response before it must come first: the client would take this one for that. */
function sendAfter(before: ServerResponse | undefined, socket: Duplex, outgoing: Outgoing): void {
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

/** Destroyed at once, a reset could overtake what was sent. */
function endSide(socket: Duplex, last = ''): void {
  socket.end(last)
  const timer = setTimeout(() => socket.destroy(), halfOpenMilliseconds)
  socket.once('close', () => clearTimeout(timer))
}

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
