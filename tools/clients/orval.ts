/** The client of orval that calls `fetch`; the server's address is written into it as it is generated. */
import * as api from './api.ts'
import { byStatus, type Connect } from './scenario.ts'

export const connect: Connect = (_url, key) => {
  const options = { headers: { Authorization: `Bearer ${key}` } }
  return {
    listPets: async (query) => byStatus(await api.listPets(query, options)),
    createPet: async (pet) => byStatus(await api.createPet(pet, options)),
    getPet: async (id) => byStatus(await api.getPet(id, options)),
    placeOrder: async (order) => byStatus(await api.placeOrder(order, options)),
    completeOrder: async (id) => byStatus(await api.completeOrder(id, options)),
    cancelOrder: async (id) => byStatus(await api.cancelOrder(id, options)),
  }
}
