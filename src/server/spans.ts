/**
 * The spans that OpenTelemetry's instrumentation of `node:http` makes, if an operator has loaded it (docs/metrics.md,
 * Traces): gives each the route of its request.
 */
import { type Context, context, createContextKey, ROOT_CONTEXT, trace } from '@opentelemetry/api'
import type { Handler, Incoming, Outgoing } from '../http/message.ts'

export interface Spans<Request extends object> {
  /**
   * Remembers the span that is active while a request arrives, because the request is handled later, together with
   * others.
   */
  keep(request: Request): void
  /** Handles a request within its span, so that the span of a statement is a child of it. */
  handle(request: Request, incoming: Incoming, handler: Handler): Promise<Outgoing>
}

/** Undefined if no instrumentation is loaded. */
export function createSpans<Request extends object>(): Spans<Request> | undefined {
  const isLoaded = context.with(
    ROOT_CONTEXT.setValue(createContextKey('loaded'), true),
    () => context.active() !== ROOT_CONTEXT,
  )
  if (!isLoaded) return undefined
  const contexts = new WeakMap<Request, Context>()
  return {
    keep: (request) => void contexts.set(request, context.active()),
    async handle(request, incoming, handler) {
      const active = contexts.get(request) ?? ROOT_CONTEXT
      const outgoing = await context.with(active, () => handler(incoming))
      const { route } = outgoing
      if (route !== undefined)
        trace.getSpan(active)?.setAttribute('http.route', route).updateName(`${incoming.method} ${route}`)
      return outgoing
    },
  }
}
