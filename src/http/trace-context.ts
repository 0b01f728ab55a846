/** The trace that a request belongs to, as the W3C Trace Context recommendation writes it in `traceparent`. */

export interface TraceContext {
  /** 32 lower-case hexadecimal digits, not all of them 0. */
  readonly traceId: string
  /** The id of the caller's span: 16 digits, not all of them 0. */
  readonly parentId: string
  /** Two digits. */
  readonly flags: string
}

/** Version ff is invalid, version 00 has nothing after its flags, and no id is all zeros. */
const form = /^(?!ff|00.{54})[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(?:-.*)?$/

/** Undefined if the header is absent, or invalid and so to be ignored. */
export function readTraceparent(text: string | undefined): TraceContext | undefined {
  const [, traceId, parentId, flags] = (text !== undefined && form.exec(text)) || []
  return traceId && parentId && flags ? { traceId, parentId, flags } : undefined
}
