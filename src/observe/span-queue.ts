/** Sends spans to a collector by OTLP over HTTP, as JSON: in batches, one at a time; what does not fit is dropped and counted. */
import type { Log } from './log.ts'

export interface Collector {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}

export const batchMax = 512
/** About 6 MB. */
export const queueMax = 8_192
const timeoutMilliseconds = 10_000
/** For the last spans, when the service stops. */
const closeMilliseconds = 2_000
const answerBytesMax = 64 * 1024
/** However long a collector asks not to be sent anything. */
const pauseSecondsMax = 60
/** Those that OTLP lets a client repeat. */
const transient = new Set([429, 502, 503, 504])

/** Spans, and the attributes of their resource, are passed as JSON. */
export function createSpanQueue(collector: Collector, resource: string, log: Log) {
  const headers = { ...collector.headers, 'content-type': 'application/json' }
  const start = `{"resourceSpans":[{"resource":{"attributes":[${resource}]},"scopeSpans":[{"scope":{"name":"petstore"},"spans":[`
  /** A batch stays here until it has arrived. */
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
        // Not redirected: the headers may have a key, which is not for another host.
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

  /** Sends what waits, unless it is being sent. */
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

/** One that does not end must not fill the memory. */
async function beginningOf({ body }: Response): Promise<string> {
  let text = ''
  for await (const chunk of body ?? []) {
    text += Buffer.from(chunk).toString('latin1')
    if (text.length > answerBytesMax) break
  }
  return text
}
