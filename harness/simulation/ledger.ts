/**
 * What has happened, as the events in the database tell it: they are the order in which the service says that all
 * requests took effect. Each must be a step that the life of an animal allows, and have one request as its cause.
 */
import { expiry, moves, type Order } from '../order.ts'
import { parse } from './exact-json.ts'
import { Violation } from './world.ts'

/** Numbers of categories may be too large to be subtracted. */
export const byNumber = (a: number | bigint, b: number | bigint): number => (a < b ? -1 : Number(a > b))

/** A row of the table of events. */
export interface EventRow {
  readonly id: number
  readonly at: number
  readonly type: string
  readonly petId: number | null
  readonly data: string
  /** The name of the key that it was made with. */
  readonly by: string | null
  /** Its transaction, where transactions may become visible in another order than that of the ids. */
  readonly change?: string
}

export interface Happened extends EventRow {
  /** Which one it is in the order in which all became visible, from 1; where there is one writer, its id. */
  readonly place: number
  /** When the observer has seen it, in ticks. */
  readonly seenAt: number
  /** The request that is its cause, once that is known. */
  cause?: string | undefined
}

export interface Pet {
  readonly id: number
  readonly name: string
  readonly categoryId: number
  readonly status: 'available' | 'pending' | 'sold'
}
/** Any of them. */
export type Row = Omit<Pet, 'status'> & Omit<Order, 'status'> & { readonly status: string }
export type Kind = 'pet' | 'order' | 'category'

const moveTo = new Map([...Object.values(moves), expiry].map((move) => [`order.${move[1]}`, move]))

/** What is known so long before ends at most so late. */
const lookMilliseconds = 1_100
const lateMax = 20

/** The events after a given one, in SQLite. */
export const newsText = 'SELECT id, at, type, pet_id AS petId, data, by FROM events WHERE id > ? ORDER BY id'

interface Clock {
  readonly ticks: number
  readonly now: number
  /** When the service was started or suspended last, or the clock set, in ticks. */
  readonly disturbedAt: number
  /** Whether the machine takes no time, so that what comes late is a fault of the service. */
  readonly isPunctual: boolean
}

/**
 * A state of the store: all up to a place. Of the changes that one look found together, nobody knows the order: some of
 * them may be there and others not.
 */
export type Moment = number | { readonly place: number; readonly also: ReadonlySet<number> }

const includes = (moment: Moment, place: number): boolean =>
  typeof moment === 'number' ? place <= moment : place <= moment.place || moment.also.has(place)

/** More changes than this found by one look can be in too many orders to try. */
const togetherMax = 10

/** Changes that one look found together, each as the places of its events; all before `from` came before them. */
interface Together {
  readonly from: number
  readonly changes: readonly (readonly number[])[]
}

/** The events of one transaction side by side; of two that wait for each other, first the one that ended first. */
function byChange(rows: readonly EventRow[]): readonly (readonly EventRow[])[] {
  const changes = Map.groupBy(rows, ({ id, change }) => change ?? id)
  const lastOf = (change: readonly EventRow[]) => Math.max(...change.map(({ id }) => id))
  return [...changes.values()].sort((a, b) => lastOf(a) - lastOf(b))
}

interface Version {
  readonly since: number
  readonly json: string | undefined
  readonly row: Row
}

interface Sale {
  readonly place: number
  readonly day: string
  readonly added: number
  readonly sold: number
  readonly returned: number
}

const unlawful = (what: string, event: Happened): Violation =>
  new Violation('events are lawful steps', `${what}: event ${event.id} ${event.type} ${event.data}`)

/** The members of an order: which of them a step changes, and to what. */
function checkTerms(event: Happened, order: Row, was: Order | undefined): void {
  const { createdAt, updatedAt, completedAt, heldUntil } = order
  if (was === undefined) {
    if (updatedAt !== createdAt || completedAt !== undefined)
      throw unlawful('its times are not those of a new one', event)
    if (heldUntil !== undefined && heldUntil <= createdAt) throw unlawful('it is over when it is placed', event)
    return
  }
  const kept =
    event.type === 'order.updated' ? (['status', 'completedAt'] as const) : (['reference', 'heldUntil'] as const)
  for (const name of ['petId', 'createdAt', ...kept] as const)
    if (order[name] !== was[name]) throw unlawful(`its ${name} was ${was[name]}`, event)
  if (updatedAt < was.updatedAt) throw unlawful(`it was changed at ${was.updatedAt} before`, event)
  if (completedAt !== (event.type === 'order.completed' ? updatedAt : was.completedAt))
    throw unlawful(`its completedAt was ${was.completedAt}`, event)
}

export class Ledger {
  /** In the order in which they became visible. */
  readonly events: Happened[] = []
  /** In the order of their ids, in which they are told. */
  readonly told: Happened[] = []
  /** Some follower was told that it has missed none up to this id. */
  toldTo = 0
  /** The ids of those that a primary has lost with its last commits. */
  readonly lost = new Set<number>()
  readonly #together: Together[] = []
  readonly #versions: Record<Kind, Map<number, Version[]>> = { pet: new Map(), order: new Map(), category: new Map() }
  /** Those that there are now: most answers are explained by them. */
  readonly #live: Record<Kind, Map<number, Version>> = { pet: new Map(), order: new Map(), category: new Map() }
  readonly #ordersOf = new Map<number, number[]>()
  /** The last event of each animal, or of an order on it. */
  readonly #lastOf = new Map<number, Happened>()
  /** Orders that end by themselves, when, and since when that is known, by the clock and in ticks. */
  readonly held = new Map<number, { readonly end: number; readonly at: number; readonly seenAt: number }>()
  /** What each event adds to the sales of its day. */
  readonly sales: Sale[] = []
  /** The names of imported animals, each of which is in one row of one file. */
  readonly #imported = new Set<string>()
  readonly #time: () => Clock

  constructor(time: () => Clock) {
    this.#time = time
  }

  /** The place of the last event. */
  get last(): number {
    return this.events.length
  }

  get lastId(): number {
    return this.told.at(-1)?.id ?? 0
  }

  /** Whether several transactions may run at the same time. */
  get isShared(): boolean {
    return this.events[0]?.change !== undefined
  }

  /** Takes what one look at the table has found, and none before. */
  take(rows: readonly EventRow[]): void {
    const changes = byChange(rows)
    const from = this.last
    for (const change of changes)
      for (const row of change) this.#add({ ...row, place: this.last + 1, seenAt: this.#time().ticks })
    if (changes.length < 2 || rows[0]?.change === undefined) return
    let place = from
    this.#together.push({ from, changes: changes.map((change) => change.map(() => ++place)) })
  }

  /** Where the events after an id begin in the order of ids. */
  indexAfter(id: number): number {
    let [low, high] = [0, this.told.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.told[middle] as Happened).id <= id) low = middle + 1
      else high = middle
    }
    return low
  }

  withId(id: number): Happened | undefined {
    const event = this.told[this.indexAfter(id) - 1]
    return event?.id === id ? event : undefined
  }

  /** What was lost is as if it had never been: its ids may be given out again, also to events. */
  forget(lost: ReadonlySet<Happened>): void {
    const kept = this.events.filter((event) => !lost.has(event))
    for (const { id } of lost) this.lost.add(id)
    for (const list of [this.events, this.told, this.sales, this.#together]) list.length = 0
    for (const kind of ['pet', 'order', 'category'] as const)
      for (const rows of [this.#versions[kind], this.#live[kind]]) rows.clear()
    for (const index of [this.#ordersOf, this.#lastOf, this.held, this.#imported]) index.clear()
    this.toldTo = 0
    for (const event of kept) this.#add({ ...event, place: this.last + 1 })
  }

  /** A follower was told of all up to an id. */
  tell(id: number): void {
    this.toldTo = Math.max(this.toldTo, id)
  }

  /** Further states that there may have been since a place; undefined if they are too many to try. */
  *mixesSince(since: number): Generator<Moment | undefined> {
    for (let i = this.#together.length - 1; i >= 0; i--) {
      const { from, changes } = this.#together[i] as Together
      if (from < since) return
      if (changes.length > togetherMax) yield undefined
      else
        for (let some = 1; some < 2 ** changes.length - 1; some++) {
          const chosen = changes.filter((_, change) => some & (1 << change))
          yield { place: from, also: new Set(chosen.flat()) }
        }
    }
  }

  /** Whether an entry of `sales` counts at a moment. */
  readonly counts = ({ place }: Sale, moment: Moment): boolean => includes(moment, place)

  /** Nothing that was committed before a crash may be gone after it. */
  checkKept(last: number): void {
    if (last < this.lastId)
      throw new Violation('no acknowledged write is lost', `events ${last + 1} to ${this.lastId} are gone`)
  }

  /** The row as it was after an event; undefined if there was none. */
  textOf(kind: Kind, id: number, moment: Moment = this.last): string | undefined {
    return this.#at(kind, id, moment)?.json
  }

  rowOf<T = Pet>(kind: Kind, id: number, moment?: Moment): T | undefined {
    const version = this.#at(kind, id, moment)
    return version?.json === undefined ? undefined : (version.row as T)
  }

  #at(kind: Kind, id: number, moment: Moment = this.last): Version | undefined {
    return this.#versions[kind].get(id)?.findLast(({ since }) => includes(moment, since))
  }

  /** All rows after an event, in the order of their ids. */
  rows(kind: Kind, moment: Moment = this.last): string[] {
    const rows = [...this.versions(kind, moment)].sort((a, b) => byNumber(a.row.id, b.row.id))
    return rows.map(({ json }) => json as string)
  }

  /** Of animals and orders, ids rise; categories are in no order. */
  versions(kind: Kind, moment: Moment = this.last): IteratorObject<Version> {
    const all =
      moment === this.last
        ? this.#live[kind].values()
        : (this.#versions[kind]
            .keys()
            .map((id) => this.#at(kind, id, moment))
            .filter((version) => version?.json !== undefined) as IteratorObject<Version>)
    // One writer gives out ids in order; of several, the one with the higher id may be first.
    return this.isShared ? [...all].sort((a, b) => byNumber(a.row.id, b.row.id)).values() : all
  }

  ids(kind: Kind): number[] {
    return [...this.#versions[kind].keys()]
  }

  wasOrdered(petId: number, moment: Moment = this.last): boolean {
    return this.#ordersOf.get(petId)?.some((id) => this.textOf('order', id, moment) !== undefined) ?? false
  }

  /** Whether an order holds the animal. */
  isHeld(petId: number, moment: Moment = this.last): boolean {
    return this.#holders(petId, moment).length > 0
  }

  #holders(petId: number, moment: Moment): number[] {
    return (this.#ordersOf.get(petId) ?? []).filter((id) =>
      /"status":"(placed|completed)"/.test(this.textOf('order', id, moment) ?? ''),
    )
  }

  #add(event: Happened): void {
    if (event.change === undefined && event.id !== this.last + 1)
      throw new Violation('events are complete', `event ${event.id} comes after ${this.last}`)
    if (event.id <= this.toldTo)
      throw new Violation('events are complete, in order, once', `event ${event.id} came when ${this.toldTo} was told`)
    const [kind, what] = event.type.split('.') as [Kind, string]
    const row: Row = parse(event.data)
    const before = this.textOf(kind, row.id)
    const isGone = what === 'deleted' || what === 'unnamed'
    if (isGone ? before !== event.data : before === event.data) throw unlawful('it changes nothing', event)
    if ((what === 'created' || what === 'placed') && this.#versions[kind].has(row.id))
      throw unlawful('its id was given out before', event)
    if (what === 'updated' && before === undefined) throw unlawful('there is no such animal', event)
    if (what === 'deleted' && this.wasOrdered(row.id)) throw unlawful('the animal was ordered', event)
    if (what === 'created' && row.name.startsWith('Imported')) this.#import(event, row.name)
    if (kind === 'order') checkTerms(event, row, before === undefined ? undefined : parse(before))
    if (kind === 'order') this.#checkOrder(event, row, before, this.#lastOf.get(row.petId))
    if (kind === 'pet') this.#checkPet(event, row, before, this.#lastOf.get(row.id))
    if (what === 'placed') this.#ordersOf.set(row.petId, [...(this.#ordersOf.get(row.petId) ?? []), row.id])
    this.events.push(event)
    this.told.splice(this.indexAfter(event.id), 0, event)
    if (event.petId !== null) this.#lastOf.set(event.petId, event)
    const versions = this.#versions[kind].get(row.id) ?? []
    const version = { since: event.place, json: isGone ? undefined : event.data, row }
    versions.push(version)
    if (isGone) this.#live[kind].delete(row.id)
    else this.#live[kind].set(row.id, version)
    if (kind === 'order') this.#hold(row, event)
    if (kind === 'pet') this.#count(event, row, before)
    this.#versions[kind].set(row.id, versions)
    const holders = kind === 'order' ? this.#holders(row.petId, event.place) : []
    if (holders.length > 1) throw new Violation('no animal is sold twice', `animal ${row.petId}: orders ${holders}`)
  }

  #hold({ id, status, heldUntil }: Row, { at, seenAt }: Happened): void {
    const end = Date.parse(heldUntil ?? '')
    if (status === 'placed' && heldUntil !== undefined) {
      if (this.held.get(id)?.end !== end) this.held.set(id, { end, at, seenAt })
    } else this.held.delete(id)
  }

  #count({ place, at, type }: Happened, pet: Row, before: string | undefined): void {
    const was = before === undefined ? undefined : parse(before).status
    const isMoved = type === 'pet.updated' && was !== pet.status
    const entry = {
      place,
      day: new Date(at).toISOString().slice(0, 10),
      added: Number(type === 'pet.created'),
      sold: Number(isMoved && pet.status === 'sold'),
      returned: Number(isMoved && was === 'sold'),
    }
    if (entry.added + entry.sold + entry.returned > 0) this.sales.push(entry)
  }

  #import(event: Happened, name: string): void {
    if (this.#imported.has(name)) throw new Violation('a file is imported once', event.data)
    this.#imported.add(name)
    event.cause = 'an import'
  }

  /**
   * The animal becomes pending right before its order is placed, and in the same transaction. On PostgreSQL that may
   * place several orders, after all of their animals have become pending.
   */
  #checkOrder(event: Happened, row: Row, before: string | undefined, last: Happened | undefined): void {
    const { petId } = row
    if (event.petId !== petId) throw unlawful('it names another animal', event)
    if (event.type === 'order.placed') {
      const isPending = last?.type === 'pet.updated' && last.data.includes('"status":"pending"')
      if (!isPending || (event.change === undefined ? last.place !== event.place - 1 : last.change !== event.change))
        throw unlawful('its animal is not pending', event)
      if (this.rowOf('pet', petId, last.place - 1)?.status !== 'available')
        throw unlawful('its animal was not available', event)
      if (last.by !== event.by) throw unlawful(`its animal was ordered by ${last.by}`, event)
      last.cause = `event ${event.id}`
      return
    }
    const { status: was, heldUntil }: Partial<Order> = parse(before ?? '{}')
    if (event.type === 'order.updated') {
      if (row.heldUntil !== heldUntil && was !== 'placed') throw unlawful('only what is placed is held', event)
      return
    }
    if (event.type === 'order.expired') {
      const { ticks, now, disturbedAt, isPunctual } = this.#time()
      // What is over by the clock may end just after that was set.
      const isLate = event.at - (now - ticks + disturbedAt) > lateMax
      if (!heldUntil || (isLate && Date.parse(heldUntil) > event.at))
        throw unlawful(`it is held until ${heldUntil}`, event)
      if (event.by !== null) throw unlawful('no key has made it', event)
      const { end, at, seenAt } = this.held.get(row.id) as NonNullable<ReturnType<typeof this.held.get>>
      if (isPunctual && disturbedAt < seenAt && end - at > lookMilliseconds && event.at - end > lateMax)
        throw unlawful(`it ends ${event.at - end} ms late`, event)
      event.cause = 'time'
    }
    if (was !== moveTo.get(event.type)?.[0]) throw unlawful(`the order was ${was}`, event)
  }

  /** The animal moves after its order, and before anything else happens to it. */
  #checkPet(event: Happened, pet: Row, before: string | undefined, last: Happened | undefined): void {
    const status = last && moveTo.get(last.type)?.[2]
    if (last && status !== undefined) {
      if (pet.status !== status) throw unlawful(`its order says ${status}`, event)
      if (last.by !== event.by) throw unlawful(`its order was moved by ${last.by}`, event)
      event.cause = `event ${last.id}`
      return
    }
    const isMoved = before !== undefined && parse(before).status !== pet.status
    if (isMoved && this.isHeld(pet.id)) throw unlawful('an order holds the animal', event)
  }
}
