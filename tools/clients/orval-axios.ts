/** The client of orval that calls with axios, which writes an array as `id[]=1`. */
import axios, { type AxiosResponse } from 'axios'
import { getPetStoreAPI } from './api.ts'
import type { Connect, Fault, Reply } from './operations.ts'

async function reply<T>(answer: Promise<AxiosResponse<T>>): Promise<Reply<T>> {
  const { status, data, headers } = await answer
  return { status, ...(status < 400 ? { data } : { error: data as Fault }), link: headers.link ?? null }
}

export const connect: Connect = (baseURL, key) => {
  const headers = { Authorization: `Bearer ${key}` }
  const api = getPetStoreAPI(axios.create({ baseURL, headers, validateStatus: () => true }))
  return {
    listPets: (query) => reply(api.listPets(query)),
    createPet: (body) => reply(api.createPet(body)),
    getPet: (petId) => reply(api.getPet(petId)),
    updatePet: (petId, body) => reply(api.updatePet(petId, body)),
    deletePet: (petId) => reply(api.deletePet(petId)),
    listCategories: (query) => reply(api.listCategories(query)),
    createCategory: (body) => reply(api.createCategory(body)),
    putCategory: (categoryId, body) => reply(api.putCategory(categoryId, body)),
    deleteCategory: (categoryId) => reply(api.deleteCategory(categoryId)),
    listOrders: (query) => reply(api.listOrders(query)),
    placeOrder: (body) => reply(api.placeOrder(body)),
    getOrder: (orderId) => reply(api.getOrder(orderId)),
    updateOrder: (orderId, body) => reply(api.updateOrder(orderId, body)),
    completeOrder: (orderId) => reply(api.completeOrder(orderId)),
    cancelOrder: (orderId) => reply(api.cancelOrder(orderId)),
    returnOrder: (orderId) => reply(api.returnOrder(orderId)),
    getOrderCounts: () => reply(api.getOrderCounts()),
    getInventory: (query) => reply(api.getInventory(query)),
    getSales: (query) => reply(api.getSales(query)),
    listEvents: (query) => reply(api.listEvents(query)),
    streamEvents: (query) => reply(api.streamEvents(query)),
    listWebhooks: (query) => reply(api.listWebhooks(query)),
    createWebhook: (body) => reply(api.createWebhook(body)),
    getWebhook: (webhookId) => reply(api.getWebhook(webhookId)),
    updateWebhook: (webhookId, body) => reply(api.updateWebhook(webhookId, body)),
    deleteWebhook: (webhookId) => reply(api.deleteWebhook(webhookId)),
    rotateWebhook: (webhookId) => reply(api.rotateWebhook(webhookId)),
    testWebhook: (webhookId) => reply(api.testWebhook(webhookId)),
    listDeliveries: (webhookId, query) => reply(api.listDeliveries(webhookId, query)),
    redeliver: (webhookId, deliveryId) => reply(api.redeliver(webhookId, deliveryId)),
    getMe: () => reply(api.getMe()),
  }
}
