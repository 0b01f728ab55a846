/** The service as one function from request to response: all its operations, and the services they use. */
import type { Logger } from 'pino'
import type { Clock } from './clock.ts'
import { refuse } from './errors.ts'
import { createAuthenticate } from './http/auth.ts'
import { createHandler, type OpenPage } from './http/handler.ts'
import type { Handler, Reply } from './http/message.ts'
import type { Operation } from './http/operation.ts'
import { createPaging } from './http/paging.ts'
import type { RateLimits } from './keys/rate-limits.ts'
import { createVerify } from './keys/verify.ts'
import type { TrustedProxies } from './network.ts'
import { cancelOrder, completeOrder, getOrder, listOrders, placeOrder } from './orders/operations.ts'
import { createPet, deletePet, getPet, listPets, updatePet } from './pets/operations.ts'
import { createDocsPages } from './reference/docs.ts'
import { createOpenApiPage } from './reference/openapi.ts'
import type { Store } from './store/store.ts'

export const operations: readonly Operation[] = [
  listPets,
  createPet,
  getPet,
  updatePet,
  deletePet,
  listOrders,
  placeOrder,
  getOrder,
  completeOrder,
  cancelOrder,
]

const healthy: Reply = { status: 200, body: '{"status":"ok"}', cache: 'no-store' }

export interface AppOptions {
  readonly store: Store
  readonly clock: Clock
  /** A monotonic one, for durations. */
  readonly ticks: Clock
  readonly log: Logger
  readonly publicUrl: string
  readonly stagingUrl: string
  readonly corsOrigins: readonly string[]
  readonly rates: RateLimits
  readonly trustedProxies: TrustedProxies
  /** Whether the service is shutting down; /readyz then tells load balancers to stop sending requests. */
  readonly isDraining: () => boolean
}

export function createApp(options: AppOptions): Handler {
  const { store, clock, ticks, log, publicUrl, stagingUrl, corsOrigins, rates, trustedProxies, isDraining } = options
  const openPages = new Map<string, OpenPage>([
    ...createDocsPages(),
    ['/openapi.json', createOpenApiPage(operations, { publicUrl, stagingUrl, clock })],
    ['/livez', () => healthy],
    [
      '/readyz',
      async () => {
        if (isDraining()) refuse('unavailable', 'The service is shutting down.', ['Retry-After', '1'])
        await store.ready()
        return healthy
      },
    ],
  ])
  const authenticate = createAuthenticate(createVerify(store.keys, clock), trustedProxies, ticks)
  const services = { store, clock, publicUrl, paging: createPaging(publicUrl) }
  return createHandler({ operations, openPages, services, authenticate, rates, cors: corsOrigins, log })
}
