/** The client of swagger-typescript-api, which throws the answers that are errors. */
import { Api, type HttpResponse } from './api.ts'
import type { Connect, Fault, Reply } from './operations.ts'

async function reply<T, E>(answer: Promise<HttpResponse<T, E>>): Promise<Reply<T>> {
  const { status, ok, data, error, headers } = await answer.catch((thrown: HttpResponse<T, E>) => thrown)
  return { status, ...(ok ? { data } : { error: error as Fault }), link: headers.get('link') }
}

export const connect: Connect = (baseUrl, key) => {
  const securityWorker = () => ({ headers: { Authorization: `Bearer ${key}` } })
  const { pets, categories, store, events, webhooks, me } = new Api({ baseUrl, securityWorker })
  return {
    listPets: (query) => reply(pets.listPets(query)),
    createPet: (body) => reply(pets.createPet(body)),
    getPet: (petId) => reply(pets.getPet(petId)),
    updatePet: (petId, body) => reply(pets.updatePet(petId, body)),
    deletePet: (petId) => reply(pets.deletePet(petId)),
    listCategories: (query) => reply(categories.listCategories(query)),
    createCategory: (body) => reply(categories.createCategory(body)),
    putCategory: (categoryId, body) => reply(categories.putCategory(categoryId, body)),
    deleteCategory: (categoryId) => reply(categories.deleteCategory(categoryId)),
    listOrders: (query) => reply(store.listOrders(query)),
    placeOrder: (body) => reply(store.placeOrder(body)),
    getOrder: (orderId) => reply(store.getOrder(orderId)),
    updateOrder: (orderId, body) => reply(store.updateOrder(orderId, body)),
    completeOrder: (orderId) => reply(store.completeOrder(orderId)),
    cancelOrder: (orderId) => reply(store.cancelOrder(orderId)),
    returnOrder: (orderId) => reply(store.returnOrder(orderId)),
    getOrderCounts: () => reply(store.getOrderCounts()),
    getInventory: (query) => reply(store.getInventory(query)),
    getSales: (query) => reply(store.getSales(query)),
    listEvents: (query) => reply(events.listEvents(query)),
    streamEvents: (query) => reply(events.streamEvents(query)),
    listWebhooks: (query) => reply(webhooks.listWebhooks(query)),
    createWebhook: (body) => reply(webhooks.createWebhook(body)),
    getWebhook: (webhookId) => reply(webhooks.getWebhook(webhookId)),
    updateWebhook: (webhookId, body) => reply(webhooks.updateWebhook(webhookId, body)),
    deleteWebhook: (webhookId) => reply(webhooks.deleteWebhook(webhookId)),
    rotateWebhook: (webhookId) => reply(webhooks.rotateWebhook(webhookId)),
    testWebhook: (webhookId) => reply(webhooks.testWebhook(webhookId)),
    listDeliveries: (webhookId, query) => reply(webhooks.listDeliveries(webhookId, query)),
    redeliver: (webhookId, deliveryId) => reply(webhooks.redeliver(webhookId, deliveryId)),
    getMe: () => reply(me.getMe()),
  }
}
