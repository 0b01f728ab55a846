/** The client of openapi-zod-client, on axios: checks answers, throws those that are errors, and hides headers. */
import axios from 'axios'
import { createApiClient } from './api.ts'
import type { Connect, Fault, Reply } from './scenario.ts'

export const connect: Connect = (url, key) => {
  // Requests go out unchecked, so that the service refuses them, not zod.
  const axiosInstance = axios.create({ headers: { Authorization: `Bearer ${key}` } })
  const api = createApiClient(url, { axiosInstance, validate: 'response' })
  let last = { status: 0, headers: {} as Record<string, string> }
  axiosInstance.interceptors.response.use((answer) => (last = answer as never))

  async function reply<T>(answer: Promise<T>): Promise<Reply<T>> {
    try {
      return { data: await answer, status: last.status, link: last.headers.link }
    } catch (error) {
      if (!axios.isAxiosError<Fault>(error) || !error.response) throw error
      return { status: error.response.status, error: error.response.data }
    }
  }
  return {
    listPets: (queries) => reply(api.listPets({ queries })),
    createPet: (pet) => reply(api.createPet(pet)),
    getPet: (petId) => reply(api.getPet({ params: { petId } })),
    placeOrder: (order) => reply(api.placeOrder(order)),
    completeOrder: (orderId) => reply(api.completeOrder(undefined, { params: { orderId } })),
    cancelOrder: (orderId) => reply(api.cancelOrder(undefined, { params: { orderId } })),
  }
}
