/** The client of orval that calls `fetch`. The address of the server is written into it when it is generated. */
import * as api from './api.ts'
import { byStatus, type Connect } from './operations.ts'

export const connect: Connect = (_url, key) => {
  const options = { headers: { Authorization: `Bearer ${key}` } }
  return {
    listPets: async (query) => byStatus(await api.listPets(query, options)),
    createPet: async (newPet) => byStatus(await api.createPet(newPet, options)),
    getPet: async (petId) => byStatus(await api.getPet(petId, options)),
    updatePet: async (petId, petPatch) => byStatus(await api.updatePet(petId, petPatch, options)),
    deletePet: async (petId) => byStatus(await api.deletePet(petId, options)),
    listCategories: async (query) => byStatus(await api.listCategories(query, options)),
    createCategory: async (newCategory) => byStatus(await api.createCategory(newCategory, options)),
    putCategory: async (categoryId, newCategory) => byStatus(await api.putCategory(categoryId, newCategory, options)),
    deleteCategory: async (categoryId) => byStatus(await api.deleteCategory(categoryId, options)),
    listOrders: async (query) => byStatus(await api.listOrders(query, options)),
    placeOrder: async (newOrder) => byStatus(await api.placeOrder(newOrder, options)),
    getOrder: async (orderId) => byStatus(await api.getOrder(orderId, options)),
    updateOrder: async (orderId, orderPatch) => byStatus(await api.updateOrder(orderId, orderPatch, options)),
    completeOrder: async (orderId) => byStatus(await api.completeOrder(orderId, options)),
    cancelOrder: async (orderId) => byStatus(await api.cancelOrder(orderId, options)),
    returnOrder: async (orderId) => byStatus(await api.returnOrder(orderId, options)),
    getOrderCounts: async () => byStatus(await api.getOrderCounts(options)),
    getInventory: async (query) => byStatus(await api.getInventory(query, options)),
    getSales: async (query) => byStatus(await api.getSales(query, options)),
    listEvents: async (query) => byStatus(await api.listEvents(query, options)),
    streamEvents: async (query) => byStatus(await api.streamEvents(query, options)),
    listWebhooks: async (query) => byStatus(await api.listWebhooks(query, options)),
    createWebhook: async (newWebhook) => byStatus(await api.createWebhook(newWebhook, options)),
    getWebhook: async (webhookId) => byStatus(await api.getWebhook(webhookId, options)),
    updateWebhook: async (webhookId, webhookPatch) =>
      byStatus(await api.updateWebhook(webhookId, webhookPatch, options)),
    deleteWebhook: async (webhookId) => byStatus(await api.deleteWebhook(webhookId, options)),
    rotateWebhook: async (webhookId) => byStatus(await api.rotateWebhook(webhookId, options)),
    testWebhook: async (webhookId) => byStatus(await api.testWebhook(webhookId, options)),
    listDeliveries: async (webhookId, query) => byStatus(await api.listDeliveries(webhookId, query, options)),
    redeliver: async (webhookId, deliveryId) => byStatus(await api.redeliver(webhookId, deliveryId, options)),
    getMe: async () => byStatus(await api.getMe(options)),
  }
}
