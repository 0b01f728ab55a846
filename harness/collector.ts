/** A small OpenTelemetry collector. It accepts OTLP as JSON over HTTP, and keeps the spans. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'

interface Span {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly kind: number
  readonly attributes: readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[]
}

interface Traces {
  readonly resourceSpans: readonly { readonly scopeSpans: readonly { readonly spans: readonly Span[] }[] }[]
}

/** Returns the value of an attribute of a span, whatever its type. */
export const attributeOf = ({ attributes }: Span, name: string): unknown =>
  Object.values(attributes.find(({ key }) => key === name)?.value ?? {})[0]

export class Collector {
  readonly spans: Span[] = []
  readonly #server = createServer(async (request, response) => {
    const { resourceSpans } = (await json(request)) as Traces
    for (const { scopeSpans } of resourceSpans) this.spans.push(...scopeSpans.flatMap(({ spans }) => spans))
    response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}')
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

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }
}
