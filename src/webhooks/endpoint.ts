/** What is to be delivered to one webhook, and in which order. */
import type { EventPosition } from '../model/event.ts'
import type { StoredDelivery, StoredWebhook } from '../model/webhook.ts'
import { type JsonObject, parseJson } from '../schema/json.ts'
import type { StoredEvent } from '../store/store.ts'
import type { NewDelivery } from '../store/webhooks.ts'
import { pauseMax } from './schedule.ts'

const triesMax = 4

export class Endpoint {
  webhook: StoredWebhook
  /** Up to here the events were read. */
  position: EventPosition
  /** In ascending order of the event; those of which a try is under way included. */
  pending: StoredDelivery[] = []
  /** Tries under way: the event of each, and what it is about. */
  readonly underWay = new Map<number, string>()
  /** Until when, by a monotonic clock, tries may begin that end before the lease does. */
  safeUntil = 0
  /** Whether the above is to be read anew, once no try is under way. */
  isStale = true
  isReading = false
  /** Whether the database has more pending ones than these; then they come before further events. */
  isCut = false
  /** Whether there may be events after the position. */
  isBehind = true
  /** Whether its last try was soon over; until then there is one at a time. */
  isPrompt = false
  /** Before then there is nothing to try, so that a commit costs nothing; 0 once something has changed. */
  idleUntil = 0
  /** When that was found. */
  #idleSince = 0

  constructor(webhook: StoredWebhook) {
    this.webhook = webhook
    this.position = webhook.position
  }

  /** The next delivery to try: of several about the same, only the first may be, and another one's pause holds none up. */
  next(now: number): StoredDelivery | undefined {
    const isIdle = now < this.idleUntil && now >= this.#idleSince
    if (isIdle || this.underWay.size >= (this.isPrompt ? triesMax : 1)) return undefined
    const held = new Set(this.underWay.values())
    let due = Number.POSITIVE_INFINITY
    for (const delivery of this.pending) {
      if (held.has(delivery.subject)) continue
      if (delivery.nextTryAt <= now || delivery.nextTryAt > now + pauseMax) return delivery
      due = Math.min(due, delivery.nextTryAt)
      held.add(delivery.subject)
    }
    this.idleUntil = due
    this.#idleSince = now
    return undefined
  }

  /** Replaces a delivery by what became of it, or removes it. */
  settle(eventId: number, delivery: StoredDelivery | undefined): void {
    const at = this.pending.findIndex((each) => each.eventId === eventId)
    if (at >= 0) this.pending.splice(at, 1, ...(delivery ? [delivery] : []))
  }
}

/** An event as it is to be delivered. What happens to an order is about its animal. */
export function deliveryOf({ id, type, json }: StoredEvent): NewDelivery {
  const event = parseJson(json).value as JsonObject
  const data = event.get('data') as JsonObject
  const kind = type.startsWith('category.') ? 'category' : 'pet'
  return {
    eventId: id,
    type,
    subject: `${kind} ${data.get('petId') ?? data.get('id')}`,
    at: Date.parse(event.get('at') as string),
    body: json,
  }
}
