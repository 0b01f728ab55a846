/**
 * Delivers events to webhooks: at least once, and those about one animal in their order. Every process takes part: it adds
 * new events as deliveries, claims some that are due, sends them, and stores the result. The database holds all of it: if a
 * process ends, the deliveries it had claimed are due again when their locks end.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '../clock.ts'
import { isSamePosition, positionText } from '../model/event.ts'
import { type StoredWebhook, secretsAt } from '../model/webhook.ts'
import type { Log } from '../observe/log.ts'
import type { Sample } from '../observe/metrics.ts'
import { type JsonObject, parseJson } from '../schema/json.ts'
import {
  type ClaimedDelivery,
  lockMilliseconds,
  type NewDelivery,
  type Queue,
  type Store,
  type StoredEvent,
  waitingMax,
} from '../store/store.ts'
import { afterTry, pauseMax } from './schedule.ts'
import { type TryResult, tryMilliseconds, type WebhookSender } from './send.ts'

interface DelivererOptions {
  readonly store: Pick<Store, 'webhooks' | 'events'>
  readonly clock: Clock
  /** A monotonic clock, for locks. */
  readonly ticks: Clock
  readonly random?: () => number
  readonly sender: Pick<WebhookSender, 'send'>
  readonly log: Log
}

interface Deliverer {
  /** Called once a second. */
  tick(): void
  /** Resolves when nothing is under way. */
  settled(): Promise<void>
  samples(): Sample[]
  /** Waits so long for tries under way, and breaks off the rest, which other processes will repeat. */
  stop(milliseconds: number): Promise<void>
}

/** Tries under way at a time for one webhook; 1 until its receiver has answered within `promptMilliseconds`. */
const triesMax = 4
const promptMilliseconds = 1_000
/**
 * Tries under way at a time for all webhooks together, beyond the first of each. The first is always allowed, so that receivers
 * that hang do not hold up others.
 */
const extraTriesMax = 64
const eventsPerPage = 100
const claimsPerPage = 100
/** A try that begins within this time of its claim ends before its lock does. */
const beginMilliseconds = lockMilliseconds - tryMilliseconds

export function createDeliverer(options: DelivererOptions): Deliverer {
  const { store, clock, ticks, random = Math.random, sender, log } = options
  const { webhooks, events } = store
  const aborting = new AbortController()
  const outcomes = { delivered: 0, retried: 0, failed: 0 }
  /** As of the last poll. */
  let queues: readonly Queue[] = []
  /** The webhooks that are being served, by id. */
  const serving = new Map<number, Promise<void>>()
  let extraTries = 0
  /** Resolves at the next hint that there may be something to deliver, and is then replaced. */
  let change = Promise.withResolvers<void>()
  let polling: Promise<void> | undefined
  let isHinted = false
  let isStopped = false
  let unwatch: (() => void) | undefined

  /** Finds once a second what is to be delivered, including what other processes have left and clients have made due. */
  async function poll(): Promise<void> {
    queues = await webhooks.queues()
    // Watched only while there are webhooks, as the store then asks its database many times a second.
    if (queues.length > 0 && !isStopped) unwatch ??= events.watch(onChange)
    else {
      unwatch?.()
      unwatch = undefined
      return
    }
    const present = await events.present()
    serve(queues.filter(({ webhook, waiting }) => waiting > 0 || !isSamePosition(webhook.position, present)))
  }

  function onChange(): void {
    if (isHinted) return
    isHinted = true
    // A hint may come from within a commit, whose clients are answered first.
    setImmediate(() => {
      isHinted = false
      serve(queues)
    })
  }

  function serve(some: readonly Queue[]): void {
    change.resolve()
    change = Promise.withResolvers()
    if (isStopped) return
    for (const { webhook } of some)
      if (!serving.has(webhook.id)) serving.set(webhook.id, deliverTo(webhook.id).catch(logDelay))
  }

  const logDelay = (err: unknown): void => log.warn({ err }, 'webhooks are delayed')

  /** Delivers to a webhook until no try is under way and nothing is due. */
  async function deliverTo(id: number): Promise<void> {
    const tries = new Set<Promise<void>>()
    let isPrompt = false
    let isDisabled = false
    const hasRoom = (): boolean => tries.size === 0 || (isPrompt && tries.size < triesMax && extraTries < extraTriesMax)

    function begin(webhook: StoredWebhook, claim: ClaimedDelivery): void {
      const begun = ticks()
      const sending = send(webhook, claim).then(async (result) => {
        isPrompt = ticks() - begun < promptMilliseconds
        if ((await finish(webhook, claim, result)) === 'failed') isDisabled = true
      })
      const done = sending.catch(logDelay).finally(() => {
        tries.delete(done)
        if (tries.size > 0) extraTries--
      })
      if (tries.size > 0) extraTries++
      tries.add(done)
    }

    try {
      for (;;) {
        // While a receiver hangs, its webhook makes no statement.
        while (!hasRoom()) await Promise.race(tries)
        const next = change.promise
        const isIdle = tries.size === 0
        const [queue] = isStopped ? [] : await webhooks.queues(id)
        isDisabled = false
        const isMore = queue !== undefined && queue.waiting < waitingMax && (await addDeliveries(queue.webhook))
        const claimedAt = ticks()
        const claims =
          queue && (isMore || queue.waiting > tries.size)
            ? await webhooks.claim(id, clock(), clock() + pauseMax, isPrompt ? claimsPerPage : 1)
            : []
        const unsent: ClaimedDelivery[] = []
        for (const claim of claims) {
          while (!hasRoom()) await Promise.race(tries)
          const isLate = ticks() - claimedAt >= beginMilliseconds
          if (queue && !isStopped && !isDisabled && !isLate) begin(queue.webhook, claim)
          else unsent.push(claim)
        }
        await Promise.all(unsent.map((claim) => webhooks.finish(id, claim, undefined)))
        if (isMore || claims.length > 0) continue
        if (tries.size > 0) await Promise.race([...tries, next])
        // Nothing was due, no try was under way and no hint has come since: the next hint or poll calls this function again.
        else if ((isIdle && next === change.promise) || isStopped) return
      }
    } finally {
      if (tries.size > 0) await Promise.all(tries)
      serving.delete(id)
    }
  }

  /** Adds the next events of the feed as deliveries; false if there are none. */
  async function addDeliveries({ id, position, types }: StoredWebhook): Promise<boolean> {
    const page = await events.page({ after: position, limit: eventsPerPage, ...(types.length > 0 && { types }) })
    const isExpired = page === 'events_expired'
    const { events: added, position: to } = isExpired ? { events: [], position: await events.oldest() } : page
    if (isSamePosition(position, to)) return false
    // False if another process has added them.
    const isAdded = await webhooks.add(id, position, to, added.map(deliveryOf))
    if (isAdded && isExpired) log.warn({ webhookId: id }, 'events were removed before a webhook was sent them')
    return true
  }

  const send = (webhook: StoredWebhook, { eventId, at, body, tries }: ClaimedDelivery): Promise<TryResult> =>
    sender.send({
      url: webhook.url,
      id: `msg_${webhook.id}_${positionText({ id: eventId, at })}`,
      body,
      secrets: secretsAt(webhook, clock()),
      tries,
      signal: aborting.signal,
    })

  async function finish(
    { id }: StoredWebhook,
    claim: ClaimedDelivery,
    result: TryResult,
  ): Promise<keyof typeof outcomes | undefined> {
    if (result.fault === 'aborted') {
      await webhooks.finish(id, claim, undefined)
      return undefined
    }
    const { outcome, delivery, reason } = afterTry(claim, result, clock(), random)
    if (!(await webhooks.finish(id, delivery, reason))) return undefined
    outcomes[outcome]++
    const line = { webhookId: id, eventId: delivery.eventId, tries: delivery.tries, ...result }
    if (outcome === 'delivered') log.debug(line, 'a webhook was delivered')
    else if (outcome === 'retried') log.info(line, 'a webhook was not delivered and is tried again')
    else log.warn({ ...line, reason }, 'a webhook was disabled')
    return outcome
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
      const now = clock()
      const lag = Math.max(0, ...queues.map(({ oldestAt = now }) => now - oldestAt))
      return [
        ...Object.entries(outcomes).map(([kind, count]): Sample => ['petstore_webhook_deliveries_total', count, kind]),
        ['petstore_webhook_lag_seconds', lag / 1000],
      ]
    },

    async stop(milliseconds) {
      isStopped = true
      unwatch?.()
      serve([])
      await Promise.race([settled(), sleep(milliseconds, undefined, { ref: false })])
      aborting.abort()
      await settled()
    },
  }
}

/** An event as it is to be delivered. An event of an order has the animal as its subject. */
function deliveryOf({ id, at, type, petId, json }: StoredEvent): NewDelivery {
  const subject = petId === undefined ? `category ${categoryIn(json)}` : `pet ${petId}`
  return { eventId: id, type, subject, at, body: json }
}

/** Read as exact JSON, as the identifier of a category may be any int64. */
const categoryIn = (json: string) => ((parseJson(json).value as JsonObject).get('data') as JsonObject).get('id')
