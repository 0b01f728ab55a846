/**
 * The client: animals, orders on them, their categories, what happens to them, how many there are, and the API key
 * itself.
 */
import type { Answer } from './answer.ts'
import { Call, type Responded } from './call.ts'
import { NotFoundError } from './errors.ts'
import { Events } from './events.ts'
import { int64Text } from './json.ts'
import { List, type PageOptions } from './list.ts'
import type { CallOptions, Method, PetStoreOptions, RequestOptions } from './options.ts'
import { Transport } from './transport.ts'
import type {
  Category,
  CategoryInventory,
  DaySales,
  Inventory,
  Me,
  NewCategory,
  NewOrder,
  NewPet,
  Order,
  OrderCounts,
  OrderPatch,
  OrderStatus,
  Pet,
  PetPatch,
  PetStatus,
} from './types.ts'
import { Webhooks } from './webhooks.ts'

export interface PostOptions extends CallOptions {
  /**
   * The Idempotency-Key, the same for all tries; random unless given. Pass the key of an earlier call to repeat that
   * call.
   */
  readonly idempotencyKey?: string | undefined
}
export interface ChangeOptions<T = Pet> extends CallOptions {
  /** Make the change only if it is still this version: an ETag, or what `create`, `get`, `update` or `put` returned. */
  readonly ifMatch?: string | T | undefined
}
/** Where a list begins, and which way it goes (beta). */
export interface IdOrder {
  /** By `id`: `desc` is the newest first. `asc` unless given. */
  readonly order?: 'asc' | 'desc' | undefined
  /** Instead of a cursor: only those with a higher `id`, or with `desc` a lower one. */
  readonly after?: bigint | undefined
}
export interface PetFilter extends PageOptions, IdOrder {
  readonly status?: PetStatus | undefined
  readonly categoryId?: bigint | undefined
  /** Up to 100. */
  readonly id?: readonly bigint[] | undefined
  /** Words of the name, or how they begin (beta). */
  readonly search?: string | undefined
}
export interface OrderFilter extends PageOptions, IdOrder {
  readonly status?: OrderStatus | undefined
  readonly petId?: bigint | undefined
  /** Exactly this one. */
  readonly reference?: string | undefined
  /** Words of the reference or of the animal's name, or how they begin; or the number of the order or animal. */
  readonly search?: string | undefined
}

export class PetStore {
  readonly pets: Pets
  readonly orders: Orders
  readonly categories: Categories
  readonly events: Events
  readonly webhooks: Webhooks
  readonly #transport: Transport

  constructor(options: PetStoreOptions = {}) {
    const transport = new Transport(options)
    this.#transport = transport
    this.pets = new Pets(transport)
    this.orders = new Orders(transport)
    this.categories = new Categories(transport)
    this.events = new Events(transport)
    this.webhooks = new Webhooks(transport)
  }

  /** How many animals there are in each status. */
  inventory(options?: CallOptions): Call<Inventory> {
    return this.#transport.call('GET', '/store/inventory', options)
  }

  /** The same for each category that has animals or a name, in ascending order of `categoryId`. */
  inventoryByCategory(pages?: PageOptions, options?: CallOptions): List<CategoryInventory> {
    return new List(this.#transport, '/store/inventory', { by: 'category', ...pages }, options)
  }

  /** Animals added and sold each day in UTC, the oldest first and today last; 30 days unless given, 366 at most. */
  sales(days?: number, options?: CallOptions): Call<DaySales[]> {
    return this.#transport.call('GET', '/store/sales', { ...options, query: { days } })
  }

  /** The version of something as text, to keep it in a form or a file and pass it as `ifMatch` later. */
  etag(thing: object): string | undefined {
    return this.#transport.etagOf(thing)
  }

  /** The API key of this client. */
  me(options?: CallOptions): Call<Me> {
    return this.#transport.call('GET', '/me', options)
  }

  /**
   * Any operation, such as `request('GET', '/pets', { query: { limit: 1 } })`: with its status and headers, and retried
   * like other calls,
   * except that a POST which may have succeeded is repeated only if it has an `idempotencyKey`. What a path is made of
   * must be encoded.
   */
  async request<Body = unknown>(method: Method, path: `/${string}`, options?: RequestOptions): Promise<Answer<Body>> {
    // fetch would resolve `..`, and leave out what follows `#`: the request would be another one, with the key.
    if (new URL(path, 'http://_').pathname !== path) throw new TypeError('path: not encoded, or has a query')
    return this.#transport.send(method, path, options) as Promise<Answer<Body>>
  }
}

class Pets {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /**
   * All matching animals, in ascending order of `id` unless `order` says otherwise: use `for await` for all, `.page()`
   * for one page.
   */
  list(filter?: PetFilter, options?: CallOptions): List<Pet> {
    return new List(this.#transport, '/pets', { ...filter }, options)
  }

  create(pet: NewPet, options?: PostOptions): Call<Pet> {
    return this.#transport.add('/pets', pet, options)
  }

  /** One animal as it is now, for `ifMatch` too; a `NotFoundError` if there is none. */
  get(petId: bigint, options?: CallOptions): Call<Pet> {
    return new Call(this.#find(petId, options))
  }

  async #find(petId: bigint, options?: CallOptions): Promise<Responded<Pet>> {
    // A service, or a proxy, that ignores the filter would hand out the first animal.
    const isAsked = (pet: unknown) => String(Object(pet).id) === String(petId)
    const isExpected = (body: unknown) => Array.isArray(body) && body.every(isAsked)
    // Not by its path: the service removes that operation on 2030-12-05.
    const asked = { ...options, query: { id: [petId] }, isExpected }
    const response = await this.#transport.send('GET', '/pets', asked)
    const { body, headers, requestId } = response
    const [pet] = body as Pet[]
    if (pet) return { result: this.#transport.remember(pet, headers), response }
    throw new NotFoundError('No animal has this identifier.', { status: 404, code: 'pet_not_found', requestId })
  }

  /** Retried like other calls, except with `ifMatch` if the first try may have succeeded. */
  update(petId: bigint, body: PetPatch, options?: ChangeOptions): Call<Pet> {
    return this.#transport.call('PATCH', petPath(petId), { ...options, body, expected: { id: petId } })
  }

  /** A 404 after a try without a response counts as deleted. */
  delete(petId: bigint, options?: ChangeOptions): Call<void> {
    return this.#transport.call('DELETE', petPath(petId), options)
  }
}

class Orders {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /**
   * All matching orders, in ascending order of `id` unless `order` says otherwise: use `for await` for all, `.page()`
   * for one page.
   */
  list(filter?: OrderFilter, options?: CallOptions): List<Order> {
    return new List(this.#transport, '/store/orders', { ...filter }, options)
  }

  /** Orders an available animal, which becomes `pending`. */
  place(order: NewOrder, options?: PostOptions): Call<Order> {
    return this.#transport.add('/store/orders', order, { ...options, expected: { petId: order.petId } })
  }

  /** How many orders there are in each state, and how many of those placed expire within the next 24 hours. */
  counts(options?: CallOptions): Call<OrderCounts> {
    return this.#transport.call('GET', '/store/order-counts', options)
  }

  get(orderId: bigint, options?: CallOptions): Call<Order> {
    return this.#transport.call('GET', orderPath(orderId), { ...options, expected: { id: orderId } })
  }

  /** The reference in any state; `heldUntil` while the order is placed. */
  update(orderId: bigint, body: OrderPatch, options?: ChangeOptions<Order>): Call<Order> {
    return this.#transport.call('PATCH', orderPath(orderId), { ...options, body, expected: { id: orderId } })
  }

  /** The animal becomes `sold`. */
  complete(orderId: bigint, options?: CallOptions): Call<Order> {
    return this.#transport.act(orderPath(orderId, '/complete'), { ...options, expected: { id: orderId } })
  }

  /** The animal becomes `available` again. */
  cancel(orderId: bigint, options?: CallOptions): Call<Order> {
    return this.#transport.act(orderPath(orderId, '/cancel'), { ...options, expected: { id: orderId } })
  }

  /** Takes the animal of a completed order back: it becomes `available`, and can be ordered again. */
  return(orderId: bigint, options?: CallOptions): Call<Order> {
    return this.#transport.act(orderPath(orderId, '/return'), { ...options, expected: { id: orderId } })
  }
}

class Categories {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** All categories that have a name, in ascending order of `id`: use `for await` for all, `.page()` for one page. */
  list(pages?: PageOptions, options?: CallOptions): List<Category> {
    return new List(this.#transport, '/categories', { ...pages }, options)
  }

  /** The category that has this name; if there is none, it is created with a free number. Retried like a GET. */
  create(body: NewCategory, options?: CallOptions): Call<Category> {
    return this.#transport.call('POST', '/categories', { ...options, body, isIdempotent: true })
  }

  /** Gives a category a name, or another one. Retried as `pets.update` is. */
  put(categoryId: bigint, body: NewCategory, options?: ChangeOptions<Category>): Call<Category> {
    return this.#transport.call('PUT', categoryPath(categoryId), { ...options, body, expected: { id: categoryId } })
  }

  /** Takes its name away; its animals stay. A 404 after a try without a response counts as deleted. */
  delete(categoryId: bigint, options?: ChangeOptions<Category>): Call<void> {
    return this.#transport.call('DELETE', categoryPath(categoryId), options)
  }
}

const petPath = (petId: bigint) => () => `/pets/${int64Text(petId)}`
const orderPath =
  (orderId: bigint, action = '') =>
  () =>
    `/store/orders/${int64Text(orderId)}${action}`
const categoryPath = (categoryId: bigint) => () => `/categories/${int64Text(categoryId)}`
