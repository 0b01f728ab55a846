/** Webhooks, to which the service sends events, and their deliveries (beta). */
import type { Call } from './call.ts'
import { int64Text } from './json.ts'
import { List, type PageOptions } from './list.ts'
import type { CallOptions } from './options.ts'
import type { Transport } from './transport.ts'
import type { Delivery, NewWebhook, Webhook, WebhookPatch, WebhookTest, WebhookWithSecret } from './types.ts'

export class Webhooks {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** Lists webhooks in ascending order of `id`. Use `for await` for all of them, or `.page()` for one page. */
  list(pages?: PageOptions, options?: CallOptions): List<Webhook> {
    return new List(this.#transport, '/webhooks', { ...pages }, options)
  }

  /**
   * The result contains the secret, which is shown only this once. So the call is not retried if an attempt may have
   * succeeded.
   */
  create(body: NewWebhook, options?: CallOptions): Call<WebhookWithSecret> {
    return this.#transport.call('POST', '/webhooks', { ...options, body })
  }

  get(webhookId: bigint, options?: CallOptions): Call<Webhook> {
    return this.#transport.call('GET', webhookPath(webhookId), { ...options, expected: { id: webhookId } })
  }

  /** `{ enabled: true }` also immediately retries what was not delivered. */
  update(webhookId: bigint, body: WebhookPatch, options?: CallOptions): Call<Webhook> {
    return this.#transport.call('PATCH', webhookPath(webhookId), { ...options, body, expected: { id: webhookId } })
  }

  /** A 404 after an attempt without a response counts as deleted. */
  delete(webhookId: bigint, options?: CallOptions): Call<void> {
    return this.#transport.call('DELETE', webhookPath(webhookId), options)
  }

  /**
   * Creates a new secret. For 24 hours, messages are signed with the previous secret as well. The call is not retried if
   * an attempt may have succeeded, because a second rotation would immediately end the secret that receivers still use.
   */
  rotate(webhookId: bigint, options?: CallOptions): Call<WebhookWithSecret> {
    return this.#transport.call('POST', webhookPath(webhookId, '/rotate'), { ...options, expected: { id: webhookId } })
  }

  /** Immediately sends an event of the type `webhook.test`, and returns the result. */
  test(webhookId: bigint, options?: CallOptions): Call<WebhookTest> {
    return this.#transport.act(webhookPath(webhookId, '/test'), options)
  }

  /** Lists its deliveries, the newest event first. Use `for await` for all of them, or `.page()` for one page. */
  deliveries(webhookId: bigint, pages?: PageOptions, options?: CallOptions): List<Delivery> {
    return new List(this.#transport, webhookPath(webhookId, '/deliveries')(), { ...pages }, options)
  }

  /** Sends the event of a delivery again, whatever the state of the delivery. */
  redeliver(webhookId: bigint, deliveryId: bigint, options?: CallOptions): Call<Delivery> {
    const path = () => `${webhookPath(webhookId)()}/deliveries/${int64Text(deliveryId)}/redeliver`
    return this.#transport.act(path, { ...options, expected: { id: deliveryId } })
  }
}

const webhookPath =
  (webhookId: bigint, action = '') =>
  () =>
    `/webhooks/${int64Text(webhookId)}${action}`
