/** A proxy that fails on purpose: before the service hears of a request, or after it has done what was asked. */
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { randomFrom } from '../../support/random.ts'

export type Fault =
  | 'none'
  /** The connection is cut before the service hears of the request. */
  | 'cut before'
  /** The service has answered, so it has committed; the answer is dropped. */
  | 'cut after'
  /** The answer breaks off in the middle of its body. */
  | 'cut within'
  /** The connection is cut while the service is at it. */
  | 'cut during'
  /** Nothing is answered until the client goes away. */
  | 'hold'
  /** An answer that is not the service's. */
  | { status: number; headers?: Record<string, string>; body?: string }

export interface Seen {
  readonly method: string
  readonly target: string
  readonly headers: IncomingHttpHeaders
}

export class FaultProxy {
  readonly seen: Seen[] = []
  readonly #next: () => Fault
  readonly #target: number
  readonly #server = createServer((incoming, outgoing) => {
    this.#serve(incoming, outgoing).catch(() => outgoing.destroy())
  })

  private constructor(target: number, next: () => Fault) {
    this.#target = target
    this.#next = next
  }

  /** Stands before the service on port `target`; `next` says what happens to each request. */
  static async start(target: number, next: () => Fault): Promise<FaultProxy> {
    const proxy = new FaultProxy(target, next)
    proxy.#server.listen(0, '127.0.0.1')
    await once(proxy.#server, 'listening')
    return proxy
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/v1`
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = once(this.#server, 'close')
    this.#server.close()
    this.#server.closeAllConnections()
    await closed
  }

  async #serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const { method = '', url = '', headers } = incoming
    this.seen.push({ method, target: url, headers })
    const body = await bytesOf(incoming)
    const fault = this.#next()
    if (typeof fault === 'object') {
      outgoing.writeHead(fault.status, fault.headers).end(fault.body)
      return
    }
    if (fault === 'hold') return
    if (fault === 'cut before') {
      outgoing.destroy()
      return
    }
    const forwarded = request({ host: '127.0.0.1', port: this.#target, method, path: url, headers, agent: false })
    forwarded.end(body)
    if (fault === 'cut during') {
      await once(forwarded, 'finish')
      outgoing.destroy()
    }
    const [answer] = (await once(forwarded, 'response')) as [IncomingMessage]
    const bytes = await bytesOf(answer)
    if (fault === 'cut after' || fault === 'cut during') {
      outgoing.destroy()
      return
    }
    outgoing.writeHead(answer.statusCode ?? 0, { ...answer.headers, connection: 'keep-alive' })
    if (fault === 'none') outgoing.end(bytes)
    else outgoing.write(bytes.subarray(0, bytes.length / 2), () => outgoing.destroy())
  }
}

async function bytesOf(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of message) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** The faults given, one a request, and then none. */
export function inTurn(...faults: Fault[]): () => Fault {
  return () => faults.shift() ?? 'none'
}

/** Faults in a pattern that a seed decides: two requests in three meet one. */
export function seeded(seed: number): () => Fault {
  const kinds: readonly Fault[] = [
    'none',
    'none',
    'none',
    'cut before',
    'cut after',
    'cut after',
    'cut within',
    'cut during',
    { status: 503 },
  ]
  const random = randomFrom(seed)
  return () => kinds[Math.floor(random() * kinds.length)] ?? 'none'
}
