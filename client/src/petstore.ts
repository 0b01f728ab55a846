/** The pet store as its callers see it: animals, and orders on them. */
import { int64Text } from './json.ts'
import { List, type PageOptions } from './list.ts'
import { type Answer, type CallOptions, type PetStoreOptions, Transport } from './transport.ts'
import type { NewOrder, NewPet, Order, OrderStatus, Pet, PetPatch, PetStatus } from './types.ts'

export interface PostOptions extends CallOptions {
  /** The name of this request, kept over its tries; a new one unless given. Give it to repeat a call of an earlier run. */
  readonly idempotencyKey?: string | undefined
}
export interface ChangeOptions extends CallOptions {
  /** Only while the animal is as it was then: an ETag, or the animal as `create`, `get` or `update` returned it. */
  readonly ifMatch?: string | Pet | undefined
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

  constructor(options: PetStoreOptions) {
    const transport = new Transport(options)
    this.pets = new Pets(transport)
    this.orders = new Orders(transport)
  }
}

class Pets {
  readonly #transport: Transport
  /** The version each animal was returned in. */
  readonly #versions = new WeakMap<Pet, string>()

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** All animals that match, in ascending order of `id`: `for await` walks them, `.page()` gets one page. */
  list(filter?: PetFilter, options?: CallOptions): List<Pet> {
    return new List(this.#transport, '/pets', { ...filter }, options)
  }

  async create(pet: NewPet, options: PostOptions = {}): Promise<Pet> {
    return this.#remember(await post(this.#transport, '/pets', pet, options))
  }

  /**
   * One animal.
   * @deprecated since 2026-11-15, removed from the service on 2030-12-05. Use `list({ id: [petId] })`.
   */
  async get(petId: bigint, options?: CallOptions): Promise<Pet> {
    return this.#remember(await this.#transport.send({ method: 'GET', path: pathOf(petId) }, options))
  }

  /** Tried again like the others, except with `ifMatch` where the first try may have worked. */
  async update(petId: bigint, patch: PetPatch, { ifMatch, ...options }: ChangeOptions = {}): Promise<Pet> {
    const request = { method: 'PATCH', path: pathOf(petId), body: patch, ifMatch: this.#versionOf(ifMatch) } as const
    return this.#remember(await this.#transport.send(request, options))
  }

  /** An animal that is found gone after a try without an answer counts as deleted. */
  async delete(petId: bigint, { ifMatch, ...options }: ChangeOptions = {}): Promise<void> {
    const request = { method: 'DELETE', path: pathOf(petId), ifMatch: this.#versionOf(ifMatch) } as const
    await this.#transport.send(request, options)
  }

  #remember({ body, headers }: Answer): Pet {
    const pet = body as Pet
    const etag = headers.get('etag')
    if (etag !== null) this.#versions.set(pet, etag)
    return pet
  }

  #versionOf(ifMatch: string | Pet | undefined): string | undefined {
    if (typeof ifMatch !== 'object') return ifMatch
    const version = this.#versions.get(ifMatch)
    if (version === undefined) throw new TypeError('ifMatch: not an animal that create, get or update returned')
    return version
  }
}

class Orders {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** All orders that match, in ascending order of `id`: `for await` walks them, `.page()` gets one page. */
  list(filter?: OrderFilter, options?: CallOptions): List<Order> {
    return new List(this.#transport, '/store/orders', { ...filter }, options)
  }

  /** Holds an available animal, which becomes `pending`. */
  async place(order: NewOrder, options: PostOptions = {}): Promise<Order> {
    return (await post(this.#transport, '/store/orders', order, options)).body as Order
  }

  async get(orderId: bigint, options?: CallOptions): Promise<Order> {
    const request = { method: 'GET', path: `/store/orders/${int64Text(orderId)}` } as const
    return (await this.#transport.send(request, options)).body as Order
  }

  /** The animal becomes `sold`. */
  async complete(orderId: bigint, options: PostOptions = {}): Promise<Order> {
    const path = `/store/orders/${int64Text(orderId)}/complete`
    return (await post(this.#transport, path, undefined, options)).body as Order
  }

  /** The animal becomes `available` again. */
  async cancel(orderId: bigint, options: PostOptions = {}): Promise<Order> {
    const path = `/store/orders/${int64Text(orderId)}/cancel`
    return (await post(this.#transport, path, undefined, options)).body as Order
  }
}

const pathOf = (petId: bigint): string => `/pets/${int64Text(petId)}`

function post(transport: Transport, path: string, body: object | undefined, options: PostOptions): Promise<Answer> {
  const { idempotencyKey = randomKey(), ...call } = options
  return transport.send({ method: 'POST', path, idempotencyKey, ...(body && { body }) }, call)
}

/** Not randomUUID, which browsers keep from pages served without TLS. */
const randomKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
