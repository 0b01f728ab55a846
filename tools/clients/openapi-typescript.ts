/** openapi-typescript's types with openapi-fetch. */
import createClient from 'openapi-fetch'
import type { components, paths } from './api.ts'
import { type Connect, settled } from './scenario.ts'

export const connect: Connect = (baseUrl, key) => {
  const api = createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${key}` } })
  const order = (orderId: number) => ({ params: { path: { orderId } } })
  return {
    listPets: async (query) => settled(await api.GET('/pets', { params: { query } })),
    createPet: async (body) => settled(await api.POST('/pets', { body })),
    getPet: async (petId) => settled(await api.GET('/pets/{petId}', { params: { path: { petId } } })),
    placeOrder: async (body) => settled(await api.POST('/store/orders', { body })),
    completeOrder: async (id) => settled(await api.POST('/store/orders/{orderId}/complete', order(id))),
    cancelOrder: async (id) => settled(await api.POST('/store/orders/{orderId}/cancel', order(id))),
  }
}

/** Compiles only if the type of an event tells what its data is. */
export function namesIn(events: components['schemas']['Events']): string[] {
  return events.flatMap((event) => {
    if (event.type === 'pet.created' || event.type === 'pet.updated') return event.data.name
    return event.type === 'order.placed' ? String(event.data.petId) : []
  })
}
