/** The service as one function from request to response: all its operations, and the services they use. */
import { createCategory, deleteCategory, listCategories, putCategory } from './categories/operations.ts'
import type { TrustedProxies } from './config/network.ts'
import { refuse } from './errors.ts'
import type { Hub } from './events/hub.ts'
import { type EventServices, listEvents, streamEvents } from './events/operations.ts'
import type { Admission } from './http/admission.ts'
import { createAuthenticate, createAuthenticateLast, createVerify } from './http/auth.ts'
import { createDeprecatedCalls } from './http/deprecation.ts'
import { createHandler } from './http/handler.ts'
import type { Handler, Reply } from './http/message.ts'
import type { Operation } from './http/operation.ts'
import { createPageCache } from './http/page-cache.ts'
import { createPaging } from './http/paging.ts'
import type { RateLimits } from './http/rate-limits.ts'
import type { SiteReply, SiteRoute } from './http/site-route.ts'
import { pathPrefixOf, versionPrefix } from './http/urls.ts'
import { getInventory, getSales } from './inventory/operations.ts'
import { getMe } from './keys/keys.ts'
import { createMcp } from './mcp/mcp.ts'
import { expositionType, render } from './observe/exposition.ts'
import type { Log } from './observe/log.ts'
import { type Collect, RequestMetrics } from './observe/metrics.ts'
import {
  cancelOrder,
  completeOrder,
  getOrder,
  getOrderCounts,
  listOrders,
  placeOrder,
  returnOrder,
  updateOrder,
} from './orders/operations.ts'
import { createPet, deletePet, getPet, listPets, updatePet } from './pets/operations.ts'
import { createDocsSite } from './reference/docs.ts'
import { createLlmsPage } from './reference/llms.ts'
import { createOpenApiPage, type DocumentOptions, documentPaths, type OpenApiVersion } from './reference/openapi.ts'
import { createPage } from './reference/pages.ts'
import { type Store, StoreDamaged } from './store/store.ts'
import type { Time } from './time.ts'
import { listDeliveries, redeliver } from './webhooks/deliveries.ts'
import {
  createWebhook,
  deleteWebhook,
  getWebhook,
  listWebhooks,
  rotateWebhook,
  testWebhook,
  updateWebhook,
  type WebhookServices,
} from './webhooks/operations.ts'
import type { WebhookSender } from './webhooks/send.ts'

type AppServices = EventServices & WebhookServices

export const operations: readonly Operation<AppServices>[] = [
  listPets,
  createPet,
  getPet,
  updatePet,
  deletePet,
  listOrders,
  placeOrder,
  getOrderCounts,
  getOrder,
  updateOrder,
  completeOrder,
  cancelOrder,
  returnOrder,
  listCategories,
  createCategory,
  putCategory,
  deleteCategory,
  getInventory,
  getSales,
  listEvents,
  streamEvents,
  listWebhooks,
  createWebhook,
  getWebhook,
  updateWebhook,
  deleteWebhook,
  rotateWebhook,
  testWebhook,
  listDeliveries,
  redeliver,
  getMe,
]

/** Health checks are answered before all waiting requests, because a busy service is still alive. */
export const healthChecks: ReadonlySet<string> = new Set(['/livez', '/readyz'])

const healthy: Reply = { status: 200, body: '{"status":"ok"}', cache: 'no-store' }

interface AppOptions {
  readonly store: Store
  readonly time: Time
  readonly log: Log
  readonly logSample: number
  readonly publicUrl: string
  readonly servers: DocumentOptions['servers']
  readonly corsOrigins: readonly string[]
  readonly rates: RateLimits
  readonly holdHours?: number | undefined
  readonly trustedProxies: TrustedProxies
  readonly admission: Admission
  readonly streams: Hub
  readonly webhooks: WebhookSender
  /** Whether the service is shutting down. /readyz then fails, so that load balancers stop sending requests. */
  readonly isDraining: () => boolean
  /** A handler that tool calls pass through on their way to their operation. By default there is none. */
  readonly aroundToolCalls?: (handle: Handler) => Handler
  /** Metrics from outside the app: those of the process and the log. */
  readonly sources?: readonly Collect[]
}

export function createApp(options: AppOptions): Handler {
  const { store, time, publicUrl, rates, sources = [] } = options
  const deprecatedCalls = createDeprecatedCalls()
  const authenticate = createAuthenticate(createVerify(store.keys, time), options.trustedProxies, time)
  const pageCache = createPageCache(store.version)
  const collect: Collect = () => [
    ...metrics.samples(),
    ['petstore_rate_limits_alone', Number(rates.countsAlone)],
    ...deprecatedCalls.samples(),
    ...store.samples(),
    ...pageCache.samples(),
    ...sources.flatMap((samples) => samples()),
  ]
  const pathPrefix = pathPrefixOf(publicUrl)
  const openRoutes: [string, SiteReply][] = [
    ...createDocsSite({ operations, servers: options.servers, publicUrl, time }),
    ...createPage('shop', pathPrefix),
    ...Object.entries(documentPaths).map(([version, path]): [string, SiteReply] => [
      path,
      createOpenApiPage(operations, { servers: options.servers, time, version: version as OpenApiVersion }),
    ]),
    ['/llms.txt', createLlmsPage(operations, publicUrl)],
  ]
  const siteRoutes = new Map<string, SiteRoute>(openRoutes.map(([path, reply]) => [path, { reply }]))
  siteRoutes.set('/livez', { reply: () => healthy })
  siteRoutes.set('/readyz', {
    reply: () => {
      if (options.isDraining()) refuse('unavailable', 'The service is shutting down.', ['Retry-After', '1'])
      const fault = store.fault()
      // There is no Retry-After, because the damage does not end by itself.
      if (fault instanceof StoreDamaged)
        refuse('unavailable', 'The database is damaged. The operator must repair it before the service can answer.')
      if (fault) throw fault
      return healthy
    },
  })
  siteRoutes.set('/metrics', {
    needs: 'metrics:read',
    authenticate: createAuthenticateLast(authenticate, 'metrics:read', time),
    reply: () => ({ status: 200, body: render(collect()), type: expositionType, cache: 'no-store' }),
  })
  const call: Handler = (inner, key) => handle(inner, key)
  siteRoutes.set('/mcp', createMcp(operations, publicUrl, options.corsOrigins, options.aroundToolCalls?.(call) ?? call))
  const metrics = new RequestMetrics(
    new Set(['POST /mcp', ...operations.map(({ method, path }) => `${method} ${versionPrefix}${path}`)]),
  )
  const services: AppServices = {
    store,
    time,
    publicUrl,
    paging: createPaging(publicUrl, pageCache),
    sales: metrics.sales,
    holdMilliseconds: options.holdHours === undefined ? undefined : options.holdHours * 60 * 60 * 1000,
    rateOf: options.rates.rateOf,
    streams: options.streams,
    webhooks: options.webhooks,
  }
  const cors = options.corsOrigins
  const handle = createHandler({
    ...options,
    operations,
    siteRoutes,
    services,
    cors,
    authenticate,
    deprecatedCalls,
    metrics,
  })
  return handle
}
