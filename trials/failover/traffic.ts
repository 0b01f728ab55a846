/**
 * Staff, buyers, followers of the feed and the receiver of a webhook, who go on whatever happens; and what was promised
 * to them and not kept.
 */
import { randomUUID } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { TestService } from '../../harness/service.ts'
import { Client, type Reply } from './client.ts'
import { Follower, newsIn } from './follower.ts'

interface Animal {
  readonly id: number
  readonly name: string
  readonly status: string
}
interface Order {
  readonly id: number
  readonly petId: number
  readonly reference: string
  readonly heldUntil?: string
  readonly createdAt: string
  readonly status: string
}
/** What is wrong since the last check. */
export interface Faults {
  readonly lost: number
  readonly doubled: number
  /** Events that a follower missed, or has though they are gone, and how often it was told that for no reason. */
  readonly eventsWrong: number
  readonly webhooksMissed: number
  readonly countsAreRight: boolean
  /** Whether a follower was told to start over. */
  readonly isTold: boolean
}

const instancesCount = 3
/**
 * How long the feed and the deliveries may take to come to the end; a delivery that failed is tried again after up to a
 * minute.
 */
const settleMilliseconds = 180_000
const shortHoldMilliseconds = 2_000
const longHoldMilliseconds = 3_600_000

const inFuture = (milliseconds: number): string => new Date(Date.now() + milliseconds).toISOString()
/** Whether it has expired, or will in a moment. */
const isEnding = ({ status, heldUntil }: Order): boolean =>
  status === 'placed' && heldUntil !== undefined && Date.parse(heldUntil) <= Date.now() + shortHoldMilliseconds
const isActive = ({ status }: Order): boolean => status === 'placed' || status === 'completed'
const surplus = (all: readonly unknown[]): number => all.length - new Set(all).size

export class Traffic {
  /** When the last write was acknowledged, and the longest time without one, in milliseconds. */
  lastWrite = performance.now()
  longestGap = 0
  acknowledgedCount = 0
  readonly #env: Record<string, string>
  readonly #instances: TestService[]
  readonly #client: Client
  readonly #receiver: Server
  /** The acknowledged ones; animals by their names. */
  readonly #animals = new Map<string, number>()
  readonly #orders = new Map<number, Order>()
  readonly #follower = new Follower()
  /** It stays away during a failure, and comes back when others have written more. */
  readonly #visitor = new Follower()
  readonly #received = new Set<string>()
  #free: number[] = []
  #sales = 0
  #isPaused = false
  #isOver = false
  #busy = 0

  private constructor(env: Record<string, string>, instances: TestService[], key: string, receiver: Server) {
    this.#env = env
    this.#instances = instances
    this.#client = new Client(instances, key)
    this.#receiver = receiver
    receiver.on('request', async (request, response) => {
      let body = ''
      for await (const chunk of request.setEncoding('utf8')) body += chunk
      this.#received.add(newsIn(JSON.parse(body)))
      response.end()
    })
    const repeat = async (work: () => Promise<void>) => {
      while (!this.#isOver)
        if (this.#isPaused) await sleep(20)
        else {
          this.#busy++
          await work()
          this.#busy--
        }
    }
    const clients = [
      ...Array.from({ length: 2 }, () => repeat(() => this.#addAnimal())),
      ...Array.from({ length: 2 }, () => repeat(() => this.#addAnimalOnce())),
      ...Array.from({ length: 2 }, () => repeat(() => this.#sell())),
      ...[this.#follower, this.#visitor].map((one) => one.follow((path) => this.#client.answered('GET', path))),
    ]
    for (const client of clients)
      client.catch((error) => {
        process.stderr.write(`${error.stack}\n`)
        process.exit(1)
      })
  }

  static async start(env: Record<string, string>): Promise<Traffic> {
    const settings = { ...env, LOG_LEVEL: 'error', WEBHOOKS_ALLOW: '127.0.0.1' }
    const first = await TestService.start(settings)
    const instances = [first]
    while (instances.length < instancesCount) instances.push(await TestService.start(settings))
    const scopes = ['pets:read', 'pets:write', 'orders:read', 'orders:write', 'events:read', 'webhooks:write'] as const
    const key = await first.makeKey({ scopes })
    const receiver = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => receiver.once('listening', resolve))
    const { port } = receiver.address() as AddressInfo
    const { status } = await first.call('POST', '/webhooks', { key, body: { url: `http://127.0.0.1:${port}/` } })
    if (status !== 201) throw new Error(`the webhook was refused with ${status}`)
    return new Traffic(settings, instances, key, receiver)
  }

  /** Resolves once `count` more animals are acknowledged. */
  async more(count: number): Promise<void> {
    const wanted = this.#animals.size + count
    while (this.#animals.size < wanted) await sleep(5)
  }

  /** Lets a follower read all that is acknowledged now, and stay away until the check, which finds what it missed. */
  async leave(): Promise<void> {
    const names = [...this.#animals.keys()]
    const until = performance.now() + settleMilliseconds
    const isBehind = () => names.some((name) => !this.#visitor.news.has(`pet.created ${name}`))
    while (isBehind() && performance.now() < until) await sleep(5)
    this.#visitor.isAway = true
  }

  /** Kills one of the instances, and starts another in its place when `work` is done. */
  async withoutInstance(work: () => Promise<void>): Promise<void> {
    await this.#instances[0]?.kill()
    await work()
    this.#instances[0] = await TestService.start(this.#env)
  }

  /**
   * Lets everyone be answered and everything arrive; gives what is wrong, and forgets what was lost, so that it counts
   * once.
   */
  async check(): Promise<Faults> {
    this.#isPaused = true
    this.#visitor.isAway = false
    while (this.#busy > 0) await sleep(20)
    const until = performance.now() + settleMilliseconds
    let orders = await this.#client.all<Order>('/store/orders')
    while (orders.some(isEnding) && performance.now() < until) orders = await this.#client.all<Order>('/store/orders')
    const animals = await this.#client.all<Animal>('/pets')
    const counts = (await this.#client.answered('GET', '/store/inventory')).json as Record<string, number>
    const lost = this.#forgetLost(animals, orders)
    const news = [
      ...animals.map(({ name }) => `pet.created ${name}`),
      ...orders.flatMap(({ id, createdAt, status }) =>
        [...new Set(['placed', status])].map((type) => `order.${type} ${id} ${createdAt}`),
      ),
    ]
    const missed = (seen: ReadonlySet<string>) => news.filter((one) => !seen.has(one)).length
    const followers = [this.#follower, this.#visitor]
    const all = [...followers.map((one) => one.news), this.#received]
    while (all.some(missed) && performance.now() < until) await sleep(100)
    const known = new Set(news)
    const isOfPast = (one: string) => /^(pet\.created|order\.placed) /.test(one) && !known.has(one)
    const told = followers.map((one) => one.told())
    const faults = {
      lost,
      doubled:
        surplus(animals.map(({ name }) => name)) +
        surplus(orders.filter(isActive).map(({ petId }) => petId)) +
        surplus(orders.map(({ reference }) => reference)),
      eventsWrong: [
        ...followers.map(({ news }) => missed(news) + [...news].filter(isOfPast).length),
        ...told.map(({ inVain }) => inVain),
      ].reduce((sum, one) => sum + one),
      webhooksMissed: missed(this.#received),
      countsAreRight: ['available', 'pending', 'sold'].every(
        (status) => counts[status] === animals.filter((animal) => animal.status === status).length,
      ),
      isTold: told.some(({ times }) => times > 0),
    }
    this.#isPaused = false
    return faults
  }

  #forgetLost(animals: readonly Animal[], orders: readonly Order[]): number {
    const byName = new Map(animals.map((animal) => [animal.name, animal]))
    const lostAnimals = [...this.#animals].filter(([name, id]) => byName.get(name)?.id !== id)
    const byId = new Map(orders.map((order) => [order.id, order]))
    const lostOrders = [...this.#orders.values()].filter((order) => {
      const found = byId.get(order.id)
      const status = isEnding(order) ? 'expired' : order.status
      return (
        found?.petId !== order.petId ||
        found.reference !== order.reference ||
        found.heldUntil !== order.heldUntil ||
        found.status !== status
      )
    })
    for (const [name] of lostAnimals) this.#animals.delete(name)
    for (const { id } of lostOrders) this.#orders.delete(id)
    const known = new Set(animals.map(({ id }) => id))
    this.#free = this.#free.filter((id) => known.has(id))
    return lostAnimals.length + lostOrders.length
  }

  async stop(): Promise<void> {
    this.#isOver = true
    this.#client.isOver = true
    await Promise.all(this.#instances.map((instance) => instance.kill()))
    this.#receiver.close()
    this.#receiver.closeAllConnections()
  }

  async #addAnimal(): Promise<void> {
    const name = randomUUID()
    this.#added(name, await this.#client.answered('POST', '/pets', { name, categoryId: 1 }, name))
  }

  /** Without a key it is not sent again, and may be there once or not at all. */
  async #addAnimalOnce(): Promise<void> {
    const name = randomUUID()
    const reply = await this.#client.try('POST', '/pets', { name, categoryId: 1 })
    if (reply) this.#added(name, reply)
    else await sleep(20)
  }

  #added(name: string, { status, json }: Reply): void {
    if (status !== 201) throw new Error(`an animal was refused: ${JSON.stringify(json)}`)
    const { id } = json as Animal
    this.#acknowledged()
    this.#animals.set(name, id)
    this.#free.push(id)
  }

  /** Orders are completed, or held for longer and cancelled, or left until they expire. */
  async #sell(): Promise<void> {
    const petId = this.#free.shift()
    if (petId === undefined) return sleep(20)
    const kind = this.#sales++ % 3
    const hold = kind === 0 ? {} : { heldUntil: inFuture(kind === 1 ? longHoldMilliseconds : shortHoldMilliseconds) }
    const placement = { petId, reference: randomUUID(), ...hold }
    const placed = await this.#client.answered('POST', '/store/orders', placement, randomUUID())
    // The animal was lost, or its id is now that of another, or the hold is over before it began.
    if (placed.status !== 201) return
    const order = this.#ordered(placed) as Order
    if (kind === 0) this.#ordered(await this.#client.answered('POST', `/store/orders/${order.id}/complete`))
    if (kind !== 1) return
    const change = { reference: randomUUID(), heldUntil: inFuture(2 * longHoldMilliseconds) }
    if (!this.#ordered(await this.#client.answered('PATCH', `/store/orders/${order.id}`, change))) return
    if (this.#ordered(await this.#client.answered('POST', `/store/orders/${order.id}/cancel`))) this.#free.push(petId)
  }

  #ordered({ status, json }: Reply): Order | undefined {
    if (status >= 300) return undefined
    const order = json as Order
    this.#acknowledged()
    this.#orders.set(order.id, order)
    return order
  }

  #acknowledged(): void {
    const now = performance.now()
    this.longestGap = Math.max(this.longestGap, now - this.lastWrite)
    this.lastWrite = now
    this.acknowledgedCount++
  }
}
