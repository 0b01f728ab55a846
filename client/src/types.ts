/** The types of the service's schemas; a type test in the repository checks that they agree. */
export type PetStatus = 'available' | 'pending' | 'sold'

export interface NewPet {
  name: string
  /** Any int64; categories need not be created first. */
  categoryId: bigint
  /** `available` by default. */
  status?: PetStatus
}

export interface Pet extends NewPet {
  id: bigint
  status: PetStatus
}

/** Members left out stay unchanged. */
export type PetPatch = Partial<NewPet>

export type OrderStatus = 'placed' | 'completed' | 'cancelled' | 'returned' | 'expired'

export interface NewOrder {
  petId: bigint
  /** Whose the order is, in your words. */
  reference?: string
  /** When it expires, if it is still open then: RFC 3339, at most 366 days ahead. */
  heldUntil?: string
}

/** Members left out stay unchanged; with `null` the order does not expire. */
export interface OrderPatch {
  reference?: string
  heldUntil?: string | null
}

export interface Order extends NewOrder {
  id: bigint
  status: OrderStatus
  /** RFC 3339, in UTC, as is `heldUntil`. */
  createdAt: string
  updatedAt: string
  /** From completion on, also after a return. */
  completedAt?: string
}

/** A name for a category. */
export interface NewCategory {
  name: string
}

/** A category that has a name. */
export interface Category extends NewCategory {
  id: bigint
}

/** The number of orders in each state; those `dueToday` are placed, and expire within the next 24 hours. */
export type OrderCounts = Record<OrderStatus | 'dueToday', number>

/** The number of animals in each status. */
export type Inventory = Record<PetStatus, number>

export interface CategoryInventory extends Inventory {
  categoryId: bigint
  name?: string
}

/** What happened on one day, such as 2026-11-15, in UTC. */
export interface DaySales {
  day: string
  added: number
  sold: number
  /** Animals that were sold, that day or before, and are not any more. */
  returned: number
}

interface EventOf<Type extends string, Data> {
  /** Later events have higher ones. */
  id: bigint
  type: Type
  /** RFC 3339, in UTC. */
  at: string
  /** The name of the API key that did it; absent if none did, as in an import. */
  by?: string
  /** The thing as it was then; one that was removed, as it was last. */
  data: Data
}
/** A change. Services may add types: ignore those that you do not know. */
export type Event =
  | EventOf<'pet.created' | 'pet.updated' | 'pet.deleted', Pet>
  | EventOf<`order.${OrderStatus | 'updated'}`, Order>
  | EventOf<'category.named' | 'category.unnamed', Category>
export type EventType = Event['type']

/** What a webhook gets when it is tested; `data` has the id of the webhook. */
export type TestEvent = EventOf<'webhook.test', { id: bigint }>

export interface NewWebhook {
  /** Where events are sent: https, unless the operator has allowed others. */
  url: string
  /** All, also those that are added later, if empty or left out. */
  types?: EventType[]
}

/** Members left out stay unchanged. */
export type WebhookPatch = Partial<NewWebhook & { enabled: boolean }>

export interface Webhook {
  id: bigint
  url: string
  types: string[]
  enabled: boolean
  /** Why the service has disabled it. */
  reason?: string
  /** RFC 3339, in UTC. */
  createdAt: string
}

export interface WebhookWithSecret extends Webhook {
  /** For `verifyWebhook`; it is shown only this once. */
  secret: string
}

export type DeliveryFault =
  | `${'connection' | 'tls'}_failed`
  | `${'no' | 'invalid'}_response`
  | 'name_not_resolved'
  | 'address_not_allowed'
  | 'timeout'
  | 'aborted'

/** What a receiver answered, or why there was no answer. */
interface DeliveryResult {
  responseStatus?: number
  fault?: DeliveryFault
}

export interface WebhookTest extends DeliveryResult {
  delivered: boolean
}

/** The delivery of one event to one webhook; the answer is that of the last try. */
export interface Delivery extends DeliveryResult {
  /** That of the event. */
  id: bigint
  type: string
  /** When the event happened: RFC 3339, in UTC, as is `nextTryAt`. */
  at: string
  status: 'pending' | 'delivered' | 'failed'
  tries: number
  nextTryAt?: string
}

export type KeyScope = `${'pets' | 'orders'}:${'read' | 'write'}` | 'events:read' | 'webhooks:write' | 'metrics:read'

/** The API key of the client. */
export interface Me {
  name: string
  scopes: KeyScope[]
  /** RFC 3339, in UTC; absent if the key does not expire. */
  expiresAt?: string
  /** Absent if the key has no rate limit. */
  rate?: { requests: number; seconds: number }
}

/** The error codes that this version knows, by HTTP status. */
export interface Codes {
  400:
    | 'bad_request'
    | 'malformed_json'
    | `${'missing' | 'invalid' | 'unknown' | 'duplicate'}_field`
    | `invalid_${'parameter' | 'cursor' | 'idempotency_key'}`
  401: 'missing_api_key' | 'invalid_api_key'
  403: 'insufficient_scope'
  404: `${'route' | 'pet' | 'order' | 'category' | 'webhook' | 'delivery'}_not_found`
  405: 'method_not_allowed'
  408: 'request_timeout'
  409: 'pet_not_available' | 'order_state_conflict' | 'idempotency_in_progress' | 'too_many_webhooks'
  410: 'endpoint_removed' | 'events_expired'
  412: 'precondition_failed'
  413: 'content_too_large'
  414: 'uri_too_long'
  415: 'unsupported_media_type'
  422: 'unknown_pet' | 'idempotency_key_reused'
  429: 'rate_limited'
  431: 'headers_too_large'
  500: 'internal_error'
  503: 'unavailable'
}
/** Of a status, or of any: those that are known, and whatever later services may add. */
export type ErrorCode<Status extends keyof Codes = keyof Codes> = Codes[Status] | (string & {})

/** The operations of the service. */
export type OperationId =
  | 'listPets'
  | 'createPet'
  | 'getPet'
  | 'updatePet'
  | 'deletePet'
  | 'listOrders'
  | 'placeOrder'
  | 'getOrderCounts'
  | 'getOrder'
  | 'updateOrder'
  | 'completeOrder'
  | 'cancelOrder'
  | 'returnOrder'
  | 'listCategories'
  | 'createCategory'
  | 'putCategory'
  | 'deleteCategory'
  | 'getInventory'
  | 'getSales'
  | 'listEvents'
  | 'streamEvents'
  | 'listWebhooks'
  | 'createWebhook'
  | 'getWebhook'
  | 'updateWebhook'
  | 'deleteWebhook'
  | 'rotateWebhook'
  | 'testWebhook'
  | 'listDeliveries'
  | 'redeliver'
  | 'getMe'
