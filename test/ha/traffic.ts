/**
 * Staff, buyers, a follower of the feed and the receiver of a webhook, who go on whatever happens; and what was
 * promised to them and not kept.
 */
import { randomUUID } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { node } from '../support/runtimes.ts'
import { TestService } from '../support/service.ts'

interface Animal {
  readonly id: number
  readonly name: string
  readonly status: string
}
interface Order {
  readonly id: number
  readonly petId: number
  readonly status: string
}
interface Reply {
  readonly status: number
  readonly json: unknown
  readonly next: string | undefined
}

/** What is wrong, all of it counted since the traffic began. */
export interface Faults {
  readonly lost: number
  readonly doubled: number
  readonly eventsMissed: number
  readonly webhooksMissed: number
  readonly countsAreRight: boolean
}

const instancesCount = 3
/** Of one try, so that a connection that nobody answers does not hold up a client for good. */
const tryMilliseconds = 10_000
/**
 * How long the feed and the deliveries may take to come to the end; a delivery that failed is tried again after up to a
 * minute.
 */
const settleMilliseconds = 180_000

export class Traffic {
  /** When the last write was acknowledged, and the longest time without one, in milliseconds. */
  lastWrite = performance.now()
  longestGap = 0
  acknowledgedCount = 0
  /** How often the follower was told to start over. */
  gone = 0
  readonly #env: Record<string, string>
  readonly #instances: TestService[]
  readonly #key: string
  readonly #receiver: Server
  readonly #animals = new Map<string, number>()
  readonly #orders = new Map<number, Order>()
  /** The names of the animals they were told of: an id may be given out again after one was lost. */
  readonly #followed = new Set<string>()
  readonly #received = new Set<string>()
  #free: number[] = []
  #requests = 0
  #isPaused = false
  #isOver = false
  #busy = 0
  readonly #clients: Promise<void>[]

  private constructor(env: Record<string, string>, instances: TestService[], key: string, receiver: Server) {
    this.#env = env
    this.#instances = instances
    this.#key = key
    this.#receiver = receiver
    receiver.on('request', async (request, response) => {
      let body = ''
      for await (const chunk of request.setEncoding('utf8')) body += chunk
      this.#received.add(JSON.parse(body).data.name)
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
    this.#clients = [
      ...Array.from({ length: 4 }, () => repeat(() => this.#addAnimal())),
      ...Array.from({ length: 2 }, () => repeat(() => this.#sell())),
      this.#follow(),
    ]
    for (const client of this.#clients) client.catch(() => {})
  }

  static async start(env: Record<string, string>): Promise<Traffic> {
    const settings = { ...env, LOG_LEVEL: 'error', WEBHOOKS_ALLOW: '127.0.0.1' }
    const first = await TestService.start(node, settings)
    const instances = [first]
    while (instances.length < instancesCount) instances.push(await TestService.start(node, settings))
    const scopes = ['pets:read', 'pets:write', 'orders:read', 'orders:write', 'events:read', 'webhooks:write'] as const
    const key = await first.makeKey({ scopes })
    const receiver = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => receiver.once('listening', resolve))
    const { port } = receiver.address() as AddressInfo
    const body = { url: `http://127.0.0.1:${port}/`, types: ['pet.created'] }
    const { status } = await first.call('POST', '/webhooks', { key, body })
    if (status !== 201) throw new Error(`the webhook was refused with ${status}`)
    return new Traffic(settings, instances, key, receiver)
  }

  /** Resolves once `count` more animals are acknowledged. */
  async more(count: number): Promise<void> {
    const wanted = this.#animals.size + count
    while (this.#animals.size < wanted) await sleep(5)
  }

  /** Kills one of the instances, and starts another in its place when `work` is done. */
  async withoutInstance(work: () => Promise<void>): Promise<void> {
    await this.#instances[0]?.kill()
    await work()
    this.#instances[0] = await TestService.start(node, this.#env)
  }

  /**
   * Lets everyone be answered and everything arrive; gives what is wrong, and forgets what was lost, so that it counts
   * once.
   */
  async check(): Promise<Faults> {
    this.#isPaused = true
    while (this.#busy > 0) await sleep(20)
    const animals = await this.#all<Animal>('/pets')
    const orders = await this.#all<Order>('/store/orders')
    const counts = (await this.#answered('GET', '/store/inventory')).json as Record<string, number>
    const byName = new Map(animals.map((animal) => [animal.name, animal]))
    const lostAnimals = [...this.#animals].filter(([name, id]) => byName.get(name)?.id !== id)
    const byId = new Map(orders.map((order) => [order.id, order]))
    const lostOrders = [...this.#orders.values()].filter(({ id, petId, status }) => {
      const found = byId.get(id)
      return found?.petId !== petId || (status === 'completed' && found.status !== status)
    })
    const missed = (seen: ReadonlySet<string>) => animals.filter(({ name }) => !seen.has(name)).length
    const until = performance.now() + settleMilliseconds
    while ((missed(this.#followed) > 0 || missed(this.#received) > 0) && performance.now() < until) await sleep(100)
    for (const [name] of lostAnimals) this.#animals.delete(name)
    for (const { id } of lostOrders) this.#orders.delete(id)
    const known = new Set(animals.map(({ id }) => id))
    this.#free = this.#free.filter((id) => known.has(id))
    const faults = {
      lost: lostAnimals.length + lostOrders.length,
      doubled: animals.length - byName.size + orders.length - new Set(orders.map(({ petId }) => petId)).size,
      eventsMissed: missed(this.#followed),
      webhooksMissed: missed(this.#received),
      countsAreRight: ['available', 'pending', 'sold'].every(
        (status) => counts[status] === animals.filter((animal) => animal.status === status).length,
      ),
    }
    this.#isPaused = false
    return faults
  }

  async stop(): Promise<void> {
    this.#isOver = true
    await Promise.all(this.#instances.map((instance) => instance.kill()))
    this.#receiver.close()
    this.#receiver.closeAllConnections()
  }

  async #addAnimal(): Promise<void> {
    const name = randomUUID()
    const { id } = (await this.#answered('POST', '/pets', { name, categoryId: 1 }, name)).json as Animal
    this.#acknowledged()
    this.#animals.set(name, id)
    this.#free.push(id)
  }

  async #sell(): Promise<void> {
    const petId = this.#free.shift()
    if (petId === undefined) return sleep(20)
    const placed = await this.#answered('POST', '/store/orders', { petId }, randomUUID())
    if (placed.status === 404 || placed.status === 409) return // The animal was lost, or its id is now that of another.
    const order = placed.json as Order
    this.#acknowledged()
    this.#orders.set(order.id, order)
    const completed = await this.#answered('POST', `/store/orders/${order.id}/complete`, undefined, randomUUID())
    if (completed.status !== 200) return
    this.#acknowledged()
    this.#orders.set(order.id, completed.json as Order)
  }

  #acknowledged(): void {
    const now = performance.now()
    this.longestGap = Math.max(this.longestGap, now - this.lastWrite)
    this.lastWrite = now
    this.acknowledgedCount++
  }

  async #follow(): Promise<void> {
    const start = '/events?type=pet.created&limit=100'
    for (let place = start; !this.#isOver; ) {
      const { status, json, next } = await this.#answered('GET', place)
      if (status === 410) {
        this.gone++
        this.#followed.clear()
        place = start
        continue
      }
      for (const { data } of json as { data: Animal }[]) this.#followed.add(data.name)
      if (next === undefined || next === place) await sleep(100)
      place = next ?? place
    }
  }

  async #all<T>(path: string): Promise<T[]> {
    const items: T[] = []
    for (let next: string | undefined = `${path}?limit=100`; next !== undefined; ) {
      const reply = await this.#answered('GET', next)
      items.push(...(reply.json as T[]))
      next = reply.next
    }
    return items
  }

  /** Repeats a request, at the next instance each time, until it is answered: neither 5xx nor nothing at all. */
  async #answered(method: string, path: string, body?: unknown, idempotencyKey?: string): Promise<Reply> {
    for (;;) {
      if (this.#isOver) await new Promise(() => {})
      const { url } = this.#instances[this.#requests++ % instancesCount] as TestService
      try {
        const response = await fetch(`${url}/v1${path}`, {
          method,
          headers: {
            authorization: `Bearer ${this.#key}`,
            ...(body === undefined ? {} : { 'content-type': 'application/json' }),
            ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
          },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
          signal: AbortSignal.timeout(tryMilliseconds),
        })
        const text = await response.text()
        const next = /<([^>]*)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1]
        if (response.status < 500)
          return { status: response.status, json: JSON.parse(text), next: next?.replace(/^.*\/v1(?=\/)/, '') }
      } catch {
        // The instance or the connection is gone: the next try tells.
      }
      await sleep(20)
    }
  }
}
