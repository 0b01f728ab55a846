/** Animals to order, added through the service, so that a database of any version will do. */
import { say } from './contest.ts'
import { type Load, measure } from './load.ts'
import { petstore } from './requests.ts'
import type { Server } from './server.ts'

export class Stock {
  readonly #server: Server
  readonly #key: string
  #next: number

  /** From the id `first` on all animals are to be available and not ordered. */
  constructor(server: Server, key: string, first = 1) {
    this.#server = server
    this.#key = key
    this.#next = first
  }

  /** Adds animals until there are so many to order. */
  async reserve(number: number): Promise<void> {
    const add: Load = { path: '/', script: ['post', petstore.animals, petstore.newAnimal] }
    while ((await this.#lastId()) < this.#next + number) {
      say(`adding ${number} animals`)
      await measure(add, { ports: [this.#server.port], key: this.#key, seconds: 1 })
    }
  }

  /** A load that orders up to so many of those that were reserved; none is in two loads. */
  orders(number: number): Load {
    const first = this.#next
    this.#next += number
    return { path: '/', script: ['orders', '/v1/store/orders', String(first), String(this.#next - 1)] }
  }

  async #lastId(): Promise<number> {
    const response = await fetch(`http://127.0.0.1:${this.#server.port}${petstore.animals}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${this.#key}`, 'Content-Type': 'application/json' },
      body: petstore.newAnimal,
    })
    return ((await response.json()) as { id: number }).id
  }
}
