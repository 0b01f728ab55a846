/** Handles every request: the checks in the order of docs/decisions.md, the operation, the response, the log line. */
import { AppError, refuse } from '../errors.ts'
import { limits } from '../limits.ts'
import type { Key, Scope } from '../model/key.ts'
import { createRequestLog, type Log } from '../observe/log.ts'
import { type RequestMetrics, unknownRoute } from '../observe/metrics.ts'
import type { Tracing } from '../observe/tracing.ts'
import { StoreUnavailable } from '../store/store.ts'
import { type Admission, type Admitted, overload } from './admission.ts'
import { type Authenticate, authorize } from './auth.ts'
import type { DeprecatedCalls } from './deprecation.ts'
import {
  readBody,
  readBytes,
  readIdempotencyKey,
  readParams,
  readQuery,
  readTraceparent,
  requestIdFrom,
} from './input.ts'
import type { Handler, Incoming, Outgoing, Reply } from './message.ts'
import type { Operation, Services } from './operation.ts'
import type { RateLimits } from './rate-limits.ts'
import { type Cors, createRespond, errorReply, isPreflight, preflightHeaders, type ResponseContext } from './respond.ts'
import { pathPrefixOf, versionPrefix } from './urls.ts'

/** Replies to requests for a path outside `/v1`: a web page or one of its files, the OpenAPI document, a health check, the metrics. */
export type SiteReply = (incoming: Incoming) => Reply | Promise<Reply>
export interface SiteRoute {
  readonly reply: SiteReply
  /** The scope that a key needs for it; absent if no key is needed. */
  readonly scope?: Scope
  /** Asked every few seconds by a machine that watches the service: such requests are not traced. */
  readonly isProbe?: true
}

/** A request with a message in it, which any key may send. */
export interface Message {
  readonly incoming: Incoming
  readonly key: Key
  /** Reads the body. */
  receive(): Promise<Uint8Array>
  /** Runs the operation that the message stands for, once at most: the whole request is then logged and counted as that operation. */
  call(inner: Incoming): Promise<Outgoing>
}
/** A path outside `/v1` that takes messages with POST. */
export interface MessageRoute {
  readonly replyTo: (message: Message) => Promise<Reply>
}
type SiteRoutes = ReadonlyMap<string, SiteRoute | MessageRoute>

interface HandlerOptions<S> {
  readonly operations: readonly Operation<S>[]
  /** By path. */
  readonly siteRoutes: SiteRoutes
  readonly services: S
  readonly authenticate: Authenticate
  readonly rates: RateLimits
  readonly deprecatedCalls: DeprecatedCalls
  readonly admission: Admission
  readonly cors: Cors
  readonly log: Log
  /** The share of ordinary requests that are logged, from 0 to 1. */
  readonly logSample: number
  readonly metrics: RequestMetrics
  readonly tracing?: Tracing | undefined
}

/** What is known about a request so far, for the log line, the metrics and the headers of an error response. */
interface RequestContext extends ResponseContext {
  route: string
  key?: Key | undefined
  /** Bytes of the request's body. */
  received: number
  admitted?: Admitted
  /** The request whose message calls this one: it was admitted, its key is known, and it is not logged and counted itself. */
  readonly outer: RequestContext | undefined
  hasCalled: boolean
}

export function createHandler<S extends Services>(options: HandlerOptions<S>): Handler {
  const { operations, siteRoutes, services, cors, authenticate, rates, admission } = options
  const { deprecatedCalls, log, metrics, tracing } = options
  const logRequest = createRequestLog(log, options.logSample)
  const findRoute = createRouter(operations, versionPrefix)
  const finish = createRespond(operations, cors, services.publicUrl)
  const pathPrefix = pathPrefixOf(services.publicUrl)

  async function handle(incoming: Incoming, outer?: RequestContext): Promise<Outgoing> {
    const started = performance.now()
    if (!outer) metrics.active++
    const context: RequestContext = {
      requestId: outer?.requestId ?? requestIdFrom(incoming.header('x-request-id')),
      key: outer?.key,
      route: unknownRoute,
      received: 0,
      sent: 0,
      outer,
      hasCalled: false,
    }
    const span = tracing?.begin(readTraceparent(incoming.header('traceparent')))
    let reply: Reply
    let isRefused = false
    try {
      reply = await respond(incoming, context)
    } catch (thrown) {
      isRefused = thrown === overload
      const error = asAppError(thrown, context)
      metrics.failed(error.code)
      if (error.code === 'rate_limited' && context.key === undefined) metrics.keysLimited++
      reply = errorReply(error)
    }
    context.admitted?.leave()
    const outgoing = finish(incoming, reply, context)
    if (!outer) metrics.active--
    if (context.hasCalled) return outgoing
    const milliseconds = performance.now() - started
    metrics.answered(
      context.route,
      incoming.method,
      outgoing.status,
      milliseconds / 1000,
      context.received,
      context.sent,
    )
    if (!isProbe(context.route)) span?.end(incoming.method, incoming.target, context.route, outgoing.status, started)
    if (log.isLevelEnabled('info')) {
      const record = {
        method: incoming.method,
        route: context.route,
        status: outgoing.status,
        durationMs: milliseconds,
        requestId: context.requestId,
        keyId: context.key?.id,
        traceId: (span ?? readTraceparent(incoming.header('traceparent')))?.traceId,
      }
      // Requests refused for overload have no line each: their number is logged once a second.
      logRequest(record, outgoing.status >= 500 && !isRefused)
    }
    return outgoing
  }

  const isProbe = (path: string): boolean => {
    const route = siteRoutes.get(path)
    return route !== undefined && 'isProbe' in route
  }

  async function respond(incoming: Incoming, context: RequestContext): Promise<Reply> {
    const { path: sent, query } = splitTarget(incoming)
    const path = pathPrefix === '' ? sent : withoutPrefix(sent)
    const siteRoute = siteRoutes.get(path)
    if (siteRoute && 'replyTo' in siteRoute) return messageReply(siteRoute, path, incoming, context)
    // These are answered during an overload, too: health checks and metrics report it.
    if (siteRoute) return siteReply(siteRoute, path, incoming, context)
    if (!isVersioned(path)) refuse('route_not_found')
    const admitted = context.outer?.admitted ?? (context.admitted = admission.enter())
    const match = findRoute(path.slice(versionPrefix.length))
    if (match) context.route = match.route.label
    if (incoming.method === 'OPTIONS' && (match || isPreflight(cors, incoming)))
      return optionsReply(incoming, match ? allowOf(match.route) : everyMethod)

    const key = context.key ?? (await keyOf(incoming, context))
    if (!match) refuse('route_not_found')
    const operation = operationOf(match.route, incoming.method)
    context.operation = operation
    if (operation.deprecated) deprecatedCalls.note(operation.id, key.id)
    if (services.clock() >= operation.removedAt) refuseRemoved(operation)
    if (operation.scope) authorize(key, operation.scope)

    const { body: declared } = operation
    const bytes = declared
      ? await admitted.receive(key.id, (onReceived) => readBytes(incoming, declared.mediaTypes, onReceived))
      : noBytes
    context.received = bytes.length
    const body = operation.bodyCheck && readBody(operation.bodyCheck, bytes)
    const claimed = { keyId: key.id, route: `${incoming.method} ${path}`, bytes, now: services.clock() }
    const claim = operation.acceptsIdempotencyKey
      ? readIdempotencyKey(incoming.header('idempotency-key'), claimed)
      : undefined
    const reply = await operation.run(
      {
        path: operation.path,
        body,
        claim,
        query: operation.query ? readQuery(operation.query, query) : {},
        params: readParams(operation.params, match.route.names, match.texts),
        ifMatch: operation.acceptsIfMatch ? incoming.header('if-match') : undefined,
        lastEventId: operation.acceptsLastEventId ? incoming.header('last-event-id') : undefined,
        key,
      },
      services,
    )
    if (claim) metrics.idempotent[reply.headers?.includes('Idempotency-Replayed') ? 'replayed' : 'recorded']++
    return reply
  }

  /** A proxy may remove the prefix of PUBLIC_URL or leave it. Under a prefix such as `/docs`, a path may be one of ours as it is. */
  function withoutPrefix(path: string): string {
    if (!path.startsWith(pathPrefix) || siteRoutes.has(path)) return path
    const rest = path.slice(pathPrefix.length) || '/'
    return siteRoutes.has(rest) || isVersioned(rest) ? rest : path
  }

  /** The key that the request is made with, if its rate limit allows the request. */
  async function keyOf(incoming: Incoming, context: RequestContext): Promise<Key> {
    const key = await authenticate(incoming)
    context.key = key
    const rate = rates.consume(key)
    if (rate) {
      context.rate = rate
      if (!rate.isAllowed) refuse('rate_limited', undefined, ['Retry-After', String(rate.seconds)])
    }
    return key
  }

  async function messageReply({ replyTo }: MessageRoute, path: string, incoming: Incoming, context: RequestContext) {
    context.route = path
    const allow = 'POST, OPTIONS'
    if (incoming.method === 'OPTIONS') return optionsReply(incoming, allow)
    const admitted = (context.admitted = admission.enter())
    const key = await keyOf(incoming, context)
    if (incoming.method !== 'POST') refuse('method_not_allowed', undefined, ['Allow', allow])
    return replyTo({
      incoming,
      key,
      receive: async () => {
        const bytes = await admitted.receive(key.id, (onReceived) => readBytes(incoming, undefined, onReceived))
        context.received = bytes.length
        return bytes
      },
      call: (inner) => {
        context.hasCalled = true
        return handle(inner, context)
      },
    })
  }

  async function siteReply({ reply, scope }: SiteRoute, path: string, incoming: Incoming, context: RequestContext) {
    context.route = path
    const allow = 'GET, HEAD, OPTIONS'
    if (incoming.method === 'OPTIONS') return optionsReply(incoming, allow)
    const key = scope && (await keyOf(incoming, context))
    if (incoming.method !== 'GET' && incoming.method !== 'HEAD')
      refuse('method_not_allowed', undefined, ['Allow', allow])
    if (key && scope) authorize(key, scope)
    return reply(incoming)
  }

  function operationOf(route: Route<S>, method: string): Operation<S> {
    const operation = route.operations.get(method === 'HEAD' ? 'GET' : method)
    return operation ?? refuse('method_not_allowed', undefined, ['Allow', allowOf(route)])
  }

  function allowOf({ operations }: Route<S>): string {
    const methods: string[] = []
    for (const [method, operation] of operations)
      if (services.clock() < operation.removedAt) methods.push(...(method === 'GET' ? ['GET', 'HEAD'] : [method]))
    return [...methods, 'OPTIONS'].join(', ')
  }

  function optionsReply(incoming: Incoming, allow: string): Reply {
    return { status: 204, body: '', headers: ['Allow', allow, ...preflightHeaders(cors, incoming, allow)] }
  }

  return (incoming) => handle(incoming)

  /** Turns anything thrown into an error of the closed list; errors that are not the client's fault are logged. */
  function asAppError(error: unknown, { requestId }: RequestContext): AppError {
    if (error instanceof AppError) return error
    if (error instanceof StoreUnavailable) {
      log.warn({ requestId, err: error }, 'the store is unavailable')
      return new AppError('unavailable', undefined, ['Retry-After', '1'])
    }
    log.error({ requestId, err: error }, 'a request failed')
    return new AppError('internal_error')
  }
}

const isVersioned = (path: string): boolean => path === versionPrefix || path.startsWith(`${versionPrefix}/`)

function splitTarget({ target, fault }: Incoming): { path: string; query: string } {
  if (fault) throw fault
  if (target.length > limits.targetSize.bytes) refuse('uri_too_long')
  const mark = target.indexOf('?')
  return mark < 0 ? { path: target, query: '' } : { path: target.slice(0, mark), query: target.slice(mark + 1) }
}

const refuseRemoved = ({ deprecated }: Operation): never =>
  refuse('endpoint_removed', deprecated && `This operation was removed on ${deprecated.sunset}. ${deprecated.advice}`)

const noBytes = new Uint8Array()
const everyMethod = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS'

/** The operations of one path, by method. */
interface Route<S> {
  readonly path: string
  /** The path with the prefix, which the log and the metrics use. */
  readonly label: string
  readonly operations: ReadonlyMap<string, Operation<S>>
  readonly pattern: RegExp
  readonly names: readonly string[]
}
interface Match<S> {
  readonly route: Route<S>
  /** Path parameters as sent, in the order of the path. */
  readonly texts: readonly string[]
}

/** Finds the operations of a path; paths are looked up without the prefix. */
function createRouter<S>(operations: readonly Operation<S>[], prefix: string): (path: string) => Match<S> | undefined {
  const routes = [...Map.groupBy(operations, (operation) => operation.path)].map(([path, group]): Route<S> => {
    const source = path.replaceAll(/\{\w+\}/g, '([^/]+)')
    return {
      path,
      label: prefix + path,
      operations: new Map(group.map((operation) => [operation.method, operation])),
      pattern: new RegExp(`^${source}$`),
      names: [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string),
    }
  })
  const fixed = new Map(
    routes.filter(({ names }) => names.length === 0).map((route) => [route.path, { route, texts: [] }]),
  )
  const open = routes.filter(({ names }) => names.length > 0)

  return (path) => {
    const match = fixed.get(path)
    if (match) return match
    for (const route of open) {
      const found = route.pattern.exec(path)
      if (found) return { route, texts: found.slice(1) }
    }
    return undefined
  }
}
