/** Listens on Bun. Its parser rejects malformed HTTP with a bare status line; everything else is as on Node. */
import { setTimeout as sleep } from 'node:timers/promises'
import { AppError } from '../errors.ts'
import { smallBodyBytes } from '../http/admission.ts'
import {
  endedEarly,
  type Handler,
  type Incoming,
  type OnReceived,
  type StreamBody,
  type StreamCallbacks,
} from '../http/message.ts'
import { defaultTimeouts, type Listener, type ListenOptions } from './listener.ts'
import { encodingFault, hostFault } from './request-faults.ts'
import { createTurnQueue } from './turn-queue.ts'

const pollMilliseconds = 10
/** Bun's limit is far above ours, so that the handler counts the bytes and sends 413 in our error format. */
const bodyBytesMax = 1024 * 1024 * 1024

interface WaitingRequest {
  readonly request: Request
  readonly resolve: (response: Promise<Response>) => void
}

const serverOptions = ({ host, port, timeouts = defaultTimeouts }: ListenOptions) => ({
  hostname: host,
  port,
  idleTimeout: timeouts.idle / 1000,
  maxRequestBodySize: bodyBytesMax,
  // In development mode, Bun prints an error for each stream whose connection we cut.
  development: false,
})

export async function listenOnBun(options: ListenOptions): Promise<Listener> {
  const { linger, request: requestMilliseconds } = options.timeouts ?? defaultTimeouts
  let handler: Handler | undefined
  let urgent: ReadonlySet<string> = new Set()
  let closing = false
  const blobs = new WeakMap<Uint8Array, Blob>()

  /**
   * Bun copies bytes for each client that does not read: the largest file took 736 MB for 1,000 clients, as a shared
   * blob 26 MB.
   */
  function sharedBlob(bytes: Uint8Array): Blob {
    const known = blobs.get(bytes)
    if (known) return known
    const blob = new Blob([bytes as Uint8Array<ArrayBuffer>])
    blobs.set(bytes, blob)
    return blob
  }

  const server = Bun.serve({
    ...serverOptions(options),
    fetch: (request) =>
      urgent.has(new URL(request.url).pathname)
        ? answer(request)
        : new Promise((resolve) => push({ request, resolve })),
  })
  const { push } = createTurnQueue<WaitingRequest>(({ request, resolve }) => resolve(answer(request)), options.time)

  async function answer(request: Request): Promise<Response> {
    const incoming = new BunIncoming(request, server, requestMilliseconds)
    const { status, headers, body } = await (handler as Handler)(incoming)
    // After a request whose body was not read, Bun sends the next response recursively: 3,000 of them would overflow
    // the stack.
    if (incoming.hasUnreadBody) await new Promise(setImmediate)
    if (closing || incoming.fault !== undefined || status === 408) headers.push('Connection', 'close')
    const content = typeof body === 'string' ? body : typeof body === 'function' ? streamFrom(body) : sharedBlob(body)
    return new Response(status === 204 || status === 304 ? null : content, { status, headers: recordOf(headers) })
  }

  return {
    port: server.port as number,
    serve(answering, answeredAtOnce = urgent) {
      handler = answering
      urgent = answeredAtOnce
    },
    async close(graceMilliseconds) {
      closing = true
      // Without a handler no request can be answered.
      if (!handler) return server.stop(true)
      const deadline = performance.now() + graceMilliseconds
      // Bun closes idle connections when it stops, so they first get time for a request already in transit.
      await sleep(linger)
      server.stop()
      while (server.pendingRequests > 0 && performance.now() < deadline) await sleep(pollMilliseconds)
      await server.stop(true)
    },
  }
}

/**
 * A stream of the type `direct`, which Bun writes through to the socket: only its `write` tells whether the client
 * keeps up.
 */
function streamFrom(body: StreamBody): ReadableStream {
  let close = () => {}
  return new ReadableStream({
    type: 'direct',
    pull: (controller) =>
      // Bun ends the response when this resolves.
      new Promise<void>((resolve) => {
        let streaming: StreamCallbacks | undefined
        let isOpen = true
        close = () => {
          if (!isOpen) return
          isOpen = false
          resolve()
          streaming?.closed()
        }
        streaming = body({
          write(bytes) {
            if (!isOpen) return true
            const written: number | Promise<number> = controller.write(bytes as Uint8Array<ArrayBuffer>)
            controller.flush()
            if (typeof written === 'number') return true
            written.then(() => isOpen && streaming?.drained())
            return false
          },
          end(bytes) {
            if (!isOpen) return
            controller.write(bytes as Uint8Array<ArrayBuffer>)
            controller.end()
            close()
          },
          drop() {
            if (!isOpen) return
            controller.close(new Error('the client does not read'))
            close()
          },
        })
        if (!isOpen) streaming.closed()
      }),
    cancel: () => close(),
  })
}

/** Headers as an object, the form that is fastest in Bun; repeated headers are joined by commas. */
function recordOf(headers: readonly string[]): Record<string, string> {
  const record: Record<string, string> = {}
  for (let i = 0; i < headers.length; i += 2) {
    const name = headers[i] as string
    const value = headers[i + 1] as string
    record[name] = record[name] === undefined ? value : `${record[name]}, ${value}`
  }
  return record
}

/** Without a Host header (HTTP/1.0), Bun gives the target as it was sent. */
const targetOf = (url: string): string =>
  url.startsWith('/') ? url : url.slice(url.indexOf('/', url.indexOf('://') + 3))

class BunIncoming implements Incoming {
  readonly #request: Request
  readonly #server: Bun.Server<undefined>
  /** How long the body may take to arrive. */
  readonly #milliseconds: number
  #isLate = false
  readonly method: string
  readonly target: string
  readonly fault: AppError | undefined
  readonly #hasBody: boolean

  constructor(request: Request, server: Bun.Server<undefined>, milliseconds: number) {
    this.#request = request
    this.#server = server
    this.#milliseconds = milliseconds
    this.method = request.method
    this.target = targetOf(request.url)
    this.#hasBody = request.body !== null
    const encoding = this.#hasBody ? this.header('transfer-encoding') : undefined
    this.fault = hostFault(this.header('host')) ?? (encoding === undefined ? undefined : encodingFault(encoding))
  }

  get hasUnreadBody(): boolean {
    return this.#hasBody && !this.#request.bodyUsed
  }

  header(name: string): string | undefined {
    return this.#request.headers.get(name) ?? undefined
  }

  address(): string | undefined {
    return this.#server.requestIP(this.#request)?.address
  }

  async body(bytesMax: number, onReceived: OnReceived): Promise<Uint8Array | undefined> {
    const announced = Number(this.#request.headers.get('content-length') ?? Number.NaN)
    if (announced > bytesMax) return undefined
    // A small body is read at once: counting its bytes as they arrive costs more than the rest of a POST.
    const reading = announced <= smallBodyBytes ? this.#request.bytes() : this.#read(bytesMax, onReceived)
    try {
      return await (Bun.peek.status(reading) === 'pending' ? this.#inTime(reading) : reading)
    } catch (error) {
      throw error instanceof AppError ? error : endedEarly()
    }
  }

  /**
   * Rejects after the timeout: Bun itself cuts off neither a client that sends a byte now and then, nor one that stops
   * mid-body.
   */
  #inTime<T>(reading: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#isLate = true
        reject(new AppError('request_timeout'))
      }, this.#milliseconds)
      reading.then(resolve, reject).finally(() => clearTimeout(timer))
    })
  }

  async #read(bytesMax: number, onReceived: OnReceived): Promise<Uint8Array | undefined> {
    const chunks: Uint8Array[] = []
    let length = 0
    for await (const chunk of this.#request.body ?? []) {
      length += chunk.length
      if (length > bytesMax || this.#isLate) return undefined
      onReceived(length)
      chunks.push(chunk)
    }
    return chunks.length === 1 ? chunks[0] : Buffer.concat(chunks)
  }
}
