/** Those who bring trouble on virtual time: crashes, stops, a full disk, clocks that are set, nights and commands. */
import { rotateKey } from '../../src/keys/keys.ts'
import { StoreUnavailable } from '../../src/store/store.ts'
import type { Actors } from './actors.ts'
import { day } from './model.ts'
import type { VirtualShop } from './virtual-shop.ts'

const hour = 60 * 60 * 1000
/** By how much the clock is set. */
const jumps = [-26 * hour, -26 * hour, -hour, -10_000, 10_000, 40_000, hour, 30 * hour, 30 * hour, 75 * hour]
/** How long another process has the lock: most writes outlast that, some do not. */
const locks = [300, 2_000, 9_000]
/** How many come in a crowd. */
const crowd = 80
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
  /** How often another process has the write lock for a while. */
  readonly locks: number
  /** How often more come than the service takes on. */
  readonly crowds: number
  readonly clockJumps: number
  /** How often everything is suspended. */
  readonly nights: number
  readonly imports: number
}

export class Troubles {
  readonly #shop: VirtualShop
  readonly #plan: Plan
  readonly #actors: Actors
  /** Called before what is old by the clock may be removed. */
  readonly #beforeRemoval: () => void
  readonly #length: number

  constructor(shop: VirtualShop, plan: Plan, actors: Actors, beforeRemoval: () => void) {
    this.#shop = shop
    this.#plan = plan
    this.#actors = actors
    this.#beforeRemoval = beforeRemoval
    this.#length = plan.minutes * 60_000
  }

  async #pause(longest = this.#plan.pause): Promise<void> {
    const { world } = this.#shop
    await world.sleep(world.between(0, longest))
  }

  /** At any step: in a commit, before an answer, while a webhook is sent, or in between. */
  async crasher(): Promise<void> {
    const { world } = this.#shop
    for (let i = 0; i < this.#plan.crashes; i++) {
      await this.#pause(this.#length / this.#plan.crashes)
      if (this.#actors.isOver || !this.#shop.isOpen) continue
      this.#shop.armCrash(world.pick(['commit', 'commit', 'answer', 'send', 'now']))
    }
  }

  /** Stops the service in an orderly way, as for an update. */
  async operator(): Promise<void> {
    for (let i = 0; i < this.#plan.stops; i++) {
      await this.#pause(this.#length / this.#plan.stops)
      if (!this.#actors.isOver && this.#shop.isOpen) await this.#shop.stop()
    }
  }

  /** Fills the disk, and frees it again. */
  async diskFiller(): Promise<void> {
    const { world } = this.#shop
    for (let i = 0; i < this.#plan.fullDisks; i++) {
      await this.#pause(this.#length / this.#plan.fullDisks)
      if (!this.#actors.isOver) this.#shop.fillDisk(world.between(1, fullMilliseconds))
    }
  }

  async locker(): Promise<void> {
    const { world } = this.#shop
    for (let i = 0; i < this.#plan.locks; i++) {
      await this.#pause(this.#length / this.#plan.locks)
      if (!this.#actors.isOver) this.#shop.lockDatabase(world.between(1, world.pick(locks)))
    }
  }

  /** Too many at a time: some are refused, and only with 503. */
  async crowds(): Promise<void> {
    const { world, clients } = this.#shop
    const come = async (number: number) => {
      await world.sleep(world.between(0, 5))
      if (number % 10 === 0) await this.#shop.send(clients.staff, 'GET', '//livez', undefined)
      // A write takes two turns, even if it changes nothing.
      else await this.#shop.ask(clients.staff, { kind: 'name', id: 1, name: 'Crowd' })
    }
    for (let i = 0; i < this.#plan.crowds; i++) {
      await this.#pause(this.#length / this.#plan.crowds)
      if (!this.#actors.isOver) await Promise.all(Array.from({ length: crowd }, (_, number) => come(number)))
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
    this.#actors.end += hours * hour
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
      const state = await this.#done(imports.begin(hash, false))
      if (state === 'lost' || !this.#shop.isOpen) continue
      world.note(`import of ${rows}`)
      // Perhaps by two who have both seen that it was not begun.
      const adding = Array.from({ length: world.whole(1, 3) }, () => imports.add(hash, state, pets, rows))
      const looking = Array.from({ length: lookers }, (_, looker) =>
        this.#shop.ask(clients.staff, looker % 2 ? { kind: 'counts' } : { kind: 'list', limit: 100 }),
      )
      await this.#done(Promise.all([...adding, ...looking]))
    }
    await this.#pause()
    const { doomed } = clients
    while (doomed.revokedAt === undefined) {
      await this.#pause(1_000)
      if (!this.#shop.isOpen) continue
      doomed.isRevoking = true
      const done = await this.#done(this.#shop.life.office.keys.revoke(doomed.key.id, world.now()))
      if (done !== 'lost') doomed.revokedAt = world.ticks
    }
    world.note('a key is revoked')
  }

  /** A command may meet a crash, and gives up where another process keeps the lock. */
  #done<T>(work: Promise<T>): Promise<T | 'lost'> {
    const done = work.catch((error) => {
      if (error instanceof StoreUnavailable) return 'lost' as const
      throw error
    })
    return Promise.race([done, this.#shop.life.gone])
  }

  /** The old key keeps working for a day, and the new one without end. */
  async keyRotation(): Promise<void> {
    const { world, clients } = this.#shop
    await this.#pause(this.#length)
    const old = clients.rotated
    if (!this.#shop.isOpen) return
    // A crash may leave open whether it has happened.
    old.isRevoking = true
    // The machine may be suspended before it is done.
    const at = world.now()
    const rotated = await this.#done(rotateKey(this.#shop.life.office.keys, old.key, at))
    if (rotated === 'lost' || !rotated) return
    world.note('a key is rotated')
    old.isRevoking = false
    Object.assign(old, { key: { ...old.key, expiresAt: at + day } })
    clients.rotated = { name: old.name, ...rotated }
    await this.#actors.visitor(clients.rotated)
  }
}
