/** The part of a store that has webhooks. */
import type { EventPosition } from '../model/event.ts'
import type { StoredDelivery, StoredWebhook, WebhookPatch } from '../model/webhook.ts'

/** An enabled webhook, and who delivers for it; the beat changes whenever the lease is taken or renewed. */
export interface Lease {
  readonly webhook: StoredWebhook
  readonly holder: string | undefined
  readonly beat: number
}

/** Webhooks, and the delivery of each event to each of them. Times are milliseconds since 1970. */
export interface WebhookTable {
  /** Undefined if there are `max` already, also of those added at the same time. */
  insert(
    webhook: Pick<StoredWebhook, 'url' | 'types' | 'secret' | 'position' | 'createdAt'>,
    max: number,
  ): Promise<StoredWebhook | undefined>
  find(id: bigint): Promise<StoredWebhook | undefined>
  page(after: number, limit: number): Promise<StoredWebhook[]>
  /** Enabling clears the reason, and all that was not delivered is due at `now`. */
  update(id: bigint, patch: WebhookPatch, now: number): Promise<StoredWebhook | undefined>
  rotate(id: bigint, secret: string, oldSecretUntil: number): Promise<StoredWebhook | undefined>
  /** Its deliveries stay until they are purged. */
  remove(id: bigint): Promise<boolean>

  leases(): Promise<Lease[]>
  /** Takes or renews leases that are as they were seen; returns the ids of their webhooks. */
  lease(holder: string, seen: readonly Lease[]): Promise<number[]>
  release(holder: string): Promise<void>

  /** In ascending order of the event. */
  pending(id: number, limit: number): Promise<StoredDelivery[]>
  /** Adds deliveries and moves the position, unless the position or the lease is another's by now. */
  add(
    id: number,
    holder: string,
    from: EventPosition,
    to: EventPosition,
    added: readonly NewDelivery[],
  ): Promise<boolean>
  /** Notes how a try went, unless another has delivered it: one of a process that was stopped may end late. With a reason, disables the webhook too. */
  finish(id: number, delivery: DeliveryState, disabledFor: string | undefined): Promise<void>
  /** The newest events before the given one, in descending order. */
  deliveries(id: bigint, before: number, limit: number): Promise<StoredDelivery[]>
  /** Makes a delivery due at `now`, whatever came of it. */
  redeliver(id: bigint, eventId: bigint, now: number): Promise<StoredDelivery | undefined>
  /** Removes deliveries of events from before the given time, unless they are still to be tried, a portion at a time; removing events does, too. */
  purge(before: number): Promise<void>
}

export type NewDelivery = Pick<StoredDelivery, 'eventId' | 'type' | 'subject' | 'at' | 'body'>
export type DeliveryState = Omit<StoredDelivery, 'type' | 'subject' | 'at' | 'body'>
