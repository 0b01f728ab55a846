/** The schemas of orval for zod: they take every request that the service takes, and every answer. */
import * as api from './api.ts'
import { plain } from './plain.ts'
import type { Connect } from './scenario.ts'

const requests = { listPets: api.ListPetsQueryParams, createPet: api.CreatePetBody, placeOrder: api.PlaceOrderBody }
const answers = {
  listPets: api.ListPetsResponse,
  createPet: api.CreatePetResponse,
  getPet: api.GetPetResponse,
  placeOrder: api.PlaceOrderResponse,
  completeOrder: api.CompleteOrderResponse,
  cancelOrder: api.CancelOrderResponse,
}

export const connect: Connect = (url, key) =>
  plain(url, key, (operation, sent, { data }) => {
    if (data === undefined) return
    answers[operation].parse(data)
    if (operation in requests) requests[operation as keyof typeof requests].parse(sent)
  })
