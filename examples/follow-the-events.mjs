// @ts-check
/**
 * Following the events: learns of every change, in order, and resumes where it stopped. The key needs the scope
 * events:read, as one made with --for staff has.
 *
 * Run it with: PETSTORE_KEY=pst_… npm run example follow-the-events
 */
import { PetStore, positionOf } from 'petstore-client'

const { PETSTORE_URL = 'http://127.0.0.1:8080/v1', PETSTORE_KEY = '' } = process.env
const petstore = new PetStore({ baseUrl: PETSTORE_URL, apiKey: PETSTORE_KEY })

const { next: cursor } = await petstore.events.list({ from: 'now' }).page()
const pet = await petstore.pets.create({ name: 'Luna', categoryId: 2n })

/** Store the position where your program finds it after a restart. */
let position = ''
for await (const event of petstore.events.follow({ cursor })) {
  if (event.type !== 'pet.created' || event.data.id !== pet.id) continue
  console.log(`${event.type}: ${event.data.name}`)
  position = positionOf(event)
  break
}

// These changes happen while nobody follows.
await petstore.pets.update(pet.id, { name: 'Nala' })
await petstore.pets.delete(pet.id)

for await (const event of petstore.events.follow({ after: position, petId: pet.id })) {
  console.log(`${event.type}: ${pet.name} was changed by the key ${event.by}`)
  if (event.type === 'pet.deleted') break
}
