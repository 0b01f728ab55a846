/** Traces requests after OpenTelemetry's conventions: a span for each that is sampled, and for each of its statements. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import type { Sample } from '../metrics.ts'
import type { Traced, Tracer } from '../store/tracer.ts'
import { serviceVersion } from './process.ts'
import { methodOf, unknownRoute } from './requests.ts'
import { type Collector, createSpanQueue } from './span-queue.ts'

export interface TracingOptions extends Collector {
  readonly serviceName: string
  /** The part of requests to trace of those that no caller has decided about, from 0 to 1. */
  readonly ratio: number
}

export type Tracing = ReturnType<typeof createTracing>
type Attributes = Readonly<Record<string, string | number | undefined>>

/** Numbers of OTLP's enumerations. */
const kinds = { server: 2, client: 3 }
const failed = { code: 2 }
/** As in OpenTelemetry's SDKs. */
const linksMax = 128
const pathMax = 512

/** An int64 is a string in the JSON of protobuf. */
const attributesOf = (attributes: Attributes) =>
  Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined
      ? []
      : { key, value: typeof value === 'number' ? { intValue: String(value) } : { stringValue: value } },
  )
/** 62 random bits; the digit for a UUID's variant keeps it from being 0. */
const newSpanId = (): string => randomUUID().slice(19).replace('-', '')

/** `everySecond` may be the test's. */
export function createTracing(options: TracingOptions, log: Logger, everySecond = onTimer) {
  const { serviceName, ratio } = options
  const resource = { 'service.name': serviceName, 'service.version': serviceVersion(), 'process.pid': process.pid }
  const queue = createSpanQueue(options, JSON.stringify(attributesOf(resource)), log)
  const current = new AsyncLocalStorage<readonly Traced[]>()
  const summaries = new Map<string, string>()
  let epoch = performance.timeOrigin
  const stop = everySecond(() => {
    epoch = Date.now() - performance.now()
    queue.flush()
  })
  /** Nanoseconds, as a string: so large a number would not be exact. */
  const time = (tick: number): string => `${Math.round((epoch + tick) * 1000)}000`

  function add(ids: object, name: string, kind: number, started: number, attributes: Attributes): void {
    const times = { startTimeUnixNano: time(started), endTimeUnixNano: time(performance.now()) }
    const status = attributes['error.type'] === undefined ? undefined : failed
    queue.add(JSON.stringify({ ...ids, name, kind, ...times, attributes: attributesOf(attributes), status }))
  }

  const tracer: Tracer = {
    requests: () => current.getStore() ?? [],
    within: (requests, work) => current.run(requests, work),
    record(system, sql, work) {
      const [first, ...others] = tracer.requests()
      if (!first) return work()
      const started = performance.now()
      const summary = summaries.get(sql) ?? summaryOf(sql)
      summaries.set(sql, summary)
      const done = (error?: { code?: unknown; name?: string }) => {
        const ids = { traceId: first.traceId, spanId: newSpanId(), parentSpanId: first.spanId }
        const links = others.slice(0, linksMax).map(({ traceId, spanId }) => ({ traceId, spanId }))
        add(links.length > 0 ? { ...ids, links } : ids, summary, kinds.client, started, {
          'db.system.name': system,
          'db.query.summary': summary,
          'db.operation.name': /^\w+(?: \w+)?$/.test(summary) ? summary.replace(/ .*/, '') : undefined,
          'db.operation.batch.size': others.length > 0 ? others.length + 1 : undefined,
          'error.type': error && String(error.code ?? error.name),
        })
      }
      try {
        const result = work()
        if (result instanceof Promise) result.then(() => done(), done)
        else done()
        return result
      } catch (error) {
        done(error as Error)
        throw error
      }
    },
  }

  return {
    ...tracer,
    /** Takes what the caller's `traceparent` says. Returns undefined if the request is not sampled. */
    begin(caller: { traceId: string; parentId: string; flags: string } | undefined) {
      // The lowest bit of the flags is the caller's decision.
      const isSampled = caller ? Number.parseInt(caller.flags, 16) & 1 : Math.random() < ratio
      if (!isSampled) return undefined
      const traceId = caller?.traceId ?? randomUUID().replaceAll('-', '')
      return { traceId, spanId: newSpanId(), parentSpanId: caller?.parentId }
    },
    end(span: Traced, method: string, target: string, route: string, status: number, started: number): void {
      const isKnown = route !== unknownRoute
      add(span, isKnown ? `${methodOf(method)} ${route}` : methodOf(method), kinds.server, started, {
        'http.request.method': methodOf(method),
        'url.scheme': 'http',
        // Without the query, where a client may have put its key by mistake.
        'url.path': target.replace(/\?.*/s, '').slice(0, pathMax),
        'http.route': isKnown ? route : undefined,
        'http.response.status_code': status,
        'error.type': status >= 500 ? String(status) : undefined,
      })
    },
    samples: (): Sample[] => [['petstore_spans_dropped_total', queue.dropped()]],
    close(): Promise<void> {
      clearInterval(stop)
      return queue.close()
    },
  }
}

/** What a statement writes, or else reads, such as `UPDATE pets INSERT orders`: its text would be most of the span. */
function summaryOf(sql: string): string {
  const writes = sql.matchAll(/\b(INSERT|DELETE)(?: OR \w+)? (?:INTO|FROM) (\w+)|\b(UPDATE) (\w+) SET\b/g)
  const [read] = /\bFROM \w+(?![\w(])/.exec(sql) ?? /\w+/.exec(sql) ?? ['']
  const names = [...writes].map(([, a, b, verb = a, table = b]) => `${verb} ${table}`)
  return names.join(' ') || read.replace('FROM', 'SELECT')
}

const onTimer = (run: () => void): NodeJS.Timeout | undefined => setInterval(run, 1_000)
