/** Syncs a catalogue: makes one category contain exactly the animals of a list; sold ones stay, as they have orders. */
import { PetStore } from '../client/src/index.ts'

const { PETSTORE_URL = 'http://127.0.0.1:8080/v1', PETSTORE_KEY = '' } = process.env
const petstore = new PetStore({ baseUrl: PETSTORE_URL, apiKey: PETSTORE_KEY })

const categoryId = 9007199254740993n // beyond 2^53, and still exact
const wanted = new Set(process.argv.slice(2))
const counts = { added: 0, removed: 0, kept: 0 }

for await (const pet of petstore.pets.list({ categoryId })) {
  if (wanted.delete(pet.name) || pet.status === 'sold') counts.kept++
  else {
    await petstore.pets.delete(pet.id)
    counts.removed++
  }
}
for (const name of wanted) {
  await petstore.pets.create({ name, categoryId })
  counts.added++
}
console.log(`${counts.added} added, ${counts.removed} removed, ${counts.kept} kept`)
