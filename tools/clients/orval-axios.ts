/** The client of orval that calls with axios, which writes an array as `id[]=1`. */
import axios, { type AxiosResponse } from 'axios'
import { getPetStoreAPI } from './api.ts'
import type { Connect, Fault, Reply } from './scenario.ts'

async function reply<T>(answer: Promise<AxiosResponse<T>>): Promise<Reply<T>> {
  const { status, data, headers } = await answer
  return { status, ...(status < 400 ? { data } : { error: data as Fault }), link: headers.link ?? null }
}

export const connect: Connect = (baseURL, key) => {
  const headers = { Authorization: `Bearer ${key}` }
  const api = getPetStoreAPI(axios.create({ baseURL, headers, validateStatus: () => true }))
  return {
    listPets: (query) => reply(api.listPets(query)),
    createPet: (pet) => reply(api.createPet(pet)),
    getPet: (id) => reply(api.getPet(id)),
    placeOrder: (order) => reply(api.placeOrder(order)),
    completeOrder: (id) => reply(api.completeOrder(id)),
    cancelOrder: (id) => reply(api.cancelOrder(id)),
  }
}
