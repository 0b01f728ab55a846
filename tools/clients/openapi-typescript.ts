/** The types of openapi-typescript, used with openapi-fetch. */
import createClient from 'openapi-fetch'
import type { components, paths } from './api.ts'
import { type Connect, settled } from './operations.ts'

export const connect: Connect = (baseUrl, key) => {
  const api = createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${key}` } })
  return {
    listPets: async (query) => settled(await api.GET('/pets', { params: { query } })),
    createPet: async (body) => settled(await api.POST('/pets', { body })),
    getPet: async (petId) => settled(await api.GET('/pets/{petId}', { params: { path: { petId } } })),
    updatePet: async (petId, body) => settled(await api.PATCH('/pets/{petId}', { params: { path: { petId } }, body })),
    deletePet: async (petId) => settled(await api.DELETE('/pets/{petId}', { params: { path: { petId } } })),
    listCategories: async (query) => settled(await api.GET('/categories', { params: { query } })),
    createCategory: async (body) => settled(await api.POST('/categories', { body })),
    putCategory: async (categoryId, body) =>
      settled(await api.PUT('/categories/{categoryId}', { params: { path: { categoryId } }, body })),
    deleteCategory: async (categoryId) =>
      settled(await api.DELETE('/categories/{categoryId}', { params: { path: { categoryId } } })),
    listOrders: async (query) => settled(await api.GET('/store/orders', { params: { query } })),
    placeOrder: async (body) => settled(await api.POST('/store/orders', { body })),
    getOrder: async (orderId) => settled(await api.GET('/store/orders/{orderId}', { params: { path: { orderId } } })),
    updateOrder: async (orderId, body) =>
      settled(await api.PATCH('/store/orders/{orderId}', { params: { path: { orderId } }, body })),
    completeOrder: async (orderId) =>
      settled(await api.POST('/store/orders/{orderId}/complete', { params: { path: { orderId } } })),
    cancelOrder: async (orderId) =>
      settled(await api.POST('/store/orders/{orderId}/cancel', { params: { path: { orderId } } })),
    returnOrder: async (orderId) =>
      settled(await api.POST('/store/orders/{orderId}/return', { params: { path: { orderId } } })),
    getOrderCounts: async () => settled(await api.GET('/store/order-counts')),
    getInventory: async (query) => settled(await api.GET('/store/inventory', { params: { query } })),
    getSales: async (query) => settled(await api.GET('/store/sales', { params: { query } })),
    listEvents: async (query) => settled(await api.GET('/events', { params: { query } })),
    streamEvents: async (query) => settled(await api.GET('/events/stream', { params: { query } })),
    listWebhooks: async (query) => settled(await api.GET('/webhooks', { params: { query } })),
    createWebhook: async (body) => settled(await api.POST('/webhooks', { body })),
    getWebhook: async (webhookId) =>
      settled(await api.GET('/webhooks/{webhookId}', { params: { path: { webhookId } } })),
    updateWebhook: async (webhookId, body) =>
      settled(await api.PATCH('/webhooks/{webhookId}', { params: { path: { webhookId } }, body })),
    deleteWebhook: async (webhookId) =>
      settled(await api.DELETE('/webhooks/{webhookId}', { params: { path: { webhookId } } })),
    rotateWebhook: async (webhookId) =>
      settled(await api.POST('/webhooks/{webhookId}/rotate', { params: { path: { webhookId } } })),
    testWebhook: async (webhookId) =>
      settled(await api.POST('/webhooks/{webhookId}/test', { params: { path: { webhookId } } })),
    listDeliveries: async (webhookId, query) =>
      settled(await api.GET('/webhooks/{webhookId}/deliveries', { params: { path: { webhookId }, query } })),
    redeliver: async (webhookId, deliveryId) =>
      settled(
        await api.POST('/webhooks/{webhookId}/deliveries/{deliveryId}/redeliver', {
          params: { path: { webhookId, deliveryId } },
        }),
      ),
    getMe: async () => settled(await api.GET('/me')),
  }
}

/** This compiles only if the type of an event determines the type of its data. */
export function namesIn(events: components['schemas']['Events']): string[] {
  return events.flatMap((event) => {
    if (event.type === 'pet.created' || event.type === 'pet.updated') return event.data.name
    return event.type === 'order.placed' ? String(event.data.petId) : []
  })
}
