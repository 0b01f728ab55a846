/** Clients that go on writing whatever happens: each repeats its request under one Idempotency-Key until it is acknowledged. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Pet } from './expect.ts'

export interface Address {
  /** The base address, without the version. */
  readonly url: string
  readonly key: string
}

const pauseMilliseconds = 10

export class Load {
  /** The id each animal was acknowledged with, by its name. */
  readonly acknowledged = new Map<string, number>()
  /** How often each outcome was seen: a status, or `lost` for a connection without an answer. */
  readonly seen = new Map<string, number>()
  readonly unexpected: string[] = []
  readonly #pick: () => Address
  readonly #clients: Promise<void>[]
  #waiting: { isTrue: () => boolean; resolve: () => void }[] = []
  #isOver = false

  /** `pick` says whom a client turns to, anew for each request. */
  constructor(pick: () => Address, clients: number) {
    this.#pick = pick
    this.#clients = Array.from({ length: clients }, () => this.#client())
  }

  /** Resolves once `count` more animals are acknowledged. */
  more(count: number): Promise<void> {
    const wanted = this.acknowledged.size + count
    return this.#until(() => this.acknowledged.size >= wanted)
  }

  /** Resolves once an outcome was seen `count` more times. */
  moreOf(outcome: string, count: number): Promise<void> {
    const wanted = (this.seen.get(outcome) ?? 0) + count
    return this.#until(() => (this.seen.get(outcome) ?? 0) >= wanted)
  }

  /** Lets every client finish the animal it is at. */
  async stop(): Promise<void> {
    this.#isOver = true
    await Promise.all(this.#clients)
    assert.deepEqual(this.unexpected, [])
  }

  /** Checks a whole catalogue: every acknowledged animal is there, once, with its id, and nothing else. */
  check(catalogue: readonly Pet[]): void {
    const ids = new Map(catalogue.map(({ name, id }) => [name, id]))
    assert.equal(ids.size, catalogue.length, 'an animal stands in the catalogue twice')
    const lost = [...this.acknowledged].filter(([name, id]) => ids.get(name) !== id)
    assert.deepEqual(lost, [], 'acknowledged animals are missing')
    assert.equal(catalogue.length, this.acknowledged.size, 'there are animals nobody was told of')
  }

  async #client(): Promise<void> {
    while (!this.#isOver) {
      const name = randomUUID()
      while (!(await this.#claim(name))) await sleep(pauseMilliseconds)
    }
  }

  async #claim(name: string): Promise<boolean> {
    const { url, key } = this.#pick()
    let outcome = 'lost'
    try {
      const response = await fetch(`${url}/v1/pets`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', 'Idempotency-Key': name },
        body: JSON.stringify({ name, categoryId: 1 }),
      })
      const text = await response.text()
      outcome = String(response.status)
      if (response.status === 201) this.acknowledged.set(name, JSON.parse(text).id)
      else if (response.status !== 503 && response.status !== 409) this.unexpected.push(`${outcome} ${text}`)
    } catch {
      // The instance was killed, or is not up yet.
    }
    this.seen.set(outcome, (this.seen.get(outcome) ?? 0) + 1)
    const reached = this.#waiting.filter(({ isTrue }) => isTrue())
    this.#waiting = this.#waiting.filter((wait) => !reached.includes(wait))
    for (const { resolve } of reached) resolve()
    return outcome !== 'lost' && outcome !== '503' && outcome !== '409'
  }

  #until(isTrue: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      if (isTrue()) resolve()
      else this.#waiting.push({ isTrue, resolve })
    })
  }
}

/** The whole catalogue, page by page; `pick` says whom to ask for each, and a page that was not given is asked for again. */
export async function walk(pick: () => Address, limit = 100): Promise<Pet[]> {
  const pets: Pet[] = []
  for (let path: string | undefined = `/pets?limit=${limit}`; path; ) {
    const { url, key } = pick()
    const response: Response | null = await fetch(`${url}/v1${path}`, {
      headers: { Authorization: `Bearer ${key}` },
    }).catch(() => null)
    if (response?.status !== 200) {
      await response?.body?.cancel()
      await sleep(pauseMilliseconds)
      continue
    }
    pets.push(...((await response.json()) as Pet[]))
    path = /\/v1(\/[^>]*)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1]
  }
  return pets
}

/** Asks until `isRight` holds; fails after a number of tries that no sound service needs. */
export async function eventually<T>(ask: () => Promise<T>, isRight: (answer: T) => boolean): Promise<T> {
  for (let tries = 0; tries < 1_000; tries++) {
    const answer = await ask()
    if (isRight(answer)) return answer
    await sleep(50)
  }
  throw new Error('it never came right')
}
