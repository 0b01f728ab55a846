// @ts-check
/**
 * A reservation that is extended: a customer has an animal held for an hour, calls, and gets a day more. When that time
 * has passed, the order expires by itself, and the animal is for sale again.
 *
 * Run it with: PETSTORE_KEY=pst_… npm run example extend-a-reservation
 */
import { PetStore } from 'petstore-client'

const { PETSTORE_URL = 'http://127.0.0.1:8080/v1', PETSTORE_KEY = '' } = process.env
const petstore = new PetStore({ baseUrl: PETSTORE_URL, apiKey: PETSTORE_KEY })

const hour = 60 * 60 * 1000
/** @param {number} milliseconds */
const later = (milliseconds) => new Date(Date.now() + milliseconds).toISOString()

const pet = await petstore.pets.create({ name: 'Bella', categoryId: 1n })
const reference = 'Mr Okoye, 555-0142'
const { id, heldUntil } = await petstore.orders.place({ petId: pet.id, reference, heldUntil: later(hour) })
console.log(`${pet.name} is held until ${heldUntil}`)

// Mr Okoye calls. A day later the shop may know only his name.
const [order] = await petstore.orders.list({ status: 'placed', reference }).toArray()
const extended = await petstore.orders.update(order?.id ?? id, { heldUntil: later(25 * hour) })
console.log(`${pet.name} is held until ${extended.heldUntil}`)

// He changes his mind.
await petstore.orders.cancel(extended.id)
const { status } = await petstore.pets.get(pet.id)
console.log(`${pet.name} is ${status}`)
