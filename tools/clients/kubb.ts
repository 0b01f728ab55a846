/** The client of kubb that calls `fetch`. It does not set Content-Type itself. */
import * as api from './api'
import { byStatus, type Connect } from './operations.ts'

export const connect: Connect = (baseURL, key) => {
  const options = { baseURL, headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' } }
  return {
    listPets: async (query) => byStatus(await api.listPets(query, {}, options)),
    createPet: async (body) => byStatus(await api.createPet(body, {}, options)),
    getPet: async (petId) => byStatus(await api.getPet(petId, {}, options)),
    updatePet: async (petId, body) => byStatus(await api.updatePet(petId, body, {}, options)),
    deletePet: async (petId) => byStatus(await api.deletePet(petId, {}, options)),
    listCategories: async (query) => byStatus(await api.listCategories(query, {}, options)),
    createCategory: async (body) => byStatus(await api.createCategory(body, options)),
    putCategory: async (categoryId, body) => byStatus(await api.putCategory(categoryId, body, {}, options)),
    deleteCategory: async (categoryId) => byStatus(await api.deleteCategory(categoryId, {}, options)),
    listOrders: async (query) => byStatus(await api.listOrders(query, {}, options)),
    placeOrder: async (body) => byStatus(await api.placeOrder(body, {}, options)),
    getOrder: async (orderId) => byStatus(await api.getOrder(orderId, {}, options)),
    updateOrder: async (orderId, body) => byStatus(await api.updateOrder(orderId, body, {}, options)),
    completeOrder: async (orderId) => byStatus(await api.completeOrder(orderId, options)),
    cancelOrder: async (orderId) => byStatus(await api.cancelOrder(orderId, options)),
    returnOrder: async (orderId) => byStatus(await api.returnOrder(orderId, options)),
    getOrderCounts: async () => byStatus(await api.getOrderCounts({}, options)),
    getInventory: async (query) => byStatus(await api.getInventory(query, {}, options)),
    getSales: async (query) => byStatus(await api.getSales(query, {}, options)),
    listEvents: async (query) => byStatus(await api.listEvents(query, {}, options)),
    streamEvents: async (query) => byStatus(await api.streamEvents(query, {}, options)),
    listWebhooks: async (query) => byStatus(await api.listWebhooks(query, {}, options)),
    createWebhook: async (body) => byStatus(await api.createWebhook(body, options)),
    getWebhook: async (webhookId) => byStatus(await api.getWebhook(webhookId, {}, options)),
    updateWebhook: async (webhookId, body) => byStatus(await api.updateWebhook(webhookId, body, options)),
    deleteWebhook: async (webhookId) => byStatus(await api.deleteWebhook(webhookId, options)),
    rotateWebhook: async (webhookId) => byStatus(await api.rotateWebhook(webhookId, options)),
    testWebhook: async (webhookId) => byStatus(await api.testWebhook(webhookId, options)),
    listDeliveries: async (webhookId, query) => byStatus(await api.listDeliveries(webhookId, query, {}, options)),
    redeliver: async (webhookId, deliveryId) => byStatus(await api.redeliver(webhookId, deliveryId, options)),
    getMe: async () => byStatus(await api.getMe({}, options)),
  }
}
