/**
 * Delivers events to webhooks: at least once, and those about one animal in their order. Every process does all of
 * this: it adds new events as deliveries, claims some that are due, sends them, and stores the results. All state is in
 * the database. If a process ends, the deliveries that it had claimed become due again when their locks end.
 */
import { isSamePosition, positionText } from '../model/event.ts'
import { type StoredWebhook, secretsOf } from '../model/webhook.ts'
import type { Log } from '../observe/log.ts'
import type { Sample } from '../observe/metrics.ts'
import { type JsonObject, parseJson } from '../schema/json.ts'
import type { StoredEvent } from '../store/event-table.ts'
import type { Store } from '../store/store.ts'
import {
  type ClaimedDelivery,
  lockMilliseconds,
  type NewDelivery,
  type Queue,
  waitingMax,
} from '../store/webhook-table.ts'
import { type Time, turn } from '../time.ts'
import { afterTry, longestPause } from './schedule.ts'
import { tryMilliseconds, type WebhookSender } from './send.ts'

interface DelivererOptions {
  readonly store: Pick<Store, 'webhooks' | 'events'>
  readonly time: Pick<Time, 'ticks' | 'after' | 'nextTurn'>
  /** A number from 0 to 1, which spreads attempts that would be made at the same moment. */
  readonly random: () => number
  readonly sender: Pick<WebhookSender, 'send'>
  readonly log: Log
}

interface Deliverer {
  tick(): void
  settled(): Promise<void>
  samples(): Sample[]
  /** Waits for attempts that are under way for this long, and aborts the rest, which other processes will repeat. */
  stop(milliseconds: number): Promise<void>
}

type Outcomes = Record<ReturnType<typeof afterTry>['outcome'], number>

/**
 * The number of concurrent attempts for each webhook. All of them must end before the next attempts begin. So a
 * receiver that hangs occupies only this many connections, and delays no other webhook.
 */
const triesMax = 8
const eventsPerPage = 100
/** An attempt that begins within this time after its claim ends before its lock does. */
const beginMilliseconds = lockMilliseconds - tryMilliseconds

export function createDeliverer(options: DelivererOptions): Deliverer {
  const { store, time, log } = options
  const { webhooks, events } = store
  const aborting = new AbortController()
  const outcomes: Outcomes = { delivered: 0, retried: 0, failed: 0 }
  const deliverDue = createDeliverDue(options, aborting.signal, outcomes)
  /** The webhooks at the last poll, which was at `polledAt`, in ticks. */
  let queues: readonly Queue[] = []
  let polledAt = 0
  const serving = new Map<number, Promise<void>>()
  /** Counts hints that there may be something to deliver. */
  let changes = 0
  let polling: Promise<void> | undefined
  let isStopped = false
  let unwatch: (() => void) | undefined

  /**
   * Finds once a second what is to be delivered. This includes what other processes have left, and what clients have
   * requested again.
   */
  async function poll(): Promise<void> {
    queues = await webhooks.queues()
    polledAt = time.ticks()
    // The store is watched only while there are webhooks, because it then polls its database many times a second.
    if (queues.length > 0 && !isStopped) unwatch ??= events.watch(() => serve(queues))
    else {
      unwatch?.()
      unwatch = undefined
      return
    }
    const present = await events.present()
    serve(queues.filter(({ webhook, waiting }) => waiting > 0 || !isSamePosition(webhook.position, present)))
  }

  function serve(some: readonly Queue[]): void {
    // A poll may have begun before the stop. The stop would wait forever for what such a poll adds to `serving` later.
    if (isStopped) return
    changes++
    for (const { webhook } of some)
      if (!serving.has(webhook.id)) serving.set(webhook.id, deliverTo(webhook.id).catch(logDelay))
  }

  const logDelay = (err: unknown): void => log.warn({ err }, 'an error delays webhooks')

  /** Delivers to a webhook until nothing is due and no hint has come since: the next one, or a poll, calls it again. */
  async function deliverTo(id: number): Promise<void> {
    try {
      for (let seen = -1, isMore = true; !isStopped && (isMore || seen !== changes); ) {
        // A hint may come from within a commit, whose clients are answered first.
        await turn(time)
        seen = changes
        isMore = await deliverDue(id)
      }
    } finally {
      serving.delete(id)
    }
  }

  async function settled(): Promise<void> {
    while (polling || serving.size > 0) await Promise.all([polling, ...serving.values()])
  }

  return {
    tick() {
      if (isStopped) return
      polling ??= poll()
        .catch(logDelay)
        .finally(() => {
          polling = undefined
        })
    },
    settled,

    samples() {
      const ages = queues.flatMap(({ oldestMilliseconds: age }) => (age === undefined ? [] : [age]))
      const lag = ages.length === 0 ? 0 : Math.max(0, ...ages) + time.ticks() - polledAt
      return [
        ...Object.entries(outcomes).map(([kind, count]): Sample => ['petstore_webhook_deliveries_total', count, kind]),
        ['petstore_webhook_lag_seconds', lag / 1000],
      ]
    },

    async stop(milliseconds) {
      isStopped = true
      unwatch?.()
      const cancel = time.after(milliseconds, () => aborting.abort())
      await settled()
      cancel()
    },
  }
}

/**
 * Makes the function that adds the next events as deliveries to a webhook, and sends some of them. It returns false if
 * none are due.
 */
function createDeliverDue(options: DelivererOptions, signal: AbortSignal, outcomes: Outcomes) {
  const { store, time, random, sender, log } = options
  const { webhooks } = store

  async function attempt(webhook: StoredWebhook, claim: ClaimedDelivery): Promise<void> {
    const { url, id } = webhook
    const { eventId, at, body, tries } = claim
    const messageId = `msg_${id}_${positionText({ id: eventId, at })}`
    const result = await sender.send({
      url,
      id: messageId,
      body,
      secrets: secretsOf(webhook),
      tries,
      signal,
    })
    if (result.fault === 'aborted') return release(webhook, claim)
    const { outcome, tried, disabling } = afterTry(claim, result, random)
    if (!(await webhooks.finish(id, tried, disabling))) return
    outcomes[outcome]++
    const line = { webhookId: id, eventId, tries: tried.tries, ...result }
    if (outcome === 'delivered') log.debug(line, 'an event was delivered to a webhook')
    else if (outcome === 'retried') log.info(line, 'an event was not delivered to a webhook and will be retried')
    else {
      const { enabled, reason } = (await webhooks.find(BigInt(id))) ?? { enabled: false }
      if (enabled) log.warn(line, 'an event was not delivered to a webhook and will not be retried')
      else log.warn({ ...line, reason }, 'a webhook was disabled')
    }
  }

  /** Leaves a delivery to the next claim. */
  async function release({ id }: StoredWebhook, claim: ClaimedDelivery): Promise<void> {
    await webhooks.finish(id, claim)
  }

  return async (id: number): Promise<boolean> => {
    const [queue] = await webhooks.queues(id)
    if (!queue) return false
    const isMore = queue.waiting < waitingMax && (await addDeliveries(store, queue.webhook, log))
    if (!isMore && queue.waiting === 0) return false
    const claimedAt = time.ticks()
    const claims = await webhooks.claim(id, longestPause, triesMax)
    // The webhook is read after the claim: the result of an attempt that began before a change of the address does not
    // count.
    const webhook = claims.length > 0 && (await webhooks.find(BigInt(id)))
    if (!webhook) return isMore
    const isLate = signal.aborted || time.ticks() - claimedAt >= beginMilliseconds
    const tries = await Promise.allSettled(claims.map((claim) => (isLate ? release : attempt)(webhook, claim)))
    for (const one of tries) if (one.status === 'rejected') throw one.reason
    return true
  }
}

/** Adds the next events as deliveries. False if there are none. */
async function addDeliveries(
  { events, webhooks }: DelivererOptions['store'],
  { id, position, types }: StoredWebhook,
  log: Log,
): Promise<boolean> {
  const page = await events.page({ after: position, limit: eventsPerPage, ...(types.length > 0 && { types }) })
  const isExpired = page === 'events_expired'
  const { events: added, position: to } = isExpired ? { events: [], position: await events.oldest() } : page
  if (isSamePosition(position, to)) return false
  // False if another process has added them.
  const isAdded = await webhooks.add(id, position, to, added.map(deliveryOf))
  if (isAdded && isExpired) log.warn({ webhookId: id }, 'events were deleted before they were sent to a webhook')
  return true
}

/** An event in the form in which it is delivered. The subject of an event of an order is its animal. */
function deliveryOf({ id, at, type, petId, json }: StoredEvent): NewDelivery {
  const subject = petId === undefined ? `category ${categoryIn(json)}` : `pet ${petId}`
  return { eventId: id, type, subject, at, body: json }
}

/** Read as exact JSON, as the identifier of a category may be any int64. */
const categoryIn = (json: string) => ((parseJson(json).value as JsonObject).get('data') as JsonObject).get('id')
