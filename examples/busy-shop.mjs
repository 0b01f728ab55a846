// @ts-check
/**
 * A busy shop, for dashboards: customers look around, order, change their minds, buy, and bring back what they bought.
 * It ends after a minute, or after as many seconds as you say.
 *
 * Run it with: PETSTORE_KEY=pst_… npm run example busy-shop 600
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { ConflictError, PetStore } from 'petstore-client'

const { PETSTORE_URL = 'http://127.0.0.1:8080/v1', PETSTORE_KEY = '' } = process.env
const petstore = new PetStore({ baseUrl: PETSTORE_URL, apiKey: PETSTORE_KEY })

const customers = 10
const seconds = Number(process.argv[2] ?? 60)
const end = Date.now() + seconds * 1000
const counts = { placed: 0, cancelled: 0, completed: 0, returned: 0 }

async function visit() {
  const pets = await petstore.pets.list({ status: 'available' }).toArray({ limit: 20 })
  const found = pets[Math.floor(Math.random() * pets.length)]
  const pet = found ?? (await petstore.pets.create({ name: 'Rex', categoryId: 1n }))
  const { id } = await petstore.orders.place({ petId: pet.id })
  counts.placed++
  // Every fifth customer changes their mind.
  if (counts.placed % 5 === 0) {
    await petstore.orders.cancel(id)
    counts.cancelled++
    return
  }
  await petstore.orders.complete(id)
  counts.completed++
  await sleep(Math.random() * 1000)
  await petstore.orders.return(id)
  counts.returned++
}

async function customer() {
  while (Date.now() < end) {
    await visit().catch((error) => {
      // Somebody else has ordered the animal meanwhile.
      if (!(error instanceof ConflictError)) throw error
    })
    await sleep(Math.random() * 500)
  }
}

await Promise.all(Array.from({ length: customers }, customer))
console.log(`orders in ${seconds} s:`, counts)
