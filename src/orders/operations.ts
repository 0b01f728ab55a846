/** The operations on orders. */

import { refuse } from '../errors.ts'
import { operation } from '../http/operation.ts'
import { rowOf } from '../http/outcome.ts'
import { afterId, cursor, int64, oneOf, order, pageSize } from '../http/parameters.ts'
import { NewOrder, Order, type OrderMove, OrderStatus, Orders } from '../model/order.ts'
import { timeText } from '../time.ts'

const exampleTime = '2026-11-15T09:30:00.000Z'
const exampleOrder = { id: 7, petId: 42, status: 'placed', createdAt: exampleTime, updatedAt: exampleTime }
const orderId = int64('Identifier of the order.', 7, 'order_not_found')

export const listOrders = operation({
  id: 'listOrders',
  method: 'GET',
  path: '/store/orders',
  tag: 'store',
  scope: 'orders:read',
  stability: 'beta',
  hideTryItPanel: 'By its specification this operation cannot be tried from a page; the samples call it.',
  summary: 'List orders',
  description:
    'Returns a page of orders in ascending order of `id`, or in descending order ' +
    'with `order=desc`; the `Link` header has the next page.',
  query: {
    limit: pageSize('Maximum number of orders to return.'),
    status: oneOf(OrderStatus, 'Return only orders in this state.'),
    petId: int64('Return only orders on this animal.', 42),
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
  async run({ path, query }, { store, paging }) {
    const { status, petId } = query
    const page = await store.orders.page({ ...paging.range(path, query), status, petId })
    return paging.reply(path, query, page)
  },
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
    'Places an order on an available animal, which becomes `pending` and is reserved for this order. ' +
    'If several clients order the same animal, one gets it; the others get 409 `pet_not_available`.',
  body: { schema: NewOrder, examples: { order: { petId: 42 } } },
  acceptsIdempotencyKey: true,
  answer: {
    status: 201,
    description: 'Order placed; the animal is `pending`.',
    schema: Order,
    example: exampleOrder,
  },
  refusals: ['pet_not_available', 'unknown_pet'],
  async run({ path, body, claim, key }, { store, time, publicUrl, sales }) {
    const placed = await store.orders.place(body.petId, timeText(time.now()), claim, key.name)
    const { id, json, headers, replayed } = rowOf(placed)
    if (!replayed) sales.placed++
    return { status: 201, body: json, headers: ['Location', `${publicUrl}${path}/${id}`, ...headers] }
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
    return { status: 200, body: (await store.orders.find(params.orderId)) ?? refuse('order_not_found') }
  },
})

export const completeOrder = moving('complete', 'completed', {
  summary: 'Complete an order',
  description: 'Completes an open order; its animal becomes `sold`.',
})

export const cancelOrder = moving('cancel', 'cancelled', {
  summary: 'Cancel an order',
  description: 'Cancels an open order; its animal becomes `available` again.',
})

export const returnOrder = moving('return', 'returned', {
  summary: 'Take an animal back',
  description: 'Takes the animal of a completed order back: it becomes `available`, and can be ordered again.',
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
      `${texts.description} Repeating it returns the same order; an ` +
      `order in any other state returns 409 \`order_state_conflict\`.`,
    params: { orderId },
    answer: {
      status: 200,
      description: `The order, ${to}.`,
      schema: Order,
      example: { ...exampleOrder, status: to },
    },
    refusals: ['order_not_found', 'order_state_conflict'],
    async run({ params, key }, { store, time, sales }) {
      const moved = await store.orders.move(params.orderId, to, timeText(time.now()), key.name)
      const { json, replayed } = rowOf(moved ?? refuse('order_not_found'))
      if (!replayed) sales[to]++
      return { status: 200, body: json }
    },
  })
}
