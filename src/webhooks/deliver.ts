/**
 * Delivers events to webhooks: at least once, and those about one animal in their order. What is to be delivered is read
 * from the feed and kept in the database, with the position in the feed, so that nothing is lost with the process.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '../clock.ts'
import type { Sample } from '../metrics.ts'
import { positionText } from '../model/event.ts'
import { type StoredDelivery, secretsAt, type Try, type WebhookSender } from '../model/webhook.ts'
import type { Log } from '../observe/log.ts'
import type { Store } from '../store/store.ts'
import { load, pendingMax, readOn } from './backlog.ts'
import { Endpoint } from './endpoint.ts'
import { createLeases, leaseMilliseconds } from './lease.ts'
import { judge } from './schedule.ts'
import { tryMilliseconds } from './send.ts'

export interface DelivererOptions {
  readonly store: Pick<Store, 'webhooks' | 'events'>
  readonly clock: Clock
  /** A monotonic one, for leases. */
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
  /** Waits so long for tries under way, breaks off the others, and leaves the webhooks to other processes. */
  stop(milliseconds: number): Promise<void>
}

/** How often leases are renewed, and those of others looked at. */
const lookMilliseconds = 5_000
/** Tries under way at a time, of all webhooks. */
const triesMax = 64
/** Of these, what receivers get that are slow, or not known yet: 17 that hang would hold up all others. */
const slowTriesMax = 32
const promptMilliseconds = 1_000

export function createDeliverer(options: DelivererOptions): Deliverer {
  const { store, clock, ticks, random = Math.random, sender, log } = options
  const { webhooks, events } = store
  const holder = randomUUID()
  const takeLeases = createLeases(webhooks, holder, ticks)
  const backlog = { store, holder, log }
  const endpoints = new Map<number, Endpoint>()
  const work = new Set<Promise<void>>()
  const aborting = new AbortController()
  const outcomes = { delivered: 0, retried: 0, failed: 0 }
  let tries = 0
  let slowTries = 0
  let lookedAt = Number.NEGATIVE_INFINITY
  let present = ''
  let isLooking = false
  let isHinted = false
  let isStopped = false
  let unwatch: (() => void) | undefined

  /** Only while there are webhooks: a store that is watched asks its database again and again. */
  function watch(): void {
    if (endpoints.size > 0) unwatch ??= events.watch(onChange)
    else {
      unwatch?.()
      unwatch = undefined
    }
  }

  function onChange(): void {
    if (isHinted) return
    isHinted = true
    // Whoever waits for the commit comes first.
    setImmediate(() => {
      isHinted = false
      hint()
    })
  }

  function begin(job: () => Promise<void>): void {
    const done = job()
      .catch((err) => log.warn({ err }, 'webhooks are delayed'))
      .finally(() => work.delete(done))
    work.add(done)
  }

  async function settled(): Promise<void> {
    while (work.size > 0) await Promise.all(work)
  }

  /** Looks for leases from time to time, and for events that other processes have written. */
  async function look(): Promise<void> {
    isLooking = true
    try {
      if (ticks() - lookedAt >= lookMilliseconds) await renew()
      if (endpoints.size > 0) {
        const before = present
        present = positionText(await events.present())
        if (present !== before) hint()
      }
    } finally {
      isLooking = false
    }
  }

  async function renew(): Promise<void> {
    lookedAt = ticks()
    const safeUntil = lookedAt + leaseMilliseconds - tryMilliseconds
    const held = new Map((await takeLeases()).map((webhook) => [webhook.id, webhook]))
    for (const [id, endpoint] of endpoints) {
      if (held.has(id)) continue
      endpoint.safeUntil = 0
      endpoint.isStale = true
      if (endpoint.underWay.size === 0) endpoints.delete(id)
    }
    for (const webhook of held.values()) {
      const endpoint = endpoints.get(webhook.id) ?? new Endpoint(webhook)
      endpoints.set(webhook.id, endpoint)
      endpoint.isStale ||= endpoint.webhook.revision !== webhook.revision
      endpoint.safeUntil = safeUntil
    }
    if (!isStopped) watch()
    pumpAll()
  }

  function hint(): void {
    for (const endpoint of endpoints.values()) endpoint.isBehind = true
    pumpAll()
  }

  function pumpAll(): void {
    for (const endpoint of endpoints.values()) pump(endpoint)
  }

  /** Begins whatever can be done for a webhook now. */
  function pump(endpoint: Endpoint): void {
    if (isStopped || ticks() >= endpoint.safeUntil) return
    const hasRoom = endpoint.pending.length <= pendingMax / 2
    endpoint.isStale ||= endpoint.isCut && hasRoom
    if (endpoint.isStale) {
      // A try under way would be among the pending ones, and be made twice.
      if (endpoint.underWay.size === 0 && !endpoint.isReading)
        begin(() => reading(endpoint, () => load(endpoint, backlog)))
      return
    }
    while (tries < triesMax && (endpoint.isPrompt || slowTries < slowTriesMax)) {
      const delivery = endpoint.next(clock())
      if (!delivery) break
      begin(() => attempt(endpoint, delivery))
    }
    if (endpoint.isBehind && !endpoint.isReading && hasRoom)
      begin(() => reading(endpoint, () => readOn(endpoint, backlog, () => pump(endpoint))))
  }

  async function reading(endpoint: Endpoint, work: () => Promise<void>): Promise<void> {
    endpoint.isReading = true
    try {
      await work()
    } catch (error) {
      endpoint.isBehind = true
      throw error
    } finally {
      endpoint.isReading = false
    }
    pump(endpoint)
  }

  async function attempt(endpoint: Endpoint, delivery: StoredDelivery): Promise<void> {
    const { webhook } = endpoint
    const { eventId, at, body, subject } = delivery
    endpoint.underWay.set(eventId, subject)
    tries++
    const slow = endpoint.isPrompt ? 0 : 1
    slowTries += slow
    const begun = ticks()
    try {
      const outcome = await sender.send({
        url: webhook.url,
        id: `msg_${webhook.id}_${positionText({ id: eventId, at })}`,
        body,
        secrets: secretsAt(webhook, clock()),
        tries: delivery.tries,
        signal: aborting.signal,
      })
      endpoint.isPrompt = ticks() - begun < promptMilliseconds
      if (outcome.fault !== 'aborted') await finish(endpoint, delivery, outcome)
    } catch (error) {
      // Not before the database can be written to again, as the next look shows: it would be sent again and again.
      endpoint.safeUntil = 0
      endpoint.isStale = true
      throw error
    } finally {
      endpoint.underWay.delete(eventId)
      endpoint.idleUntil = 0
      tries--
      slowTries -= slow
      // Others first, as the tries of all have a limit.
      if (endpoints.delete(webhook.id)) endpoints.set(webhook.id, endpoint)
      pumpAll()
    }
  }

  async function finish(endpoint: Endpoint, before: StoredDelivery, outcome: Try): Promise<void> {
    const { id } = endpoint.webhook
    const { kind, delivery, reason } = judge(before, outcome, clock(), random)
    await webhooks.finish(id, delivery, reason)
    endpoint.settle(delivery.eventId, kind === 'retried' ? delivery : undefined)
    outcomes[kind]++
    const line = { webhookId: id, eventId: delivery.eventId, tries: delivery.tries, ...outcome }
    if (kind === 'delivered') log.debug(line, 'a webhook was delivered')
    else if (kind === 'retried') log.info(line, 'a webhook was not delivered and is tried again')
    else {
      // Until a client enables it.
      endpoint.safeUntil = 0
      endpoint.isStale = true
      log.warn({ ...line, reason }, 'a webhook was disabled')
    }
  }

  return {
    tick() {
      if (!isStopped && !isLooking) begin(look)
      pumpAll()
    },
    settled,

    samples() {
      let lag = 0
      for (const { pending } of endpoints.values()) lag = Math.max(lag, clock() - (pending[0]?.at ?? clock()))
      return [
        ...Object.entries(outcomes).map(([kind, count]): Sample => ['petstore_webhook_deliveries_total', count, kind]),
        ['petstore_webhook_lag_seconds', lag / 1000],
      ]
    },

    async stop(milliseconds) {
      isStopped = true
      unwatch?.()
      await Promise.race([settled(), sleep(milliseconds, undefined, { ref: false })])
      aborting.abort()
      await settled()
      await webhooks.release(holder).catch((err) => log.warn({ err }, 'the leases of webhooks end by themselves'))
    },
  }
}
