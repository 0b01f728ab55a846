/** The client, with a method for every operation of the service. */
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
   * The Idempotency-Key, which is the same for all attempts. Random by default. Pass the key of an earlier call to
   * repeat that call.
   */
  readonly idempotencyKey?: string | undefined
}
export interface ChangeOptions<T = Pet> extends CallOptions {
  /**
   * Make the change only if this is still the current version: an ETag, or what `create`, `get`, `update` or `put`
   * returned.
   */
  readonly ifMatch?: string | T | undefined
}
/** The order of a list, and where it begins (beta). */
export interface IdOrder {
  /** The order by `id`: `asc` by default, or `desc` for the newest first. */
  readonly order?: 'asc' | 'desc' | undefined
  /** Instead of a cursor: return only items with a higher `id` than this one, or with `desc` a lower `id`. */
  readonly after?: bigint | undefined
}
export interface PetFilter extends PageOptions, IdOrder {
  readonly status?: PetStatus | undefined
  readonly categoryId?: bigint | undefined
  /** The animals with these identifiers, up to 100. */
  readonly id?: readonly bigint[] | undefined
  /** Words of the name, or their beginnings (beta). */
  readonly search?: string | undefined
}
export interface OrderFilter extends PageOptions, IdOrder {
  readonly status?: OrderStatus | undefined
  readonly petId?: bigint | undefined
  /** The exact text of the reference. */
  readonly reference?: string | undefined
  /** Words of the reference or of the animal's name, or their beginnings; or the id of the order or the animal. */
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

  /** The number of animals in each status. */
  inventory(options?: CallOptions): Call<Inventory> {
    return this.#transport.call('GET', '/store/inventory', options)
  }

  /**
   * The number of animals in each status, for each category that has animals or a name, in ascending order of
   * `categoryId`.
   */
  inventoryByCategory(pages?: PageOptions, options?: CallOptions): List<CategoryInventory> {
    return new List(this.#transport, '/store/inventory', { by: 'category', ...pages }, options)
  }

  /**
   * The number of animals added, sold and returned on each day (in UTC). The oldest day is first and today is last. It
   * covers 30 days by default, and 366 at most.
   */
  sales(days?: number, options?: CallOptions): Call<DaySales[]> {
    return this.#transport.call('GET', '/store/sales', { ...options, query: { days } })
  }

  /** The ETag of something that the client returned. Keep it, and pass it as `ifMatch` later. */
  etag(thing: object): string | undefined {
    return this.#transport.etagOf(thing)
  }

  /** The API key of this client. */
  me(options?: CallOptions): Call<Me> {
    return this.#transport.call('GET', '/me', options)
  }

  /**
   * Calls any operation, as in `request('GET', '/pets', { query: { limit: 1 } })`, and returns its status and headers as
   * well. It is retried like other calls, except that a POST which may have succeeded is repeated only if it has an
   * `idempotencyKey`. The parts of the path must be URL-encoded.
   */
  async request<Body = unknown>(method: Method, path: `/${string}`, options?: RequestOptions): Promise<Answer<Body>> {
    // fetch would resolve `..`, and leave out what follows `#`: the request would be another one, with the key.
    if (new URL(path, 'http://_').pathname !== path)
      throw new TypeError('path: must be URL-encoded and must not contain a query; pass the query as an option')
    return this.#transport.send(method, path, options) as Promise<Answer<Body>>
  }
}

class Pets {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /**
   * Lists all matching animals, in ascending order of `id` by default. Use `for await` for all of them, or `.page()` for
   * one page.
   */
  list(filter?: PetFilter, options?: CallOptions): List<Pet> {
    return new List(this.#transport, '/pets', { ...filter }, options)
  }

  create(pet: NewPet, options?: PostOptions): Call<Pet> {
    return this.#transport.add('/pets', pet, options)
  }

  /** Returns the animal, which you can also pass as `ifMatch`. Throws a `NotFoundError` if it does not exist. */
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

  /** It is retried like other calls, but not with `ifMatch` if an attempt may have succeeded. */
  update(petId: bigint, body: PetPatch, options?: ChangeOptions): Call<Pet> {
    return this.#transport.call('PATCH', petPath(petId), { ...options, body, expected: { id: petId } })
  }

  /** A 404 after an attempt without a response counts as deleted. */
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
   * Lists all matching orders, in ascending order of `id` by default. Use `for await` for all of them, or `.page()` for
   * one page.
   */
  list(filter?: OrderFilter, options?: CallOptions): List<Order> {
    return new List(this.#transport, '/store/orders', { ...filter }, options)
  }

  /** Places an order on an available animal, which becomes `pending`. */
  place(order: NewOrder, options?: PostOptions): Call<Order> {
    return this.#transport.add('/store/orders', order, { ...options, expected: { petId: order.petId } })
  }

  /** The number of orders in each state, and of the `placed` orders that expire within 24 hours. */
  counts(options?: CallOptions): Call<OrderCounts> {
    return this.#transport.call('GET', '/store/order-counts', options)
  }

  get(orderId: bigint, options?: CallOptions): Call<Order> {
    return this.#transport.call('GET', orderPath(orderId), { ...options, expected: { id: orderId } })
  }

  /** Changes the `reference` in any state, or `heldUntil` while the order is `placed`. */
  update(orderId: bigint, body: OrderPatch, options?: ChangeOptions<Order>): Call<Order> {
    return this.#transport.call('PATCH', orderPath(orderId), { ...options, body, expected: { id: orderId } })
  }

  /** Completes the order. The animal becomes `sold`. */
  complete(orderId: bigint, options?: CallOptions): Call<Order> {
    return this.#transport.act(orderPath(orderId, '/complete'), { ...options, expected: { id: orderId } })
  }

  /** Cancels the order. The animal becomes `available` again. */
  cancel(orderId: bigint, options?: CallOptions): Call<Order> {
    return this.#transport.act(orderPath(orderId, '/cancel'), { ...options, expected: { id: orderId } })
  }

  /** Takes back the animal of a completed order. It becomes `available` and can be ordered again. */
  return(orderId: bigint, options?: CallOptions): Call<Order> {
    return this.#transport.act(orderPath(orderId, '/return'), { ...options, expected: { id: orderId } })
  }
}

class Categories {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /**
   * Lists the categories that have a name, in ascending order of `id`. Use `for await` for all of them, or `.page()` for
   * one page.
   */
  list(pages?: PageOptions, options?: CallOptions): List<Category> {
    return new List(this.#transport, '/categories', { ...pages }, options)
  }

  /** Returns the category that has this name, or creates it with a free number. It is retried like a GET. */
  create(body: NewCategory, options?: CallOptions): Call<Category> {
    return this.#transport.call('POST', '/categories', { ...options, body, isIdempotent: true })
  }

  /** Gives the category a name, or replaces its name. It is retried like `pets.update`. */
  put(categoryId: bigint, body: NewCategory, options?: ChangeOptions<Category>): Call<Category> {
    return this.#transport.call('PUT', categoryPath(categoryId), { ...options, body, expected: { id: categoryId } })
  }

  /**
   * Removes the name of the category. Its animals keep their `categoryId`. A 404 after an attempt without a response
   * counts as deleted.
   */
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
