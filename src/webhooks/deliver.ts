/**
 * Delivers events to webhooks: at least once, and those about one animal in their order. Every process takes part: it adds
 * new events as deliveries, claims some that are due, sends them, and notes how it went. All of that is kept in the
 * database, so that nothing is lost with a process, and what it had claimed is due again when its lock ends.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '../clock.ts'
import { isSamePosition, positionText } from '../model/event.ts'
import { type StoredWebhook, secretsAt } from '../model/webhook.ts'
import type { Log } from '../observe/log.ts'
import type { Sample } from '../observe/metrics.ts'
import { type JsonObject, parseJson } from '../schema/json.ts'
import type { Store, StoredEvent } from '../store/store.ts'
import { type ClaimedDelivery, lockMilliseconds, type NewDelivery, type Queue, waitingMax } from '../store/webhooks.ts'
import { judge, pauseMax } from './schedule.ts'
import { type TryResult, tryMilliseconds, type WebhookSender } from './send.ts'

interface DelivererOptions {
  readonly store: Pick<Store, 'webhooks' | 'events'>
  readonly clock: Clock
  /** A monotonic one, for locks. */
  readonly ticks: Clock
  readonly random?: () => number
  readonly sender: Pick<WebhookSender, 'send'>
  readonly log: Log
}

export interface Deliverer {
  /** Called once a second. */
  tick(): void
  /** Resolves when nothing is under way. */
  settled(): Promise<void>
  samples(): Sample[]
  /** Waits so long for tries under way, breaks off the others, and leaves them to other processes. */
  stop(milliseconds: number): Promise<void>
}

/** Tries under way for one webhook; 1 until an answer has come within `promptMilliseconds`. */
const triesMax = 4
const promptMilliseconds = 1_000
/** Each webhook may have one try under way at any time, so that receivers that hang hold up no others; the further ones share these. */
const furtherTriesMax = 64
const eventsPerPage = 100
const claimsPerPage = 100
/** A try that begins by then ends before its lock does. */
const beginMilliseconds = lockMilliseconds - tryMilliseconds

export function createDeliverer(options: DelivererOptions): Deliverer {
  const { store, clock, ticks, random = Math.random, sender, log } = options
  const { webhooks, events } = store
  const aborting = new AbortController()
  const outcomes = { delivered: 0, retried: 0, failed: 0 }
  /** As of the last look. */
  let queues: readonly Queue[] = []
  /** The webhooks that are served at the moment. */
  const serving = new Map<number, Promise<void>>()
  let furtherTries = 0
  /** Resolves with the next hint that there may be something to do, and is replaced then. */
  let change = Promise.withResolvers<void>()
  let looking: Promise<void> | undefined
  let isHinted = false
  let isStopped = false
  let unwatch: (() => void) | undefined

  /** Finds out once a second what waits, also what other processes and clients have left. */
  async function look(): Promise<void> {
    queues = await webhooks.queues()
    // Only while there are webhooks: a store that is watched asks its database again and again.
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
    // Whoever waits for the commit comes first.
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
      if (!serving.has(webhook.id)) serving.set(webhook.id, deliverTo(webhook.id).catch(delayed))
  }

  const delayed = (err: unknown): void => log.warn({ err }, 'webhooks are delayed')

  /** Does all there is to do for a webhook, until nothing is under way and nothing due. */
  async function deliverTo(id: number): Promise<void> {
    const tries = new Set<Promise<void>>()
    let isPrompt = false
    let isDisabled = false
    const hasRoom = (): boolean =>
      tries.size === 0 || (isPrompt && tries.size < triesMax && furtherTries < furtherTriesMax)

    function begin(webhook: StoredWebhook, claim: ClaimedDelivery): void {
      const begun = ticks()
      const sending = send(webhook, claim).then(async (outcome) => {
        isPrompt = ticks() - begun < promptMilliseconds
        if ((await finish(webhook, claim, outcome)) === 'failed') isDisabled = true
      })
      const done = sending.catch(delayed).finally(() => {
        tries.delete(done)
        if (tries.size > 0) furtherTries--
      })
      if (tries.size > 0) furtherTries++
      tries.add(done)
    }

    try {
      for (;;) {
        // A receiver that hangs costs nothing meanwhile.
        while (!hasRoom()) await Promise.race(tries)
        const next = change.promise
        const isIdle = tries.size === 0
        const [queue] = isStopped ? [] : await webhooks.queues(id)
        isDisabled = false
        const isMore = queue !== undefined && queue.waiting < waitingMax && (await readOn(queue.webhook))
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
        // Nothing was written and no try has ended since: whoever writes from here on begins anew.
        else if ((isIdle && next === change.promise) || isStopped) return
      }
    } finally {
      if (tries.size > 0) await Promise.all(tries)
      serving.delete(id)
    }
  }

  /** Adds the next events of the feed as deliveries; false if there are none. */
  async function readOn({ id, position, types }: StoredWebhook): Promise<boolean> {
    const page = await events.page({ after: position, limit: eventsPerPage, ...(types.length > 0 && { types }) })
    const isExpired = page === 'events_expired'
    const { events: added, position: to } = isExpired ? { events: [], position: await events.oldest() } : page
    if (isSamePosition(position, to)) return false
    // Otherwise another process has read them.
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
    outcome: TryResult,
  ): Promise<keyof typeof outcomes | undefined> {
    if (outcome.fault === 'aborted') {
      await webhooks.finish(id, claim, undefined)
      return undefined
    }
    const { kind, delivery, reason } = judge(claim, outcome, clock(), random)
    if (!(await webhooks.finish(id, delivery, reason))) return undefined
    outcomes[kind]++
    const line = { webhookId: id, eventId: delivery.eventId, tries: delivery.tries, ...outcome }
    if (kind === 'delivered') log.debug(line, 'a webhook was delivered')
    else if (kind === 'retried') log.info(line, 'a webhook was not delivered and is tried again')
    else log.warn({ ...line, reason }, 'a webhook was disabled')
    return kind
  }

  async function settled(): Promise<void> {
    while (looking || serving.size > 0) await Promise.all([looking, ...serving.values()])
  }

  return {
    tick() {
      if (isStopped) return
      looking ??= look()
        .catch(delayed)
        .finally(() => {
          looking = undefined
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

/** An event as it is to be delivered. What happens to an order is about its animal. */
function deliveryOf({ id, at, type, petId, json }: StoredEvent): NewDelivery {
  const subject = petId === undefined ? `category ${categoryIn(json)}` : `pet ${petId}`
  return { eventId: id, type, subject, at, body: json }
}

/** The identifier of a category is any int64. */
const categoryIn = (json: string) => ((parseJson(json).value as JsonObject).get('data') as JsonObject).get('id')
