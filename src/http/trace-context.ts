/** The trace that a request belongs to, as the W3C Trace Context recommendation writes it in `traceparent`. */

export interface TraceContext {
  /** 32 lower-case hexadecimal digits, not all of them 0. */
  readonly traceId: string
  /** The id of the caller's span: 16 digits, not all of them 0. */
  readonly parentId: string
  /** Two digits. */
  readonly flags: string
}

const form = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/

/** Undefined if the header is invalid, and so to be ignored. A later version may have more after the flags; `ff` is none. */
export function readTraceparent(text: string): TraceContext | undefined {
  const [, version, traceId = '', parentId = '', flags = '', more] = form.exec(text) ?? []
  if (version === undefined || version === 'ff' || (version === '00' && more !== undefined)) return undefined
  if (/^0+$/.test(traceId) || /^0+$/.test(parentId)) return undefined
  return { traceId, parentId, flags }
}
