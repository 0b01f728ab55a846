/** Traces requests by OpenTelemetry's conventions: a span for each sampled request, sent to a collector in the background. */
import { randomFillSync } from 'node:crypto'
import { onTimer } from '../clock.ts'
import { programVersion } from '../config/program.ts'
import { withoutTokens } from '../model/key.ts'
import type { Log } from './log.ts'
import { methodOf, type Sample, unknownRoute } from './metrics.ts'

interface TracingOptions extends Collector {
  readonly serviceName: string
  /** The share of requests that are traced where the caller has not decided it, from 0 to 1. */
  readonly ratio: number
}

export type Tracing = ReturnType<typeof createTracing>

/** Numbers of OTLP's enumerations. */
const [server, failed] = [2, ',"status":{"code":2}']
const pathMax = 512

// Spans are written as text, most of which is the same for all spans of a route: 2 µs less each than JSON.stringify.
const text = (key: string, value: string): string => `{"key":"${key}","value":{"stringValue":${JSON.stringify(value)}}}`
/** An int64 is a string in the JSON of protobuf. */
const integer = (key: string, value: number): string => `{"key":"${key}","value":{"intValue":"${value}"}}`
const opening = (name: string, kind: number, attributes: readonly string[]): string =>
  `"name":${JSON.stringify(name)},"kind":${kind},"attributes":[${attributes.join()}`

/** Calls a function once a second, until the returned one is called. */
export type EverySecond = (run: () => Promise<void>) => () => void

export function createTracing(options: TracingOptions, log: Log, everySecond: EverySecond = onTimer) {
  const resource = [text('service.name', options.serviceName), text('service.version', programVersion())]
  const queue = createSpanQueue(options, [...resource, integer('process.pid', process.pid)].join(), log)
  /** The text that all spans of one name begin with. Names are a closed list: method and declared route. */
  const openings = new Map<string, string>()
  const newId = createIds()
  let epoch = performance.timeOrigin
  const stopTimer = everySecond(() => {
    const drift = Date.now() - performance.now() - epoch
    // Differences up to 5 ms are the imprecision of a clock that counts milliseconds.
    if (Math.abs(drift) > 5) epoch += drift
    return queue.tick()
  })
  /** Nanoseconds since 1970 as a string, as a number of that size would not be exact. */
  const time = (tick: number): string => `"${Math.round((epoch + tick) * 1000)}000"`

  function add(ids: string, started: number, opened: string, attributes: string, isError: boolean): void {
    const times = `"startTimeUnixNano":${time(started)},"endTimeUnixNano":${time(performance.now())}`
    queue.add(`{${ids},${times},${opened}${attributes}]${isError ? failed : ''}}`)
  }

  return {
    /** Continues the trace of the caller's `traceparent`, if there is one. Returns undefined if the request is not sampled. */
    begin(caller: { traceId: string; parentId: string; flags: string } | undefined) {
      // The lowest bit of the flags is the caller's decision.
      const isSampled = caller ? Number.parseInt(caller.flags, 16) & 1 : Math.random() < options.ratio
      if (!isSampled) return undefined
      return { traceId: caller?.traceId ?? newId(16), spanId: newId(8), parentId: caller?.parentId }
    },
    end(
      span: { traceId: string; spanId: string; parentId: string | undefined },
      given: string,
      target: string,
      route: string,
      status: number,
      started: number,
    ): void {
      const method = methodOf(given)
      const name = route === unknownRoute ? method : `${method} ${route}`
      let opened = openings.get(name)
      if (!opened) {
        const attributes = [text('http.request.method', method), text('url.scheme', 'http')]
        if (route !== unknownRoute) attributes.push(text('http.route', route))
        openings.set(name, (opened = opening(name, server, attributes)))
      }
      const parent = span.parentId ? `,"parentSpanId":"${span.parentId}"` : ''
      // A client may have put its API key into the path or the query by mistake.
      const path = text('url.path', withoutTokens(target.replace(/\?.*/s, '')).slice(0, pathMax))
      const error = status >= 500 ? `,${text('error.type', String(status))}` : ''
      const attributes = `,${path},${integer('http.response.status_code', status)}${error}`
      add(`"traceId":"${span.traceId}","spanId":"${span.spanId}"${parent}`, started, opened, attributes, status >= 500)
    },
    samples: (): Sample[] => [['petstore_spans_dropped_total', queue.dropped()]],
    close(): Promise<void> {
      stopTimer()
      return queue.close()
    },
  }
}

/** Makes random ids of hexadecimal digits. The random bytes are drawn in advance: an id takes 0.15 µs, a UUID would take 0.6. */
function createIds(): (bytes: number) => string {
  const drawn = Buffer.alloc(4096)
  let used = drawn.length
  return (bytes) => {
    if (used + bytes > drawn.length) {
      randomFillSync(drawn)
      used = 0
    }
    return drawn.toString('hex', used, (used += bytes))
  }
}

interface Collector {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}

const batchMax = 512
/** About 6 MB; further spans are dropped and counted. */
const queueMax = 8_192
const timeoutMilliseconds = 10_000
/** How long the service waits for the last spans when it stops. */
const closeMilliseconds = 2_000
const responseBytesMax = 64 * 1024
/** The longest pause that a collector may ask for. */
const pauseSecondsMax = 60
/** The statuses after which OTLP lets a client repeat a request. */
const transient = new Set([429, 502, 503, 504])

/** Sends spans by OTLP over HTTP, in batches, one at a time. Spans, and the attributes of their resource, are passed as JSON. */
function createSpanQueue(collector: Collector, resource: string, log: Log) {
  const headers = { ...collector.headers, 'content-type': 'application/json' }
  const start = `{"resourceSpans":[{"resource":{"attributes":[${resource}]},"scopeSpans":[{"scope":{"name":"petstore"},"spans":[`
  /** A batch stays here until the collector has answered. */
  const spans: string[] = []
  const stop = new AbortController()
  let sending: Promise<void> | undefined
  let isFailing = false
  let dropped = 0
  let pauseSeconds = 0

  async function send(): Promise<void> {
    do {
      const batch = spans.slice(0, batchMax)
      const body = `${start}${batch.join()}]}]}]}`
      const signal = AbortSignal.any([stop.signal, AbortSignal.timeout(timeoutMilliseconds)])
      let failure: { status?: number; reason?: string } | undefined
      try {
        // No redirects: the headers may have a key, which another host must not get.
        const response = await fetch(collector.url, { method: 'POST', headers, body, signal, redirect: 'error' })
        const [, rejected = 0] = /"rejectedSpans": *"?([0-9]+)/.exec(await beginningOf(response)) ?? []
        dropped += Number(rejected)
        if (!response.ok) failure = { status: response.status }
        pauseSeconds = Math.min(Number(response.headers.get('retry-after')) || 0, pauseSecondsMax)
      } catch (err) {
        const { cause } = err as { cause?: { code?: unknown } }
        failure = { reason: String(cause?.code ?? cause ?? err) }
      }
      if (failure && !isFailing) log.warn({ url: collector.url, ...failure }, 'spans cannot be exported')
      if (!failure && isFailing) log.info({ dropped }, 'spans are exported again')
      isFailing = failure !== undefined
      if (failure && (failure.status === undefined || transient.has(failure.status))) return
      spans.splice(0, batch.length)
      if (failure) dropped += batch.length
    } while (!isFailing && spans.length >= batchMax)
  }

  /** Sends the waiting spans; if some are being sent, only waits for that. */
  async function flush(): Promise<void> {
    if (spans.length > 0) sending ??= send().finally(() => (sending = undefined))
    await sending
  }

  return {
    add(span: string): void {
      if (spans.length >= queueMax) dropped++
      // A collector that fails is tried again by the timer, once a second.
      else if (spans.push(span) >= batchMax && !isFailing) flush()
    },
    /** To be called once a second. */
    async tick(): Promise<void> {
      if (pauseSeconds > 0) pauseSeconds--
      else await flush()
    },
    dropped: () => dropped,
    async close(): Promise<void> {
      const timer = setTimeout(() => stop.abort(), closeMilliseconds)
      await sending
      do await flush()
      while (!isFailing && spans.length > 0)
      clearTimeout(timer)
      if (spans.length > 0) log.warn({ spans: spans.length }, 'spans were not exported')
    },
  }
}

/** The beginning of a response; an endless one must not fill the memory. */
async function beginningOf({ body }: Response): Promise<string> {
  let text = ''
  for await (const chunk of body ?? []) {
    text += Buffer.from(chunk).toString('latin1')
    if (text.length > responseBytesMax) break
  }
  return text
}
