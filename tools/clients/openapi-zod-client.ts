/** The client of openapi-zod-client, on axios. It checks responses, returns only data and throws errors. */
import axios, { type AxiosError } from 'axios'
import { createApiClient } from './api.ts'
import { type Connect, unwrapped } from './operations.ts'

const reply = unwrapped(({ response }: AxiosError) => [response?.status, response?.data])

export const connect: Connect = (url, key) => {
  // Requests are not checked by zod, so that the service refuses them.
  const axiosInstance = axios.create({ headers: { Authorization: `Bearer ${key}` } })
  const api = createApiClient(url, { axiosInstance, validate: 'response' })
  return {
    listPets: (query) => reply(200, api.listPets({ queries: query })),
    createPet: (body) => reply(201, api.createPet(body)),
    getPet: (petId) => reply(200, api.getPet({ params: { petId } })),
    updatePet: (petId, body) => reply(200, api.updatePet(body, { params: { petId } })),
    deletePet: (petId) => reply(204, api.deletePet(undefined, { params: { petId } })),
    listCategories: (query) => reply(200, api.listCategories({ queries: query })),
    createCategory: (body) => reply(201, api.createCategory(body)),
    putCategory: (categoryId, body) => reply(201, api.putCategory(body, { params: { categoryId } })),
    deleteCategory: (categoryId) => reply(204, api.deleteCategory(undefined, { params: { categoryId } })),
    listOrders: (query) => reply(200, api.listOrders({ queries: query })),
    placeOrder: (body) => reply(201, api.placeOrder(body)),
    getOrder: (orderId) => reply(200, api.getOrder({ params: { orderId } })),
    updateOrder: (orderId, body) => reply(200, api.updateOrder(body, { params: { orderId } })),
    completeOrder: (orderId) => reply(200, api.completeOrder(undefined, { params: { orderId } })),
    cancelOrder: (orderId) => reply(200, api.cancelOrder(undefined, { params: { orderId } })),
    returnOrder: (orderId) => reply(200, api.returnOrder(undefined, { params: { orderId } })),
    getOrderCounts: () => reply(200, api.getOrderCounts()),
    getInventory: (query) => reply(200, api.getInventory({ queries: query })),
    getSales: (query) => reply(200, api.getSales({ queries: query })),
    listEvents: (query) => reply(200, api.listEvents({ queries: query })),
    streamEvents: (query) => reply(200, api.streamEvents({ queries: query })),
    listWebhooks: (query) => reply(200, api.listWebhooks({ queries: query })),
    createWebhook: (body) => reply(201, api.createWebhook(body)),
    getWebhook: (webhookId) => reply(200, api.getWebhook({ params: { webhookId } })),
    updateWebhook: (webhookId, body) => reply(200, api.updateWebhook(body, { params: { webhookId } })),
    deleteWebhook: (webhookId) => reply(204, api.deleteWebhook(undefined, { params: { webhookId } })),
    rotateWebhook: (webhookId) => reply(200, api.rotateWebhook(undefined, { params: { webhookId } })),
    testWebhook: (webhookId) => reply(200, api.testWebhook(undefined, { params: { webhookId } })),
    listDeliveries: (webhookId, query) => reply(200, api.listDeliveries({ params: { webhookId }, queries: query })),
    redeliver: (webhookId, deliveryId) => reply(200, api.redeliver(undefined, { params: { webhookId, deliveryId } })),
    getMe: () => reply(200, api.getMe()),
  }
}
