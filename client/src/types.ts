/** The types of the service's schemas; a type test in the repository checks that they agree. */
export type PetStatus = 'available' | 'pending' | 'sold'

export interface NewPet {
  name: string
  /** Any int64. A category need not be created first. */
  categoryId: bigint
  /** `available` by default. */
  status?: PetStatus
}

export interface Pet extends NewPet {
  id: bigint
  status: PetStatus
}

/** Omitted members stay unchanged. */
export type PetPatch = Partial<NewPet>

export type OrderStatus = 'placed' | 'completed' | 'cancelled' | 'returned' | 'expired'

export interface NewOrder {
  petId: bigint
  /** Who the order is for, in your words. */
  reference?: string
  /** When the order expires if it is still `placed`: an RFC 3339 time, at most 366 days ahead. */
  heldUntil?: string
}

/** Omitted members stay unchanged. With `null`, the order never expires. */
export interface OrderPatch {
  reference?: string
  heldUntil?: string | null
}

export interface Order extends NewOrder {
  id: bigint
  status: OrderStatus
  /** A time in RFC 3339 in UTC, like `heldUntil`. */
  createdAt: string
  updatedAt: string
  /** When the order was completed. Kept after a return. */
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

/** The number of orders in each state. `dueToday` counts the `placed` orders that expire within 24 hours. */
export type OrderCounts = Record<OrderStatus | 'dueToday', number>

/** The number of animals in each status. */
export type Inventory = Record<PetStatus, number>

export interface CategoryInventory extends Inventory {
  categoryId: bigint
  name?: string
}

/** What happened on one day in UTC, such as 2026-11-15. */
export interface DaySales {
  day: string
  added: number
  sold: number
  /** Animals whose status changed from `sold` to another status on this day. */
  returned: number
}

interface EventOf<Type extends string, Data> {
  /** Later events have higher identifiers. */
  id: bigint
  type: Type
  /** A time in RFC 3339 in UTC. */
  at: string
  /** The name of the API key that caused the event. Absent if no key did, as in an import. */
  by?: string
  /** The animal, order or category after the change, or its last state if it was removed. */
  data: Data
}
/** A change. Later services may add types: ignore types that you do not know. */
export type Event =
  | EventOf<'pet.created' | 'pet.updated' | 'pet.deleted', Pet>
  | EventOf<`order.${OrderStatus | 'updated'}`, Order>
  | EventOf<'category.named' | 'category.unnamed', Category>
export type EventType = Event['type']

/** What a webhook receives when it is tested. `data` contains the id of the webhook. */
export type TestEvent = EventOf<'webhook.test', { id: bigint }>

export interface NewWebhook {
  /** The URL that events are sent to. It must be https, unless the operator allows other addresses. */
  url: string
  /** If it is empty or omitted, events of every type are sent, including types that are added later. */
  types?: EventType[]
}

/** Omitted members stay unchanged. */
export type WebhookPatch = Partial<NewWebhook & { enabled: boolean }>

export interface Webhook {
  id: bigint
  url: string
  types: string[]
  enabled: boolean
  /** Why the service has disabled the webhook. */
  reason?: string
  /** A time in RFC 3339 in UTC. */
  createdAt: string
}

export interface WebhookWithSecret extends Webhook {
  /** The secret for `verifyWebhook`, which is shown only this once. */
  secret: string
}

export type DeliveryFault =
  | `${'connection' | 'tls'}_failed`
  | `${'no' | 'invalid'}_response`
  | 'name_not_resolved'
  | 'address_not_allowed'
  | 'timeout'
  | 'aborted'

/** The response of a receiver, or why there was no response. */
interface DeliveryResult {
  responseStatus?: number
  fault?: DeliveryFault
}

export interface WebhookTest extends DeliveryResult {
  delivered: boolean
}

/** The delivery of one event to one webhook, with the result of the last attempt. */
export interface Delivery extends DeliveryResult {
  /** The id of the event. */
  id: bigint
  type: string
  /** When the event happened, in RFC 3339 in UTC, like `nextTryAt`. */
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
  /** A time in RFC 3339 in UTC. Absent if the key never expires. */
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
/** The error codes of a status, or all of them: the known codes, and any that later services may add. */
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
