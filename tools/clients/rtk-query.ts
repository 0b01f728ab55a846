/** The endpoints that @rtk-query/codegen-openapi generates, in a Redux store. */
import { configureStore } from '@reduxjs/toolkit'
import type { FetchBaseQueryError } from '@reduxjs/toolkit/query'
import { api } from './api.ts'
import { type Connect, unwrapped } from './operations.ts'

const reply = unwrapped(({ status, data }: FetchBaseQueryError) => [Number(status), data])
const again = { forceRefetch: true, subscribe: false }

export const connect: Connect = (...extraArgument) => {
  const { dispatch } = configureStore({
    reducer: { api: api.reducer },
    middleware: (defaults) => defaults({ thunk: { extraArgument } }).concat(api.middleware),
  })
  const { endpoints } = api
  return {
    listPets: (query) => reply(200, dispatch(endpoints.listPets.initiate(query, again)).unwrap()),
    createPet: (newPet) => reply(201, dispatch(endpoints.createPet.initiate({ newPet })).unwrap()),
    getPet: (petId) => reply(200, dispatch(endpoints.getPet.initiate({ petId }, again)).unwrap()),
    updatePet: (petId, petPatch) => reply(200, dispatch(endpoints.updatePet.initiate({ petId, petPatch })).unwrap()),
    deletePet: (petId) => reply(204, dispatch(endpoints.deletePet.initiate({ petId })).unwrap()),
    listCategories: (query) => reply(200, dispatch(endpoints.listCategories.initiate(query, again)).unwrap()),
    createCategory: (newCategory) => reply(201, dispatch(endpoints.createCategory.initiate({ newCategory })).unwrap()),
    putCategory: (categoryId, newCategory) =>
      reply(201, dispatch(endpoints.putCategory.initiate({ categoryId, newCategory })).unwrap()),
    deleteCategory: (categoryId) => reply(204, dispatch(endpoints.deleteCategory.initiate({ categoryId })).unwrap()),
    listOrders: (query) => reply(200, dispatch(endpoints.listOrders.initiate(query, again)).unwrap()),
    placeOrder: (newOrder) => reply(201, dispatch(endpoints.placeOrder.initiate({ newOrder })).unwrap()),
    getOrder: (orderId) => reply(200, dispatch(endpoints.getOrder.initiate({ orderId }, again)).unwrap()),
    updateOrder: (orderId, orderPatch) =>
      reply(200, dispatch(endpoints.updateOrder.initiate({ orderId, orderPatch })).unwrap()),
    completeOrder: (orderId) => reply(200, dispatch(endpoints.completeOrder.initiate({ orderId })).unwrap()),
    cancelOrder: (orderId) => reply(200, dispatch(endpoints.cancelOrder.initiate({ orderId })).unwrap()),
    returnOrder: (orderId) => reply(200, dispatch(endpoints.returnOrder.initiate({ orderId })).unwrap()),
    getOrderCounts: () => reply(200, dispatch(endpoints.getOrderCounts.initiate({}, again)).unwrap()),
    getInventory: (query) => reply(200, dispatch(endpoints.getInventory.initiate(query, again)).unwrap()),
    getSales: (query) => reply(200, dispatch(endpoints.getSales.initiate(query, again)).unwrap()),
    listEvents: (query) => reply(200, dispatch(endpoints.listEvents.initiate(query, again)).unwrap()),
    streamEvents: (query) => reply(200, dispatch(endpoints.streamEvents.initiate(query, again)).unwrap()),
    listWebhooks: (query) => reply(200, dispatch(endpoints.listWebhooks.initiate(query, again)).unwrap()),
    createWebhook: (newWebhook) => reply(201, dispatch(endpoints.createWebhook.initiate({ newWebhook })).unwrap()),
    getWebhook: (webhookId) => reply(200, dispatch(endpoints.getWebhook.initiate({ webhookId }, again)).unwrap()),
    updateWebhook: (webhookId, webhookPatch) =>
      reply(200, dispatch(endpoints.updateWebhook.initiate({ webhookId, webhookPatch })).unwrap()),
    deleteWebhook: (webhookId) => reply(204, dispatch(endpoints.deleteWebhook.initiate({ webhookId })).unwrap()),
    rotateWebhook: (webhookId) => reply(200, dispatch(endpoints.rotateWebhook.initiate({ webhookId })).unwrap()),
    testWebhook: (webhookId) => reply(200, dispatch(endpoints.testWebhook.initiate({ webhookId })).unwrap()),
    listDeliveries: (webhookId, query) =>
      reply(200, dispatch(endpoints.listDeliveries.initiate({ webhookId, ...query }, again)).unwrap()),
    redeliver: (webhookId, deliveryId) =>
      reply(200, dispatch(endpoints.redeliver.initiate({ webhookId, deliveryId })).unwrap()),
    getMe: () => reply(200, dispatch(endpoints.getMe.initiate({}, again)).unwrap()),
  }
}
