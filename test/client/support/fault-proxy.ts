/**
 * A proxy that fails two requests in three, either before the service receives the request or after it has done the
 * work.
 */
import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { randomFrom } from '../../../harness/random.ts'

/**
 * What happens to the connection, and when. For `unavailable`, the proxy answers in words that are not those of the
 * service.
 */
const faults = ['cut before', 'cut after', 'cut after', 'cut within', 'cut during', 'unavailable'] as const

export class FaultProxy {
  readonly #random: () => number
  readonly #target: number
  readonly #server = createServer((incoming, outgoing) => {
    this.#serve(incoming, outgoing).catch(() => outgoing.destroy())
  })

  private constructor(target: number, seed: number) {
    this.#target = target
    this.#random = randomFrom(seed)
  }

  /** Starts a proxy in front of the service on port `target`. The seed decides what happens to each request. */
  static async start(target: number, seed: number): Promise<FaultProxy> {
    const proxy = new FaultProxy(target, seed)
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
    const body = await buffer(incoming)
    const fault = faults[Math.floor(this.#random() * faults.length * 1.5)]
    if (fault === 'unavailable') return void outgoing.writeHead(503).end()
    if (fault === 'cut before') return void outgoing.destroy()
    const forwarded = request({ host: '127.0.0.1', port: this.#target, method, path: url, headers, agent: false })
    forwarded.end(body)
    if (fault === 'cut during') {
      await once(forwarded, 'finish')
      outgoing.destroy()
    }
    const [answer] = (await once(forwarded, 'response')) as [IncomingMessage]
    const bytes = await buffer(answer)
    if (fault === 'cut after' || fault === 'cut during') return void outgoing.destroy()
    outgoing.writeHead(answer.statusCode ?? 0, { ...answer.headers, connection: 'keep-alive' })
    if (fault === undefined) outgoing.end(bytes)
    else outgoing.write(bytes.subarray(0, bytes.length / 2), () => outgoing.destroy())
  }
}
