/**
 * Second systems that keep a copy of the catalogue through the events, either page by page or through a stream that
 * breaks off.
 */
import { parse } from './exact-json.ts'
import type { Happened, Pet } from './ledger.ts'
import { type Client, endedFor, type Result } from './network.ts'
import type { Answer } from './requests.ts'
import type { Connection, Shop } from './shop.ts'
import { Violation } from './world.ts'

/** How late a stream may send an event, in milliseconds. */
const lagMax = 6_000
/** How long the stream of a revoked or expired key may stay open, in milliseconds. */
const endMax = 8_000

/** An event as clients see it. */
export function eventText({ id, type, at, data, by }: Happened): string {
  const byMember = by === null ? '' : `"by":"${by}",`
  return `{"id":${id},"type":"${type}","at":"${new Date(at).toISOString()}",${byMember}"data":${data}}`
}

export abstract class Follower {
  readonly shop: Shop
  readonly client: Client
  readonly types: readonly string[] | undefined
  /** The animal whose events it receives. Without this, it receives all events. */
  readonly petId: number | undefined
  readonly name: string
  /** The longest time between two requests. */
  pause = 3_000
  /** The longest time for which it stays away. */
  absence = 120_000
  readonly copy = new Map<number, string>()
  /** The number of lost events at the time of the last answer. */
  #lostBefore = 0
  /**
   * The last event that the copy contains. All events before it are in the copy, too. Undefined before the copy begins.
   */
  last: number | undefined
  abstract run(isOver: () => boolean): Promise<void>

  constructor(shop: Shop, client: Client, name: string, types?: readonly string[], petId?: number) {
    this.shop = shop
    this.client = client
    this.name = name
    this.types = types
    this.petId = petId
  }

  get filter(): string {
    const types = (this.types ?? []).map((type) => `&type=${type}`).join('')
    return this.petId === undefined ? types : `${types}&petId=${this.petId}`
  }

  matches({ type, petId }: Happened): boolean {
    return (this.types?.includes(type) ?? true) && (this.petId === undefined || petId === this.petId)
  }

  /** Returns the next event that it must receive. */
  #next(): Happened | undefined {
    const { ledger } = this.shop
    const { told } = ledger
    for (let i = ledger.indexAfter(this.last ?? 0); i < told.length; i++)
      if (this.matches(told[i] as Happened)) return told[i]
    return undefined
  }

  /** Applies an event, which must be the next one in the ledger. */
  apply(text: string): void {
    const { id, type, data } = parse(text) as { id: number; type: string; data: Pet }
    const next = this.#next()
    if (next?.id !== id) this.fail(`gets event ${id} after ${this.last}, and next is ${next?.id}`)
    if (next && eventText(next) !== text) this.fail(`gets ${text}, and not ${eventText(next)}`)
    this.last = id
    this.shop.ledger.tell(id)
    if (type === 'pet.deleted') this.copy.delete(data.id)
    else if (type.startsWith('pet.')) this.copy.set(data.id, (next as Happened).data)
  }

  /** Notes a position. The service has said that no event before it is missing. */
  moveTo(id: number): void {
    const missed = this.last === undefined ? undefined : this.#next()
    if (missed && missed.id <= id) this.fail(`is sent on to ${id}, past event ${missed.id}`)
    if (id < (this.last ?? 0)) this.fail(`is sent back to ${id} from ${this.last}`)
    this.last = id
    this.shop.ledger.tell(id)
  }

  fail(what: string): never {
    throw new Violation('events are complete, in order, once', `${this.name} ${what}`)
  }

  /** Asks for events. The service may answer that events were removed only if the follower has not seen them. */
  async get(path: string, headers?: Record<string, string>, output?: Connection): Promise<Result | 'stream'> {
    const { lost } = this.shop.ledger
    const lostBefore = lost.size
    const mustBeTold = this.last !== undefined && lost.size > this.#lostBefore && lost.has(this.last)
    let isExpired = true
    const answered = ({ status }: Answer) => {
      if (status === 200 && mustBeTold) this.fail(`is not told that event ${this.last} is lost`)
      if (status === 200 || status === 410) this.#lostBefore = lostBefore
      if (status !== 410) return
      isExpired = this.last !== undefined && (this.last < this.shop.purged() || lost.has(this.last))
    }
    const result = await this.shop.send(this.client, 'GET', path, undefined, headers, { answered }, output)
    if (!isExpired) this.fail(`gets 410 at event ${this.last}`)
    if (lost.size === lostBefore || (result !== 'stream' && result !== 'lost' && result.status === 410)) return result
    // The connection leads to a primary that is gone.
    output?.cut()
    return 'lost'
  }

  get isUpToDate(): boolean {
    const last = this.shop.ledger.told.findLast((event) => this.matches(event))
    return this.last !== undefined && this.last >= (last?.id ?? 0)
  }

  /** Checks that the copy contains every animal in its current state. */
  check(): void {
    if (!this.isUpToDate) this.fail(`has only come to ${this.last}`)
    if (this.types !== undefined || this.petId !== undefined) return
    const [copy, rows] = [
      [...this.copy].sort(([a], [b]) => a - b).map(([, text]) => text),
      this.shop.ledger.rows('pet'),
    ]
    const other = rows.find((row, i) => row !== copy[i]) ?? copy[rows.length]
    if (other) throw new Violation('copies equal the catalogue', `${this.name} has not, or has not only, ${other}`)
  }

  /**
   * Begins a new copy: notes the present position, and then lists everything. Events after the position are followed.
   */
  async begin(): Promise<string | undefined> {
    const mark = await this.get(`/events?from=now${this.filter}`)
    const next = nextOf(mark)
    if (next === undefined) return undefined
    this.copy.clear()
    for (let path: string | undefined = '/pets?limit=50'; path; ) {
      const page: Result | 'stream' = await this.get(path)
      if (typeof page === 'string' || page.status !== 200) return undefined
      for (const text of rowsIn(page.text)) this.copy.set(parse(text).id, text)
      path = nextOf(page)
    }
    this.last = positionIn(next)
    return next
  }
}

/** Returns the rows of a body in their original text. */
const rowsIn = (text: string): string[] => text.slice(1, -1).match(/\{[^{}]*(\{[^{}]*\})?[^{}]*\}/g) ?? []
/** Returns the path of the next page. */
export const nextOf = (result: Result | 'stream'): string | undefined =>
  typeof result === 'string' ? undefined : /\/v1(\/[^>]*)>; rel="next"/.exec(result.headers.get('link') ?? '')?.[1]
/** A cursor ends with the position. */
const positionIn = (path: string): number => Number(/cursor=[\w-]{8}(\d+)-/.exec(path)?.[1])

/**
 * Asks for the events since a time. The clock may have been set, so times need not rise. The first event is at or after
 * that time, and the event before it is earlier or was removed.
 */
export async function readSince(shop: Shop, client: Client, since: number): Promise<void> {
  const { ledger } = shop
  const { told } = ledger
  let seen = 0
  const check = ({ status, text }: Answer) => {
    if (status !== 200) return
    const shown = rowsIn(text)
    // The present was before any event that became visible later, even if it has a lower id than others.
    const later = told.findIndex(({ position }) => position > seen)
    const known = later < 0 ? told.length : later
    // If several transactions write at the same time, the last event may not be listed yet.
    if (shown[0] === undefined && ledger.isShared) return
    const first = shown[0] === undefined ? known : ledger.indexAfter(parse(shown[0]).id - 1)
    const expected = told.slice(first, first + shown.length)
    const before = told[first - 1]
    const isBeginning = !before || before.at < since || before.id <= shop.purged()
    // A search for a time in the future begins at the present, so events that happen meanwhile follow.
    const isTimely = (expected[0]?.at ?? since) >= since || first >= known
    if (isBeginning && isTimely && expected.every((event, i) => eventText(event) === shown[i])) return
    throw new Violation('events since a time begin with the first', `since ${since}: ${text}, after ${before?.id}`)
  }
  const path = `/events?limit=3&since=${new Date(since).toISOString()}`
  const begun = () => {
    seen = ledger.last
  }
  await shop.send(client, 'GET', path, undefined, {}, { begun, answered: check })
}

export class FeedFollower extends Follower {
  /** While this is true, it sends no requests. */
  isAway = false

  override async run(isOver: () => boolean): Promise<void> {
    const { world } = this.shop
    let next: string | undefined
    for (;;) {
      const isAway = this.shop.isFaulty && world.chance(0.03)
      await world.sleep(world.between(0, isAway ? this.absence : this.pause))
      if (this.isAway) continue
      if (next === undefined) {
        next = await this.begin()
        continue
      }
      const page = await this.get(next)
      if (typeof page === 'string') continue
      if (page.status === 410) next = undefined
      if (page.status !== 200) continue
      for (const text of rowsIn(page.text)) this.apply(text)
      const before = next
      next = nextOf(page) ?? this.fail('gets no next page')
      this.moveTo(positionIn(next))
      if (isOver() && next === before) return
    }
  }
}

export class StreamFollower extends Follower {
  #connection: Connection | undefined
  /** When it was connected and began to read, in ticks. */
  #readingSince = Number.POSITIVE_INFINITY
  /** The last id that the stream has sent. */
  lastId: string | undefined

  override async run(isOver: () => boolean): Promise<void> {
    const { world } = this.shop
    while (!isOver()) {
      if (!this.#connection) await this.#connect()
      await world.sleep(world.between(0, Math.min(this.pause, this.#connection ? 2_000 : this.pause)))
      if (this.#connection && this.shop.isFaulty && world.chance(0.03)) this.#connection.cut()
      this.#checkLag()
    }
  }

  async #connect(): Promise<void> {
    const { world } = this.shop
    if (this.last === undefined) {
      const next = await this.begin()
      if (next === undefined) return
      this.lastId = /cursor=[\w-]{8}([\w-]+)/.exec(next)?.[1]
    }
    const output = this.shop.connect(
      (text) => this.#receive(text),
      () => this.#lose(output),
    )
    this.#connection = output
    const headers = { 'last-event-id': this.lastId as string }
    const result = await this.get(`/events/stream?${this.filter.slice(1)}`, headers, output)
    if (result === 'stream') {
      this.#readingSince = world.ticks
      return
    }
    this.#lose(output)
    if (result !== 'lost' && result.status === 410) this.last = undefined
  }

  #lose(connection: Connection): void {
    if (this.#connection !== connection) return
    this.#connection = undefined
    this.#readingSince = Number.POSITIVE_INFINITY
  }

  #receive(block: string): void {
    const { world } = this.shop
    const fields = new Map(block.split('\n').map((line) => line.split(/: (.*)/s, 2) as [string, string]))
    const id = fields.get('id')
    const data = fields.get('data')
    if (fields.get('event') === 'closing') world.note(`${this.name} is told to connect again`)
    if (id === undefined) return
    world.note(`${this.name} gets ${id} ${data ?? ''}`)
    if (data === undefined) this.moveTo(Number.parseInt(id, 10))
    else this.apply(data)
    this.lastId = id
  }

  #checkLag(): void {
    const { world, ledger, disturbedAt } = this.shop
    if (!this.shop.isPunctual || !this.#connection || this.#readingSince === Number.POSITIVE_INFINITY) return
    const readingSince = Math.max(this.#readingSince, disturbedAt)
    if (Math.min(endedFor(this.client, world), world.ticks - readingSince) > endMax)
      throw new Violation('a key that has ended is refused', `${this.name} is still sent events`)
    if (this.#connection.isSlow) this.#readingSince = world.ticks
    const due = world.ticks - lagMax
    if (readingSince > due) return
    const late = ledger.told.findLast((event) => event.seenAt < due && this.matches(event))
    if (late && late.id > (this.last ?? 0)) this.fail(`has not got event ${late.id} for ${lagMax} ms`)
  }
}
