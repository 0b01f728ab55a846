/** The client of swagger-typescript-api, which throws the answers that are errors. */
import { Api, type HttpResponse } from './api.ts'
import type { Connect, Fault, Reply } from './scenario.ts'

async function reply<T, E>(answer: Promise<HttpResponse<T, E>>): Promise<Reply<T>> {
  const { status, ok, data, error, headers } = await answer.catch((thrown: HttpResponse<T, E>) => thrown)
  return { status, ...(ok ? { data } : { error: error as Fault }), link: headers.get('link') }
}

export const connect: Connect = (baseUrl, key) => {
  const securityWorker = () => ({ headers: { Authorization: `Bearer ${key}` } })
  const { pets, store } = new Api({ baseUrl, securityWorker })
  return {
    listPets: (query) => reply(pets.listPets(query)),
    createPet: (pet) => reply(pets.createPet(pet)),
    getPet: (id) => reply(pets.getPet(id)),
    placeOrder: (order) => reply(store.placeOrder(order)),
    completeOrder: (id) => reply(store.completeOrder(id)),
    cancelOrder: (id) => reply(store.cancelOrder(id)),
  }
}
