/** Buyers who want the same animal at the same time, one animal after another: each repeats its order until it is told who got it. */
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Answer, call } from './call.ts'
import { type Address, eventually, pauseMilliseconds } from './load.ts'
import type { Order } from './orders.ts'

const buyers = 3

export class Rivals {
  readonly unexpected: string[] = []
  /** The orders that were acknowledged, as they were last. */
  readonly #told: Order[] = []
  readonly #pick: () => Address
  readonly #races: Promise<void>
  #isOver = false
  #isGivenUp = false

  /** `animals` gives one that nobody has been after yet, or undefined while there is none. */
  constructor(pick: () => Address, animals: () => number | undefined) {
    this.#pick = pick
    this.#races = this.#race(animals)
    this.#races.catch(() => {})
  }

  /** How many animals were sold. */
  get sales(): number {
    return this.#told.length
  }

  /** Resolves once `count` more animals are sold. */
  async more(count: number): Promise<void> {
    const wanted = this.sales + count
    await eventually(
      async () => this.sales,
      (sales) => sales >= wanted,
    )
  }

  /** Lets every buyer be told who got the animal they are after. */
  async stop(): Promise<void> {
    this.#isOver = true
    await this.#races
  }

  /** Lets every buyer go, as nobody will answer. */
  giveUp(): void {
    this.#isOver = true
    this.#isGivenUp = true
  }

  /** Checks all orders there are: each was acknowledged to one buyer, is where that buyer was told it is, and is the only one on its animal. */
  check(orders: readonly Order[]): void {
    const byId = (list: readonly Order[]) => list.toSorted((a, b) => a.id - b.id)
    assert.deepEqual(byId(orders), byId(this.#told), 'the orders are not those that were acknowledged')
    assert.equal(new Set(orders.map(({ petId }) => petId)).size, orders.length, 'an animal is sold twice')
    assert.deepEqual(this.unexpected, [])
  }

  async #race(animals: () => number | undefined): Promise<void> {
    while (!this.#isOver) {
      const petId = animals()
      if (petId === undefined) await sleep(pauseMilliseconds)
      else {
        const answers = await Promise.all(
          Array.from({ length: buyers }, (_, buyer) => this.#insist('/store/orders', { petId }, `${petId}-${buyer}`)),
        )
        const [won, ...others] = answers.toSorted((a, b) => a.status - b.status) as [Answer, ...Answer[]]
        for (const { json, text } of others) if (json?.code !== 'pet_not_available') this.unexpected.push(text)
        const sold = won.status === 201 ? await this.#insist(`/store/orders/${won.json.id}/complete`) : won
        if (sold.status === 200) this.#told.push(sold.json)
        else this.unexpected.push(sold.text)
      }
    }
  }

  async #insist(path: string, body?: object, idempotencyKey?: string): Promise<Answer> {
    const headers: Record<string, string> = idempotencyKey === undefined ? {} : { 'Idempotency-Key': idempotencyKey }
    for (;;) {
      const { url, key } = this.#pick()
      const answer = await call(`${url}/v1`, 'POST', path, { key, body, headers }).catch(() => undefined)
      if (this.#isGivenUp) throw new Error('the buyer was let go')
      if (answer && answer.status !== 503 && answer.json?.code !== 'idempotency_in_progress') return answer
      await sleep(pauseMilliseconds)
    }
  }
}
