/** A small OpenTelemetry collector: takes traces by OTLP over HTTP. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

export interface Span {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly kind: number
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly attributes: readonly Attribute[]
  readonly status?: { code: number }
}
interface Attribute {
  readonly key: string
  readonly value: { readonly stringValue?: string; readonly intValue?: string }
}

export const attributesOf = (attributes: readonly Attribute[]): Record<string, string | number | undefined> =>
  Object.fromEntries(
    attributes.map(({ key, value }) => [
      key,
      value.intValue === undefined ? value.stringValue : Number(value.intValue),
    ]),
  )

export class Collector {
  /** What it answers. A status above 299 is without a look at the request; null leaves requests open. */
  answer: number | null = 200
  answerHeaders: Record<string, string> = {}
  readonly bodies: string[] = []
  readonly headers: IncomingHttpHeaders[] = []
  readonly spans: Span[] = []
  /** Of each body that was taken. */
  readonly resources: Record<string, string | number | undefined>[] = []
  readonly #open: ServerResponse[] = []
  readonly #listeners = new Set<() => void>()
  readonly #server = createServer(async (request, response) => {
    const body = await text(request).catch(() => '')
    this.bodies.push(body)
    this.headers.push(request.headers)
    if (this.answer === null) this.#open.push(response)
    else this.#reply(response, body, `${request.method} ${request.url}`)
    for (const listener of this.#listeners) listener()
  })

  static async start(): Promise<Collector> {
    const collector = new Collector()
    collector.#server.listen(0, '127.0.0.1')
    await once(collector.#server, 'listening')
    return collector
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  #reply(response: ServerResponse, body: string, target: string): void {
    const status = this.answer ?? 200
    if (status < 300 && target === 'POST /v1/traces') {
      const [{ resource, scopeSpans }] = JSON.parse(body).resourceSpans
      this.spans.push(...scopeSpans[0].spans)
      this.resources.push(attributesOf(resource.attributes))
    }
    response.writeHead(status, { 'Content-Type': 'application/json', ...this.answerHeaders })
    response.end('{}')
  }

  /** Answers the requests left open. */
  release(): void {
    this.answer = 200
    for (const response of this.#open.splice(0)) this.#reply(response, this.bodies.at(-1) ?? '', 'POST /v1/traces')
  }

  /** Resolves once `isThere` holds, which is asked again after each request. */
  async until(isThere: () => boolean): Promise<void> {
    while (!isThere()) await new Promise<void>((resolve) => this.#listeners.add(resolve))
  }

  /** The span of a request, once it has come: the only one of its trace. */
  async trace(traceId: string): Promise<{ server: Span }> {
    const ofTrace = () => this.spans.filter((span) => span.traceId === traceId)
    await this.until(() => ofTrace().length > 0)
    const [server, ...more] = ofTrace()
    assert.deepEqual(more, [])
    return { server: server as Span }
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    if (this.#server.listening) await new Promise((resolve) => this.#server.close(resolve))
  }
}
