// @ts-check
/**
 * Sells an animal: orders the first available one, even while others are buying, and completes the order.
 *
 * In the checkout: PETSTORE_KEY=pst_… npm run example sell-an-animal
 * Elsewhere, beside a copy of it: npm install http://127.0.0.1:8080/client.tgz
 *   and then PETSTORE_KEY=pst_… node sell-an-animal.mjs
 */
import { ConflictError, PetStore } from 'petstore-client'

const { PETSTORE_URL = 'http://127.0.0.1:8080/v1', PETSTORE_KEY = '' } = process.env
const petstore = new PetStore({ baseUrl: PETSTORE_URL, apiKey: PETSTORE_KEY })

async function sellOne() {
  for await (const pet of petstore.pets.list({ status: 'available' })) {
    try {
      const order = await petstore.orders.place({ petId: pet.id })
      await petstore.orders.complete(order.id)
      return `${pet.name} is sold, with order ${order.id}`
    } catch (error) {
      // Another customer was faster: try the next animal.
      if (!(error instanceof ConflictError) || error.code !== 'pet_not_available') throw error
    }
  }
  return 'nothing is left to sell'
}

console.log(await sellOne())
