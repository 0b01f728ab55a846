/** Decides which answers are allowed. Each must follow from the state at one moment between its request and itself. */
import { moves, type Order } from '../order.ts'
import { parse, stringify } from './exact-json.ts'
import type { Happened, Kind, Ledger, Moment } from './ledger.ts'
import { type Answer, type Call, canCause, has, type Keyed, madeOf } from './requests.ts'
import { madeBefore, nextNumber, shownTo, timesOf } from './views.ts'
import { removal, Violation, type World } from './world.ts'

/** How long an Idempotency-Key is known. */
const hour = 60 * 60 * 1000
export const day = 24 * hour

/** Returns the name of the record of an Idempotency-Key, which belongs to one client and one operation. */
const recordName = ({ ask, by }: Call): string | undefined =>
  'key' in ask && ask.key !== undefined ? `${by} ${ask.kind} ${ask.key}` : undefined

/** Whether an operation still existed at some moment between the request and its answer. */
const isServed = ({ ask, at }: Call): boolean => ask.kind !== 'get' || ask.of !== 'pet' || at < removal

export class Model {
  readonly #world: World
  readonly #ledger: Ledger
  /** The hours after which an order without an end expires. Without this, it never expires. */
  readonly #holdHours: number | undefined
  /** The first answer to each Idempotency-Key. Of some keys, only the answer to a repeated request has arrived. */
  readonly #records = new Map<string | undefined, { ask: string; text: string; call: Call; isRepetition?: boolean }>()
  /** How many requests came with each Idempotency-Key. */
  readonly #uses = new Map<string | undefined, number>()
  /** Requests that got no answer. Each of them may have taken effect. */
  readonly #unanswered: Call[] = []

  constructor(world: World, ledger: Ledger, holdHours: number | undefined) {
    this.#world = world
    this.#ledger = ledger
    this.#holdHours = holdHours
  }

  /** The rows of lost events are created again when their requests are repeated. */
  forget(lost: Iterable<Happened>): void {
    const texts = new Set([...lost].map(({ data }) => data))
    for (const [name, { text }] of this.#records) if (texts.has(text)) this.#records.delete(name)
  }

  begun(call: Call): void {
    const name = recordName(call)
    this.#uses.set(name, (this.#uses.get(name) ?? 0) + 1)
  }

  lost(call: Call): void {
    this.#unanswered.push(call)
  }

  /** Throws if no state since the request explains the answer. */
  check(given: Call, answer: Answer): void {
    const now = this.#world.now()
    // If the clock was set meanwhile, it never showed a time before the first of these two, or after the second.
    const elapsed = this.#world.ticks - given.ticks
    const [from, until] = [Math.min(given.at, now - elapsed), Math.max(given.at + elapsed, now)]
    const call = { ...given, at: from }
    const isRight = answer.status < 400 ? this.#isDone(call, answer, until) : this.#isRefused(call, answer, until)
    if (!isRight)
      throw new Violation('every answer is allowed', `${answer.status} ${answer.text} to ${stringify(call.ask)}`)
  }

  /** Whether a condition about one animal, order or category holds at some moment since the request. */
  #ever({ since }: Call, holds: (moment: number) => boolean): boolean {
    for (let moment = this.#ledger.last; moment >= since; moment--) if (holds(moment)) return true
    return false
  }

  /** Whether a condition about all rows holds. A page may show only a part of what became visible together. */
  #everShown(call: Call, holds: (moment: Moment) => boolean): boolean {
    if (this.#ever(call, holds)) return true
    for (const moment of this.#ledger.mixesSince(call.since)) if (moment === undefined || holds(moment)) return true
    return false
  }

  /**
   * Whether a change has changed nothing, because the row already was like that at a moment at which the change was
   * allowed.
   */
  #isSame(call: Call, kind: Kind, text: string, isAllowed: (moment: number) => boolean = () => true): boolean {
    const { id } = call.ask as { id: number }
    return this.#ever(call, (moment) => this.#ledger.textOf(kind, id, moment) === text && isAllowed(moment))
  }

  /** Marks the event that a request has caused, so that it has no other cause. */
  #claim(call: Call, text: string | undefined, holds: (event: Happened) => boolean = () => true): boolean {
    for (let position = this.#ledger.last; position > call.since; position--) {
      const event = this.#ledger.events[position - 1] as Happened
      if (event.cause !== undefined || !canCause(call, event)) continue
      if ((text !== undefined && event.data !== text) || !holds(event)) continue
      event.cause = stringify(call.ask)
      return true
    }
    return false
  }

  #isDone(call: Call, { status, text, headers }: Answer, now: number): boolean {
    const { ask } = call
    const ledger = this.#ledger
    const isVersion = (kind: Kind, { id, version }: { id: number; version?: string | undefined }, moment: number) =>
      version === undefined || version === ledger.textOf(kind, id, moment)
    switch (ask.kind) {
      case 'create':
      case 'place': {
        if (status !== 201) return false
        return headers.has('idempotency-replayed') ? this.#isReplay(call, text) : this.#isFirst(call, text, now)
      }
      case 'patch': {
        const isFree = (moment: number) =>
          !(ask.changes.status && ledger.isTaken(ask.id, moment)) && isVersion('pet', ask, moment)
        if (status !== 200 || !has(parse(text), ask.changes)) return false
        return (
          this.#claim(call, text, ({ position }) => isFree(position - 1)) || this.#isSame(call, 'pet', text, isFree)
        )
      }
      case 'remove': {
        const isVersion = ({ data }: Happened) => ask.version === undefined || ask.version === data
        return status === 204 && this.#claim(call, undefined, isVersion)
      }
      case 'move': {
        if (status !== 200 || parse(text).status !== moves[ask.verb][1]) return false
        // An order that is over cannot be moved, even if it has not expired yet.
        const isAllowed = (event: Happened) =>
          !this.#isOver(ask.id, event.position - 1, call.at) && this.#isTimely(call, event, now)
        return this.#claim(call, text, isAllowed) || this.#isSame(call, 'order', text)
      }
      case 'change': {
        const isPlaced = (moment: number) => this.#isPlaced(ask.id, moment, call.at)
        const isFree = (moment: number) =>
          isVersion('order', ask, moment) && (!('heldUntil' in ask.changes) || isPlaced(moment))
        if (status !== 200 || !has(parse(text), madeOf(ask.changes))) return false
        if (Date.parse(ask.changes.heldUntil ?? '') <= call.at) return false
        const isMade = (event: Happened) => isFree(event.position - 1) && this.#isTimely(call, event, now)
        return this.#claim(call, text, isMade) || this.#isSame(call, 'order', text, isFree)
      }
      case 'name': {
        if (ask.isKnown && status === 201) return false
        const isNew = ({ position }: Happened) =>
          (ledger.textOf('category', ask.id, position - 1) === undefined) === (status === 201)
        return this.#claim(call, text, isNew) || (status === 200 && this.#isSame(call, 'category', text))
      }
      case 'make': {
        if (status === 200) return this.#ever(call, (moment) => madeBefore(ledger, ask.name, moment) === text)
        const isNext = (data: string, moment: number) => parse(data).id === nextNumber(ledger, moment)
        const isFree = ({ position, data }: Happened) =>
          madeBefore(ledger, ask.name, position - 1) === undefined &&
          // The request need not see animals that others add meanwhile.
          (isNext(data, position - 1) || (ledger.isShared && this.#ever(call, (moment) => isNext(data, moment))))
        return status === 201 && this.#claim(call, text, isFree)
      }
      case 'unname':
        return status === 204 && this.#claim(call, undefined)
      default:
        return (
          status === 200 &&
          isServed(call) &&
          this.#everShown(call, (moment) =>
            timesOf(call, now, ledger, moment).some((at) => shownTo({ ask, at }, ledger, moment) === text),
          )
        )
    }
  }

  #isFirst(call: Call, text: string, now: number): boolean {
    const ask = call.ask as Keyed
    if (ask.key !== undefined) {
      const before = this.#recordOf(call)
      this.#records.set(recordName(call), { ask: stringify(ask), text, call })
      // If a request is sent twice concurrently, the answer to the repetition may arrive first.
      if (before?.isRepetition && before.text === text && before.ask === stringify(ask)) return true
      if (before)
        throw new Violation('a repeated request is made once', `${stringify(ask)} was answered ${before.text} before`)
    }
    return this.#claim(call, text, (event) => this.#isTimely(call, event, now) && this.#endsAsAsked(ask, event))
  }

  #endsAsAsked(ask: Keyed, { data }: Happened): boolean {
    if (ask.kind !== 'place' || ask.heldUntil !== undefined) return true
    const { createdAt, heldUntil }: Order = parse(data)
    const end = this.#holdHours && new Date(Date.parse(createdAt) + this.#holdHours * hour).toISOString()
    return heldUntil === end
  }

  /**
   * Whether the time of the change in an order lies between the request and the answer, or is that of its last change
   * if that is later.
   */
  #isTimely({ at, ask }: Call, { position, data }: Happened, now: number): boolean {
    if (ask.kind === 'create') return true
    const order: Order = parse(data)
    const changedAt = Date.parse(order.updatedAt)
    const before = this.#ledger.rowOf<Order>('order', order.id, position - 1)
    const isNotLate = changedAt <= now || before?.updatedAt === order.updatedAt
    return changedAt >= at && isNotLate
  }

  /** Returns the first answer to an Idempotency-Key, unless some clock may have made it expire. */
  #recordOf(call: Call) {
    const record = this.#records.get(recordName(call))
    return record && this.#world.spreadSince(record.call) < day ? record : undefined
  }

  #isReplay(call: Call, text: string): boolean {
    const ask = call.ask as Keyed
    const before = this.#records.get(recordName(call))
    if (before) return before.text === text && before.ask === stringify(ask)
    // The answer to the first request was lost, or has not arrived yet.
    this.#records.set(recordName(call), { ask: stringify(ask), text, call, isRepetition: true })
    return this.#claim({ ...call, since: 0 }, text)
  }

  #isPlaced(id: number, moment: number, now: number): boolean {
    return this.#ledger.rowOf<Order>('order', id, moment)?.status === 'placed' && !this.#isOver(id, moment, now)
  }

  #isOver(id: number, moment: number, now: number): boolean {
    const { status, heldUntil } = this.#ledger.rowOf<Order>('order', id, moment) ?? {}
    return status === 'placed' && heldUntil !== undefined && Date.parse(heldUntil) <= now
  }

  #isRefused(call: Call, { status, code }: Answer, now: number): boolean {
    const { ask } = call
    const ledger = this.#ledger
    const isMissing = (kind: Kind, id: number) =>
      this.#ever(call, (moment) => ledger.textOf(kind, id, moment) === undefined)
    const { ask: first } = this.#recordOf(call) ?? {}
    if (first === stringify(ask)) return false
    switch (`${ask.kind} ${status} ${code}`) {
      case 'create 422 idempotency_key_reused':
      case 'place 422 idempotency_key_reused':
        return this.#isReused(call)
      case 'create 409 idempotency_in_progress':
      case 'place 409 idempotency_in_progress':
        return ledger.isShared && (this.#uses.get(recordName(call)) ?? 0) > 1
      case 'place 400 invalid_field':
        return ask.kind === 'place' && Date.parse(ask.heldUntil ?? '') <= now
      case 'place 422 unknown_pet':
        return ask.kind === 'place' && isMissing('pet', ask.petId)
      case 'place 409 pet_not_available':
        return (
          ask.kind === 'place' &&
          this.#ever(call, (moment) => {
            const pet = ledger.rowOf('pet', ask.petId, moment)
            return pet !== undefined && (pet.status !== 'available' || ledger.isTaken(ask.petId, moment))
          })
        )
      case 'get 410 endpoint_removed':
        return ask.kind === 'get' && ask.of === 'pet' && now >= removal
      case 'get 404 pet_not_found':
      case 'get 404 order_not_found':
        return ask.kind === 'get' && code === `${ask.of}_not_found` && isMissing(ask.of, ask.id) && isServed(call)
      case 'patch 404 pet_not_found':
      case 'remove 404 pet_not_found':
        return 'id' in ask && isMissing('pet', ask.id)
      case 'patch 412 precondition_failed':
      case 'remove 412 precondition_failed':
      case 'change 412 precondition_failed': {
        const kind = ask.kind === 'change' ? 'order' : 'pet'
        return (
          (ask.kind === 'patch' || ask.kind === 'remove' || ask.kind === 'change') &&
          ask.version !== undefined &&
          this.#ever(call, (moment) => ledger.textOf(kind, ask.id, moment) !== ask.version)
        )
      }
      case 'patch 409 order_state_conflict':
        return (
          ask.kind === 'patch' && ask.changes.status !== undefined && this.#ever(call, (m) => ledger.isTaken(ask.id, m))
        )
      case 'remove 409 order_state_conflict':
        return ask.kind === 'remove' && this.#ever(call, (moment) => ledger.wasOrdered(ask.id, moment))
      case 'move 404 order_not_found':
      case 'change 404 order_not_found':
        return 'id' in ask && isMissing('order', ask.id)
      case 'change 400 invalid_field':
        return ask.kind === 'change' && Date.parse(ask.changes.heldUntil ?? '') <= now
      case 'change 409 order_state_conflict':
        return (
          ask.kind === 'change' &&
          'heldUntil' in ask.changes &&
          this.#ever(call, (moment) => !this.#isPlaced(ask.id, moment, now))
        )
      case 'move 409 order_state_conflict':
        return (
          ask.kind === 'move' &&
          this.#ever(call, (moment) => {
            const { status: was } = ledger.rowOf<Order>('order', ask.id, moment) ?? {}
            if (this.#isOver(ask.id, moment, now)) return true
            return was !== undefined && was !== moves[ask.verb][0] && was !== moves[ask.verb][1]
          })
        )
      case 'name 412 precondition_failed':
        return ask.kind === 'name' && ask.isKnown === true && isMissing('category', ask.id)
      case 'unname 404 category_not_found':
        return ask.kind === 'unname' && isMissing('category', ask.id)
      default:
        return false
    }
  }

  #isReused(call: Call): boolean {
    const text = stringify(call.ask)
    const before = this.#records.get(recordName(call))
    const isOther = (other: Call) => recordName(other) === recordName(call) && stringify(other.ask) !== text
    return before ? before.ask !== text : this.#unanswered.some(isOther)
  }

  /**
   * Checks that every event has a cause. An event that no answer explains must be explained by one request without an
   * answer.
   */
  checkCauses(): void {
    let left = this.#unanswered.filter((call) => !this.#records.has(recordName(call)))
    for (const event of this.#ledger.events) {
      if (event.cause !== undefined) continue
      const position = left.findIndex((one) => event.position > one.since && canCause(one, event))
      const [call] = position < 0 ? [] : left.splice(position, 1)
      if (!call) throw new Violation('every change has one cause', `event ${event.id} ${event.type} ${event.data}`)
      // Other requests with the same key cannot have caused anything.
      const name = recordName(call)
      if (name !== undefined) left = left.filter((other) => recordName(other) !== name)
    }
  }
}
