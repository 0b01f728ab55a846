/** Kills a service in the middle of orders, again and again, and checks at each start that animals, orders and events agree. */
import assert from 'node:assert/strict'
import { onStore } from './catalogue.ts'
import type { Database } from './databases.ts'
import { Follower } from './follower.ts'
import type { Order } from './orders.ts'
import { makeKey, Served } from './process.ts'
import type { Answer } from './service.ts'

const clients = 6
const animalsEach = 4

/** What a client knows of an order: how far it was told it is, and what it last asked for. */
interface Known {
  readonly petId: number
  /** The Idempotency-Key it was placed under. */
  readonly key: string
  /** From the last answer; undefined where none came. */
  acknowledged?: Order
  /** Where a request without an answer may have taken it. */
  asked?: Order['status']
}

const ends = { complete: 'completed', cancel: 'cancelled' } as const

class Buyers {
  readonly known: Known[] = []
  /** How many requests about orders were cut off. */
  cuts = 0
  readonly #key: string
  #served: Served | undefined
  /** Kills the service when so many requests have been answered. */
  #answersLeft = 0

  constructor(key: string) {
    this.#key = key
  }

  /** Lets every client buy until the service is killed, at another place in every cycle. */
  async buyUntilKilled(served: Served, cycle: number): Promise<void> {
    this.#served = served
    this.#answersLeft = 5 + ((cycle * 37) % 101)
    await Promise.all(Array.from({ length: clients }, (_, client) => this.#buy(`${cycle}-${client}`)))
    await served.ended
  }

  async #buy(name: string): Promise<void> {
    for (let i = 0; ; i++) {
      const pets: number[] = []
      for (let j = 0; j < animalsEach; j++) {
        const pet = await this.#ask('/pets', { name: 'Rex', categoryId: 1 })
        if (!pet) return
        pets.push(pet.json.id)
      }
      for (const [j, petId] of pets.entries()) {
        const known: Known = { petId, key: `${name}-${i}-${j}`, asked: 'placed' }
        this.known.push(known)
        if (!(await this.#step(known, '/store/orders', { petId }, known.key))) return
        // One stays open, one is sold, one is given back, and one is sold after it was given back.
        if (j === 1 && !(await this.#end(known, 'complete'))) return
        if (j >= 2 && !(await this.#end(known, 'cancel'))) return
        if (j < 3) continue
        const again: Known = { petId, key: `${known.key}-again`, asked: 'placed' }
        this.known.push(again)
        if (!(await this.#step(again, '/store/orders', { petId }, again.key))) return
        if (!(await this.#end(again, 'complete'))) return
      }
    }
  }

  #end(known: Known, verb: keyof typeof ends): Promise<boolean> {
    known.asked = ends[verb]
    return this.#step(known, `/store/orders/${known.acknowledged?.id}/${verb}`)
  }

  async #step(known: Known, path: string, body?: object, key?: string): Promise<boolean> {
    const answer = await this.#ask(path, body, key)
    if (!answer) {
      this.cuts++
      return false
    }
    known.acknowledged = answer.json
    assert.equal(answer.json.status, known.asked)
    return true
  }

  async #ask(path: string, body?: object, key?: string): Promise<Answer | undefined> {
    const headers: Record<string, string> = key === undefined ? {} : { 'Idempotency-Key': key }
    const served = this.#served as Served
    const answer = await served.call('POST', path, { key: this.#key, body, headers }).catch(() => undefined)
    if (!answer) return undefined
    assert.ok(answer.status < 300, answer.text)
    if (--this.#answersLeft === 0) served.signal('SIGKILL')
    return answer
  }

  /** All that must hold of a service that has just been started again. */
  async check(served: Served): Promise<void> {
    const orders = await this.#walk<Order>(served, '/store/orders')
    const pets = await this.#walk<{ id: number; status: string }>(served, '/pets')
    const statuses = new Map(pets.map(({ id, status }) => [id, status]))
    const held = new Map<number, string>()
    for (const { petId, status } of orders) {
      if (status === 'cancelled' || status === 'returned') continue
      assert.ok(!held.has(petId), `the animal ${petId} is sold twice`)
      held.set(petId, status === 'placed' ? 'pending' : 'sold')
    }
    for (const [petId, status] of statuses) assert.equal(status, held.get(petId) ?? 'available', `the animal ${petId}`)

    const { json: counts } = await served.call('GET', '/store/inventory', { key: this.#key })
    for (const each of ['available', 'pending', 'sold'])
      assert.equal(counts[each], pets.filter(({ status }) => status === each).length, `${each} animals`)

    const byId = new Map(orders.map((order) => [order.id, order]))
    const acknowledged = this.known.filter((known) => known.acknowledged)
    for (const { acknowledged: told, asked } of acknowledged as Required<Known>[]) {
      const order = byId.get(told.id)
      assert.ok(order, `the order ${told.id} is lost`)
      if (order.status === told.status) assert.deepEqual(order, told)
      else assert.equal(order.status, asked, `the order ${told.id} is not where it was acknowledged to be`)
    }
    const unanswered = this.known.length - acknowledged.length
    assert.ok(orders.length >= acknowledged.length && orders.length <= acknowledged.length + unanswered)
  }

  /** Every client that got no answer sends its request again: each order is placed once, and ends as asked. */
  async repeat(served: Served): Promise<void> {
    this.#served = served
    this.#answersLeft = Number.POSITIVE_INFINITY
    for (const known of this.known) {
      const { petId, key, acknowledged, asked } = known
      if (!acknowledged) assert.ok(await this.#step(known, '/store/orders', { petId }, key))
      else if (asked === 'completed' && acknowledged.status !== asked) await this.#end(known, 'complete')
      else if (asked === 'cancelled' && acknowledged.status !== asked) await this.#end(known, 'cancel')
    }
    assert.equal((await this.#walk(served, '/store/orders')).length, this.known.length)
  }

  async #walk<Row>(served: Served, path: string): Promise<Row[]> {
    const rows: Row[] = []
    for (let next: string | undefined = `${path}?limit=100`; next; ) {
      const { json, headers }: Answer = await served.call('GET', next, { key: this.#key })
      rows.push(...json)
      next = /\/v1(\/[^>]*)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1]
    }
    return rows
  }
}

/** Gives how many orders were acknowledged, and found, in all. */
export async function killAmongOrders(
  database: Database,
  cycles: number,
  progress: (done: number) => void = () => {},
): Promise<number> {
  const { url, remove } = await database.open()
  try {
    const env = { DATABASE_URL: url, LOG_LEVEL: 'info' }
    const buyers = new Buyers(await makeKey(env))
    const follower = new Follower()
    for (let cycle = 0; cycle <= cycles; cycle++) {
      await using served = await Served.start(env)
      await buyers.check(served)
      await buyers.repeat(served)
      await buyers.check(served)
      await onStore(url, (store) => follower.check(store))
      if (cycle < cycles) await buyers.buyUntilKilled(served, cycle)
      progress(cycle)
    }
    assert.ok(buyers.cuts >= cycles, 'it was killed in the middle of orders')
    return buyers.known.length
  } finally {
    await remove()
  }
}
