/** The client of @hey-api/openapi-ts. */
import { cancelOrder, completeOrder, createPet, type Events, getPet, listPets, placeOrder } from './api'
import { createClient } from './api/client'
import { type Connect, settled } from './scenario.ts'

export const connect: Connect = (baseUrl, auth) => {
  const client = createClient({ baseUrl, auth })
  return {
    listPets: async (query) => settled(await listPets({ client, query })),
    createPet: async (body) => settled(await createPet({ client, body })),
    getPet: async (petId) => settled(await getPet({ client, path: { petId } })),
    placeOrder: async (body) => settled(await placeOrder({ client, body })),
    completeOrder: async (orderId) => settled(await completeOrder({ client, path: { orderId } })),
    cancelOrder: async (orderId) => settled(await cancelOrder({ client, path: { orderId } })),
  }
}

/** Compiles only if the type of an event tells what its data is. */
export function namesIn(events: Events): string[] {
  return events.flatMap((event) => {
    if (event.type === 'pet.created' || event.type === 'pet.updated') return event.data.name
    return event.type === 'order.placed' ? String(event.data.petId) : []
  })
}
