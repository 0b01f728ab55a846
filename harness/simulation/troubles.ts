/**
 * The actors that cause trouble on virtual time: crashes, stops, a full disk, changes of the clock, nights and
 * commands.
 */
import { rotateKey } from '../../src/keys/keys.ts'
import { StoreUnavailable } from '../../src/store/store.ts'
import type { Actors } from './actors.ts'
import { day } from './model.ts'
import type { VirtualShop } from './virtual-shop.ts'

const hour = 60 * 60 * 1000
/** The milliseconds by which the clock is set. */
const jumps = [-26 * hour, -26 * hour, -hour, -10_000, 10_000, 40_000, hour, 30 * hour, 30 * hour, 75 * hour]
/** How long another process has the lock, in milliseconds. Most writes wait longer than that, and some do not. */
const locks = [300, 2_000, 9_000]
/** The number of requests in a crowd. */
const crowd = 80
/** The longest time for which the disk stays full. */
const fullMilliseconds = 3_000
/** The number of clients who read just when an import ends. */
const lookers = 12

/** How much of everything a run has. Each seed leaves some of it out. */
export interface Plan {
  readonly minutes: number
  /** The milliseconds between two actions of an actor. */
  readonly pause: number
  readonly staff: number
  readonly buyers: number
  readonly crashes: number
  /** How often the service is stopped in an orderly way and started again. */
  readonly stops: number
  /** How often the disk is full for a while. */
  readonly fullDisks: number
  /** How often another process has the write lock for a while. */
  readonly locks: number
  /** How often more requests arrive than the service accepts. */
  readonly crowds: number
  readonly clockJumps: number
  /** How often the whole machine is suspended. */
  readonly nights: number
  readonly imports: number
}

export class Troubles {
  readonly #shop: VirtualShop
  readonly #plan: Plan
  readonly #actors: Actors
  /** Called before events that are old by the clock may be removed. */
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

  /** Crashes the service at any step: in a commit, before an answer, while a webhook is sent, or in between. */
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

  /** Sends too many requests concurrently. Some are refused, and only with 503. */
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

  /** Sets the clock of the machine. */
  async clockSetter(): Promise<void> {
    const { world } = this.#shop
    for (let i = 0; i < this.#plan.clockJumps; i++) {
      await this.#pause(this.#length / this.#plan.clockJumps)
      if (!this.#shop.isOpen) continue
      this.#shop.observe()
      this.#beforeRemoval()
      const jump = world.pick(jumps)
      this.#shop.setClock(world.clock + jump)
      // At its start, the service removes what is old by the clock.
      if (this.#plan.crashes > 0 && world.chance(0.3)) this.#shop.armCrash('now')
    }
  }

  async nights(): Promise<void> {
    for (let i = 0; i < this.#plan.nights; i++) {
      await this.#pause(this.#length)
      this.night(this.#shop.world.pick([2, 26]))
    }
  }

  /** The night is long enough for old events to be removed. */
  night(hours: number): void {
    if (!this.#shop.isOpen || this.#shop.isStopping) return
    this.#shop.observe()
    this.#beforeRemoval()
    this.#shop.suspend(hours * hour)
    this.#actors.end += hours * hour
  }

  /**
   * Suspends the machine for a night, after which the clock is right again. The times of events are then not in order.
   */
  rest(): void {
    if (this.#plan.nights > 0 && this.#plan.clockJumps > 0) this.night(2)
  }

  /** Runs commands in another process: animals are imported, and a key is revoked. */
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
      // Two processes may both have seen that the import had not begun.
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

  /** Waits for a command. It may meet a crash, and gives up if another process keeps the lock. */
  #done<T>(work: Promise<T>): Promise<T | 'lost'> {
    const done = work.catch((error) => {
      if (error instanceof StoreUnavailable) return 'lost' as const
      throw error
    })
    return Promise.race([done, this.#shop.life.gone])
  }

  /** Rotates a key. The old key works for another day, and the new one has no end. */
  async keyRotation(): Promise<void> {
    const { world, clients } = this.#shop
    await this.#pause(this.#length)
    const old = clients.rotated
    if (!this.#shop.isOpen) return
    // A crash may leave open whether the key was rotated.
    old.isRevoking = true
    // The machine may be suspended before this is done.
    const at = world.now()
    const rotated = await this.#done(rotateKey(this.#shop.life.office.keys, old.key, at))
    if (rotated === 'lost' || !rotated) return
    world.note('a key is rotated')
    old.isRevoking = false
    // If the clock was set forward meanwhile, it has ended already. The service learns of that as of a revocation.
    if (world.now() < at + day) Object.assign(old, { key: { ...old.key, expiresAt: at + day } })
    else old.revokedAt = world.ticks
    clients.rotated = { name: old.name, ...rotated }
    await this.#actors.visitor(clients.rotated)
  }
}
