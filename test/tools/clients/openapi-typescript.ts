/** openapi-typescript's types with openapi-fetch. */
import createClient from 'openapi-fetch'
import type { paths } from './api.ts'
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
