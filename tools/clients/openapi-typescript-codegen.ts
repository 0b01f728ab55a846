/** The client of openapi-typescript-codegen, which returns only data and throws errors. */
import { type ApiError, Petstore } from './api'
import { type Connect, unwrapped } from './operations.ts'

const reply = unwrapped(({ status, body }: ApiError) => [status, body])

export const connect: Connect = (BASE, TOKEN) => {
  const { animals, store, events, keys } = new Petstore({ BASE, TOKEN })
  return {
    listPets: (query) => reply(200, animals.listPets(query)),
    createPet: (requestBody) => reply(201, animals.createPet({ requestBody })),
    getPet: (petId) => reply(200, animals.getPet({ petId })),
    updatePet: (petId, requestBody) => reply(200, animals.updatePet({ petId, requestBody })),
    deletePet: (petId) => reply(204, animals.deletePet({ petId })),
    listCategories: (query) => reply(200, animals.listCategories(query)),
    createCategory: (requestBody) => reply(201, animals.createCategory({ requestBody })),
    putCategory: (categoryId, requestBody) => reply(201, animals.putCategory({ categoryId, requestBody })),
    deleteCategory: (categoryId) => reply(204, animals.deleteCategory({ categoryId })),
    listOrders: (query) => reply(200, store.listOrders(query)),
    placeOrder: (requestBody) => reply(201, store.placeOrder({ requestBody })),
    getOrder: (orderId) => reply(200, store.getOrder({ orderId })),
    updateOrder: (orderId, requestBody) => reply(200, store.updateOrder({ orderId, requestBody })),
    completeOrder: (orderId) => reply(200, store.completeOrder({ orderId })),
    cancelOrder: (orderId) => reply(200, store.cancelOrder({ orderId })),
    returnOrder: (orderId) => reply(200, store.returnOrder({ orderId })),
    getOrderCounts: () => reply(200, store.getOrderCounts({})),
    getInventory: (query) => reply(200, store.getInventory(query)),
    getSales: (query) => reply(200, store.getSales(query)),
    listEvents: (query) => reply(200, events.listEvents(query)),
    streamEvents: (query) => reply(200, events.streamEvents(query)),
    listWebhooks: (query) => reply(200, events.listWebhooks(query)),
    createWebhook: (requestBody) => reply(201, events.createWebhook({ requestBody })),
    getWebhook: (webhookId) => reply(200, events.getWebhook({ webhookId })),
    updateWebhook: (webhookId, requestBody) => reply(200, events.updateWebhook({ webhookId, requestBody })),
    deleteWebhook: (webhookId) => reply(204, events.deleteWebhook({ webhookId })),
    rotateWebhook: (webhookId) => reply(200, events.rotateWebhook({ webhookId })),
    testWebhook: (webhookId) => reply(200, events.testWebhook({ webhookId })),
    listDeliveries: (webhookId, query) => reply(200, events.listDeliveries({ webhookId, ...query })),
    redeliver: (webhookId, deliveryId) => reply(200, events.redeliver({ webhookId, deliveryId })),
    getMe: () => reply(200, keys.getMe({})),
  }
}
