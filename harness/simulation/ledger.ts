/**
 * Everything that has happened, according to the events in the database. Their order is the order in which the service
 * says that all requests took effect. Each event must be a step that the life of an animal allows, and must be caused
 * by one request.
 */
import { expiry, moves, type Order } from '../order.ts'
import { parse } from './exact-json.ts'
import { Violation } from './world.ts'

/** Compares without subtraction, because numbers of categories may be too large for it. */
export const byNumber = (a: number | bigint, b: number | bigint): number => (a < b ? -1 : Number(a > b))

/** A row of the table of events. */
export interface EventRow {
  readonly id: number
  readonly at: number
  readonly type: string
  readonly petId: number | null
  readonly data: string
  /** The name of the API key that caused it. */
  readonly by: string | null
  /** The transaction, on databases where transactions may become visible in another order than their ids. */
  readonly change?: string
}

export interface Happened extends EventRow {
  /** Counts the events, from 1, in the order in which they became visible. With a single writer it equals the id. */
  readonly position: number
  /** When the observer saw it, in ticks. */
  readonly seenAt: number
  /** The request that caused it, as soon as that is known. */
  cause?: string | undefined
}

export interface Pet {
  readonly id: number
  readonly name: string
  readonly categoryId: number
  readonly status: 'available' | 'pending' | 'sold'
}
/** A row of any kind. */
export type Row = Omit<Pet, 'status'> & Omit<Order, 'status'> & { readonly status: string }
export type Kind = 'pet' | 'order' | 'category'

const moveTo = new Map([...Object.values(moves), expiry].map((move) => [`order.${move[1]}`, move]))

/** An order whose end was known this long before may end at most `lateMax` late. */
const lookMilliseconds = 1_100
const lateMax = 20

/** Selects the events after a given one, in SQLite. */
export const newsText = 'SELECT id, at, type, pet_id AS petId, data, by FROM events WHERE id > ? ORDER BY id'

interface Clock {
  readonly ticks: number
  readonly now: number
  /** When the service was last started or suspended, or the clock was last set, in ticks. */
  readonly disturbedAt: number
  /** Whether the machine itself takes no time. Then everything late is a fault of the service. */
  readonly isPunctual: boolean
}

/**
 * A state of the store: all changes up to a position. If one poll found several changes, nobody knows their order, so a
 * state may contain some of them and not the others.
 */
export type Moment = number | { readonly position: number; readonly also: ReadonlySet<number> }

const includes = (moment: Moment, position: number): boolean =>
  typeof moment === 'number' ? position <= moment : position <= moment.position || moment.also.has(position)

/** If one poll found more changes than this, they have too many possible orders to try all of them. */
const togetherMax = 10

/** The changes that one poll found together, each as the positions of its events. Everything before `from` is older. */
interface Together {
  readonly from: number
  readonly changes: readonly (readonly number[])[]
}

/** Groups the events by transaction, in the order in which the transactions ended. */
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
  readonly position: number
  readonly day: string
  readonly added: number
  readonly sold: number
  readonly returned: number
}

const unlawful = (what: string, event: Happened): Violation =>
  new Violation('events are lawful steps', `${what}: event ${event.id} ${event.type} ${event.data}`)

/** Checks which fields of an order a step changes, and to what. */
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
  /** All events in the order in which they became visible. */
  readonly events: Happened[] = []
  /** All events in the order of their ids, in which the service lists them. */
  readonly told: Happened[] = []
  /** Some follower was told that it has missed no event up to this id. */
  toldTo = 0
  /** The ids of the events that a primary lost together with its last commits. */
  readonly lost = new Set<number>()
  readonly #together: Together[] = []
  readonly #versions: Record<Kind, Map<number, Version[]>> = { pet: new Map(), order: new Map(), category: new Map() }
  /** The current version of each row, because it explains most answers. */
  readonly #live: Record<Kind, Map<number, Version>> = { pet: new Map(), order: new Map(), category: new Map() }
  readonly #ordersOf = new Map<number, number[]>()
  /** The last event of each animal, or of an order on it. */
  readonly #lastOf = new Map<number, Happened>()
  /** The orders that end by themselves: when they end, and since when that is known, on the clock and in ticks. */
  readonly reservations = new Map<number, { readonly end: number; readonly at: number; readonly seenAt: number }>()
  /** What each event adds to the sales of its day. */
  readonly sales: Sale[] = []
  /** The names of imported animals. Each name is in a single row of a single file. */
  readonly #imported = new Set<string>()
  readonly #time: () => Clock

  constructor(time: () => Clock) {
    this.#time = time
  }

  /** The position of the last event. */
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

  /** Takes the events that one poll of the table has found and no earlier poll. */
  take(rows: readonly EventRow[]): void {
    const changes = byChange(rows)
    const from = this.last
    for (const change of changes)
      for (const row of change) this.#add({ ...row, position: this.last + 1, seenAt: this.#time().ticks })
    if (changes.length < 2 || rows[0]?.change === undefined) return
    let position = from
    this.#together.push({ from, changes: changes.map((change) => change.map(() => ++position)) })
  }

  /** The index in `told` at which the events after an id begin. */
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

  /** Removes events that were lost. The service may use their ids again, even for other events. */
  forget(lost: ReadonlySet<Happened>): void {
    const kept = this.events.filter((event) => !lost.has(event))
    for (const { id } of lost) this.lost.add(id)
    for (const list of [this.events, this.told, this.sales, this.#together]) list.length = 0
    for (const kind of ['pet', 'order', 'category'] as const)
      for (const rows of [this.#versions[kind], this.#live[kind]]) rows.clear()
    for (const index of [this.#ordersOf, this.#lastOf, this.reservations, this.#imported]) index.clear()
    this.toldTo = 0
    for (const event of kept) this.#add({ ...event, position: this.last + 1 })
  }

  /** Notes that a follower was told of all events up to an id. */
  tell(id: number): void {
    this.toldTo = Math.max(this.toldTo, id)
  }

  /** Further states that may have existed since a position, or undefined if there are too many to try. */
  *mixesSince(since: number): Generator<Moment | undefined> {
    for (let i = this.#together.length - 1; i >= 0; i--) {
      const { from, changes } = this.#together[i] as Together
      if (from < since) return
      if (changes.length > togetherMax) yield undefined
      else
        for (let some = 1; some < 2 ** changes.length - 1; some++) {
          const chosen = changes.filter((_, change) => some & (1 << change))
          yield { position: from, also: new Set(chosen.flat()) }
        }
    }
  }

  /** Whether an entry of `sales` counts at a moment. */
  readonly counts = ({ position }: Sale, moment: Moment): boolean => includes(moment, position)

  /** Nothing that was committed before a crash may be gone after it. */
  checkKept(last: number): void {
    if (last < this.lastId)
      throw new Violation('no acknowledged write is lost', `events ${last + 1} to ${this.lastId} are gone`)
  }

  /** The row as it was at a moment, or undefined if there was no such row. */
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

  /** All rows at a moment, in the order of their ids. */
  rows(kind: Kind, moment: Moment = this.last): string[] {
    const rows = [...this.versions(kind, moment)].sort((a, b) => byNumber(a.row.id, b.row.id))
    return rows.map(({ json }) => json as string)
  }

  /** The ids of animals and orders rise; categories are in no order. */
  versions(kind: Kind, moment: Moment = this.last): IteratorObject<Version> {
    const all =
      moment === this.last
        ? this.#live[kind].values()
        : (this.#versions[kind]
            .keys()
            .map((id) => this.#at(kind, id, moment))
            .filter((version) => version?.json !== undefined) as IteratorObject<Version>)
    // A single writer gives out ids in order. With several writers, the higher id may become visible first.
    return this.isShared ? [...all].sort((a, b) => byNumber(a.row.id, b.row.id)).values() : all
  }

  ids(kind: Kind): number[] {
    return [...this.#versions[kind].keys()]
  }

  wasOrdered(petId: number, moment: Moment = this.last): boolean {
    return this.#ordersOf.get(petId)?.some((id) => this.textOf('order', id, moment) !== undefined) ?? false
  }

  /** Whether an order that is placed or completed holds the animal. */
  isTaken(petId: number, moment: Moment = this.last): boolean {
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
    const version = { since: event.position, json: isGone ? undefined : event.data, row }
    versions.push(version)
    if (isGone) this.#live[kind].delete(row.id)
    else this.#live[kind].set(row.id, version)
    if (kind === 'order') this.#reserve(row, event)
    if (kind === 'pet') this.#count(event, row, before)
    this.#versions[kind].set(row.id, versions)
    const holders = kind === 'order' ? this.#holders(row.petId, event.position) : []
    if (holders.length > 1) throw new Violation('no animal is sold twice', `animal ${row.petId}: orders ${holders}`)
  }

  #reserve({ id, status, heldUntil }: Row, { at, seenAt }: Happened): void {
    const end = Date.parse(heldUntil ?? '')
    if (status === 'placed' && heldUntil !== undefined) {
      if (this.reservations.get(id)?.end !== end) this.reservations.set(id, { end, at, seenAt })
    } else this.reservations.delete(id)
  }

  #count({ position, at, type }: Happened, pet: Row, before: string | undefined): void {
    const was = before === undefined ? undefined : parse(before).status
    const isMoved = type === 'pet.updated' && was !== pet.status
    const entry = {
      position,
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
      if (
        !isPending ||
        (event.change === undefined ? last.position !== event.position - 1 : last.change !== event.change)
      )
        throw unlawful('its animal is not pending', event)
      if (this.rowOf('pet', petId, last.position - 1)?.status !== 'available')
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
      // An order that is over by the clock may end right after the clock was set.
      const isLate = event.at - (now - ticks + disturbedAt) > lateMax
      if (!heldUntil || (isLate && Date.parse(heldUntil) > event.at))
        throw unlawful(`it is held until ${heldUntil}`, event)
      if (event.by !== null) throw unlawful('no key has made it', event)
      const { end, at, seenAt } = this.reservations.get(row.id) as NonNullable<ReturnType<typeof this.reservations.get>>
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
    if (isMoved && this.isTaken(pet.id)) throw unlawful('an order holds the animal', event)
  }
}
