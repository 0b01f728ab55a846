/** The operations on orders. */

import { refuse } from '../errors.ts'
import { etagOf, writeIf } from '../http/etag.ts'
import { operation } from '../http/operation.ts'
import { rowOf } from '../http/outcome.ts'
import { afterId, cursor, int64, oneOf, order, pageSize, search, text } from '../http/parameters.ts'
import { limits } from '../limits.ts'
import {
  heldUntilExpected,
  NewOrder,
  Order,
  OrderCounts,
  type OrderMove,
  OrderPatch,
  OrderStatus,
  Orders,
} from '../model/order.ts'
import { wordsOf } from '../model/words.ts'
import { readTime } from '../schema/schema.ts'
import type { Store } from '../store/store.ts'

const exampleTime = '2026-11-15T09:30:00.000Z'
const exampleReference = 'Mrs Novak, 555-0117'
const exampleOrder = {
  id: 7,
  petId: 42,
  status: 'placed',
  reference: exampleReference,
  heldUntil: '2026-11-20T18:00:00.000Z',
  createdAt: exampleTime,
  updatedAt: exampleTime,
}
const completedAt = '2026-11-16T10:15:00.000Z'
const exampleAfter = {
  completed: { ...exampleOrder, status: 'completed', updatedAt: completedAt, completedAt },
  cancelled: { ...exampleOrder, status: 'cancelled', updatedAt: completedAt },
  returned: { ...exampleOrder, status: 'returned', updatedAt: '2026-11-17T16:40:00.000Z', completedAt },
}
const orderId = int64('Identifier of the order.', 7, 'order_not_found')
const findOrder = async ({ orders }: Store, id: bigint): Promise<string> =>
  (await orders.find(id)) ?? refuse('order_not_found')
const refuseHeldUntil = () => refuse('invalid_field', `heldUntil: must be ${heldUntilExpected}`)

/**
 * The end of an order in the form in which it is stored. The clock of the database decides whether it is in the future.
 */
function readHeldUntil(given: string, now: number): string {
  const time = readTime(given)
  return time !== undefined && Date.parse(time) - now <= limits.holdTime.milliseconds ? time : refuseHeldUntil()
}

export const listOrders = operation({
  id: 'listOrders',
  method: 'GET',
  path: '/store/orders',
  tag: 'store',
  scope: 'orders:read',
  stability: 'beta',
  hideTryItPanel: 'The interface says that this operation has no panel. Its samples show how to call it.',
  summary: 'List orders',
  description:
    'Returns a page of orders in ascending order of `id`, or in descending order with `order=desc`. If there are ' +
    'more, the `Link` header leads to the next page.',
  query: {
    limit: pageSize('Maximum number of orders to return.'),
    status: oneOf(OrderStatus, 'Return only orders in this state.'),
    petId: int64('Return only orders on this animal.', 42),
    reference: text(NewOrder.properties.reference, 'Return only orders with exactly this reference.', exampleReference),
    search: search(
      'Return only orders that match every word of this text. A word matches if a word of the `reference` or of ' +
        'the name of the animal begins with it, or if it is the `id` of the order or of the animal. Case and ' +
        'accents are ignored.',
      'novak',
    ),
    order,
    after: afterId('orders'),
    cursor,
  },
  sampleQuery: ['status', 'limit'],
  answer: {
    status: 200,
    description: 'A page of orders.',
    schema: Orders,
    example: [exampleOrder],
  },
  run: ({ path, query }, { store, paging }) =>
    paging.cached(path, query, async () => {
      const { status, petId, reference } = query
      // All words are kept: a number is not implied by a longer number, whereas the beginning of a word is implied by a
      // longer word.
      const words = query.search === undefined ? undefined : wordsOf(query.search)
      const page = await store.orders.page({ ...paging.range(path, query), status, petId, reference, search: words })
      return paging.reply(path, query, page)
    }),
})

export const placeOrder = operation({
  id: 'placeOrder',
  method: 'POST',
  path: '/store/orders',
  tag: 'store',
  scope: 'orders:write',
  stability: 'beta',
  summary: 'Order an animal',
  description:
    'Places an order on an animal that is `available`. The animal becomes `pending` and is reserved for this ' +
    'order. If several clients order the same animal, one of them succeeds, and the others get 409 ' +
    '`pet_not_available`. When `heldUntil` has passed, the order becomes `expired` and the animal `available` ' +
    'again.',
  body: {
    schema: NewOrder,
    examples: {
      order: { petId: 42 },
      reservation: { petId: 42, reference: exampleReference, heldUntil: '2026-11-20T18:00:00Z' },
    },
  },
  acceptsIdempotencyKey: true,
  answer: {
    status: 201,
    description: 'The order was placed. The animal is now `pending`.',
    schema: Order,
    example: exampleOrder,
  },
  refusals: ['pet_not_available', 'unknown_pet'],
  async run({ path, body, claim, key }, { store, time, publicUrl, sales, holdMilliseconds }) {
    const { petId, reference } = body
    const heldUntil = body.heldUntil === undefined ? undefined : readHeldUntil(body.heldUntil, time.now())
    const terms = { petId, reference, heldUntil, holdMilliseconds }
    const placed = await store.orders.place(terms, claim, key.name)
    if (placed === 'invalid_field') return refuseHeldUntil()
    const { id, json, headers, replayed } = rowOf(placed)
    if (!replayed) sales.placed++
    return { status: 201, body: json, headers: ['Location', `${publicUrl}${path}/${id}`, ...headers] }
  },
})

export const getOrderCounts = operation({
  id: 'getOrderCounts',
  method: 'GET',
  path: '/store/order-counts',
  tag: 'store',
  scope: 'orders:read',
  stability: 'beta',
  summary: 'Count orders by state',
  description:
    'Returns the number of orders in each state. A count changes in the same transaction as the order, so it is ' +
    'always exact. `dueToday` is the number of orders that are `placed` and whose `heldUntil` is within 24 hours ' +
    'after the request, by the clock of the database.',
  answer: {
    status: 200,
    description: 'The counts.',
    schema: OrderCounts,
    example: { placed: 3, completed: 40, cancelled: 2, returned: 1, expired: 0, dueToday: 1 },
  },
  async run(_request, { store }) {
    return { status: 200, body: await store.orders.counts() }
  },
})

export const getOrder = operation({
  id: 'getOrder',
  method: 'GET',
  path: '/store/orders/{orderId}',
  tag: 'store',
  scope: 'orders:read',
  stability: 'beta',
  summary: 'Get an order',
  description: 'Returns one order by its identifier.',
  params: { orderId },
  answer: {
    status: 200,
    description: 'The order.',
    schema: Order,
    example: exampleOrder,
  },
  refusals: ['order_not_found'],
  async run({ params }, { store }) {
    return { status: 200, body: await findOrder(store, params.orderId) }
  },
})

export const updateOrder = operation({
  id: 'updateOrder',
  method: 'PATCH',
  path: '/store/orders/{orderId}',
  tag: 'store',
  scope: 'orders:write',
  stability: 'beta',
  summary: 'Change an order',
  description:
    'Changes the members that are sent and leaves the others unchanged. `reference` can be changed in any state. ' +
    '`heldUntil` can be changed only while the order is `placed`; otherwise the response is 409 ' +
    '`order_state_conflict`.',
  params: { orderId },
  body: {
    schema: OrderPatch,
    mediaTypes: ['application/merge-patch+json'],
    examples: {
      extend: { heldUntil: '2026-11-22T18:00:00Z' },
      keep: { heldUntil: null },
      rename: { reference: 'Mr Novak' },
    },
  },
  acceptsIfMatch: true,
  answer: {
    status: 200,
    description: 'The order after the change.',
    schema: Order,
    example: { ...exampleOrder, heldUntil: '2026-11-22T18:00:00.000Z', updatedAt: completedAt },
  },
  refusals: ['order_not_found', 'order_state_conflict'],
  async run({ params: { orderId }, body, ifMatch, key }, { store, time }) {
    const heldUntil = typeof body.heldUntil === 'string' ? readHeldUntil(body.heldUntil, time.now()) : body.heldUntil
    const change = { reference: body.reference, heldUntil }
    const changed = await writeIf(
      ifMatch,
      () => findOrder(store, orderId),
      (version) => store.orders.update(orderId, change, key.name, version),
    )
    if (changed === 'invalid_field') return refuseHeldUntil()
    if (changed === 'order_state_conflict') refuse(changed, 'heldUntil: can be changed only while the order is placed.')
    const { json } = rowOf(changed ?? refuse('order_not_found'))
    return { status: 200, body: json, headers: ['ETag', etagOf(json)] }
  },
})

export const completeOrder = moving('complete', 'completed', {
  summary: 'Complete an order',
  description:
    'Completes an order that is `placed`. Its animal becomes `sold`. An order whose `heldUntil` has passed cannot ' +
    'be completed.',
})

export const cancelOrder = moving('cancel', 'cancelled', {
  summary: 'Cancel an order',
  description: 'Cancels an order that is `placed`. Its animal becomes `available` again.',
})

export const returnOrder = moving('return', 'returned', {
  summary: 'Take an animal back',
  description:
    'Takes back the animal of an order that is `completed`. The animal becomes `available` and can be ordered ' +
    'again.',
})

/** They differ only in the state that the order gets into. */
function moving(verb: string, to: OrderMove, texts: { summary: string; description: string }) {
  return operation({
    id: `${verb}Order`,
    method: 'POST',
    path: `/store/orders/{orderId}/${verb}`,
    tag: 'store',
    scope: 'orders:write',
    stability: 'beta',
    summary: texts.summary,
    description:
      `${texts.description} Repeating the request returns the same order. ` +
      'In any other state, the response is 409 `order_state_conflict`.',
    params: { orderId },
    isRepeatable: true,
    answer: {
      status: 200,
      description: `The order, which is now \`${to}\`.`,
      schema: Order,
      example: exampleAfter[to],
    },
    refusals: ['order_not_found', 'order_state_conflict'],
    async run({ params, key }, { store, sales }) {
      const moved = await store.orders.move(params.orderId, to, key.name)
      const { json, replayed } = rowOf(moved ?? refuse('order_not_found'))
      if (!replayed) sales[to]++
      return { status: 200, body: json }
    },
  })
}
