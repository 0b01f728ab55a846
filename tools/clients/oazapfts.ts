/** The client of oazapfts. */
import * as api from './api.ts'
import { byStatus, type Connect } from './scenario.ts'

export const connect: Connect = (baseUrl, key) => {
  const options = { baseUrl, headers: { Authorization: `Bearer ${key}` } }
  return {
    listPets: async (query) => byStatus(await api.listPets(query, options)),
    createPet: async (newPet) => byStatus(await api.createPet(newPet, {}, options)),
    getPet: async (petId) => byStatus(await api.getPet(petId, {}, options)),
    placeOrder: async (newOrder) => byStatus(await api.placeOrder(newOrder, {}, options)),
    completeOrder: async (orderId) => byStatus(await api.completeOrder(orderId, options)),
    cancelOrder: async (orderId) => byStatus(await api.cancelOrder(orderId, options)),
  }
}
