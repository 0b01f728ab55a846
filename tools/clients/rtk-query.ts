/** The endpoints that @rtk-query/codegen-openapi generates, in a store of Redux. */
import { configureStore } from '@reduxjs/toolkit'
import type { FetchBaseQueryError } from '@reduxjs/toolkit/query'
import { api } from './api.ts'
import { type Connect, unwrapped } from './scenario.ts'

const reply = unwrapped(({ status, data }: FetchBaseQueryError) => [Number(status), data])
const again = { forceRefetch: true, subscribe: false }

export const connect: Connect = (...extraArgument) => {
  const { dispatch } = configureStore({
    reducer: { api: api.reducer },
    middleware: (defaults) => defaults({ thunk: { extraArgument } }).concat(api.middleware),
  })
  const { listPets, createPet, getPet, placeOrder, completeOrder, cancelOrder } = api.endpoints
  return {
    listPets: (query) => reply(200, dispatch(listPets.initiate(query, again)).unwrap()),
    createPet: (newPet) => reply(201, dispatch(createPet.initiate({ newPet })).unwrap()),
    getPet: (petId) => reply(200, dispatch(getPet.initiate({ petId }, again)).unwrap()),
    placeOrder: (newOrder) => reply(201, dispatch(placeOrder.initiate({ newOrder })).unwrap()),
    completeOrder: (orderId) => reply(200, dispatch(completeOrder.initiate({ orderId })).unwrap()),
    cancelOrder: (orderId) => reply(200, dispatch(cancelOrder.initiate({ orderId })).unwrap()),
  }
}
