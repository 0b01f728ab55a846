// @ts-check
/**
 * Fills a shop: adds some animals and lists the available ones. Running it again adds nothing twice.
 *
 * In the checkout: PETSTORE_KEY=pst_… npm run example fill-a-shop
 * Elsewhere, beside a copy of it: npm install http://127.0.0.1:8080/client.tgz
 *   and then PETSTORE_KEY=pst_… node fill-a-shop.mjs
 */
import { PetStore } from 'petstore-client'

const { PETSTORE_URL = 'http://127.0.0.1:8080/v1', PETSTORE_KEY = '' } = process.env
const petstore = new PetStore({ baseUrl: PETSTORE_URL, apiKey: PETSTORE_KEY })

const [dogs, cats] = [1n, 2n]
const animals = [
  { name: 'Rex', categoryId: dogs },
  { name: 'Ada', categoryId: dogs },
  { name: 'Whiskers', categoryId: cats },
]
// With our own Idempotency-Key the service recognises the request for a day, even from another run of this program.
for (const animal of animals) await petstore.pets.create(animal, { idempotencyKey: `fill-a-shop-${animal.name}` })

for await (const pet of petstore.pets.list({ status: 'available' }))
  console.log(`${pet.id}: ${pet.name}, category ${pet.categoryId}`)
