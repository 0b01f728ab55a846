/** A small OpenTelemetry collector: takes traces by OTLP over HTTP, and refuses whatever is not in the JSON form of its protobuf messages. */
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
  readonly links?: readonly { traceId: string; spanId: string }[]
  readonly status?: { code: number }
}
interface Attribute {
  readonly key: string
  readonly value: { readonly stringValue?: string; readonly intValue?: string }
}

export const kinds = { server: 2, client: 3 }

export const attributesOf = (attributes: readonly Attribute[]): Record<string, string | number | undefined> =>
  Object.fromEntries(
    attributes.map(({ key, value }) => [
      key,
      value.intValue === undefined ? value.stringValue : Number(value.intValue),
    ]),
  )

const only = (value: object, ...keys: string[]) =>
  assert.deepEqual(
    Object.keys(value).filter((key) => !keys.includes(key)),
    [],
  )
function checkId(id: unknown, digits: number): void {
  assert.match(String(id), new RegExp(`^[0-9a-f]{${digits}}$`), 'ids are hexadecimal, not base64')
  assert.doesNotMatch(String(id), /^0+$/)
}
function checkAttributes(attributes: readonly Attribute[]): void {
  for (const { key, value, ...rest } of attributes) {
    only(rest)
    assert.ok(key.length > 0)
    const [[kind, content] = ['', ''], ...others] = Object.entries(value)
    assert.deepEqual(others, [], 'one value')
    assert.ok(kind === 'stringValue' || kind === 'intValue', kind)
    assert.equal(typeof content, 'string', 'an int64 is a string')
    if (kind === 'intValue') assert.match(content, /^-?[0-9]+$/)
  }
  assert.equal(new Set(attributes.map(({ key }) => key)).size, attributes.length, 'no key twice')
}

/** The rules of https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding for all that we send. */
function check(body: ReturnType<typeof JSON.parse>): Span[] {
  only(body, 'resourceSpans')
  return body.resourceSpans.flatMap(({ resource, scopeSpans, ...others }: ReturnType<typeof JSON.parse>) => {
    only(others)
    only(resource, 'attributes')
    checkAttributes(resource.attributes)
    return scopeSpans.flatMap(({ scope, spans, ...rest }: ReturnType<typeof JSON.parse>) => {
      only(rest)
      only(scope, 'name')
      for (const span of spans as Span[]) {
        const { traceId, spanId, parentSpanId, name, kind, startTimeUnixNano, endTimeUnixNano, ...more } = span
        only(more, 'attributes', 'links', 'status')
        checkId(traceId, 32)
        checkId(spanId, 16)
        if (parentSpanId !== undefined) checkId(parentSpanId, 16)
        assert.ok(name.length > 0)
        assert.ok([1, 2, 3, 4, 5].includes(kind), 'an enumeration is a number')
        for (const time of [startTimeUnixNano, endTimeUnixNano])
          assert.match(time, /^[1-9][0-9]{18}$/, 'a fixed64 is a string')
        assert.ok(BigInt(startTimeUnixNano) <= BigInt(endTimeUnixNano))
        checkAttributes(more.attributes)
        for (const link of more.links ?? []) {
          only(link, 'traceId', 'spanId')
          checkId(link.traceId, 32)
          checkId(link.spanId, 16)
        }
        if (more.status) assert.ok([0, 1, 2].includes(more.status.code))
      }
      return spans
    })
  })
}

export class Collector {
  /** What it answers. A status above 299 is without a look at the request; null leaves requests open. */
  answer: number | null = 200
  /** Headers and body of its answers. */
  answerHeaders: Record<string, string> = {}
  answerBody = '{}'
  readonly bodies: string[] = []
  readonly headers: IncomingHttpHeaders[] = []
  readonly spans: Span[] = []
  /** Of each body that was taken. */
  readonly resources: Record<string, string | number | undefined>[] = []
  /** What was wrong with requests. */
  readonly faults: unknown[] = []
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

  static async start(port = 0): Promise<Collector> {
    const collector = new Collector()
    collector.#server.listen(port, '127.0.0.1')
    await once(collector.#server, 'listening')
    return collector
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  #reply(response: ServerResponse, body: string, target: string): void {
    const status = this.answer ?? 200
    if (status < 300)
      try {
        assert.equal(target, 'POST /v1/traces')
        const parsed = JSON.parse(body)
        this.spans.push(...check(parsed))
        this.resources.push(
          ...parsed.resourceSpans.map(({ resource }: never) => attributesOf((resource as Span).attributes)),
        )
      } catch (error) {
        this.faults.push(error)
      }
    response.writeHead(status, { 'Content-Type': 'application/json', ...this.answerHeaders })
    response.end(this.answerBody)
  }

  /** Answers the requests left open. */
  release(): void {
    this.answer = 200
    for (const response of this.#open.splice(0)) this.#reply(response, this.bodies.at(-1) ?? '', 'POST /v1/traces')
  }

  /** Resolves once `isThere` holds, which is asked again after each request. */
  async until(isThere: () => boolean): Promise<void> {
    while (!isThere()) await new Promise<void>((resolve) => this.#listeners.add(resolve))
    assert.deepEqual(this.faults, [])
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
