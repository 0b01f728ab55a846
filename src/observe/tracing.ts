/**
 * Traces requests by OpenTelemetry's conventions: a span for each sampled request, sent to a collector in the
 * background.
 */
import { randomUUID } from 'node:crypto'
import { programVersion } from '../config/program.ts'
import { withoutTokens } from '../model/key.ts'
import type { Time } from '../time.ts'
import type { Log } from './log.ts'
import { methodOf, type Sample, unknownRoute } from './metrics.ts'

interface TracingOptions extends Collector {
  readonly serviceName: string
  /** The share of requests that are traced where the caller has not decided it, from 0 to 1. */
  readonly ratio: number
}

export type Tracing = ReturnType<typeof createTracing>

/** Numbers of OTLP's enumerations: the kind of a span and the code of a status. */
const [serverKind, errorCode] = [2, 2]
const pathMax = 512

const textAttribute = (key: string, stringValue: string) => ({ key, value: { stringValue } })
/** An int64 is a string in the JSON of protobuf. */
const integerAttribute = (key: string, value: number) => ({ key, value: { intValue: String(value) } })

/** Nanoseconds since 1970 as a string, as a number of that size would not be exact. */
const nanoseconds = (milliseconds: number): string => `${Math.round(milliseconds * 1000)}000`

/** 32 hexadecimal digits: a UUID takes 0.7 µs on Node, random bytes take 4. */
const randomDigits = (): string => randomUUID().replaceAll('-', '')

export function createTracing(options: TracingOptions, time: Time, log: Log) {
  const resource = [
    textAttribute('service.name', options.serviceName),
    textAttribute('service.version', programVersion()),
    integerAttribute('process.pid', process.pid),
  ]
  const queue = createSpanQueue(options, resource, time, log)

  return {
    /**
     * Continues the trace of the caller's `traceparent`, if there is one. Returns undefined if the request is not
     * sampled.
     */
    begin(caller: { traceId: string; parentId: string; flags: string } | undefined) {
      // The lowest bit of the flags is the caller's decision.
      const isSampled = caller ? Number.parseInt(caller.flags, 16) & 1 : Math.random() < options.ratio
      if (!isSampled) return undefined
      const traceId = caller?.traceId ?? randomDigits()
      const spanId = randomDigits().slice(16)
      return {
        traceId,
        spanId,
        end(givenMethod: string, target: string, route: string, status: number, started: number): void {
          const now = time.now()
          const method = methodOf(givenMethod)
          const isKnown = route !== unknownRoute
          const isError = status >= 500
          queue.add({
            traceId,
            spanId,
            parentSpanId: caller?.parentId,
            startTimeUnixNano: nanoseconds(now - (time.ticks() - started)),
            endTimeUnixNano: nanoseconds(now),
            name: isKnown ? `${method} ${route}` : method,
            kind: serverKind,
            attributes: [
              textAttribute('http.request.method', method),
              textAttribute('url.scheme', 'http'),
              ...(isKnown ? [textAttribute('http.route', route)] : []),
              // A client may have put its API key into the path or the query by mistake.
              textAttribute('url.path', withoutTokens(target.replace(/\?.*/s, '')).slice(0, pathMax)),
              integerAttribute('http.response.status_code', status),
              ...(isError ? [textAttribute('error.type', String(status))] : []),
            ],
            status: isError ? { code: errorCode } : undefined,
          })
        },
      }
    },
    samples: (): Sample[] => [['petstore_spans_dropped_total', queue.dropped()]],
    tick: queue.tick,
    close: queue.close,
  }
}

interface Collector {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}

const batchMax = 512
/** About 9 MB; further spans are dropped and counted. */
const queueMax = 8_192
const timeoutMilliseconds = 10_000
/** How long the service waits for the last spans when it stops. */
const closeMilliseconds = 2_000
/** The statuses after which OTLP lets a client repeat a request. */
const transient = [429, 502, 503, 504]

/** Sends spans by OTLP over HTTP with JSON, in batches, one at a time. */
function createSpanQueue(collector: Collector, attributes: readonly object[], time: Time, log: Log) {
  const headers = { ...collector.headers, 'content-type': 'application/json' }
  /** A batch stays here until the collector has answered. */
  const spans: object[] = []
  const stop = new AbortController()
  let sending: Promise<void> | undefined
  let isFailing = false
  let dropped = 0

  async function send(): Promise<void> {
    do {
      const batch = spans.slice(0, batchMax)
      const scopeSpans = [{ scope: { name: 'petstore' }, spans: batch }]
      const body = JSON.stringify({ resourceSpans: [{ resource: { attributes }, scopeSpans }] })
      const late = new AbortController()
      const cancel = time.after(timeoutMilliseconds, () => late.abort(new Error('no answer in time')))
      const signal = AbortSignal.any([stop.signal, late.signal])
      let failure: { status?: number; reason?: string } | undefined
      try {
        // No redirects: the headers may have a key, which another host must not get.
        const response = await fetch(collector.url, { method: 'POST', headers, body, signal, redirect: 'error' })
        await response.body?.cancel()
        if (!response.ok) failure = { status: response.status }
      } catch (err) {
        const { cause } = err as { cause?: { code?: unknown } }
        failure = { reason: String(cause?.code ?? cause ?? err) }
      } finally {
        cancel()
      }
      if (failure && !isFailing) log.warn({ url: collector.url, ...failure }, 'spans cannot be exported')
      if (!failure && isFailing) log.info({ dropped }, 'spans are exported again')
      isFailing = failure !== undefined
      if (failure && (failure.status === undefined || transient.includes(failure.status))) return
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
    add(span: object): void {
      if (spans.length >= queueMax) dropped++
      // A collector that fails is tried again by the timer, once a second.
      else if (spans.push(span) >= batchMax && !isFailing) flush()
    },
    tick: flush,
    dropped: () => dropped,
    async close(): Promise<void> {
      const cancel = time.after(closeMilliseconds, () => stop.abort())
      await sending
      do await flush()
      while (!isFailing && spans.length > 0)
      cancel()
      if (spans.length > 0) log.warn({ spans: spans.length }, 'spans were not exported')
    },
  }
}
