/** The log line of a request, written past pino's serializers and its redaction: 2 µs instead of 11 (docs/performance.md). */
import { type Logger, symbols } from 'pino'
import type { Sink } from './sink.ts'

export interface RequestRecord {
  readonly method: string
  readonly route: string
  readonly status: number
  readonly durationMs: number
  readonly requestId: string
  readonly keyId: number | undefined
  readonly traceId: string | undefined
  /** Whether the service failed to answer it. */
  readonly isFailure: boolean
}

/** The parts of a logger that a line needs, under symbols that pino exports. */
interface Parts {
  readonly [symbols.streamSym]: Pick<Sink, 'write'> & Partial<Sink>
  readonly [symbols.chindingsSym]: string
}

const info = 30
/** A request that takes this long is logged whatever the sample. */
export const slowMilliseconds = 500

/**
 * Logs every failure, every slow request, and of the others a part, `sample`; the lines of that part name it, so that
 * each stands for 1 / sample requests.
 */
export function createRequestLog(
  log: Logger,
  sample: number,
  random: () => number = Math.random,
): (record: RequestRecord) => void {
  const { [symbols.streamSym]: stream, [symbols.chindingsSym]: bindings } = log as unknown as Parts
  const write = (line: string) => (stream.defer ? stream.defer(line) : stream.write(line))
  return ({ method, route, status, durationMs, requestId, keyId, traceId, isFailure }) => {
    const isThinned = sample < 1 && !isFailure && durationMs < slowMilliseconds
    if (isThinned && random() >= sample) return
    // No value but the method can have a character that JSON escapes.
    let line = `{"level":${info},"time":"${new Date().toISOString()}"${bindings},"method":${JSON.stringify(method)},"route":"${route}","status":${status},"durationMs":${Math.round(durationMs * 1000) / 1000},"requestId":"${requestId}"`
    if (keyId !== undefined) line += `,"keyId":${keyId}`
    if (traceId !== undefined) line += `,"traceId":"${traceId}"`
    write(`${line}${isThinned ? `,"sample":${sample}` : ''}}\n`)
  }
}
