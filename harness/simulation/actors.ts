/** The actors of a run: staff, buyers and visitors. */
import { moves, type Order, type Verb } from '../order.ts'
import { parse } from './exact-json.ts'
import { nextOf, readSince } from './followers.ts'
import type { Kind, Pet } from './ledger.ts'
import { refusedName } from './life.ts'
import { day } from './model.ts'
import type { Client, Result } from './network.ts'
import type { Ask, Keyed, NewPet } from './requests.ts'
import type { Shop } from './shop.ts'
import { type Instant, Violation } from './world.ts'

const hour = 60 * 60 * 1000
const names = ['Rex', 'Ada', 'Rex Copper', 'Mia', 'Bella 1', 'Bella 2']
/** The last number is beyond 2^53. It is a bigint, which is only compared and written. */
const categories = [1, 2, 3, (2n ** 53n + 1n) as unknown as number]
/** Names of categories that are created by name alone. None is spelled like a name that is given to a number. */
const kinds = ['REX!', 'mia', 'Birds', 'birds', 'Fish', 'Newts', 'newts ']
const statuses = ['available', 'available', 'pending', 'sold'] as const
const tries = 6
/** The most requests that are sent again at the end. */
const repeatsMax = 60
/** How the actors behave. */
export interface Manner {
  /** The longest pause between two actions of an actor, in milliseconds. */
  readonly pause: number
  /** The longest time before a request without an answer is repeated, in milliseconds. */
  readonly retry: number
  /** Whether the clock is never set. */
  readonly isClockRight: boolean
}

export class Actors {
  readonly #shop: Shop
  readonly #manner: Manner
  /** When all actors stop, in ticks. */
  end: number
  #keys = 0
  readonly #asked: {
    readonly client: Client
    readonly ask: Keyed
    readonly begun: Instant
    readonly isAnswered: boolean
  }[] = []

  constructor(shop: Shop, manner: Manner, end: number) {
    this.#shop = shop
    this.#manner = manner
    this.end = end
  }

  get isOver(): boolean {
    return this.#shop.world.ticks >= this.end
  }

  async #pause(longest = this.#manner.pause): Promise<void> {
    const { world } = this.#shop
    await world.sleep(world.between(0, longest))
  }

  /** Repeats a request until it is answered. It is only for requests that may be repeated. */
  async insist(client: Client, ask: Ask): Promise<Result> {
    const { world } = this.#shop
    const begun = world.instant
    for (let i = 0; i < tries; i++) {
      const result = await this.#shop.ask(client, ask)
      if (result !== 'lost' && result.status !== 429 && result.status !== 503) return result
      await this.#pause(this.#manner.retry)
      // The Idempotency-Key may have been forgotten.
      if (world.spreadSince(begun) >= day) break
    }
    return 'lost'
  }

  /** Repeats a request until it is answered, however long that takes. At the end, nothing refuses requests any more. */
  async untilAnswered(client: Client, ask: Ask): Promise<Result> {
    for (;;) {
      const result = await this.#shop.ask(client, ask)
      const isLater = result === 'lost' || result.status === 503 || result.code === 'idempotency_in_progress'
      if (!isLater) return result
      await this.#pause(this.#manner.retry)
    }
  }

  /** Clients that have forgotten their answers send their last requests again. */
  async repeatAll(): Promise<void> {
    for (const { client, ask } of this.#asked.slice(-repeatsMax)) await this.untilAnswered(client, ask)
  }

  #newKey(): string | undefined {
    return this.#shop.world.chance(0.7) ? `key-${++this.#keys}` : undefined
  }

  /**
   * Sends a request once, or several times if it has an Idempotency-Key: as a second click, or by a client that already
   * has the answer.
   */
  async #once(client: Client, ask: Keyed): Promise<Result> {
    const { world } = this.#shop
    if (ask.key === undefined) return this.#shop.ask(client, ask)
    if (world.chance(0.1)) await Promise.all([this.insist(client, ask), this.insist(client, ask)])
    const begun = world.instant
    const result = await this.insist(client, ask)
    this.#asked.push({ client, ask, begun, isAnswered: result !== 'lost' })
    const earlier = world.pick(this.#asked.slice(-9))
    // The repetition may also be much later, unless a change of the clock leaves open how much later.
    const mayBeOld = this.#manner.isClockRight && earlier.isAnswered
    if (world.chance(0.2) && (mayBeOld || world.spreadSince(earlier.begun) < day))
      await this.insist(earlier.client, earlier.ask)
    if (world.chance(0.05) && ask.kind === 'create')
      await this.insist(client, { ...ask, pet: { ...ask.pet, name: 'Other' } })
    // An Idempotency-Key of one client is independent of the same key of another client.
    const { staff, buyers } = this.#shop.clients
    if (world.chance(0.05)) await this.insist(client === staff ? buyers : staff, ask)
    return result
  }

  async staff(client: Client): Promise<void> {
    const { world, ledger } = this.#shop
    while (!this.isOver) {
      await this.#pause()
      const ids = ledger.ids('pet')
      const id = world.chance(0.05) || ids.length === 0 ? 999_999 : world.pick(ids.slice(-12))
      await world.pick([
        () => this.#once(client, { kind: 'create', pet: this.#newPet(), key: this.#newKey() }),
        () => this.#once(client, { kind: 'create', pet: this.#newPet(), key: this.#newKey() }),
        () => this.insist(client, { kind: 'patch', id, changes: this.#changes(), version: this.#version(id) }),
        () => this.insist(client, { kind: 'patch', id, changes: this.#changes() }),
        () => this.#shop.ask(client, { kind: 'remove', id, version: this.#version(id) }),
        () => this.insist(client, { kind: 'name', ...this.#named(), isKnown: world.chance(0.5) }),
        () => this.#shop.ask(client, { kind: 'unname', id: this.#category() }),
        () => this.insist(client, { kind: 'make', name: world.pick(kinds) }),
        () => this.#makeTogether(),
        () => this.#addTogether(),
      ])()
    }
  }

  /**
   * Several clients add animals, perhaps in one commit. The database may refuse one of them, and then only that one
   * fails.
   */
  async #addTogether(): Promise<void> {
    const { world, clients } = this.#shop
    const { staff, buyers } = clients
    const refused = world.chance(0.5) ? { name: refusedName } : {}
    const add = (client: Client, name = {}) =>
      this.#shop.ask(client, { kind: 'create', pet: { ...this.#newPet(), ...name } })
    await Promise.all([add(staff), add(buyers), add(staff, refused)])
  }

  /** Two clients create the same category. Some names are written in another notation. */
  async #makeTogether(): Promise<void> {
    const { world, clients } = this.#shop
    const make = (client: Client) => this.#shop.ask(client, { kind: 'make', name: world.pick(kinds.slice(2, 4)) })
    await Promise.all([make(clients.staff), make(clients.buyers), make(clients.staff)])
  }

  /** Returns the number of a category that has one from the start, or that was created by its name. */
  #category(): number {
    const { world, ledger } = this.#shop
    return world.pick([...categories, ...ledger.ids('category')])
  }

  #newPet(): NewPet {
    const { world } = this.#shop
    const status = world.chance(0.3) ? { status: world.pick(statuses) } : {}
    return { name: world.pick(names), categoryId: this.#category(), ...status }
  }

  #named(): { id: number; name: string } {
    const { world } = this.#shop
    return { id: world.pick(categories), name: world.pick(names) }
  }

  #changes(): Partial<Pet> {
    const { world } = this.#shop
    return world.pick<Partial<Pet>>([
      { name: world.pick(names) },
      { categoryId: this.#category() },
      { status: world.pick(statuses) },
    ])
  }

  /** Returns a version that the row has or had. */
  #version(id: number, kind: Kind = 'pet'): string | undefined {
    const { world, ledger } = this.#shop
    if (world.chance(0.5)) return undefined
    return ledger.textOf(kind, id, world.chance(0.7) ? ledger.last : world.whole(0, ledger.last + 1))
  }

  /** A buyer. All buyers want the same animals. */
  async buyer(client: Client): Promise<void> {
    const { world } = this.#shop
    while (!this.isOver) {
      await this.#pause()
      const list = await this.#shop.ask(client, { kind: 'list', status: 'available', limit: 3 })
      const wanted: Pet[] = list === 'lost' || list.status !== 200 ? [] : parse(list.text)
      const petId = world.chance(0.03) ? 999_999 : wanted[world.whole(0, Math.min(2, wanted.length))]?.id
      if (petId === undefined) continue
      const placed = await this.#once(client, { kind: 'place', petId, ...this.#terms(), key: this.#newKey() })
      if (placed === 'lost' || placed.status !== 201) continue
      await this.#pause()
      await this.#move(client, parse(placed.text).id)
    }
  }

  /** Returns who an order is for and when it ends, if it ends. */
  #terms(): { reference?: string; heldUntil?: string } {
    const { world } = this.#shop
    const earliest = world.chance(0.1) ? -this.#manner.pause : 0
    // The end is soon, or soon within the 24 hours that count as due.
    const start = world.now() + (world.chance(0.2) ? day : 0)
    const end = start + Math.floor(world.between(earliest, 3 * this.#manner.pause))
    return {
      ...(world.chance(0.5) && { reference: world.pick(names) }),
      ...(world.chance(0.4) && { heldUntil: new Date(end).toISOString() }),
    }
  }

  async #move(client: Client, id: number): Promise<void> {
    const { world, ledger } = this.#shop
    const verbs = Object.keys(moves) as Verb[]
    const others = ledger.ids('order')
    for (let i = world.whole(1, 4); i > 0; i--) {
      const changes = { ...this.#terms(), ...(world.chance(0.2) && { heldUntil: null }) }
      if (world.chance(0.3))
        await this.insist(client, { kind: 'change', id, changes, version: this.#version(id, 'order') })
      if (world.chance(0.2)) await this.#changeTogether(id)
      const verb: Verb = world.chance(0.6) ? 'complete' : world.pick(verbs)
      await this.insist(client, { kind: 'move', id: world.chance(0.8) ? id : world.pick(others), verb })
      if (world.chance(0.5) && ledger.rowOf<Order>('order', id)?.status === 'completed')
        await this.insist(client, { kind: 'move', id, verb: 'return' })
    }
  }

  /** Two clients change one order concurrently. Both have seen the same version of it, and the lists that show it. */
  async #changeTogether(id: number): Promise<void> {
    const { ledger, clients } = this.#shop
    const version = ledger.textOf('order', id)
    const reference = names[id % names.length] as string
    const look = () => this.#shop.ask(clients.staff, { kind: 'orders', reference })
    const change = (client: Client, name: string) =>
      this.#shop.ask(client, { kind: 'change', id, changes: { reference: name }, version })
    await look()
    await Promise.all([change(clients.staff, reference), change(clients.buyers, 'Nobody')])
    await look()
  }

  /** A visitor reads everything and changes nothing. */
  async visitor(client: Client): Promise<void> {
    const { world, ledger } = this.#shop
    while (!this.isOver) {
      await this.#pause()
      const [pets, orders] = [ledger.ids('pet'), ledger.ids('order')]
      const categoryId = world.pick(categories)
      await world.pick<() => Promise<unknown>>([
        () => this.#shop.ask(client, { kind: 'get', of: 'pet', id: world.pick([...pets.slice(-9), 999_999]) }),
        () => this.#shop.ask(client, { kind: 'get', of: 'order', id: world.pick([...orders.slice(-9), 999_999]) }),
        () => this.#shop.ask(client, { kind: 'list', limit: world.whole(1, 20) }),
        () => this.#shop.ask(client, { kind: 'list', limit: 10, categoryId }),
        () => this.#shop.ask(client, { kind: 'list', limit: 10, search: world.pick(['rex', 'be', 'cop', 'zz']) }),
        () => this.#shop.ask(client, { kind: 'orders', reference: world.pick(names) }),
        () => this.#shop.ask(client, { kind: 'orders', search: this.#wordsOfOrder() }),
        () => this.#walk(client),
        () => this.#shop.ask(client, { kind: 'counts' }),
        () => this.#shop.ask(client, { kind: 'orderCounts' }),
        () => this.#shop.ask(client, { kind: 'categories' }),
        () => this.#shop.ask(client, { kind: 'sales' }),
        () => readSince(this.#shop, client, this.#timeOfEvent()),
        () => this.#shop.send(client, 'GET', world.pick(['//livez', '//readyz', '//metrics', '/me']), undefined),
      ])()
    }
  }

  /**
   * Reads a list to its end while it changes. Each row that exists the whole time is shown once, in the order of ids.
   */
  async #walk(client: Client): Promise<void> {
    const { world, ledger } = this.#shop
    const list = world.pick(['pet', 'order'] as const)
    const [since, limit] = [ledger.last, world.whole(2, 9)]
    const shown: number[] = []
    for (let path: string | undefined = `${list === 'pet' ? '/pets' : '/store/orders'}?limit=${limit}`; path; ) {
      const page: Result | 'stream' = await this.#shop.send(client, 'GET', path, undefined)
      // A client that gets no answer begins again later.
      if (typeof page === 'string' || page.status !== 200) return
      shown.push(...parse(page.text).map(({ id }: { id: number }) => id))
      path = nextOf(page)
    }
    const [isRising, known] = [shown.every((id, i) => i === 0 || id > (shown[i - 1] as number)), new Set(shown)]
    const isStanding = (id: number) => ledger.textOf(list, id) !== undefined
    const missed = [...ledger.versions(list, since)].find(({ row }) => isStanding(row.id) && !known.has(row.id))
    if (!isRising || missed)
      throw new Violation(
        'a walk over a list is complete',
        `${client.name} was shown ${shown}, and not ${missed?.json}`,
      )
  }

  /** Returns words of references and names, and numbers of orders and animals, for a search. */
  #wordsOfOrder(): string {
    const { world, ledger } = this.#shop
    const number = () => String(world.pick([...ledger.ids('order').slice(-9), ...ledger.ids('pet').slice(-9), 12]))
    const word = () => world.pick(['rex', 'be', 'cop', 'nob', 'zz', number()])
    return world.chance(0.5) ? word() : `${word()} ${word()}`
  }

  /** Returns the time of an event, or a time close to it. */
  #timeOfEvent(): number {
    const { world, ledger } = this.#shop
    const { at } = world.pick([...ledger.events.slice(-30), { at: world.now() }])
    return at + world.pick([-1, 0, 0, 1, hour])
  }
}
