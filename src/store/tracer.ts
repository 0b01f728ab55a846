/** How a store tells which statements it runs for which requests, while requests are traced. */

/** A request, by the ids of its span. */
export interface Traced {
  readonly traceId: string
  readonly spanId: string
}

export interface Tracer {
  /** The requests that the running code works for: none, one, or all that share a batch. */
  requests(): readonly Traced[]
  within<T>(requests: readonly Traced[], work: () => T): T
  /** Does `work`, which is to run a statement, and records it. */
  record<T>(system: string, sql: string, work: () => T): T
}
