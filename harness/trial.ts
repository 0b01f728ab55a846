/**
 * Runs a service under load while something breaks repeatedly, and compares the result with everything that clients
 * were told.
 */
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Answer, call } from './call.ts'
import { onStore } from './catalogue.ts'
import { CatalogueCopy } from './catalogue-copy.ts'
import { faultsIn } from './faults.ts'
import { type Address, keepWalking, Load, pauseMilliseconds, walk, walkList } from './load.ts'
import type { Order } from './order.ts'
import { becomes, eventually } from './patience.ts'
import { makeKey, Served } from './process.ts'
import { times } from './scope.ts'
import { patientTimeout } from './service.ts'

const buyers = 3
const holdMilliseconds = 500

/**
 * Buyers who want the same animal at the same time, one animal after another. Each of them repeats its order until it
 * learns who got the animal.
 */
class Rivals {
  readonly unexpected: string[] = []
  /** The orders that were acknowledged, in their last state. */
  readonly #told = new Map<number, Order>()
  readonly #pick: () => Address
  readonly #races: Promise<void>
  readonly #holds: Promise<void>[] = []
  isOver = false
  isGivenUp = false

  /** `animals` returns an animal that no buyer has tried yet, or undefined if there is none. */
  constructor(pick: () => Address, animals: () => number | undefined) {
    this.#pick = pick
    this.#races = this.#race(animals)
    this.#races.catch(() => {})
  }

  get sales(): number {
    return this.#told.size
  }

  /** Resolves once `count` more orders are placed. */
  async more(count: number): Promise<void> {
    const wanted = this.sales + count
    await eventually(
      async () => this.sales,
      (sales) => sales >= wanted,
    )
  }

  /** Stops after every buyer has learned who got the animal. */
  async stop(): Promise<void> {
    this.isOver = true
    await this.#races
    await Promise.all(this.#holds)
  }

  /** Checks all orders: each was acknowledged to one buyer, and is in the state that this buyer was told. */
  check(orders: readonly Order[]): void {
    const byId = (list: readonly Order[]) => list.toSorted((a, b) => a.id - b.id)
    assert.deepEqual(byId(orders), byId([...this.#told.values()]), 'the orders are not those that were acknowledged')
    const held = orders.filter(({ status }) => status === 'placed' || status === 'completed')
    assert.equal(new Set(held.map(({ petId }) => petId)).size, held.length, 'an animal is sold twice')
    assert.deepEqual(this.unexpected, [])
  }

  async #race(animals: () => number | undefined): Promise<void> {
    for (let turn = 0; !this.isOver; ) {
      const petId = animals()
      if (petId === undefined) await sleep(pauseMilliseconds)
      else if (turn % 4 === 3) {
        this.#holds.push(this.#hold(petId, turn++))
        this.#holds.at(-1)?.catch(() => {})
      } else await this.#sell(petId, turn++)
    }
  }

  /**
   * Of three animals, one stays sold, one is cancelled before the sale and ordered by another buyer, and one is
   * returned.
   */
  async #sell(petId: number, turn: number): Promise<void> {
    const order = (buyer: string) => this.#insist('/store/orders', { petId }, `${petId}-${buyer}`)
    const answers = await Promise.all(Array.from({ length: buyers }, (_, buyer) => order(String(buyer))))
    const [won, ...others] = answers.toSorted((a, b) => a.status - b.status) as [Answer, ...Answer[]]
    for (const { json, text } of others) if (json?.code !== 'pet_not_available') this.unexpected.push(text)
    if (!this.#accept(won)) return
    const verbs = [['complete'], ['cancel'], ['complete', 'return']][turn % 3] ?? []
    for (const verb of verbs) this.#accept(await this.#insist(`/store/orders/${won.json.id}/${verb}`))
    if (turn % 3 === 1) this.#accept(await order('again'))
  }

  /** Reserves an animal for a moment, and completes the order at about the time at which it expires. */
  async #hold(petId: number, turn: number): Promise<void> {
    const heldUntil = new Date(Date.now() + holdMilliseconds).toISOString()
    const placed = await this.#insist('/store/orders', { petId, heldUntil, reference: String(petId) }, `${petId}-held`)
    // The time may have passed before an instance was there to accept the order.
    if (placed.json?.code === 'invalid_field' || !this.#accept(placed)) return
    await sleep(holdMilliseconds - 50 + ((turn * 37) % 100))
    const path = `/store/orders/${placed.json.id}`
    const ended = await this.#insist(`${path}/complete`)
    if (ended.status < 300) this.#accept(ended)
    else if (ended.json?.code === 'order_state_conflict')
      this.#told.set(placed.json.id, { ...placed.json, status: 'expired', updatedAt: heldUntil })
    else this.unexpected.push(ended.text)
    if (ended.status >= 300)
      await eventually(
        async () => (await this.#insist(path, undefined, undefined, 'GET')).json?.status,
        (status) => status !== 'placed',
      )
  }

  #accept({ status, json, text }: Answer): boolean {
    if (status < 300) this.#told.set(json.id, json)
    else this.unexpected.push(text)
    return status < 300
  }

  async #insist(path: string, body?: object, idempotencyKey?: string, method = 'POST'): Promise<Answer> {
    const headers: Record<string, string> = idempotencyKey === undefined ? {} : { 'Idempotency-Key': idempotencyKey }
    for (;;) {
      const { url, key, ended } = this.#pick()
      const answer = await call(`${url}/v1`, method, path, { key, body, headers }).catch(() => undefined)
      ended?.(answer?.status ?? 'lost')
      if (this.isGivenUp) throw new Error('the buyer was let go')
      if (answer && answer.status !== 503 && answer.json?.code !== 'idempotency_in_progress') return answer
      await sleep(pauseMilliseconds)
    }
  }
}

type Settings = Record<string, string> & { DATABASE_URL: string }

/** Instances on one database, which receive requests in turn. Meanwhile animals are added, sold and listed. */
export class Trial {
  readonly load: Load
  readonly rivals: Rivals
  readonly #env: Settings
  readonly #instances: Served[]
  readonly #key: string
  readonly #walking: Promise<number>
  /** How often a request got no answer, or one that says to try again. */
  failures = 0
  readonly #underWay = new Map<Served, number>()
  #isOver = false
  #requests = 0

  private constructor(env: Settings, instances: Served[], key: string) {
    this.#env = env
    this.#instances = instances
    this.#key = key
    const pick = () => this.#address(this.#requests++ % instances.length)
    this.load = new Load(pick, 6)
    let wanted = 0
    this.rivals = new Rivals(pick, () => [...this.load.acknowledged.values()][wanted++])
    this.#walking = keepWalking(pick, this.load, () => this.#isOver)
    this.#walking.catch(() => {})
  }

  static async start(given: Settings, count: number): Promise<Trial> {
    const env = { DATABASE_TIMEOUT: patientTimeout, ...given }
    const key = await makeKey(env)
    const instances = await Promise.all(Array.from({ length: count }, () => Served.start(env)))
    return new Trial(env, instances, key)
  }

  /** Waits for `work`, unless reading the catalogue fails meanwhile. */
  alongside<T>(work: Promise<T>): Promise<T> {
    return Promise.race([work, this.#walking.then(() => assert.fail('the walks ended early'))])
  }

  /** Starts another instance beside those that serve. From then on it receives its share of the requests. */
  async add(program: readonly string[]): Promise<void> {
    this.#instances.push(await this.alongside(Served.start(this.#env, { program })))
  }

  /**
   * Removes the oldest instance, like a load balancer does: it receives no more requests, and is stopped after all are
   * answered.
   */
  async retire(): Promise<void> {
    await using oldest = this.#instances.shift() as Served
    await becomes(async () => this.#underWay.get(oldest), 0)
    const { code, stderr } = await oldest.end('SIGTERM')
    assert.equal(code, 0, stderr)
  }

  /**
   * Ends the load, and returns what is wrong. Through each instance, everything that was acknowledged must be there
   * once, and nothing else.
   */
  async faults(): Promise<string[]> {
    this.#isOver = true
    const ends = await Promise.allSettled([this.load.stop(), this.rivals.stop(), this.#walking])
    const checks = this.#instances.keys().flatMap((at) => {
      const pick = () => this.#address(at)
      return [
        walk(pick).then((pets) => this.load.check(pets)),
        walkList<Order>(pick, '/store/orders').then((orders) => this.rivals.check(orders)),
      ]
    })
    const stored = onStore(this.#env.DATABASE_URL, async (store) => {
      assert.deepEqual(await faultsIn(store), [])
      await new CatalogueCopy().check(store)
    })
    const outcomes = [...ends, ...(await Promise.allSettled([...checks, stored]))]
    outcomes.push(...(await Promise.allSettled([this.#repeat()])))
    return outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [String(outcome.reason).slice(0, 500)] : []))
  }

  /** Clients that have forgotten their last answers send their requests again, and must get the same answers. */
  async #repeat(): Promise<void> {
    const { url, key } = this.#address(0)
    for (const [name, id] of [...this.load.acknowledged].slice(-times(300, 60))) {
      const [body, headers] = [{ name, categoryId: 1 }, { 'Idempotency-Key': name }]
      const {
        status,
        json,
        headers: sent,
      } = await eventually(
        () => call(`${url}/v1`, 'POST', '/pets', { key, body, headers }),
        (answer) => answer.status !== 503,
      )
      assert.deepEqual([status, json.id, sent.get('idempotency-replayed')], [201, id, 'true'], 'a key is forgotten')
    }
  }

  async stop(): Promise<void> {
    this.#isOver = true
    this.load.giveUp()
    this.rivals.isOver = this.rivals.isGivenUp = true
    await Promise.all(this.#instances.map((instance) => instance[Symbol.asyncDispose]()))
  }

  #address(at: number): Address {
    const instance = this.#instances[at] as Served
    const count = (by: number) => this.#underWay.set(instance, (this.#underWay.get(instance) ?? 0) + by)
    count(1)
    const ended: Address['ended'] = (outcome) => {
      count(-1)
      if (outcome === 'lost' || outcome >= 500) this.failures++
    }
    return { url: new URL(instance.url).origin, key: this.#key, ended }
  }
}
