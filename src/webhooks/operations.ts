/** The operations on webhooks. */

import { randomUUID } from 'node:crypto'
import { refuse } from '../errors.ts'
import { operation, type Services } from '../http/operation.ts'
import { cursor, int64, pageSize } from '../http/parameters.ts'
import { limits } from '../limits.ts'
import {
  NewWebhook,
  type StoredWebhook,
  secretsOf,
  Webhook,
  WebhookPatch,
  Webhooks,
  WebhookTest,
  WebhookWithSecret,
} from '../model/webhook.ts'
import type { Page } from '../store/store.ts'
import { timeText } from '../time.ts'
import { isDelivered, newSecret, type WebhookSender } from './send.ts'

export const exampleTime = '2026-11-15T09:30:00.000Z'
const exampleWebhook = {
  id: 3,
  url: 'https://shop.example/hooks',
  types: ['pet.created'],
  enabled: true,
  createdAt: exampleTime,
}
const exampleSecret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo='
export const webhookId = int64('Identifier of the webhook.', 3, 'webhook_not_found')

export interface WebhookServices extends Services {
  readonly webhooks: WebhookSender
}

export const declared = { tag: 'events', scope: 'webhooks:write', stability: 'beta' } as const

function viewOf({ id, url, types, enabled, reason, createdAt }: StoredWebhook) {
  return { id, url, types, enabled, ...(reason !== undefined && { reason }), createdAt: timeText(createdAt) }
}

/** A page from `limit + 1` rows: the last one only shows that there is a next page. */
export function pageOf<Row>(rows: readonly Row[], limit: number, view: (row: Row) => { readonly id: number }): Page {
  const views = rows.slice(0, limit).map(view)
  return { json: JSON.stringify(views), next: rows.length > limit ? views.at(-1)?.id : undefined }
}

export const findWebhook = async ({ store }: Services, id: bigint): Promise<StoredWebhook> =>
  (await store.webhooks.find(id)) ?? refuse('webhook_not_found')

/**
 * The URL in the form in which the parser normalises it, so that messages go to exactly the URL that is stored and
 * shown.
 */
function checkedUrl({ webhooks }: WebhookServices, text: string): string {
  const fault = webhooks.faultOf(text)
  return fault ? refuse('invalid_field', `url: ${fault}`) : new URL(text).href
}

export const createWebhook = operation({
  ...declared,
  id: 'createWebhook',
  method: 'POST',
  path: '/webhooks',
  summary: 'Add a webhook',
  description:
    'Adds a webhook. From now on, every event of the given types is sent to the URL in a POST request, which is ' +
    'signed as Standard Webhooks describes. The response contains the secret with which the receiver verifies ' +
    'signatures. The secret is shown only in this response, so this request takes no `Idempotency-Key`.',
  body: {
    schema: NewWebhook,
    examples: {
      'some-types': { url: exampleWebhook.url, types: ['pet.created'] },
      'all-types': { url: exampleWebhook.url },
    },
  },
  answer: {
    status: 201,
    description: 'The webhook was added. The body contains its secret.',
    schema: WebhookWithSecret,
    example: { ...exampleWebhook, secret: exampleSecret },
    headers: ['Cache-Control'],
  },
  refusals: [limits.webhooks.code],
  async run({ path, body }, services: WebhookServices) {
    const { store, time, publicUrl } = services
    const url = checkedUrl(services, body.url)
    const secret = newSecret()
    const position = await store.events.present()
    const webhook = { url, types: body.types ?? [], secret, position, createdAt: time.now() }
    const added = (await store.webhooks.insert(webhook, limits.webhooks.max)) ?? refuse(limits.webhooks.code)
    return {
      status: 201,
      body: JSON.stringify({ ...viewOf(added), secret }),
      headers: ['Location', `${publicUrl}${path}/${added.id}`],
      cache: 'no-store',
    }
  },
})

export const listWebhooks = operation({
  ...declared,
  id: 'listWebhooks',
  method: 'GET',
  path: '/webhooks',
  summary: 'List webhooks',
  description:
    'Returns a page of webhooks in ascending order of `id`. If there are more, the `Link` header leads to the ' +
    'next page.',
  query: { limit: pageSize('Maximum number of webhooks to return.'), cursor },
  answer: {
    status: 200,
    description: 'A page of webhooks.',
    schema: Webhooks,
    example: [exampleWebhook],
  },
  async run({ path, query }, { store, paging }) {
    const rows = await store.webhooks.page(paging.start(path, query) ?? 0, query.limit + 1)
    return paging.reply(path, query, pageOf(rows, query.limit, viewOf))
  },
})

export const getWebhook = operation({
  ...declared,
  id: 'getWebhook',
  method: 'GET',
  path: '/webhooks/{webhookId}',
  summary: 'Get a webhook',
  description: 'Returns one webhook by its identifier. If the service has disabled it, `reason` says why.',
  params: { webhookId },
  answer: {
    status: 200,
    description: 'The webhook.',
    schema: Webhook,
    example: exampleWebhook,
  },
  refusals: ['webhook_not_found'],
  async run({ params }, services) {
    return { status: 200, body: JSON.stringify(viewOf(await findWebhook(services, params.webhookId))) }
  },
})

export const updateWebhook = operation({
  ...declared,
  id: 'updateWebhook',
  method: 'PATCH',
  path: '/webhooks/{webhookId}',
  summary: 'Change a webhook',
  description:
    'Changes the members that are sent and leaves the others unchanged. `"enabled": true` clears the `reason` and ' +
    'immediately retries every delivery that has not succeeded. The webhook then continues with the events that ' +
    'have happened since, as long as they are still kept.',
  params: { webhookId },
  body: {
    schema: WebhookPatch,
    mediaTypes: ['application/merge-patch+json'],
    examples: { enable: { enabled: true }, 'other-types': { types: ['order.placed', 'order.completed'] } },
  },
  answer: {
    status: 200,
    description: 'The webhook after the change.',
    schema: Webhook,
    example: exampleWebhook,
  },
  refusals: ['webhook_not_found'],
  async run({ params, body }, services: WebhookServices) {
    const patch = body.url === undefined ? body : { ...body, url: checkedUrl(services, body.url) }
    const changed = await services.store.webhooks.update(params.webhookId, patch)
    return { status: 200, body: JSON.stringify(viewOf(changed ?? refuse('webhook_not_found'))) }
  },
})

export const deleteWebhook = operation({
  ...declared,
  id: 'deleteWebhook',
  method: 'DELETE',
  path: '/webhooks/{webhookId}',
  summary: 'Remove a webhook',
  description: 'Removes a webhook. A few seconds later, nothing is sent to it any more.',
  params: { webhookId },
  answer: { status: 204, description: 'The webhook was removed.' },
  refusals: ['webhook_not_found'],
  async run({ params }, { store }) {
    if (!(await store.webhooks.remove(params.webhookId))) refuse('webhook_not_found')
    return { status: 204, body: '' }
  },
})

export const rotateWebhook = operation({
  ...declared,
  id: 'rotateWebhook',
  method: 'POST',
  path: '/webhooks/{webhookId}/rotate',
  summary: 'Replace the secret of a webhook',
  description:
    `Creates a new secret, which is shown only in this response. For ${limits.rotatedSecretTime.text}, each ` +
    'message carries two signatures: one by the new secret and one by the previous secret. An even older secret ' +
    'stops working immediately.',
  params: { webhookId },
  answer: {
    status: 200,
    description: 'The webhook and its new secret.',
    schema: WebhookWithSecret,
    example: { ...exampleWebhook, secret: exampleSecret },
    headers: ['Cache-Control'],
  },
  refusals: ['webhook_not_found'],
  async run({ params }, { store }) {
    const secret = newSecret()
    const rotated = await store.webhooks.rotate(params.webhookId, secret, limits.rotatedSecretTime.milliseconds)
    const view = viewOf(rotated ?? refuse('webhook_not_found'))
    return { status: 200, body: JSON.stringify({ ...view, secret }), cache: 'no-store' }
  },
})

export const testWebhook = operation({
  ...declared,
  id: 'testWebhook',
  method: 'POST',
  path: '/webhooks/{webhookId}/test',
  summary: 'Send a test event',
  description:
    'Immediately sends an event of the type `webhook.test`, even if the webhook is disabled, and returns the ' +
    'result. The event is sent once, is not retried, and does not appear in the list of deliveries.',
  params: { webhookId },
  answer: {
    status: 200,
    description: 'The result of the test.',
    schema: WebhookTest,
    example: { delivered: false, fault: 'timeout' },
  },
  refusals: ['webhook_not_found'],
  async run({ params, key }, services: WebhookServices) {
    const webhook = await findWebhook(services, params.webhookId)
    const at = timeText(services.time.now())
    const event = { id: 0, type: 'webhook.test', at, by: key.name, data: { id: webhook.id } }
    const result = await (services.webhooks.test({
      url: webhook.url,
      id: `test_${randomUUID()}`,
      body: JSON.stringify(event),
      secrets: secretsOf(webhook),
    }) ??
      refuse(
        'unavailable',
        'Too many test events are being sent. Try again after the seconds in the Retry-After header.',
        ['Retry-After', '1'],
      ))
    const { status: responseStatus, fault } = result
    return { status: 200, body: JSON.stringify({ delivered: isDelivered(result), responseStatus, fault }) }
  },
})
