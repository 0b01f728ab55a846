/** Helpers that tests of orders share: placing an order and moving it to another state. */
import assert from 'node:assert/strict'
import type { OrderTable } from '../src/store/store.ts'
import { addPet } from './expect.ts'
import type { Order, Verb } from './order.ts'
import type { CallOptions, TestService } from './service.ts'

export const order = (service: TestService, petId: unknown, options: CallOptions = {}) =>
  service.call('POST', '/store/orders', { body: { petId }, ...options })

export const end = (service: TestService, id: unknown, verb: Verb) =>
  service.call('POST', `/store/orders/${id}/${verb}`)

/** Expires all orders that are due, in portions, and returns their number. */
export async function expireAll(orders: Pick<OrderTable, 'expire'>): Promise<number> {
  let all = 0
  for (let portions = 0; portions < 1_000; portions++) {
    const { expired, nextIn = 1 } = await orders.expire()
    all += expired
    if (nextIn > 0) return all
  }
  return assert.fail(`after ${all} orders, more are still due`)
}

/** Places an order for the animal, or for a new one. */
export async function addOrder(service: TestService, petId?: number): Promise<Order> {
  const answer = await order(service, petId ?? (await addPet(service)).id)
  assert.equal(answer.status, 201, answer.text)
  return answer.json
}
