/** One animal by its id, also when the operation that gives one is gone. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NotFoundError, PetStore, PreconditionFailedError } from '../../client/src/index.ts'
import { freshCategory } from '../support/expect.ts'
import { onOneTarget } from '../support/service.ts'

onOneTarget('pets.get', (service) => {
  const client = () => new PetStore({ baseUrl: `${service().url}/v1`, apiKey: service().key })

  for (const [when, time] of [
    ['today', null],
    ['after 5 December 2030', Date.UTC(2030, 11, 5)],
  ] as const)
    test(`returns an animal with the version that ifMatch takes, ${when} [D326]`, async () => {
      await service().setClock(time)
      const petstore = client()
      const rex = await petstore.pets.create({ name: 'Rex', categoryId: BigInt(freshCategory()) })
      const found = await petstore.pets.get(rex.id)
      assert.deepEqual(found, rex)
      const [listed] = await petstore.pets.list({ id: [rex.id], status: 'available' }).toArray()
      await petstore.pets.update(rex.id, { name: 'Max' }, { ifMatch: listed })
      await assert.rejects(petstore.pets.delete(rex.id, { ifMatch: found }), PreconditionFailedError)
      const several = await petstore.pets.list({ id: [rex.id, rex.id + 1_000n] }).toArray()
      await assert.rejects(petstore.pets.delete(rex.id, { ifMatch: several[0] }), TypeError)
      await petstore.pets.delete(rex.id, { ifMatch: await petstore.pets.get(rex.id) })
      const gone = await petstore.pets.get(rex.id).catch((error) => error)
      assert.ok(gone instanceof NotFoundError && gone.code === 'pet_not_found' && gone.status === 404)
    })
})
