/** The operations on the deliveries of a webhook. */

import { refuse } from '../errors.ts'
import { operation } from '../http/operation.ts'
import { cursor, int64, pageSize } from '../http/parameters.ts'
import { Deliveries, Delivery, type StoredDelivery } from '../model/webhook.ts'
import { timeText } from '../time.ts'
import { declared, exampleTime, findWebhook, pageOf, webhookId } from './operations.ts'

const exampleDelivery = {
  id: 12,
  type: 'pet.created',
  at: exampleTime,
  status: 'pending',
  tries: 1,
  responseStatus: 503,
  nextTryAt: '2026-11-15T09:30:05.000Z',
}
const deliveryId = int64('Identifier of the delivery, which is the `id` of its event.', 12, 'delivery_not_found')

function deliveryView({ eventId, type, at, status, tries, responseStatus, fault, nextTryAt }: StoredDelivery) {
  const result = { ...(responseStatus && { responseStatus }), ...(fault && { fault }) }
  // A delivery without an attempt contains 0. It has been due since its event.
  const next = status === 'pending' && { nextTryAt: timeText(Math.max(nextTryAt, at)) }
  return { id: eventId, type, at: timeText(at), status, tries, ...result, ...next }
}

export const listDeliveries = operation({
  ...declared,
  id: 'listDeliveries',
  method: 'GET',
  path: '/webhooks/{webhookId}/deliveries',
  summary: 'List deliveries',
  description:
    'Returns a page of the deliveries to a webhook, the newest event first. If there are more, the `Link` header ' +
    'leads to the next page. A delivery is kept as long as its event, and at least until it has succeeded or ' +
    'failed.',
  params: { webhookId },
  query: { limit: pageSize('Maximum number of deliveries to return.'), cursor },
  answer: {
    status: 200,
    description: 'A page of deliveries.',
    schema: Deliveries,
    example: [exampleDelivery],
  },
  refusals: ['webhook_not_found'],
  async run({ params, query }, services) {
    const { store, paging } = services
    const { id } = await findWebhook(services, params.webhookId)
    const path = `/webhooks/${id}/deliveries`
    const before = paging.start(path, query) || Number.MAX_SAFE_INTEGER
    const rows = await store.webhooks.deliveries(params.webhookId, before, query.limit + 1)
    return paging.reply(path, query, pageOf(rows, query.limit, deliveryView))
  },
})

export const redeliver = operation({
  ...declared,
  id: 'redeliver',
  method: 'POST',
  path: '/webhooks/{webhookId}/deliveries/{deliveryId}/redeliver',
  summary: 'Deliver an event again',
  description:
    'Sends the event again with the same `webhook-id`, whatever the state of its delivery. The first attempt is ' +
    'made within a few seconds, or after an attempt that is still in progress. If it fails, it is retried. If the ' +
    'webhook is disabled, the delivery waits until the webhook is enabled.',
  params: { webhookId, deliveryId },
  answer: {
    status: 200,
    description: 'The delivery, which is now `pending`.',
    schema: Delivery,
    example: exampleDelivery,
  },
  refusals: ['webhook_not_found', 'delivery_not_found'],
  async run({ params }, services) {
    await findWebhook(services, params.webhookId)
    const due = await services.store.webhooks.redeliver(params.webhookId, params.deliveryId)
    return { status: 200, body: JSON.stringify(deliveryView(due ?? refuse('delivery_not_found'))) }
  },
})
