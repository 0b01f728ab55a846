/** The client of openapi-typescript-codegen, which answers with data alone and throws what is refused. */
import { type ApiError, Petstore } from './api'
import { type Connect, unwrapped } from './scenario.ts'

const reply = unwrapped(({ status, body }: ApiError) => [status, body])

export const connect: Connect = (BASE, TOKEN) => {
  const { animals, store } = new Petstore({ BASE, TOKEN })
  return {
    listPets: (query) => reply(200, animals.listPets(query)),
    createPet: (requestBody) => reply(201, animals.createPet({ requestBody })),
    getPet: (petId) => reply(200, animals.getPet({ petId })),
    placeOrder: (requestBody) => reply(201, store.placeOrder({ requestBody })),
    completeOrder: (orderId) => reply(200, store.completeOrder({ orderId })),
    cancelOrder: (orderId) => reply(200, store.cancelOrder({ orderId })),
  }
}
