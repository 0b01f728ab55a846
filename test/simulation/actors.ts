/** Who comes to the shop: staff, buyers, those who look, and those who bring trouble. */
import { readSince } from './followers.ts'
import { type Kind, moves, type Order, type Pet, type Verb } from './ledger.ts'
import { refusedName } from './life.ts'
import { day } from './model.ts'
import type { Client, Result } from './network.ts'
import type { Ask, Keyed, NewPet } from './requests.ts'
import type { Shop } from './shop.ts'
import type { Instant } from './world.ts'

const hour = 60 * 60 * 1000
const names = ['Rex', 'Ada', 'Rex Copper', 'Mia', 'Bella 1', 'Bella 2']
const categories = [1, 2, 3]
/** Of categories that are made by name alone. None is written as one that is given to a number. */
const kinds = ['REX!', 'mia', 'Birds', 'birds', 'Fish', 'Newts', 'newts ']
const statuses = ['available', 'available', 'pending', 'sold'] as const
const tries = 6
/** By how much the clock is set. */
const jumps = [-26 * hour, -26 * hour, -hour, -10_000, 10_000, 40_000, hour, 30 * hour, 30 * hour, 75 * hour]
/** How long the disk stays full at most. */
const fullMilliseconds = 3_000
/** Who look just when an import ends. */
const lookers = 12

/** What a run has of everything; each seed leaves some of it out. */
export interface Plan {
  readonly minutes: number
  /** Milliseconds between what one of them does. */
  readonly pause: number
  readonly staff: number
  readonly buyers: number
  readonly crashes: number
  /** How often it is stopped in an orderly way, and started again. */
  readonly stops: number
  /** How often the disk is full for a while. */
  readonly fullDisks: number
  readonly clockJumps: number
  /** How often everything is suspended. */
  readonly nights: number
  readonly imports: number
}

export class Actors {
  readonly #shop: Shop
  readonly #plan: Plan
  /** Called before what is old by the clock may be removed. */
  readonly #beforeRemoval: () => void
  readonly #length: number
  /** When they all go home, in ticks. */
  #end: number
  #keys = 0
  readonly #asked: {
    readonly client: Client
    readonly ask: Keyed
    readonly begun: Instant
    readonly isAnswered: boolean
  }[] = []

  constructor(shop: Shop, plan: Plan, beforeRemoval: () => void) {
    this.#beforeRemoval = beforeRemoval
    this.#shop = shop
    this.#plan = plan
    this.#length = plan.minutes * 60_000
    this.#end = this.#length
  }

  get isOver(): boolean {
    return this.#shop.world.ticks >= this.#end
  }

  async #pause(longest = this.#plan.pause): Promise<void> {
    const { world } = this.#shop
    await world.sleep(world.between(0, longest))
  }

  /** Asks again until there is an answer; only for what may be repeated. */
  async insist(client: Client, ask: Ask): Promise<Result> {
    const { world } = this.#shop
    const begun = world.instant
    for (let i = 0; i < tries; i++) {
      const result = await this.#shop.ask(client, ask)
      if (result !== 'lost' && result.status !== 429 && result.status !== 503) return result
      await this.#pause(4_000)
      // An Idempotency-Key may be forgotten.
      if (world.spreadSince(begun) >= day) break
    }
    return 'lost'
  }

  #newKey(): string | undefined {
    return this.#shop.world.chance(0.7) ? `key-${++this.#keys}` : undefined
  }

  /** With a key it may be repeated, and is: also by a second click, and by those who have had the answer. */
  async #once(client: Client, ask: Keyed): Promise<Result> {
    const { world } = this.#shop
    if (ask.key === undefined) return this.#shop.ask(client, ask)
    if (world.chance(0.1)) await Promise.all([this.insist(client, ask), this.insist(client, ask)])
    const begun = world.instant
    const result = await this.insist(client, ask)
    this.#asked.push({ client, ask, begun, isAnswered: result !== 'lost' })
    const earlier = world.pick(this.#asked.slice(-9))
    // Long afterwards, too, unless a clock that was set leaves open how long that is.
    const mayBeOld = this.#plan.clockJumps === 0 && earlier.isAnswered
    if (world.chance(0.2) && (mayBeOld || world.spreadSince(earlier.begun) < day))
      await this.insist(earlier.client, earlier.ask)
    if (world.chance(0.05) && ask.kind === 'create')
      await this.insist(client, { ...ask, pet: { ...ask.pet, name: 'Other' } })
    // The Idempotency-Keys of one client are not those of another.
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

  /** By several clients, and perhaps in one commit; the database may refuse one of them, and only that one. */
  async #addTogether(): Promise<void> {
    const { world, clients } = this.#shop
    const { staff, buyers } = clients
    const refused = world.chance(0.5) ? { name: refusedName } : {}
    const add = (client: Client, name = {}) =>
      this.#shop.ask(client, { kind: 'create', pet: { ...this.#newPet(), ...name } })
    await Promise.all([add(staff), add(buyers), add(staff, refused)])
  }

  /** By two clients; some names are written otherwise. */
  async #makeTogether(): Promise<void> {
    const { world, clients } = this.#shop
    const make = (client: Client) => this.#shop.ask(client, { kind: 'make', name: world.pick(kinds.slice(2, 4)) })
    await Promise.all([make(clients.staff), make(clients.buyers), make(clients.staff)])
  }

  /** One that has a number or a name of its own. */
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

  /** One that it has, or had. */
  #version(id: number, kind: Kind = 'pet'): string | undefined {
    const { world, ledger } = this.#shop
    if (world.chance(0.5)) return undefined
    return ledger.textOf(kind, id, world.chance(0.7) ? ledger.last : world.whole(0, ledger.last + 1))
  }

  /** All want the same animals. */
  async buyer(client: Client): Promise<void> {
    const { world } = this.#shop
    while (!this.isOver) {
      await this.#pause()
      const list = await this.#shop.ask(client, { kind: 'list', status: 'available', limit: 3 })
      const wanted: Pet[] = list === 'lost' || list.status !== 200 ? [] : JSON.parse(list.text)
      const petId = world.chance(0.03) ? 999_999 : wanted[world.whole(0, Math.min(2, wanted.length))]?.id
      if (petId === undefined) continue
      const placed = await this.#once(client, { kind: 'place', petId, ...this.#terms(), key: this.#newKey() })
      if (placed === 'lost' || placed.status !== 201) continue
      await this.#pause()
      await this.#move(client, JSON.parse(placed.text).id)
    }
  }

  /** Whose an order is, and until when it is held, if not for good. */
  #terms(): { reference?: string; heldUntil?: string } {
    const { world } = this.#shop
    const earliest = world.chance(0.1) ? -this.#plan.pause : 0
    // Soon, or so that it becomes due within 24 hours soon.
    const start = world.now() + (world.chance(0.2) ? day : 0)
    const end = start + Math.floor(world.between(earliest, 3 * this.#plan.pause))
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

  /** Two clients change one order at once, having seen the same version of it and the lists that show it. */
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

  /** Looks at everything, and changes nothing. */
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
        () => this.#shop.ask(client, { kind: 'counts' }),
        () => this.#shop.ask(client, { kind: 'orderCounts' }),
        () => this.#shop.ask(client, { kind: 'categories' }),
        () => this.#shop.ask(client, { kind: 'sales' }),
        () => readSince(this.#shop, client, this.#timeOfEvent()),
        () => this.#shop.send(client, 'GET', world.pick(['//livez', '//readyz', '//metrics', '/me']), undefined),
      ])()
    }
  }

  /** Words of references and names, and numbers of orders and animals. */
  #wordsOfOrder(): string {
    const { world, ledger } = this.#shop
    const number = () => String(world.pick([...ledger.ids('order').slice(-9), ...ledger.ids('pet').slice(-9), 12]))
    const word = () => world.pick(['rex', 'be', 'cop', 'nob', 'zz', number()])
    return world.chance(0.5) ? word() : `${word()} ${word()}`
  }

  /** That of an event, or close to it. */
  #timeOfEvent(): number {
    const { world, ledger } = this.#shop
    const { at } = world.pick([...ledger.events.slice(-30), { at: world.now() }])
    return at + world.pick([-1, 0, 0, 1, hour])
  }

  /** At any step: in a commit, before an answer, while a webhook is sent, or in between. */
  async crasher(): Promise<void> {
    const { world } = this.#shop
    for (let i = 0; i < this.#plan.crashes; i++) {
      await this.#pause(this.#length / this.#plan.crashes)
      if (this.isOver || !this.#shop.isOpen) continue
      this.#shop.armCrash(world.pick(['commit', 'commit', 'answer', 'send', 'now']))
    }
  }

  /** Stops the service in an orderly way, as for an update. */
  async operator(): Promise<void> {
    for (let i = 0; i < this.#plan.stops; i++) {
      await this.#pause(this.#length / this.#plan.stops)
      if (!this.isOver && this.#shop.isOpen) await this.#shop.stop()
    }
  }

  /** Fills the disk, and frees it again. */
  async diskFiller(): Promise<void> {
    const { world } = this.#shop
    for (let i = 0; i < this.#plan.fullDisks; i++) {
      await this.#pause(this.#length / this.#plan.fullDisks)
      if (!this.isOver) this.#shop.fillDisk(world.between(1, fullMilliseconds))
    }
  }

  /** Sets the clock on the wall of the machine. */
  async clockSetter(): Promise<void> {
    const { world } = this.#shop
    for (let i = 0; i < this.#plan.clockJumps; i++) {
      await this.#pause(this.#length / this.#plan.clockJumps)
      if (!this.#shop.isOpen) continue
      this.#shop.observe()
      this.#beforeRemoval()
      const jump = world.pick(jumps)
      this.#shop.setClock(world.clock + jump)
      // A start removes what is old by the clock.
      if (this.#plan.crashes > 0 && world.chance(0.3)) this.#shop.armCrash('now')
    }
  }

  async nights(): Promise<void> {
    for (let i = 0; i < this.#plan.nights; i++) {
      await this.#pause(this.#length)
      this.night(this.#shop.world.pick([2, 26]))
    }
  }

  /** Long enough for what is old to be removed. */
  night(hours: number): void {
    if (!this.#shop.isOpen || this.#shop.isStopping) return
    this.#shop.observe()
    this.#beforeRemoval()
    this.#shop.suspend(hours * hour)
    this.#end += hours * hour
  }

  /** A night by a clock that is right again: the times of events are not in order then. */
  rest(): void {
    if (this.#plan.nights > 0 && this.#plan.clockJumps > 0) this.night(2)
  }

  /** Commands in another process: animals are imported, a key is revoked. */
  async office(): Promise<void> {
    const { world, clients } = this.#shop
    for (let i = 0; i < this.#plan.imports; i++) {
      await this.#pause(this.#length / this.#plan.imports)
      if (!this.#shop.isOpen) continue
      const { imports } = this.#shop.life.office
      const rows = world.whole(1, 4)
      const pets = Array.from({ length: rows }, (_, row) => [`Imported ${i} ${row}`, '2', 'available'] as const)
      const hash = `file ${i}`
      const state = await Promise.race([imports.begin(hash, false), this.#shop.life.gone])
      if (state === 'lost' || !this.#shop.isOpen) continue
      world.note(`import of ${rows}`)
      // Perhaps by two who have both seen that it was not begun.
      const adding = Array.from({ length: world.whole(1, 3) }, () => imports.add(hash, state, pets, rows))
      const looking = Array.from({ length: lookers }, (_, looker) =>
        this.#shop.ask(clients.staff, looker % 2 ? { kind: 'counts' } : { kind: 'list', limit: 100 }),
      )
      await Promise.race([Promise.all([...adding, ...looking]), this.#shop.life.gone])
    }
    await this.#pause()
    const { doomed } = clients
    while (doomed.revokedAt === undefined) {
      await this.#pause(1_000)
      if (!this.#shop.isOpen) continue
      const { life } = this.#shop
      doomed.isRevoking = true
      const done = await Promise.race([life.office.keys.revoke(doomed.key.id, world.now()), life.gone])
      if (done !== 'lost') doomed.revokedAt = world.ticks
    }
    world.note('a key is revoked')
  }
}
