/** Animals to order, added through the service, so that a database of any version will do. */
import { say } from './contest.ts'
import { type Load, measure } from './load.ts'
import { petstore } from './requests.ts'
import type { Server } from './server.ts'

export class Stock {
  readonly #server: Server
  readonly #key: string
  #next = 1

  constructor(server: Server, key: string) {
    this.#server = server
    this.#key = key
  }

  /** The first and the last id of so many, which are never given out again. */
  async take(number: number): Promise<[first: number, last: number]> {
    const add: Load = { path: '/', script: ['post', petstore.animals, petstore.newAnimal] }
    while ((await this.#lastId()) < this.#next + number) {
      say(`adding ${number} animals`)
      await measure(add, { ports: [this.#server.port], key: this.#key, seconds: 1 })
    }
    const first = this.#next
    this.#next += number
    return [first, first + number - 1]
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
