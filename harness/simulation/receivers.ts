/** Webhooks: clients that add and change them, and receivers that fail, hang, answer late or want no more. */

import type { TryResult, WebhookSender } from '../../src/webhooks/send.ts'
import type { WebhookMessage } from '../courier.ts'
import { parse } from './exact-json.ts'
import { eventText } from './followers.ts'
import { Hook } from './hook.ts'
import type { Happened } from './ledger.ts'
import type { Client } from './network.ts'
import type { Answer } from './requests.ts'
import { keptMilliseconds } from './shop.ts'
import type { VirtualShop } from './virtual-shop.ts'
import { Violation } from './world.ts'

const types = ['pet.created', 'pet.updated', 'order.placed', 'order.completed', 'category.named']
const timeout = 20_000
/** How late an event may be sent, in milliseconds. After a crash or with a wrong clock, a lock lasts at most 50 s. */
const lagMax = 15_000
const disturbedMax = 60_000
/** The most concurrent attempts of a webhook. */
const triesMax = 8
/** The pauses after the first attempts, as the guide promises them. They may differ by a tenth. */
const pauses = [5_000, 60_000, 300_000, 1_800_000, 7_200_000]
const jitter = 0.1
/** How late an attempt may be once no other attempt hangs, in milliseconds. */
const lateMax = 5_000
const day = 24 * 60 * 60 * 1000

const subjectOf = ({ petId, data }: Happened): string =>
  petId === null ? `category ${parse(data).id}` : `pet ${petId}`

export class Receivers {
  readonly hooks = new Map<number, Hook>()
  readonly sender: WebhookSender
  deliveries = 0
  readonly #shop: VirtualShop

  constructor(shop: VirtualShop) {
    this.#shop = shop
    // The service takes an error of the simulation for its own, and tries again.
    const send = (message: WebhookMessage) =>
      this.#receive(message).catch((error) => {
        shop.world.fail(error)
        throw error
      })
    this.sender = { faultOf: () => undefined, send, test: send }
  }

  async #receive({ id, url, body, secrets, tries = 0, signal }: WebhookMessage): Promise<TryResult> {
    const { world } = this.#shop
    if (id.startsWith('test_')) return { status: 200 }
    // The crash happens while the message is on its way, before its result is known.
    if (!this.#shop.isOpen || this.#shop.meets('send')) return new Promise(() => {})
    const { life } = this.#shop
    this.#shop.observe()
    const [, hookId, eventId] = (/^msg_(\d+)_(\d+)-/.exec(id) ?? []).map(Number)
    const hook = this.hooks.get(hookId as number)
    const begunAt = world.ticks
    this.deliveries++
    hook?.underWay.set(eventId as number, life)
    if (hook) {
      this.#check(hook, eventId as number, { url, body })
      this.#checkSecrets(hook, secrets)
      this.#checkPause(hook, eventId as number, tries)
    }
    const [way, milliseconds, result] = this.#way(hook?.isSteady)
    world.note(`webhook ${hookId} is sent event ${eventId}: ${way}`)
    // A service that stops interrupts the attempt.
    const aborted = new Promise<'aborted'>((resolve) => signal?.addEventListener('abort', () => resolve('aborted')))
    if ((await Promise.race([world.sleep(milliseconds), aborted])) === 'aborted') {
      hook?.underWay.delete(eventId as number)
      return { fault: 'aborted' }
    }
    if (hook) this.#noteFailure(hook, eventId as number, { tries, result, begunAt, isKnown: this.#shop.isLife(life) })
    if (hook?.underWay.get(eventId as number) === life) hook.underWay.delete(eventId as number)
    if (hook && way !== 'fails' && way !== 'hangs' && way !== 'wants no more') hook.accepted.add(eventId as number)
    // The answer of an old address does not count, nor does that of an attempt that began before the webhook was
    // enabled.
    if (hook && result.status === 410 && (hook.changing > 0 || (hook.urls.has(url) && begunAt >= hook.changedAt)))
      this.#disable(hook)
    const asked = hook?.again.get(eventId as number)
    if (asked !== undefined && begunAt >= asked) hook?.again.delete(eventId as number)
    return result
  }

  /** The events that it has left may be removed once they are old. */
  #disable(hook: Hook): void {
    hook.mayBeDisabled = true
    const young = this.#shop.world.now() - keptMilliseconds
    for (const { id, at } of this.#shop.ledger.events) if (at < young) hook.exempt.add(id)
  }

  #way(isSteady = false): [string, number, TryResult] {
    const { world } = this.#shop
    const soon = world.between(1, 200)
    if (isSteady || !this.#shop.isFaulty || world.chance(0.6)) return ['takes it', soon, { status: 200 }]
    return world.pick<[string, number, TryResult]>([
      ['fails', soon, { status: 503 }],
      ['hangs', timeout, { fault: 'timeout' }],
      ['takes it late', world.between(1_000, timeout), { status: 204 }],
      ['takes it, and its answer is lost', world.between(1, timeout), { fault: 'no_response' }],
      ['wants no more', world.between(1, timeout / 2), { status: 410 }],
    ])
  }

  /** Events about one animal arrive in order, so the previous one must have been accepted first. */
  #check(hook: Hook, eventId: number, { url, body }: Pick<WebhookMessage, 'url' | 'body'>): void {
    const { ledger, life } = this.#shop
    const event = ledger.events[eventId - 1]
    const row = life.address.get(hook.id)
    if (row && row.url !== url)
      throw new Violation('webhooks go to their address', `webhook ${hook.id} to ${url} and not ${row.url}`)
    const tries = [...hook.underWay.values()].filter((of) => of === life).length
    if (tries > triesMax) throw new Violation('a webhook has few concurrent attempts', `webhook ${hook.id}: ${tries}`)
    if (!event || eventText(event) !== body) throw new Violation('webhooks tell what happened', `${hook.id} ${body}`)
    if ((hook.removedAt ?? Number.POSITIVE_INFINITY) < this.#shop.world.ticks - 2 * timeout)
      throw new Violation('a removed webhook ends', `webhook ${hook.id} is sent event ${eventId}`)
    const isEarlier = (one: Happened) => one.petId === event.petId && subjectOf(one) === subjectOf(event)
    const [earlier] = this.#open(hook, (one) => one.id < eventId && isEarlier(one))
    if (earlier) throw new Violation('webhooks come in order', `webhook ${hook.id}: ${eventId} before ${earlier.id}`)
  }

  /** Checks that the current secret signs, and for a day the previous one as well. */
  #checkSecrets({ id, secret, old }: Hook, secrets: readonly string[]): void {
    const now = this.#shop.world.now()
    const isOldMissing = old && now < old.from && !secrets.includes(old.secret)
    const isOldLeft = old && now >= old.until && secrets.includes(old.secret)
    if ((secret !== undefined && !secrets.includes(secret)) || isOldMissing || isOldLeft)
      throw new Violation(
        'webhooks are signed',
        `webhook ${id} with ${secrets.length} secrets, and not with the right ones`,
      )
  }

  /** Checks that a failed attempt is repeated after its pause, unless something else has made it due. */
  #checkPause(hook: Hook, eventId: number, tries: number): void {
    const failed = this.#failed(hook, eventId)
    if (!failed) return
    const waited = this.#shop.world.ticks - failed.at
    if (tries !== failed.tries || waited < (pauses[tries - 1] as number) * (1 - jitter) - 1)
      throw new Violation('webhooks are tried again in time', `webhook ${hook.id}: ${eventId} again after ${waited} ms`)
  }

  /** Returns the last attempt, unless something has happened since that makes the next attempt sooner or later. */
  #failed(hook: Hook, eventId: number) {
    const failed = hook.failed.get(eventId)
    return failed && hook.touching === 0 && failed.at > Math.max(hook.touchedAt, this.#shop.disturbedAt)
      ? failed
      : undefined
  }

  #noteFailure(
    hook: Hook,
    eventId: number,
    { tries, result, begunAt, isKnown }: { tries: number; result: TryResult; begunAt: number; isKnown: boolean },
  ): void {
    const isCounted = isKnown && hook.touching === 0 && begunAt > hook.touchedAt && tries < pauses.length
    if (isCounted && (result.status === 503 || result.fault))
      hook.failed.set(eventId, { tries: tries + 1, at: this.#shop.world.ticks })
    else hook.failed.delete(eventId)
  }

  /** Checks, when nothing hangs any more, that each failed attempt is repeated as soon as its pause is over. */
  checkPauses(calmSince: number): void {
    const { world } = this.#shop
    for (const hook of this.hooks.values())
      for (const eventId of hook.failed.keys()) {
        const failed = this.#failed(hook, eventId)
        if (!failed || hook.mayBeDisabled || hook.removedAt !== undefined || hook.underWay.has(eventId)) continue
        const due = failed.at + (pauses[failed.tries - 1] as number) * (1 + jitter)
        if (world.ticks > Math.max(due, calmSince + timeout) + lateMax)
          throw new Violation('webhooks are tried again in time', `webhook ${hook.id} waits for event ${eventId}`)
      }
  }

  /** Returns the events among those meant that the webhook must still receive. */
  #open(hook: Hook, isMeant: (event: Happened) => boolean = () => true): Happened[] {
    const { events } = this.#shop.ledger
    const isSent = ({ type }: Happened) => hook.types.length === 0 || hook.types.includes(type)
    const isOpen = (event: Happened) => isSent(event) && !hook.exempt.has(event.id) && !hook.accepted.has(event.id)
    // Nothing before the first event that is still to be received needs to be examined again.
    while (hook.since < events.length && !isOpen(events[hook.since] as Happened)) hook.since++
    const open: Happened[] = []
    for (let i = hook.since; i < events.length; i++) {
      const event = events[i] as Happened
      if (isMeant(event) && isOpen(event)) open.push(event)
    }
    return open
  }

  /**
   * Notes that events may be removed when they are old, if they are not a delivery yet or belong to a disabled webhook.
   */
  beforeRemoval(): void {
    const { observer } = this.#shop.life
    const { last } = this.#shop.ledger
    for (const hook of this.hooks.values()) {
      const row = observer.prepare('SELECT position FROM webhooks WHERE id = ?').get(hook.id)
      if (hook.mayBeDisabled) hook.again.clear()
      const from = hook.mayBeDisabled ? hook.since : Number(row?.position ?? 0)
      for (let id = from + 1; id <= last; id++) hook.exempt.add(id)
    }
  }

  /** Checks that other receivers do not delay a receiver that accepts everything immediately. */
  checkSteady(): void {
    const { world, disturbedAt } = this.#shop
    const due = world.ticks - (disturbedAt === 0 ? lagMax : disturbedMax)
    if (!this.#shop.isOpen || disturbedAt > due) return
    for (const hook of this.hooks.values()) {
      const late = hook.isSteady && this.#open(hook).find(({ seenAt }) => seenAt < due)
      if (late) throw new Violation('no receiver holds up another', `webhook ${hook.id} waits for event ${late.id}`)
    }
  }

  async admin(client: Client, pause: number, isOver: () => boolean): Promise<void> {
    const { world } = this.#shop
    // The steady webhook is added last, so that the service works on the others before it.
    while (this.hooks.size < 2 && !isOver()) await this.#add(client, this.hooks.size === 1)
    while (!isOver()) {
      await world.sleep(world.between(0, pause))
      const hook = [...this.hooks.values()].findLast(({ removedAt, isSteady }) => removedAt === undefined && !isSteady)
      if (!hook || (this.hooks.size < 4 && world.chance(0.1))) await this.#add(client, false)
      else
        await world.pick([
          () => this.#redeliver(client, hook),
          () => this.#redeliver(client, hook),
          () => this.#move(client, hook),
          () => this.enable(client, hook),
          () => this.#look(client, hook),
          () => this.#look(client, hook),
          () => this.#rotate(client, hook),
          () => (world.chance(0.2) ? this.#remove(client, hook) : this.#test(client, hook)),
        ])()
    }
  }

  async #call(client: Client, method: string, path: string, body?: unknown, answered?: (answer: Answer) => void) {
    return this.#shop.send(client, method, path, body, {}, answered && { answered })
  }

  async #add(client: Client, isSteady: boolean): Promise<void> {
    const { world, ledger } = this.#shop
    const wanted = world.chance(0.5) ? [] : types.filter(() => world.chance(0.6))
    const url = `https://hook.example/${world.whole(0, 1_000)}`
    await this.#call(client, 'POST', '/webhooks', { url, types: wanted }, ({ status, text }) => {
      if (status !== 201) return
      const { id, secret } = parse(text)
      this.hooks.set(id, new Hook(id, wanted, isSteady, ledger.last, url, secret))
    })
  }

  /** Changes webhooks for as long as there is something to send. */
  async #move(client: Client, hook: Hook): Promise<void> {
    const { world } = this.#shop
    const pet = { name: 'Nomad', categoryId: 1 }
    const url = `https://hook.example/${world.whole(0, 1_000)}`
    await Promise.all([
      this.#shop.ask(client, { kind: 'create', pet }),
      world.sleep(world.between(0, 20)).then(() => this.#patch(client, hook, { url })),
    ])
  }

  async #patch(client: Client, hook: Hook, patch: { url?: string; enabled?: boolean }): Promise<boolean> {
    let isDone = false
    hook.changing++
    hook.touching++
    const isNew = patch.url !== undefined && !hook.urls.has(patch.url)
    if (patch.url) hook.urls = new Set([...hook.urls, patch.url])
    await this.#call(client, 'PATCH', `/webhooks/${hook.id}`, patch, ({ status }) => {
      if (status === 503) return
      isDone = true
      if (status !== 200) throw new Violation('every answer is allowed', `${status} to a change of webhook ${hook.id}`)
      if (patch.enabled || isNew) hook.changedAt = this.#shop.world.ticks
      if (patch.url) hook.urls = new Set([patch.url])
      if (patch.enabled) hook.mayBeDisabled = false
    })
    hook.changing--
    this.#touched(hook)
    return isDone
  }

  enable = (client: Client, hook: Hook): Promise<boolean> => this.#patch(client, hook, { enabled: true })

  async #redeliver(client: Client, hook: Hook): Promise<void> {
    const { world } = this.#shop
    const sent = world.chance(0.5) ? [...hook.underWay.keys()] : [...hook.accepted].slice(-5)
    if (sent.length === 0) return
    const eventId = world.pick(sent)
    const path = `/webhooks/${hook.id}/deliveries/${eventId}/redeliver`
    hook.touching++
    await this.#call(client, 'POST', path, undefined, ({ status }) => {
      if (status === 200) hook.again.set(eventId, world.ticks)
    })
    this.#touched(hook)
  }

  #touched(hook: Hook): void {
    hook.touching--
    hook.touchedAt = this.#shop.world.ticks
  }

  async #rotate(client: Client, hook: Hook): Promise<void> {
    const { world } = this.#shop
    const { secret, old } = hook
    const askedAt = world.now()
    // Meanwhile the secret is uncertain, and stays so if no answer arrives.
    hook.secret = hook.old = undefined
    await this.#call(client, 'POST', `/webhooks/${hook.id}/rotate`, undefined, ({ status, text }) => {
      const [from, until] = [Math.min(askedAt, world.now()) + day, Math.max(askedAt, world.now()) + day]
      const rotated = { secret: parse(text).secret, old: secret && { secret, from, until } }
      Object.assign(hook, status === 200 ? rotated : { secret, old })
    })
  }

  async #remove(client: Client, hook: Hook): Promise<void> {
    hook.removedAt = Number.POSITIVE_INFINITY
    await this.#call(client, 'DELETE', `/webhooks/${hook.id}`, undefined, ({ status }) => {
      hook.removedAt = status === 503 ? undefined : this.#shop.world.ticks
    })
  }

  async #test(client: Client, hook: Hook): Promise<void> {
    await this.#call(client, 'POST', `/webhooks/${hook.id}/test`)
    await this.#call(client, 'GET', `/webhooks/${hook.id}/deliveries`)
  }

  async #look(client: Client, hook: Hook): Promise<void> {
    await this.#call(client, 'GET', `/webhooks/${hook.id}`, undefined, ({ status, text }) => {
      if (status === 503) return
      if (status !== 200) throw new Violation('no acknowledged write is lost', `webhook ${hook.id} is gone`)
      const { enabled, reason = '' } = parse(text)
      // No event is attempted for three days here, so only 410 disables a webhook.
      if (enabled || hook.mayBeDisabled) return
      throw new Violation('only its receiver disables a webhook', `webhook ${hook.id}: ${reason}`)
    })
  }

  /**
   * Checks, when everything works again, that each event was received at least once, and again if that was requested.
   */
  check(): void {
    const [fault] = this.missing()
    if (fault) throw new Violation('webhooks are sent at least once', fault)
  }

  missing(): string[] {
    const hooks = [...this.hooks.values()].filter(({ removedAt }) => removedAt === undefined)
    return hooks.flatMap((hook) => [
      ...this.#open(hook).map(({ id }) => `webhook ${hook.id} has not taken event ${id}`),
      ...[...hook.again.keys()].flatMap((id) => (hook.exempt.has(id) ? [] : `webhook ${hook.id} gets ${id} not again`)),
    ])
  }
}
