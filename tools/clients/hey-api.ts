/** The client of @hey-api/openapi-ts. */
import * as api from './api'
import { createClient } from './api/client'
import { type Connect, settled } from './operations.ts'

export const connect: Connect = (baseUrl, auth) => {
  const client = createClient({ baseUrl, auth })
  return {
    listPets: async (query) => settled(await api.listPets({ client, query })),
    createPet: async (body) => settled(await api.createPet({ client, body })),
    getPet: async (petId) => settled(await api.getPet({ client, path: { petId } })),
    updatePet: async (petId, body) => settled(await api.updatePet({ client, path: { petId }, body })),
    deletePet: async (petId) => settled(await api.deletePet({ client, path: { petId } })),
    listCategories: async (query) => settled(await api.listCategories({ client, query })),
    createCategory: async (body) => settled(await api.createCategory({ client, body })),
    putCategory: async (categoryId, body) => settled(await api.putCategory({ client, path: { categoryId }, body })),
    deleteCategory: async (categoryId) => settled(await api.deleteCategory({ client, path: { categoryId } })),
    listOrders: async (query) => settled(await api.listOrders({ client, query })),
    placeOrder: async (body) => settled(await api.placeOrder({ client, body })),
    getOrder: async (orderId) => settled(await api.getOrder({ client, path: { orderId } })),
    updateOrder: async (orderId, body) => settled(await api.updateOrder({ client, path: { orderId }, body })),
    completeOrder: async (orderId) => settled(await api.completeOrder({ client, path: { orderId } })),
    cancelOrder: async (orderId) => settled(await api.cancelOrder({ client, path: { orderId } })),
    returnOrder: async (orderId) => settled(await api.returnOrder({ client, path: { orderId } })),
    getOrderCounts: async () => settled(await api.getOrderCounts({ client })),
    getInventory: async (query) => settled(await api.getInventory({ client, query })),
    getSales: async (query) => settled(await api.getSales({ client, query })),
    listEvents: async (query) => settled(await api.listEvents({ client, query })),
    streamEvents: async (query) => {
      const { stream } = await api.streamEvents({ client, query, sseMaxRetryAttempts: 1 })
      await stream.next()
      return { status: 0 }
    },
    listWebhooks: async (query) => settled(await api.listWebhooks({ client, query })),
    createWebhook: async (body) => settled(await api.createWebhook({ client, body })),
    getWebhook: async (webhookId) => settled(await api.getWebhook({ client, path: { webhookId } })),
    updateWebhook: async (webhookId, body) => settled(await api.updateWebhook({ client, path: { webhookId }, body })),
    deleteWebhook: async (webhookId) => settled(await api.deleteWebhook({ client, path: { webhookId } })),
    rotateWebhook: async (webhookId) => settled(await api.rotateWebhook({ client, path: { webhookId } })),
    testWebhook: async (webhookId) => settled(await api.testWebhook({ client, path: { webhookId } })),
    listDeliveries: async (webhookId, query) =>
      settled(await api.listDeliveries({ client, path: { webhookId }, query })),
    redeliver: async (webhookId, deliveryId) =>
      settled(await api.redeliver({ client, path: { webhookId, deliveryId } })),
    getMe: async () => settled(await api.getMe({ client })),
  }
}

/** This compiles only if the type of an event determines the type of its data. */
export function namesIn(events: api.Events): string[] {
  return events.flatMap((event) => {
    if (event.type === 'pet.created' || event.type === 'pet.updated') return event.data.name
    return event.type === 'order.placed' ? String(event.data.petId) : []
  })
}
