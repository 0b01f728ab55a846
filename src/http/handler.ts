/**
 * Handles every request: the checks in the order of docs/decisions/03-order-of-checks.md, the operation, the response,
 * the log line.
 */
import { AppError, refuse } from '../errors.ts'
import { limits } from '../limits.ts'
import type { Key } from '../model/key.ts'
import { createRequestLog, type Log } from '../observe/log.ts'
import { type RequestMetrics, unknownRoute } from '../observe/metrics.ts'
import { StoreDamaged, StoreUnavailable } from '../store/store.ts'
import { type Admission, overload } from './admission.ts'
import { type Authenticate, authorize } from './auth.ts'
import { type BodyContext, checkBody, createReceiveBody, parseBody } from './body.ts'
import { type Cors, isPreflight, optionsReply } from './cors.ts'
import { checkDeclarations } from './declarations.ts'
import type { DeprecatedCalls } from './deprecation.ts'
import type { Handler, Incoming, Outgoing, Reply } from './message.ts'
import type { NeededServices, Operation } from './operation.ts'
import type { RateLimits } from './rate-limits.ts'
import { readParams, readQuery } from './read-parameters.ts'
import { claimOf, requestIdFrom, traceIdFrom } from './request-headers.ts'
import { createRespond, errorReply, type ResponseContext } from './respond.ts'
import { allowOf, createRouter } from './router.ts'
import type { SiteRoute } from './site-route.ts'
import { pathPrefixOf, versionPrefix } from './urls.ts'

interface HandlerOptions<S> {
  readonly operations: readonly Operation<S>[]
  /** The prefix of the paths of the operations. By default, it is the version. */
  readonly basePath?: string
  /** The routes by path. */
  readonly siteRoutes: ReadonlyMap<string, SiteRoute>
  readonly services: S
  readonly authenticate: Authenticate
  readonly rates: RateLimits
  readonly deprecatedCalls: Pick<DeprecatedCalls, 'note'>
  readonly admission: Admission
  readonly cors: Cors
  readonly log: Log
  /** The share of ordinary requests that are logged, from 0 to 1. */
  readonly logSample: number
  readonly metrics: RequestMetrics
}

/** What is known about a request so far, for the log line, the metrics and the headers of an error response. */
interface RequestContext extends BodyContext, ResponseContext {
  key?: Key | undefined
  /** Whether the request counts as under way. */
  isAdmitted: boolean
}

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: it holds the order of the checks, each in its own function
export function createHandler<S extends NeededServices>(options: HandlerOptions<S>): Handler {
  const { operations, basePath = versionPrefix, siteRoutes, services, cors, authenticate, rates, admission } = options
  const { deprecatedCalls, log, metrics } = options
  const { time } = services
  checkDeclarations(operations)
  const logRequest = log.isLevelEnabled('info') ? createRequestLog(log, options.logSample, time) : undefined
  const findRoute = createRouter(operations, basePath)
  const based = new RegExp(`^${basePath}(?:/|$)`)
  const receiveBody = createReceiveBody(admission)
  const respond = createRespond(operations, cors, services.publicUrl)
  const pathPrefix = pathPrefixOf(services.publicUrl)
  /** A route such as `/docs/*` answers for all paths below `/docs` that have no route themselves. */
  const folders = [...siteRoutes].flatMap(([path, { reply }]) =>
    path.endsWith('/*') ? { path: path.slice(0, -1), reply } : [],
  )

  async function handle(incoming: Incoming, key?: Key): Promise<Outgoing> {
    const started = time.ticks()
    metrics.active++
    const context: RequestContext = {
      requestId: requestIdFrom(incoming.header('x-request-id')),
      key,
      route: undefined,
      received: 0,
      sent: 0,
      isAdmitted: false,
    }
    let reply: Reply
    let isRefused = false
    try {
      reply = await replyTo(incoming, context)
    } catch (thrown) {
      isRefused = thrown === overload
      const error = asAppError(thrown, context)
      metrics.failed(error.code)
      if (error.code === 'rate_limited' && context.key === undefined) metrics.keysLimited++
      reply = errorReply(error)
    }
    if (context.isAdmitted) admission.leave()
    if (context.room?.bytes) admission.release(context.room)
    const outgoing = respond(incoming, reply, context)
    metrics.active--
    const milliseconds = time.ticks() - started
    const route = context.route ?? unknownRoute
    metrics.answered(route, incoming.method, outgoing.status, milliseconds / 1000, context.received, context.sent)
    const record = {
      method: incoming.method,
      route,
      status: outgoing.status,
      durationMs: milliseconds,
      requestId: context.requestId,
      keyId: context.key?.id,
      traceId: traceIdFrom(incoming.header('traceparent')),
    }
    // Requests that are refused because of overload are not logged one by one. Their number is logged once a second.
    logRequest?.(record, outgoing.status >= 500 && !isRefused)
    return outgoing
  }

  async function replyTo(incoming: Incoming, context: RequestContext): Promise<Reply> {
    const { method, target, fault } = incoming
    if (fault) throw fault
    if (target.length > limits.targetSize.bytes) refuse('uri_too_long')
    const mark = target.indexOf('?')
    const [sent, query] = mark < 0 ? [target, ''] : [target.slice(0, mark), target.slice(mark + 1)]
    const path = pathPrefix === '' ? sent : withoutPrefix(sent)
    const siteRoute = siteRoutes.get(path)
    if (siteRoute) return siteReply(siteRoute, path, incoming, context)
    if (!based.test(path)) {
      const folder = folders.find((each) => path.startsWith(each.path))
      return folder?.reply(incoming, undefined, noBytes) ?? refuse('route_not_found')
    }
    admission.enter()
    context.isAdmitted = true
    const match = findRoute(path.slice(basePath.length))
    if (match) context.route = match.route.label
    if (method === 'OPTIONS' && (match || isPreflight(cors, incoming)))
      return optionsReply(cors, incoming, match ? allowOf(match.route.operations, time.now()) : everyMethod)

    const key = context.key ?? (await keyOf(incoming, context))
    if (!match) refuse('route_not_found')
    const { operations } = match.route
    const operation =
      operations.get(method === 'HEAD' ? 'GET' : method) ??
      refuse('method_not_allowed', undefined, ['Allow', allowOf(operations, time.now())])
    const { deprecated, scope, bodyCheck } = operation
    context.operation = operation
    if (deprecated) deprecatedCalls.note(operation.id, key.id)
    if (time.now() >= operation.removedAt)
      refuse(
        'endpoint_removed',
        deprecated && `This operation was removed on ${deprecated.sunset}. ${deprecated.advice}`,
      )
    if (scope) authorize(key, scope)

    const bytes = operation.body ? await receiveBody(incoming, key.id, operation.body.mediaTypes, context) : noBytes
    const body = bodyCheck && checkBody(bodyCheck, parseBody(bytes, operation.body))
    const idempotencyKey = operation.acceptsIdempotencyKey ? incoming.header('idempotency-key') : undefined
    const claim = idempotencyKey === undefined ? undefined : claimOf(idempotencyKey, key.id, `${method} ${path}`, bytes)
    const reply = await operation.run(
      {
        path: operation.path,
        body,
        claim,
        query: operation.query ? readQuery(operation.query, query) : {},
        params: operation.params ? readParams(operation.params, match.texts) : {},
        ifMatch: operation.acceptsIfMatch ? incoming.header('if-match') : undefined,
        lastEventId: operation.acceptsLastEventId ? incoming.header('last-event-id') : undefined,
        key,
      },
      services,
    )
    if (claim) metrics.idempotent[reply.headers?.includes('Idempotency-Replayed') ? 'replayed' : 'recorded']++
    return reply
  }

  /**
   * A proxy may remove the prefix of PUBLIC_URL or leave it. Under a prefix such as `/docs`, a path may be one of ours
   * as it is.
   */
  function withoutPrefix(path: string): string {
    if (!path.startsWith(pathPrefix) || siteRoutes.has(path)) return path
    const rest = path.slice(pathPrefix.length) || '/'
    const isOurs = siteRoutes.has(rest) || based.test(rest) || folders.some((folder) => rest.startsWith(folder.path))
    return isOurs ? rest : path
  }

  /** The key that the request is made with, if its rate limit allows the request. */
  async function keyOf(incoming: Incoming, context: RequestContext, authenticateBy = authenticate): Promise<Key> {
    const key = await authenticateBy(incoming)
    context.key = key
    const rate = rates.consume(key)
    if (rate) {
      context.rate = rate
      if (!rate.isAllowed) refuse('rate_limited', undefined, ['Retry-After', String(rate.seconds)])
    }
    return key
  }

  async function siteReply(route: SiteRoute, path: string, incoming: Incoming, context: RequestContext) {
    const { method = 'GET', needs, reply } = route
    context.route = path
    const allow = method === 'POST' ? 'POST, OPTIONS' : 'GET, HEAD, OPTIONS'
    if (incoming.method === 'OPTIONS') return optionsReply(cors, incoming, allow)
    // Pages, health checks and metrics are answered during an overload, too: they report it.
    if (method === 'POST') {
      admission.enter()
      context.isAdmitted = true
    }
    const key = needs && (context.key ?? (await keyOf(incoming, context, route.authenticate)))
    if (incoming.method !== method && (method === 'POST' || incoming.method !== 'HEAD'))
      refuse('method_not_allowed', undefined, ['Allow', allow])
    if (key && needs !== 'key') authorize(key, needs)
    const bytes = key && method === 'POST' ? await receiveBody(incoming, key.id, undefined, context) : noBytes
    return reply(incoming, key, bytes)
  }

  return handle

  /** Turns anything thrown into an error of the closed list; errors that are not the client's fault are logged. */
  function asAppError(error: unknown, { requestId }: RequestContext): AppError {
    if (error instanceof AppError) return error
    if (error instanceof StoreDamaged) {
      log.error({ requestId, err: error }, `the database is damaged: ${StoreDamaged.advice}`)
      return new AppError('internal_error')
    }
    if (error instanceof StoreUnavailable) {
      log.warn({ requestId, err: error }, 'the database is unavailable')
      return new AppError('unavailable', undefined, ['Retry-After', '1'])
    }
    log.error({ requestId, err: error }, 'a request failed unexpectedly')
    return new AppError('internal_error')
  }
}

const noBytes = new Uint8Array()
const everyMethod = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS'
