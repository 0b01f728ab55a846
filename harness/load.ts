/**
 * Clients that keep writing, whatever happens. Each repeats its request with the same Idempotency-Key until it is
 * acknowledged.
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Answer, call } from './call.ts'
import type { Pet } from './expect.ts'
import { eventually } from './patience.ts'

export interface Address {
  /** The base address, without the version. */
  readonly url: string
  readonly key: string
  /** Called after each request with its outcome: a status, or `lost` if there was no answer. */
  readonly ended?: (outcome: number | 'lost') => void
}

/** The pause between two attempts of the same request. */
export const pauseMilliseconds = 10

export class Load {
  /** The ids with which animals were acknowledged, by name. */
  readonly acknowledged = new Map<string, number>()
  /** How often each outcome occurred: a status, or `lost` for a connection without an answer. */
  readonly seen = new Map<string, number>()
  readonly unexpected: string[] = []
  readonly #pick: () => Address
  readonly #clients: Promise<void>[]
  #waiting: { isTrue: () => boolean; resolve: () => void }[] = []
  #isOver = false
  #isGivenUp = false

  /** `pick` chooses the instance for each request. */
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

  /** Stops the load after every client has finished its current animal. */
  async stop(): Promise<void> {
    this.#isOver = true
    await Promise.all(this.#clients)
    assert.deepEqual(this.unexpected, [])
  }

  /** Stops every client immediately, because nobody will answer it. */
  giveUp(): void {
    this.#isOver = true
    this.#isGivenUp = true
  }

  /** Checks a whole catalogue: it must contain every acknowledged animal once, with its id, and nothing else. */
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
      while (!(await this.#claim(name)) && !this.#isGivenUp) await sleep(pauseMilliseconds)
    }
  }

  async #claim(name: string): Promise<boolean> {
    const { url, key, ended } = this.#pick()
    let outcome: number | 'lost' = 'lost'
    try {
      const response = await fetch(`${url}/v1/pets`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', 'Idempotency-Key': name },
        body: JSON.stringify({ name, categoryId: 1 }),
      })
      const text = await response.text()
      outcome = response.status
      if (response.status === 201) this.acknowledged.set(name, JSON.parse(text).id)
      else if (response.status !== 503 && response.status !== 409) this.unexpected.push(`${outcome} ${text}`)
    } catch {
      // The instance was killed, or is not running yet.
    }
    ended?.(outcome)
    this.seen.set(String(outcome), (this.seen.get(String(outcome)) ?? 0) + 1)
    const reached = this.#waiting.filter(({ isTrue }) => isTrue())
    this.#waiting = this.#waiting.filter((wait) => !reached.includes(wait))
    for (const { resolve } of reached) resolve()
    return outcome !== 'lost' && outcome !== 503 && outcome !== 409
  }

  #until(isTrue: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      if (isTrue()) resolve()
      else this.#waiting.push({ isTrue, resolve })
    })
  }
}

/**
 * Reads the whole catalogue, page by page. `pick` chooses the instance for each page, and a failed request is repeated.
 */
export const walk = (pick: () => Address, limit = 100): Promise<Pet[]> => walkList(pick, '/pets', limit)

/** Reads any list like `walk` does. */
export async function walkList<Row>(pick: () => Address, list: string, limit = 100): Promise<Row[]> {
  const rows: Row[] = []
  for (let path: string | undefined = `${list}?limit=${limit}`; path; ) {
    const page: string = path
    const ask = async () => {
      const { url, key, ended } = pick()
      const answer = await call(`${url}/v1`, 'GET', page, { key }).catch(() => undefined)
      ended?.(answer?.status ?? 'lost')
      return answer
    }
    const answer = (await eventually(ask, (each) => each?.status === 200)) as Answer
    rows.push(...(answer.json as Row[]))
    path = /\/v1(\/[^>]*)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1]
  }
  return rows
}

/**
 * Reads the whole catalogue repeatedly until it is over, and returns how often. Each time, it must contain every animal
 * that was acknowledged before, in the order of ids and without duplicates.
 */
export async function keepWalking(pick: () => Address, load: Load, isOver: () => boolean): Promise<number> {
  let walks = 0
  for (; !isOver(); walks++) {
    const standing = [...load.acknowledged.values()]
    // The size of the pages differs each time.
    const ids = (await walk(pick, 20 + ((walks * 37) % 80))).map(({ id }) => id)
    const shown = new Set(ids)
    assert.equal(shown.size, ids.length, 'a walk saw an animal twice')
    assert.deepEqual(
      ids,
      ids.toSorted((a, b) => a - b),
    )
    assert.deepEqual(
      standing.filter((id) => !shown.has(id)),
      [],
      'a walk missed animals that stood at its start',
    )
  }
  return walks
}
