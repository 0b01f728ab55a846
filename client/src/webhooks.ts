/** Webhooks: where the service sends events, and how each of its deliveries went (beta). */
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

  /** All webhooks, in ascending order of `id`: use `for await` for all, `.page()` for one page. */
  list(pages?: PageOptions, options?: CallOptions): List<Webhook> {
    return new List(this.#transport, '/webhooks', { ...pages }, options)
  }

  /**
   * The result has the secret, which is shown only this once: so it is not retried if the first try may have succeeded.
   */
  create(body: NewWebhook, options?: CallOptions): Call<WebhookWithSecret> {
    return this.#transport.call('POST', '/webhooks', { ...options, body })
  }

  get(webhookId: bigint, options?: CallOptions): Call<Webhook> {
    return this.#transport.call('GET', webhookPath(webhookId), { ...options, expected: { id: webhookId } })
  }

  /** `{ enabled: true }` also tries at once what was not delivered. */
  update(webhookId: bigint, body: WebhookPatch, options?: CallOptions): Call<Webhook> {
    return this.#transport.call('PATCH', webhookPath(webhookId), { ...options, body, expected: { id: webhookId } })
  }

  /** A 404 after a try without a response counts as deleted. */
  delete(webhookId: bigint, options?: CallOptions): Call<void> {
    return this.#transport.call('DELETE', webhookPath(webhookId), options)
  }

  /**
   * A new secret; for 24 hours the old one signs as well. Not retried if the first try may have succeeded: it would end
   * the old one at once.
   */
  rotate(webhookId: bigint, options?: CallOptions): Call<WebhookWithSecret> {
    return this.#transport.call('POST', webhookPath(webhookId, '/rotate'), { ...options, expected: { id: webhookId } })
  }

  /** Sends an event of the type `webhook.test` at once, and tells what happened. */
  test(webhookId: bigint, options?: CallOptions): Call<WebhookTest> {
    return this.#transport.act(webhookPath(webhookId, '/test'), options)
  }

  /** Its deliveries, the newest events first: use `for await` for all, `.page()` for one page. */
  deliveries(webhookId: bigint, pages?: PageOptions, options?: CallOptions): List<Delivery> {
    return new List(this.#transport, webhookPath(webhookId, '/deliveries')(), { ...pages }, options)
  }

  /** Makes a delivery due again, whatever came of it. */
  redeliver(webhookId: bigint, deliveryId: bigint, options?: CallOptions): Call<Delivery> {
    const path = () => `${webhookPath(webhookId)()}/deliveries/${int64Text(deliveryId)}/redeliver`
    return this.#transport.act(path, { ...options, expected: { id: deliveryId } })
  }
}

const webhookPath =
  (webhookId: bigint, action = '') =>
  () =>
    `/webhooks/${int64Text(webhookId)}${action}`
