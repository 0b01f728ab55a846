/**
 * A model of the life of an animal in plain objects, as the decisions describe it. It says what the answer to every
 * request must be.
 */
import { moves, type Order, type Verb } from '../order.ts'

export type PetStatus = 'available' | 'pending' | 'sold'
export interface Pet {
  readonly id: number
  readonly name: string
  readonly categoryId: number
  readonly status: PetStatus
}
export interface Expected {
  readonly status: number
  /** The code of a refusal. */
  readonly code?: string
  readonly body?: unknown
  readonly replayed?: boolean
}
export type IfMatch = 'none' | 'any' | 'current' | 'stale'

const day = 24 * 60 * 60 * 1000
/** Returns an order as the service shows it. Values that are not set are left out. */
const shown = ({ id, petId, status, reference, heldUntil, createdAt, updatedAt, completedAt }: Shown): Order => ({
  id,
  petId,
  status,
  ...(reference !== undefined && { reference }),
  ...(heldUntil && { heldUntil }),
  createdAt,
  updatedAt,
  ...(completedAt !== undefined && { completedAt }),
})
type Shown = Omit<Order, 'heldUntil'> & { readonly heldUntil?: string | null }
/** The part of an order that a client sends. A `heldUntil` of null means that the order never expires. */
export interface Terms {
  readonly reference?: string
  readonly heldUntil?: string | null
}

const refused = (status: number, code: string): Expected => ({ status, code })

export class Model {
  now = 0
  readonly pets = new Map<number, Pet>()
  readonly orders = new Map<number, Order>()
  /** The names of categories. */
  readonly names = new Map<number, string>()
  readonly #records = new Map<string, { body: string; at: number; answer: Expected }>()

  /** Adds an animal. `id` is the one that the service assigned, if it has added the animal. */
  create(pet: Omit<Pet, 'id' | 'status'> & { status?: PetStatus }, key: string | undefined, id: number): Expected {
    return this.#once('/pets', key, pet, () => {
      const added: Pet = { id, ...pet, status: pet.status ?? 'available' }
      this.pets.set(id, added)
      return { status: 201, body: added }
    })
  }

  patch(id: number, changes: Partial<Pet>, ifMatch: IfMatch): Expected {
    const pet = this.pets.get(id)
    if (!pet) return refused(404, 'pet_not_found')
    if (ifMatch === 'stale') return refused(412, 'precondition_failed')
    if (changes.status && this.#isHeld(id)) return refused(409, 'order_state_conflict')
    return { status: 200, body: this.#change(pet, changes) }
  }

  remove(id: number, ifMatch: IfMatch): Expected {
    if (!this.pets.has(id)) return refused(404, 'pet_not_found')
    if (ifMatch === 'stale') return refused(412, 'precondition_failed')
    if (this.ordersOn(id).length > 0) return refused(409, 'order_state_conflict')
    this.pets.delete(id)
    return { status: 204 }
  }

  place(order: Terms & { petId: number }, key: string | undefined, id: number): Expected {
    return this.#once('/store/orders', key, order, () => {
      const { petId, heldUntil } = order
      if (heldUntil && heldUntil <= this.#time()) return refused(400, 'invalid_field')
      const pet = this.pets.get(petId)
      if (!pet) return refused(422, 'unknown_pet')
      if (pet.status !== 'available' || this.#isHeld(petId)) return refused(409, 'pet_not_available')
      this.#change(pet, { status: 'pending' })
      const [createdAt, updatedAt] = [this.#time(), this.#time()]
      return { status: 201, body: this.#keep({ ...order, id, status: 'placed', createdAt, updatedAt }) }
    })
  }

  patchOrder(id: number, terms: Terms): Expected {
    const order = this.orders.get(id)
    if (terms.heldUntil && terms.heldUntil <= this.#time()) return refused(400, 'invalid_field')
    if (!order) return refused(404, 'order_not_found')
    if (terms.heldUntil !== undefined && (order.status !== 'placed' || this.#isOver(order)))
      return refused(409, 'order_state_conflict')
    const changed = shown({ ...order, ...terms })
    if (JSON.stringify(changed) === JSON.stringify(order)) return { status: 200, body: order }
    return { status: 200, body: this.#keep({ ...changed, updatedAt: this.#time() }) }
  }

  /** Expires the orders whose time has passed, as soon as a request reads them. */
  expire(): void {
    for (const order of this.orders.values())
      if (order.status === 'placed' && this.#isOver(order)) {
        const { heldUntil = '', updatedAt } = order
        this.#keep({ ...order, status: 'expired', updatedAt: updatedAt > heldUntil ? updatedAt : heldUntil })
        this.#change(this.pets.get(order.petId) as Pet, { status: 'available' })
      }
  }

  move(id: number, verb: Verb): Expected {
    const order = this.orders.get(id)
    if (!order) return refused(404, 'order_not_found')
    const [from, status, ofPet] = moves[verb]
    if (order.status === status) return { status: 200, body: order }
    if (order.status !== from || (from === 'placed' && this.#isOver(order))) return refused(409, 'order_state_conflict')
    const now = this.#time()
    this.#change(this.pets.get(order.petId) as Pet, { status: ofPet })
    const completed = verb === 'complete' ? { completedAt: now } : {}
    return { status: 200, body: this.#keep({ ...order, ...completed, status, updatedAt: now }) }
  }

  getPet(id: number): Expected {
    const body = this.pets.get(id)
    return body ? { status: 200, body } : refused(404, 'pet_not_found')
  }

  getOrder(id: number): Expected {
    const body = this.orders.get(id)
    return body ? { status: 200, body } : refused(404, 'order_not_found')
  }

  petsIn(categoryId: number, status?: PetStatus): Pet[] {
    const all = [...this.pets.values()].sort((a, b) => a.id - b.id)
    return all.filter((pet) => pet.categoryId === categoryId && (!status || pet.status === status))
  }

  ordersOn(petId: number, status?: Order['status']): Order[] {
    return this.ordersWith({ petId, ...(status && { status }) })
  }

  /** Returns the orders with these members. */
  ordersWith(members: Partial<Order>): Order[] {
    const all = [...this.orders.values()].sort((a, b) => a.id - b.id)
    const wanted = Object.entries(members)
    return all.filter((order) => wanted.every(([name, value]) => order[name as keyof Order] === value))
  }

  /** Returns the counts of a category in the form of `by=category`. */
  countsIn(categoryId: number): object | undefined {
    const counts = { available: 0, pending: 0, sold: 0 }
    const name = this.names.get(categoryId)
    const pets = this.petsIn(categoryId)
    for (const { status } of pets) counts[status]++
    return name || pets.length > 0 ? { categoryId, ...(name && { name }), ...counts } : undefined
  }

  nameCategory(id: number, name: string): Expected {
    const status = this.names.has(id) ? 200 : 201
    this.names.set(id, name)
    return { status, body: { id, name } }
  }

  unnameCategory(id: number): Expected {
    return this.names.delete(id) ? { status: 204 } : refused(404, 'category_not_found')
  }

  /** Whether an order is open or completed. */
  #isHeld(petId: number): boolean {
    return this.ordersOn(petId, 'placed').length + this.ordersOn(petId, 'completed').length > 0
  }

  #isOver({ heldUntil }: Order): boolean {
    return heldUntil !== undefined && heldUntil <= this.#time()
  }

  #keep(order: Shown): Order {
    const kept = shown(order)
    this.orders.set(kept.id, kept)
    return kept
  }

  #change(pet: Pet, changes: Partial<Pet>): Pet {
    const changed = { ...pet, ...changes }
    this.pets.set(pet.id, changed)
    return changed
  }

  #time(): string {
    return new Date(this.now).toISOString()
  }

  /** An Idempotency-Key applies to a path, for a day. Refusals are not stored. */
  #once(path: string, key: string | undefined, request: unknown, work: () => Expected): Expected {
    const body = JSON.stringify(request)
    const earlier = this.#records.get(`${path} ${key}`)
    if (key && earlier && earlier.at > this.now - day)
      return earlier.body === body ? { ...earlier.answer, replayed: true } : refused(422, 'idempotency_key_reused')
    const answer = work()
    if (key && answer.status < 300) this.#records.set(`${path} ${key}`, { body, at: this.now, answer })
    return answer
  }
}
