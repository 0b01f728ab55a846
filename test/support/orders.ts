/** What tests of orders say again and again: placing one, moving it on, and asking how its animal stands. */
import assert from 'node:assert/strict'
import { addPet } from './expect.ts'
import type { CallOptions, TestService } from './service.ts'

export interface Order {
  readonly id: number
  readonly petId: number
  readonly status: 'placed' | 'completed' | 'cancelled' | 'returned'
  readonly createdAt: string
  readonly updatedAt: string
}

export const order = (service: TestService, petId: unknown, options: CallOptions = {}) =>
  service.call('POST', '/store/orders', { body: { petId }, ...options })

export type Verb = 'complete' | 'cancel' | 'return'

export const end = (service: TestService, id: unknown, verb: Verb, options: CallOptions = {}) =>
  service.call('POST', `/store/orders/${id}/${verb}`, options)

/** An order on the animal, or on a new one. */
export async function addOrder(service: TestService, petId?: number): Promise<Order> {
  const answer = await order(service, petId ?? (await addPet(service)).id)
  assert.equal(answer.status, 201, answer.text)
  return answer.json
}

/** An order that has ended as told; one that is returned was completed before. */
export async function addEnded(service: TestService, verb: Verb, petId?: number): Promise<Order> {
  const { id } = verb === 'return' ? await addEnded(service, 'complete', petId) : await addOrder(service, petId)
  const answer = await end(service, id, verb)
  assert.equal(answer.status, 200, answer.text)
  return answer.json
}

export async function statusOf(service: TestService, petId: number): Promise<string> {
  return (await service.call('GET', `/pets/${petId}`)).json.status
}
