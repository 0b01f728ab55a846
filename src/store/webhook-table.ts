/** The part of a store for webhooks, and for delivering events to them. */
import type { EventPosition } from '../model/event.ts'
import type { StoredDelivery, StoredWebhook, WebhookPatch } from '../model/webhook.ts'

/** The longest time that a delivery stays locked by a process that was killed. */
export const lockMilliseconds = 25_000
/** A webhook with this many waiting deliveries gets no further ones. A claim examines no more: it takes at most 2 ms. */
export const waitingMax = 1_000

/**
 * An enabled webhook, how many deliveries wait for it (counted up to `waitingMax`), and how old the oldest event among
 * them is.
 */
export interface Queue {
  readonly webhook: StoredWebhook
  readonly waiting: number
  readonly oldestMilliseconds: number | undefined
}

/** Why a webhook is disabled; unless `silentMilliseconds` is undefined, only if nothing was delivered for that long. */
export interface Disabling {
  readonly reason: string
  readonly silentMilliseconds: number | undefined
}

/** A delivery that this process may attempt. `lockedUntil` distinguishes the claim from a later one. */
export interface ClaimedDelivery extends StoredDelivery {
  readonly lockedUntil: number
}

/** The result of an attempt at a claimed delivery. */
export interface TriedDelivery
  extends Pick<ClaimedDelivery, 'eventId' | 'lockedUntil' | 'status' | 'tries' | 'responseStatus' | 'fault'> {
  /** How long to wait for the next attempt. Undefined if the time of the next attempt stays unchanged. */
  readonly pauseMilliseconds?: number | undefined
}

/**
 * Webhooks, and the delivery of each event to each of them. Times are milliseconds since 1970. The clock of the
 * database decides what is due, when a lock ends and until when an old secret signs.
 */
export interface WebhookTable {
  /** Undefined if there are `max` webhooks already, including concurrent inserts. */
  insert(
    webhook: Pick<StoredWebhook, 'url' | 'types' | 'secret' | 'position' | 'createdAt'>,
    max: number,
  ): Promise<StoredWebhook | undefined>
  find(id: bigint): Promise<StoredWebhook | undefined>
  page(after: number, limit: number): Promise<StoredWebhook[]>
  /**
   * Enabling clears the reason and makes everything that was not delivered due. Another URL makes everything that is
   * pending due.
   */
  update(id: bigint, patch: WebhookPatch): Promise<StoredWebhook | undefined>
  /** The previous secret signs for that long, too. */
  rotate(id: bigint, secret: string, oldMilliseconds: number): Promise<StoredWebhook | undefined>
  /** The deliveries of the webhook stay until they are purged. */
  remove(id: bigint): Promise<boolean>

  /** The queues of all enabled webhooks, or of one. */
  queues(id?: number): Promise<Queue[]>
  /** Adds deliveries and moves the position, unless another process has moved it, or the webhook was disabled. */
  add(id: number, from: EventPosition, to: EventPosition, added: readonly NewDelivery[]): Promise<boolean>
  /**
   * Locks deliveries to an enabled webhook that are due, the earliest events first, for `lockMilliseconds`: of each
   * subject the first, among the first `waitingMax` that wait. A delivery whose next try is further ahead than the
   * longest pause was postponed by a clock that was fast, and is due, too.
   */
  claim(id: number, longestPauseMilliseconds: number, limit: number): Promise<ClaimedDelivery[]>
  /**
   * Stores the result of a try that has just ended, unlocks the delivery and, if it is given why, disables the webhook.
   * False, with nothing stored, if the delivery was claimed again or made due again since; the latter is then unlocked.
   */
  finish(id: number, tried: TriedDelivery, disabling?: Disabling): Promise<boolean>
  /** The deliveries before the given event, the newest first. */
  deliveries(id: bigint, before: number, limit: number): Promise<StoredDelivery[]>
  /** Makes a delivery due, whatever its status. */
  redeliver(id: bigint, eventId: bigint): Promise<StoredDelivery | undefined>
  /** Removes deliveries of older events, by the clock of the database, except those that are still to be attempted. */
  purge(olderThanMilliseconds: number): Promise<void>
}

export type NewDelivery = Pick<StoredDelivery, 'eventId' | 'type' | 'subject' | 'at' | 'body'>
