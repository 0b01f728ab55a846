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
}

/** Members left out stay unchanged. */
export type PetPatch = Partial<NewPet>

export type OrderStatus = 'placed' | 'completed' | 'cancelled'

export interface NewOrder {
  petId: bigint
}

export interface Order {
  id: bigint
  petId: bigint
  status: OrderStatus
  /** RFC 3339, in UTC. */
  createdAt: string
  updatedAt: string
}

/** A name for a category. */
export interface NewCategory {
  name: string
}

/** A category that has a name. */
export interface Category {
  id: bigint
  name: string
}

/** The number of animals in each status. */
export interface Inventory {
  available: number
  pending: number
  sold: number
}

export interface CategoryInventory extends Inventory {
  categoryId: bigint
  name?: string
}

/** What happened on one day, such as 2026-11-15, in UTC. */
export interface DaySales {
  day: string
  added: number
  sold: number
}

interface EventOf<Type extends string, Data> {
  /** Later events have higher ones. */
  id: bigint
  type: Type
  /** RFC 3339, in UTC. */
  at: string
  /** The thing as it was then; one that was removed, as it was last. */
  data: Data
}
/** A change. Services may add types: ignore those that you do not know. */
export type Event =
  | EventOf<'pet.created' | 'pet.updated' | 'pet.deleted', Pet>
  | EventOf<'order.placed' | 'order.completed' | 'order.cancelled', Order>
  | EventOf<'category.named' | 'category.unnamed', Category>
export type EventType = Event['type']

/** What a webhook gets when it is tested; `data` has the id of the webhook. */
export type TestEvent = EventOf<'webhook.test', { id: bigint }>

export type KeyScope =
  | 'pets:read'
  | 'pets:write'
  | 'orders:read'
  | 'orders:write'
  | 'events:read'
  | 'webhooks:write'
  | 'metrics:read'

/** The API key of the client. */
export interface Me {
  name: string
  scopes: KeyScope[]
  /** RFC 3339, in UTC; absent if the key does not expire. */
  expiresAt?: string
  /** Absent if the key has no rate limit. */
  rate?: { requests: number; seconds: number }
}

/** Every error code of the service, by HTTP status. */
export interface Codes {
  400:
    | 'bad_request'
    | 'malformed_json'
    | 'missing_field'
    | 'invalid_field'
    | 'unknown_field'
    | 'duplicate_field'
    | 'invalid_parameter'
    | 'invalid_cursor'
    | 'invalid_idempotency_key'
  401: 'missing_api_key' | 'invalid_api_key'
  403: 'insufficient_scope'
  404:
    | 'route_not_found'
    | 'pet_not_found'
    | 'order_not_found'
    | 'category_not_found'
    | 'webhook_not_found'
    | 'delivery_not_found'
  405: 'method_not_allowed'
  408: 'request_timeout'
  409: 'pet_not_available' | 'order_state_conflict' | 'idempotency_in_progress'
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
export type ErrorCode = Codes[keyof Codes]
