/** The requests that the clients of a run send, and what each of them can cause. */

import { etagOf } from '../../src/http/etag.ts'
import { moves, type Verb } from '../order.ts'
import { parse } from './exact-json.ts'
import type { Happened, Pet, Row } from './ledger.ts'
import type { Instant } from './world.ts'

export type NewPet = Omit<Pet, 'id' | 'status'> & Partial<Pet>
interface WithKey {
  readonly key?: string | undefined
}
/** The row as it must be before the request. */
interface WithVersion {
  readonly version?: string | undefined
}

export type Ask =
  | ({ readonly kind: 'create'; readonly pet: NewPet } & WithKey)
  | ({ readonly kind: 'patch'; readonly id: number; readonly changes: Partial<Pet> } & WithVersion)
  | ({ readonly kind: 'remove'; readonly id: number } & WithVersion)
  | { readonly kind: 'get'; readonly of: 'pet' | 'order'; readonly id: number }
  | {
      readonly kind: 'list'
      readonly status?: string
      readonly categoryId?: number
      readonly search?: string
      readonly limit: number
    }
  | ({
      readonly kind: 'place'
      readonly petId: number
      readonly reference?: string
      readonly heldUntil?: string
    } & WithKey)
  | { readonly kind: 'move'; readonly id: number; readonly verb: Verb }
  | ({ readonly kind: 'change'; readonly id: number; readonly changes: OrderChanges } & WithVersion)
  | { readonly kind: 'orders'; readonly reference?: string; readonly search?: string }
  /** With `isKnown`, the category must already have a name. */
  | { readonly kind: 'name'; readonly id: number; readonly name: string; readonly isKnown?: boolean }
  | { readonly kind: 'unname'; readonly id: number }
  /** Creates a category by its name alone. */
  | { readonly kind: 'make'; readonly name: string }
  | { readonly kind: 'counts' | 'orderCounts' | 'categories' | 'sales' }

/** Without an end, an order never expires. */
export interface OrderChanges {
  readonly reference?: string | undefined
  readonly heldUntil?: string | null | undefined
}

/** A request that may have an Idempotency-Key. */
export type Keyed = Ask & WithKey

export interface Answer {
  readonly status: number
  readonly text: string
  readonly headers: ReadonlyMap<string, string>
  readonly code: string | undefined
}

export interface Request {
  readonly method: string
  readonly path: string
  readonly body?: unknown
  readonly headers?: Record<string, string> | undefined
}

const keyed = (key: string | undefined): Record<string, string> => (key === undefined ? {} : { 'idempotency-key': key })
const matching = (version: string | undefined): Record<string, string> =>
  version === undefined ? {} : { 'if-match': etagOf(version) }

export function requestOf(ask: Ask): Request {
  switch (ask.kind) {
    case 'create':
      return { method: 'POST', path: '/pets', body: ask.pet, headers: keyed(ask.key) }
    case 'patch':
      return { method: 'PATCH', path: `/pets/${ask.id}`, body: ask.changes, headers: matching(ask.version) }
    case 'remove':
      return { method: 'DELETE', path: `/pets/${ask.id}`, headers: matching(ask.version) }
    case 'get':
      return { method: 'GET', path: `/${ask.of === 'pet' ? 'pets' : 'store/orders'}/${ask.id}` }
    case 'list': {
      const { kind, ...query } = ask
      return { method: 'GET', path: `/pets?${new URLSearchParams(query as unknown as Record<string, string>)}` }
    }
    case 'place': {
      const { kind, key, ...body } = ask
      return { method: 'POST', path: '/store/orders', body, headers: keyed(key) }
    }
    case 'change':
      return { method: 'PATCH', path: `/store/orders/${ask.id}`, body: ask.changes, headers: matching(ask.version) }
    case 'orders': {
      const { kind, ...query } = ask
      return { method: 'GET', path: `/store/orders?${new URLSearchParams({ limit: '10', ...query })}` }
    }
    case 'move':
      return { method: 'POST', path: `/store/orders/${ask.id}/${ask.verb}` }
    case 'name':
      return {
        method: 'PUT',
        path: `/categories/${ask.id}`,
        body: { name: ask.name },
        headers: ask.isKnown ? { 'if-match': '*' } : {},
      }
    case 'make':
      return { method: 'POST', path: '/categories', body: { name: ask.name } }
    case 'unname':
      return { method: 'DELETE', path: `/categories/${ask.id}` }
    case 'counts':
      return { method: 'GET', path: '/store/inventory' }
    case 'orderCounts':
      return { method: 'GET', path: '/store/order-counts' }
    case 'categories':
      return { method: 'GET', path: '/store/inventory?by=category&limit=100' }
    case 'sales':
      return { method: 'GET', path: '/store/sales?days=2' }
  }
}

/** A request as it reached the service. */
export interface Call extends Instant {
  readonly ask: Ask
  /** The name of the client's key. */
  readonly by: string
  /** The position of the last event when the request arrived. */
  readonly since: number
}

/** Whether a request with this content can have caused the event. */
export function canCause({ ask, by }: Call, { type, data, by: made }: Happened): boolean {
  if (made !== by) return false
  const row: Row = parse(data)
  switch (ask.kind) {
    case 'create':
      return type === 'pet.created' && has(row, { status: 'available', ...ask.pet })
    case 'patch':
      return type === 'pet.updated' && row.id === ask.id && has(row, ask.changes)
    case 'remove':
      return type === 'pet.deleted' && row.id === ask.id
    case 'place':
      return type === 'order.placed' && has(row, { petId: ask.petId, ...madeOf(ask) })
    case 'change':
      return type === 'order.updated' && row.id === ask.id && has(row, madeOf(ask.changes))
    case 'move':
      return type === `order.${moves[ask.verb][1]}` && row.id === ask.id
    case 'name':
      return type === 'category.named' && row.id === ask.id && row.name === ask.name
    case 'make':
      return type === 'category.named' && row.name === ask.name
    case 'unname':
      return type === 'category.unnamed' && row.id === ask.id
    default:
      return false
  }
}

/** Returns the part of a row that a change sets, without the values that it removes. */
export const madeOf = (changes: OrderChanges): object => ({
  ...('reference' in changes && { reference: changes.reference }),
  ...('heldUntil' in changes && { heldUntil: changes.heldUntil ?? undefined }),
})

export const has = (row: object, members: object): boolean =>
  Object.entries(members).every(([name, value]) => row[name as keyof object] === value)
