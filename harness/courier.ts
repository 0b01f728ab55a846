/** Delivers webhooks in a test. The clock stands still unless the test moves it, and the receiver is a function. */
import assert from 'node:assert/strict'
import { limits } from '../src/limits.ts'
import type { StoredWebhook } from '../src/model/webhook.ts'
import type { Store } from '../src/store/store.ts'
import { createDeliverer } from '../src/webhooks/deliver.ts'
import type { TryResult, WebhookSender } from '../src/webhooks/send.ts'
import type { DatabaseClock } from './database-clock.ts'
import { logInto } from './log.ts'
import { timeAt } from './time.ts'

export type WebhookMessage = Parameters<WebhookSender['send']>[0]
export type Receive = (message: WebhookMessage) => TryResult | Promise<TryResult>

export class Courier {
  /** The milliseconds that have passed in this process. */
  ticks = 0
  /** All messages that were sent, in order. */
  readonly sent: WebhookMessage[] = []
  readonly lines: Record<string, unknown>[] = []
  readonly deliverer: ReturnType<typeof createDeliverer>
  receive: Receive
  readonly #clock: DatabaseClock

  constructor(store: Store, clock: DatabaseClock, receive: Receive = () => ({ status: 200 }), random = () => 0.5) {
    this.receive = receive
    this.#clock = clock
    const log = logInto(this.lines, 'debug')
    const send = async (message: WebhookMessage): Promise<TryResult> => {
      this.sent.push(message)
      return this.receive(message)
    }
    const time = timeAt(() => this.ticks)
    this.deliverer = createDeliverer({ store, time, random, sender: { send }, log })
  }

  /** Lets time pass, so that everything that is due happens. */
  async after(milliseconds = 0): Promise<void> {
    this.ticks += milliseconds
    await this.#clock.pass(milliseconds)
    this.deliverer.tick()
    await this.deliverer.settled()
  }

  /** The ids of the events that were sent. */
  get events(): number[] {
    return this.sent.map(({ body }) => JSON.parse(body).id)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.deliverer.stop(0)
  }
}

/** Adds a webhook that receives events from now on. */
export async function addWebhook({ webhooks, events }: Store, given: Partial<StoredWebhook> = {}) {
  const webhook = {
    url: 'https://shop.example/',
    types: [],
    secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    position: await events.present(),
    createdAt: 0,
    ...given,
  }
  return (await webhooks.insert(webhook, limits.webhooks.max)) ?? assert.fail('there are as many as there may be')
}
