/** The client of openapi-zod-client, on axios: checks answers, answers with data alone and throws what is refused. */
import axios, { type AxiosError } from 'axios'
import { createApiClient } from './api.ts'
import { type Connect, unwrapped } from './scenario.ts'

const reply = unwrapped(({ response }: AxiosError) => [response?.status, response?.data])

export const connect: Connect = (url, key) => {
  // Requests go out unchecked, so that the service refuses them, not zod.
  const axiosInstance = axios.create({ headers: { Authorization: `Bearer ${key}` } })
  const api = createApiClient(url, { axiosInstance, validate: 'response' })
  return {
    listPets: (queries) => reply(200, api.listPets({ queries })),
    createPet: (pet) => reply(201, api.createPet(pet)),
    getPet: (petId) => reply(200, api.getPet({ params: { petId } })),
    placeOrder: (order) => reply(201, api.placeOrder(order)),
    completeOrder: (orderId) => reply(200, api.completeOrder(undefined, { params: { orderId } })),
    cancelOrder: (orderId) => reply(200, api.cancelOrder(undefined, { params: { orderId } })),
  }
}
