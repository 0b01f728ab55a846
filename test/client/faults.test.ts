/** A network that fails two requests in three: whatever was asked is done once, and nothing is lost. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Order, type Pet, PetStore } from '../../client/src/index.ts'
import { freshCategory } from '../support/expect.ts'
import { times } from '../support/scope.ts'
import { onOneTarget } from '../support/service.ts'
import { FaultProxy, seeded } from './support/fault-proxy.ts'

const seed = Math.floor(Math.random() * 2 ** 32)
const workers = 8
const petsEach = times(3, 1)

onOneTarget(`a network that fails, with seed ${seed}`, (service) => {
  test('no animal is made twice, none is lost, and none is sold twice [D324]', async () => {
    await using proxy = await FaultProxy.start(service().port, seeded(seed))
    const apiKey = service().key
    const stubborn = new PetStore({ baseUrl: proxy.url, apiKey, maxRetries: Infinity, sleep: async () => {} })
    const categoryId = BigInt(freshCategory())
    const made: Pet[] = []
    const orders: Order[] = []

    async function work(worker: number): Promise<void> {
      for (let i = 0; i < petsEach; i++) {
        const pet = await stubborn.pets.create({ name: `Rex ${worker}.${i}`, categoryId })
        const spare = await stubborn.pets.create({ name: `Spare ${worker}.${i}`, categoryId })
        made.push(await stubborn.pets.update(pet.id, { name: `Max ${worker}.${i}` }))
        const order = await stubborn.orders.place({ petId: pet.id })
        orders.push(await stubborn.orders.complete(order.id))
        await stubborn.pets.delete(spare.id)
      }
    }
    await Promise.all(Array.from({ length: workers }, (_, worker) => work(worker)))

    const direct = new PetStore({ baseUrl: `${service().url}/v1`, apiKey })
    const standing = await Array.fromAsync(direct.pets.list({ categoryId }))
    assert.deepEqual(standing, byId(made.map((pet) => ({ ...pet, status: 'sold' as const }))))
    assert.equal(standing.length, workers * petsEach)
    const placed = await Array.fromAsync(direct.orders.list({ status: 'completed' }))
    const own = placed.filter(({ petId }) => made.some(({ id }) => id === petId))
    assert.deepEqual(own, byId(orders))
    assert.deepEqual(await Array.fromAsync(stubborn.pets.list({ categoryId, limit: 5 })), standing)
    const posts = proxy.seen.filter(({ method }) => method === 'POST')
    const keys = new Set(posts.flatMap(({ headers }) => headers['idempotency-key'] ?? []))
    assert.equal(keys.size, workers * petsEach * 3, 'one key for each request that has one, whatever its tries')
    assert.ok(posts.length > keys.size, 'some were tried again')
  })
})

const byId = <T extends { id: bigint }>(items: T[]): T[] => items.toSorted((a, b) => Number(a.id - b.id))
