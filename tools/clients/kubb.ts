/** The client of kubb that calls `fetch`; it sets no Content-Type of its own. */
import { cancelOrder, completeOrder, createPet, getPet, listPets, placeOrder } from './api'
import { byStatus, type Connect } from './scenario.ts'

export const connect: Connect = (baseURL, key) => {
  const options = { baseURL, headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' } }
  return {
    listPets: async (query) => byStatus(await listPets(query, {}, options)),
    createPet: async (pet) => byStatus(await createPet(pet, {}, options)),
    getPet: async (id) => byStatus(await getPet(id, {}, options)),
    placeOrder: async (order) => byStatus(await placeOrder(order, {}, options)),
    completeOrder: async (id) => byStatus(await completeOrder(id, options)),
    cancelOrder: async (id) => byStatus(await cancelOrder(id, options)),
  }
}
