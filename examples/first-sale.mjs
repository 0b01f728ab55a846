// @ts-check
/**
 * A first sale: adds an animal, reserves it for a customer, and sells it.
 *
 * Run it with: PETSTORE_KEY=pst_… npm run example first-sale
 */
import { ConflictError, PetStore } from 'petstore-client'

const { PETSTORE_URL = 'http://127.0.0.1:8080/v1', PETSTORE_KEY = '' } = process.env
const petstore = new PetStore({ baseUrl: PETSTORE_URL, apiKey: PETSTORE_KEY })

const pet = await petstore.pets.create({ name: 'Rex', categoryId: 1n })
const order = await petstore.orders.place({ petId: pet.id, reference: 'Mrs Novak, 555-0117' })
console.log(`${pet.name} is reserved, with order ${order.id}`)

// Nobody else can order the animal now.
try {
  await petstore.orders.place({ petId: pet.id })
} catch (error) {
  if (!(error instanceof ConflictError) || error.code !== 'pet_not_available') throw error
  console.log('a second customer comes too late')
}

await petstore.orders.complete(order.id)
const { status } = await petstore.pets.get(pet.id)
console.log(`${pet.name} is ${status}`)
