/**
 * The service on virtual time. It is started, stopped and crashed, and receives requests over a network that delays and
 * loses them.
 */

import type { Outgoing } from '../../src/http/message.ts'
import { issueKey } from '../../src/keys/keys.ts'
import { type Rate, scopes } from '../../src/model/key.ts'
import type { WebhookSender } from '../../src/webhooks/send.ts'
import { VirtualConnection } from './connection.ts'
import { Disk } from './disk.ts'
import { stringify } from './exact-json.ts'
import type { EventRow } from './ledger.ts'
import { type Life, refusedName, requestsMax, startLife } from './life.ts'
import {
  answerOf,
  type Client,
  checkAccess,
  endedFor,
  incomingOf,
  isProbe,
  type Result,
  withoutSecret,
} from './network.ts'
import { type Connection, keptMilliseconds, Shop, type Told } from './shop.ts'
import type { VirtualWorld } from './virtual-world.ts'
import { Violation } from './world.ts'

/** The point in the program at which a crash happens. `now` is between two steps. */
export type CrashPoint = 'commit' | 'answer' | 'send' | 'now'

const answerMax = 40_000
/** The longest validity of a key that expires, in milliseconds. */
const keyMilliseconds = 60_000
/** How late an order may expire after a start or a change of the clock, in milliseconds. */
const expiryMax = 5_000
/** How long a write waits for the lock of another process, in milliseconds. */
const lockMax = 5_000
/** How long an orderly stop may take after every request was answered, in milliseconds. */
const stopMax = 9_000

export class VirtualShop extends Shop {
  declare readonly world: VirtualWorld
  readonly isPunctual = true
  readonly disk: Disk
  /** When the troubles ended, in ticks. */
  calmSince = Number.POSITIVE_INFINITY
  crashes = 0
  /** How often the service was started. */
  #starts = 0
  /** Whether it accepts no more requests, because it is about to end. */
  isStopping = false
  #disturbedAt = 0
  readonly #sender: WebhookSender
  readonly #waiting = new Map<object, { text: string; since: number }>()
  readonly #streams = new Set<VirtualConnection>()
  #life: Life | undefined
  /** Events up to this time may be old enough to be removed. */
  #latest = 0
  #crashPoint: CrashPoint | undefined
  /** When another process released the write lock, in ticks, or infinity while it has the lock. */
  #lockedUntil = -1

  constructor(world: VirtualWorld, sender: (shop: VirtualShop) => WebhookSender) {
    super(world)
    this.disk = new Disk(world)
    this.#sender = sender(this)
  }

  override get disturbedAt(): number {
    return this.disk.isFull || this.#lockedUntil === Number.POSITIVE_INFINITY ? this.world.ticks : this.#disturbedAt
  }

  override get isOpen(): boolean {
    return this.#life !== undefined
  }

  isLife(life: Life): boolean {
    return this.#life === life
  }

  get life(): Life {
    if (!this.#life) throw new Error('the shop is closed')
    return this.#life
  }

  async open(): Promise<void> {
    const { world, disk } = this
    this.#life = startLife(world, disk, this.#sender, this.settings)
    this.isStopping = false
    const isFirst = this.#starts++ === 0
    this.#disturbedAt = isFirst ? 0 : world.ticks
    world.note('the shop opens')
    if (isFirst) await this.#issueKeys()
    else this.#checkKept()
  }

  async #issueKeys(): Promise<void> {
    const { world } = this
    const issue = async (name: keyof Shop['clients'], rate?: Rate, expiresAt?: number) => {
      const request = { name, scopes, now: world.now(), expiresAt, rate }
      this.clients[name] = { name, ...(await issueKey(this.life.office.keys, request)) }
    }
    await issue('staff')
    await issue('buyers')
    await issue('doomed')
    await issue('limited', { requests: 5, seconds: 10 })
    await issue('rotated')
    await issue('expiring', undefined, world.now() + world.whole(0, keyMilliseconds))
  }

  /** Sets the clock. The argument is what the clock showed, or would have shown, at `ticks` 0. */
  setClock(clock: number): void {
    const { world } = this
    world.note(`the clock is set by ${clock - world.clock}`)
    this.#noteOld()
    world.setClock(clock)
    this.#disturbedAt = world.ticks
  }

  suspend(milliseconds: number): void {
    this.world.suspend(milliseconds)
    this.#disturbedAt = this.world.ticks
  }

  /** Fills the disk for a while, so that nothing can be written. */
  fillDisk(milliseconds: number): void {
    const { world, disk } = this
    disk.isFull = true
    world.at(world.ticks + milliseconds, () => this.emptyDisk())
  }

  emptyDisk(): void {
    if (!this.disk.isFull) return
    this.disk.isFull = false
    this.#disturbedAt = this.world.ticks
  }

  /** Another process has the write lock for a while: reads continue, and writes wait. */
  lockDatabase(milliseconds: number): void {
    const { world } = this
    if (!this.isOpen || this.#lockedUntil > world.ticks) return
    world.note('another process has the lock')
    const release = this.disk.lock()
    this.#lockedUntil = Number.POSITIVE_INFINITY
    world.at(world.ticks + milliseconds, () => {
      release()
      this.#lockedUntil = this.#disturbedAt = world.ticks
      world.note('another process has given the lock back')
    })
  }

  #noteOld(): void {
    this.#latest = Math.max(this.#latest, this.world.now() - keptMilliseconds)
  }

  #checkKept(): void {
    const { observer } = this.life
    const row = observer.prepare(`SELECT seq FROM sqlite_sequence WHERE name = 'events'`).get()
    this.ledger.checkKept(Number(row?.seq ?? 0))
    this.observe()
    this.purged()
  }

  /** Returns the id of the last event that was removed. All removed events must be old. */
  override purged(): number {
    const { id } = this.life.observer.prepare('SELECT id FROM events_purged').get() as { id: number }
    this.#noteOld()
    const removed = this.ledger.told.slice(0, this.ledger.indexAfter(id)).find(({ at }) => at > this.#latest)
    if (removed) throw new Violation('events are kept', `event ${removed.id} was removed`)
    return id
  }

  /** Learns what was committed. From now on, somebody may know it, so it must stay. */
  observe(): void {
    this.ledger.take(this.life.news.all(this.ledger.lastId) as unknown as EventRow[])
  }

  /** Crashes the service at the next commit, answer or delivery. */
  armCrash(point: CrashPoint): void {
    this.#crashPoint = point
    if (point === 'now') this.crash()
    if (point !== 'commit') return
    this.observe()
    let before = this.disk.extent()
    this.world.afterStep = () => {
      const after = this.disk.extent(before)
      if (after.end === before.end && after.salt === before.salt) return
      this.crash(before)
      before = after
    }
  }

  /** Cancels a crash that was requested and has not happened. */
  disarm(): void {
    this.#crashPoint = undefined
    this.world.afterStep = () => {}
  }

  /** Crashes the service if a crash was requested at this point. */
  meets(point: CrashPoint): boolean {
    if (this.#crashPoint !== point || !this.isOpen) return false
    this.crash()
    return true
  }

  /** Ends the process together with the power. `before` is the log before the commit in progress. */
  crash(before?: ReturnType<Disk['extent']>): void {
    const { world, disk } = this
    if (!before) this.observe()
    this.#noteOld()
    world.note(`crash at ${this.#crashPoint}`)
    this.crashes++
    this.#end()
    disk.cutPower(before)
    this.#openIn(world.between(100, 15_000))
  }

  /** Ends the process. Whatever still runs belongs to a dead process, and nobody receives its results. */
  #end(): void {
    this.disarm()
    this.life.end()
    this.#life = undefined
    this.#waiting.clear()
    this.#streams.clear()
    for (const client of Object.values(this.clients)) client.usedUntil = 0
  }

  #openIn(milliseconds: number): void {
    const { world } = this
    world.at(world.ticks, this.disk.abandon())
    world.at(world.ticks + milliseconds, () => {
      this.open().catch((error) => world.fail(error))
    })
  }

  /**
   * Stops the service like SIGTERM does: it accepts no more requests, answers those that it has, finishes its work, and
   * closes its store.
   */
  async stop(): Promise<void> {
    const { world, life } = this
    const { service, store } = life
    world.note('the shop stops')
    this.isStopping = true
    service.drain()
    const ended = service.end()
    while (this.isLife(life) && this.#waiting.size > 0) await world.sleep(20)
    const closed = Promise.all([ended, service.close()]).then(() => store.close())
    const late = world.sleep(stopMax).then(() => 'late' as const)
    const how = await Promise.race([closed, life.gone, late])
    if (!this.isLife(life)) return
    if (how === 'late') throw new Violation('nothing waits for ever', 'the shop has not stopped')
    for (const { isOpen, isEnding } of this.#streams)
      if (isOpen && !isEnding) throw new Violation('an orderly stop ends streams', 'one was not ended')
    this.observe()
    this.#noteOld()
    world.note('the shop has stopped')
    this.#end()
    this.#openIn(world.between(1, 2_000))
  }

  override async send(
    client: Client,
    method: string,
    path: string,
    body: unknown,
    headers: Record<string, string> = {},
    told: Told = {},
    output?: VirtualConnection,
  ): Promise<Result | 'stream'> {
    const { world } = this
    const text = `${client.name} ${method} ${path}${body === undefined ? '' : ` ${stringify(body)}`}`
    await this.#travel()
    if (!this.isOpen || this.isStopping || (this.isFaulty && world.chance(0.02))) return 'lost'
    this.observe()
    told.begun?.()
    const id = ++this.requests
    world.note(`> ${id} ${text}`)
    const { life } = this
    // This counts the request itself, and requests whose body is still arriving.
    const isOverloaded = this.#waiting.size >= requestsMax
    const waiting = { text, since: world.ticks }
    this.#waiting.set(waiting, waiting)
    const [arrivedAt, ended] = [world.ticks, endedFor(client, world)]
    const outgoing = await Promise.race([
      life.service.handler(incomingOf(world, client, { method, path, body, headers }, id)),
      life.gone,
    ])
    if (outgoing === 'lost' || this.#life !== life || this.meets('answer')) {
      told.lost?.()
      return 'lost'
    }
    this.#waiting.delete(waiting)
    if (typeof outgoing.body === 'function') return this.#begin(outgoing, output, id)
    this.observe()
    const answer = answerOf(outgoing)
    world.note(`< ${id} ${answer.status} ${path === '//metrics' ? '' : withoutSecret(answer.text)}`)
    if (path === '//livez' && answer.status !== 200)
      throw new Violation('the process says that it lives', `${answer.status} ${answer.text}`)
    if (!isProbe(path)) {
      const isRefused = answer.status === 500 && (body as { name?: string } | undefined)?.name === refusedName
      const isLocked = this.#lockedUntil >= arrivedAt && world.ticks - arrivedAt >= lockMax
      const isUnavailable = method !== 'GET' && (isLocked || this.disk.failedAt >= arrivedAt)
      if (answer.status >= 500 && !isRefused && !(answer.status === 503 && (isUnavailable || isOverloaded)))
        throw new Violation('the service has no internal error', `${answer.status} ${answer.text} to ${text}`)
      // A request that is refused because of an overload was not authenticated.
      if (!(isOverloaded && answer.text.includes('too many requests'))) checkAccess(client, answer, arrivedAt, ended)
    }
    told.answered?.(answer)
    await this.#travel()
    return this.isFaulty && world.chance(0.03) ? 'lost' : answer
  }

  #begin(outgoing: Outgoing, output: VirtualConnection | undefined, id: number): 'stream' | 'lost' {
    if (!output || typeof outgoing.body !== 'function') return 'lost'
    this.world.note(`< ${id} stream`)
    output.callbacks = outgoing.body(output)
    this.#streams.add(output)
    this.life.gone.then(() => output.lose())
    return 'stream'
  }

  override connect(receive: (block: string) => void, ended: () => void): Connection {
    return new VirtualConnection(this, receive, ended)
  }

  async #travel(): Promise<void> {
    const { world } = this
    await world.sleep(world.chance(0.05) ? world.between(20, 3_000) : world.between(0.1, 20))
  }

  /** Checks that an order expires after its time is over. */
  checkReservations(): void {
    const { world, ledger } = this
    if (!this.isOpen || world.ticks - this.disturbedAt < expiryMax) return
    for (const [id, { end }] of ledger.reservations)
      if (end < world.now() - expiryMax)
        throw new Violation('an order that is over ends', `order ${id} was held until ${end}`)
  }

  /** Checks that no request waits for ever. */
  checkWaiting(): void {
    for (const { text, since } of this.#waiting.values())
      if (this.world.ticks - Math.max(since, this.disturbedAt) > answerMax)
        throw new Violation('nothing waits for ever', `${text} was not answered`)
  }
}
