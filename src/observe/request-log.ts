/** The log line of a request, put together by hand: 1.3 µs instead of 8 (docs/performance.md). */
import type { Log } from './log.ts'
import { headOf, levels } from './log-line.ts'

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

/** A request that takes this long is logged whatever the sample. */
export const slowMilliseconds = 500

/**
 * Logs every failure, every slow request, and of the others a part, `sample`; the lines of that part name it, so that
 * each stands for 1 / sample requests.
 */
export function createRequestLog(
  log: Log,
  sample: number,
  random: () => number = Math.random,
): (record: RequestRecord) => void {
  return ({ method, route, status, durationMs, requestId, keyId, traceId, isFailure }) => {
    const isThinned = sample < 1 && !isFailure && durationMs < slowMilliseconds
    if (isThinned && random() >= sample) return
    // No value but the method can have a character that JSON escapes.
    let line = `${headOf(levels.info)},"method":${JSON.stringify(method)},"route":"${route}","status":${status},"durationMs":${Math.round(durationMs * 1000) / 1000},"requestId":"${requestId}"`
    if (keyId !== undefined) line += `,"keyId":${keyId}`
    if (traceId !== undefined) line += `,"traceId":"${traceId}"`
    log.defer(`${line}${isThinned ? `,"sample":${sample}` : ''}}\n`)
  }
}
