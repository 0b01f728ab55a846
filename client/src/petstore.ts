/** The client: animals, and orders on them. */
import { int64Text } from './json.ts'
import { List, type PageOptions } from './list.ts'
import { type Answer, type CallOptions, type PetStoreOptions, Transport } from './transport.ts'
import type { NewOrder, NewPet, Order, OrderStatus, Pet, PetPatch, PetStatus } from './types.ts'

export interface PostOptions extends CallOptions {
  /** The Idempotency-Key, the same for all tries; random unless given. Pass the key of an earlier call to repeat that call. */
  readonly idempotencyKey?: string | undefined
}
export interface ChangeOptions extends CallOptions {
  /** Change the animal only if it is still this version: an ETag, or the animal that `create`, `get` or `update` returned. */
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
  /** The ETag with which each animal was returned. */
  readonly #versions = new WeakMap<Pet, string>()

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** All matching animals in ascending order of `id`: use `for await` for all, `.page()` for one page. */
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

  /** Retried like other calls, except with `ifMatch` if the first try may have succeeded. */
  async update(petId: bigint, patch: PetPatch, { ifMatch, ...options }: ChangeOptions = {}): Promise<Pet> {
    const request = { method: 'PATCH', path: pathOf(petId), body: patch, ifMatch: this.#versionOf(ifMatch) } as const
    return this.#remember(await this.#transport.send(request, options))
  }

  /** A 404 after a try without a response counts as deleted. */
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

  /** All matching orders in ascending order of `id`: use `for await` for all, `.page()` for one page. */
  list(filter?: OrderFilter, options?: CallOptions): List<Order> {
    return new List(this.#transport, '/store/orders', { ...filter }, options)
  }

  /** Orders an available animal, which becomes `pending`. */
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

/** Not randomUUID, which browsers provide only to pages served over TLS. */
const randomKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
