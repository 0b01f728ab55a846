/** The client: animals, orders on them, their categories, what happens to them, how many there are, and the API key itself. */
import { Events } from './events.ts'
import { int64Text } from './json.ts'
import { List, type PageOptions } from './list.ts'
import { type Answer, type CallOptions, type PetStoreOptions, Transport } from './transport.ts'
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
  OrderStatus,
  Pet,
  PetPatch,
  PetStatus,
} from './types.ts'

export interface PostOptions extends CallOptions {
  /** The Idempotency-Key, the same for all tries; random unless given. Pass the key of an earlier call to repeat that call. */
  readonly idempotencyKey?: string | undefined
}
export interface ChangeOptions<T = Pet> extends CallOptions {
  /** Make the change only if it is still this version: an ETag, or what `create`, `get`, `update` or `put` returned. */
  readonly ifMatch?: string | T | undefined
}
export interface PetFilter extends PageOptions {
  readonly status?: PetStatus | undefined
  readonly categoryId?: bigint | undefined
  /** Up to 100. */
  readonly id?: readonly bigint[] | undefined
}
export interface OrderFilter extends PageOptions {
  readonly status?: OrderStatus | undefined
  readonly petId?: bigint | undefined
}

export class PetStore {
  readonly pets: Pets
  readonly orders: Orders
  readonly categories: Categories
  readonly events: Events
  readonly #transport: Transport

  constructor(options: PetStoreOptions) {
    const transport = new Transport(options)
    this.#transport = transport
    this.pets = new Pets(transport)
    this.orders = new Orders(transport)
    this.categories = new Categories(transport)
    this.events = new Events(transport)
  }

  /** How many animals there are in each status. */
  async inventory(options?: CallOptions): Promise<Inventory> {
    return (await get(this.#transport, '/store/inventory', options)) as Inventory
  }

  /** The same for each category that has animals or a name, in ascending order of `categoryId`. */
  inventoryByCategory(pages?: PageOptions, options?: CallOptions): List<CategoryInventory> {
    return new List(this.#transport, '/store/inventory', { by: 'category', ...pages }, options)
  }

  /** Animals added and sold each day in UTC, the oldest first and today last; 30 days unless given, 366 at most. */
  async sales(days?: number, options?: CallOptions): Promise<DaySales[]> {
    const path = days === undefined ? '/store/sales' : `/store/sales?days=${days}`
    return (await get(this.#transport, path, options)) as DaySales[]
  }

  /** The API key of this client. */
  async me(options?: CallOptions): Promise<Me> {
    return (await get(this.#transport, '/me', options)) as Me
  }
}

/** The ETag with which each thing was returned. */
class Versions<T extends object> {
  readonly #tags = new WeakMap<T, string>()

  remember({ body, headers }: Answer): T {
    const thing = body as T
    const etag = headers.get('etag')
    if (etag !== null) this.#tags.set(thing, etag)
    return thing
  }

  tagOf(ifMatch: string | T | undefined): string | undefined {
    if (typeof ifMatch !== 'object') return ifMatch
    const tag = this.#tags.get(ifMatch)
    if (tag === undefined) throw new TypeError('ifMatch: not what create, get, update or put returned')
    return tag
  }
}

class Pets {
  readonly #transport: Transport
  readonly #versions = new Versions<Pet>()

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** All matching animals in ascending order of `id`: use `for await` for all, `.page()` for one page. */
  list(filter?: PetFilter, options?: CallOptions): List<Pet> {
    return new List(this.#transport, '/pets', { ...filter }, options)
  }

  async create(pet: NewPet, options: PostOptions = {}): Promise<Pet> {
    return this.#versions.remember(await post(this.#transport, '/pets', pet, options))
  }

  /**
   * One animal.
   * @deprecated since 2026-11-15, removed from the service on 2030-12-05. Use `list({ id: [petId] })`.
   */
  async get(petId: bigint, options?: CallOptions): Promise<Pet> {
    return this.#versions.remember(await this.#transport.send({ method: 'GET', path: pathOf(petId) }, options))
  }

  /** Retried like other calls, except with `ifMatch` if the first try may have succeeded. */
  async update(petId: bigint, body: PetPatch, { ifMatch, ...options }: ChangeOptions = {}): Promise<Pet> {
    const request = { method: 'PATCH', path: pathOf(petId), body, ifMatch: this.#versions.tagOf(ifMatch) } as const
    return this.#versions.remember(await this.#transport.send(request, options))
  }

  /** A 404 after a try without a response counts as deleted. */
  async delete(petId: bigint, { ifMatch, ...options }: ChangeOptions = {}): Promise<void> {
    const request = { method: 'DELETE', path: pathOf(petId), ifMatch: this.#versions.tagOf(ifMatch) } as const
    await this.#transport.send(request, options)
  }
}

class Orders {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** All matching orders in ascending order of `id`: use `for await` for all, `.page()` for one page. */
  list(filter?: OrderFilter, options?: CallOptions): List<Order> {
    return new List(this.#transport, '/store/orders', { ...filter }, options)
  }

  /** Orders an available animal, which becomes `pending`. */
  async place(order: NewOrder, options: PostOptions = {}): Promise<Order> {
    return (await post(this.#transport, '/store/orders', order, options)).body as Order
  }

  async get(orderId: bigint, options?: CallOptions): Promise<Order> {
    return (await get(this.#transport, orderPath(orderId), options)) as Order
  }

  /** The animal becomes `sold`. */
  async complete(orderId: bigint, options: PostOptions = {}): Promise<Order> {
    return this.#end(orderId, 'complete', options)
  }

  /** The animal becomes `available` again. */
  async cancel(orderId: bigint, options: PostOptions = {}): Promise<Order> {
    return this.#end(orderId, 'cancel', options)
  }

  async #end(orderId: bigint, how: 'complete' | 'cancel', options: PostOptions): Promise<Order> {
    return (await post(this.#transport, `${orderPath(orderId)}/${how}`, undefined, options)).body as Order
  }
}

class Categories {
  readonly #transport: Transport
  readonly #versions = new Versions<Category>()

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** All categories that have a name, in ascending order of `id`: use `for await` for all, `.page()` for one page. */
  list(pages?: PageOptions, options?: CallOptions): List<Category> {
    return new List(this.#transport, '/categories', { ...pages }, options)
  }

  /** Gives a category a name, or another one. Retried as `pets.update` is. */
  async put(id: bigint, body: NewCategory, { ifMatch, ...options }: ChangeOptions<Category> = {}): Promise<Category> {
    const request = { method: 'PUT', path: categoryPath(id), body, ifMatch: this.#versions.tagOf(ifMatch) } as const
    return this.#versions.remember(await this.#transport.send(request, options))
  }

  /** Takes its name away; its animals stay. A 404 after a try without a response counts as deleted. */
  async delete(id: bigint, { ifMatch, ...options }: ChangeOptions<Category> = {}): Promise<void> {
    const request = { method: 'DELETE', path: categoryPath(id), ifMatch: this.#versions.tagOf(ifMatch) } as const
    await this.#transport.send(request, options)
  }
}

const orderPath = (orderId: bigint): string => `/store/orders/${int64Text(orderId)}`
const categoryPath = (id: bigint): string => `/categories/${int64Text(id)}`
const pathOf = (petId: bigint): string => `/pets/${int64Text(petId)}`

async function get(transport: Transport, path: string, options: CallOptions | undefined): Promise<unknown> {
  return (await transport.send({ method: 'GET', path }, options)).body
}

function post(transport: Transport, path: string, body: object | undefined, options: PostOptions): Promise<Answer> {
  const { idempotencyKey = randomKey(), ...call } = options
  return transport.send({ method: 'POST', path, idempotencyKey, ...(body && { body }) }, call)
}

/** Not randomUUID, which browsers provide only to pages served over TLS. */
const randomKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
