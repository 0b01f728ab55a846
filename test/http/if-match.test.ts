/** If-Match while others write. The version at the moment of writing counts, not the version that was read before. */
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { databases } from '../../harness/databases.ts'
import { InProcess, type Reply, withStores } from '../../harness/in-process.ts'
import { releasePostgres } from '../../harness/postgres.ts'
import type { Store } from '../../src/store/store.ts'

after(releasePostgres)

const tagOf = ({ headers }: Reply): string => headers.get('etag') ?? assert.fail('no ETag')
const create = (service: InProcess) => service.call('POST', '/pets', { name: 'Rex', categoryId: 1 })

/** Returns the store with one difference: a change to an animal happens right after it was first read. */
function changedOnceRead(store: Store, change: (petId: bigint) => Promise<unknown>): Store {
  let isDue = true
  return {
    ...store,
    pets: {
      ...store.pets,
      async find(id) {
        const json = await store.pets.find(id)
        const isNow = isDue
        isDue = false
        if (isNow) await change(id)
        return json
      },
    },
  }
}

/**
 * Returns the store with one difference: the first requests that read an order have all read it before any of them
 * continues.
 */
function readTogether(store: Store, readers: number): Store {
  const { promise: allHaveRead, resolve } = Promise.withResolvers<void>()
  let left = readers
  return {
    ...store,
    orders: {
      ...store.orders,
      async find(id) {
        const json = await store.orders.find(id)
        if (--left === 0) resolve()
        await allHaveRead
        return json
      },
    },
  }
}

for (const database of databases)
  describe(`If-Match while others write, on ${database.name}`, () => {
    test(`If-Match: * never gets 412 on ${database.name}, even if the animal changes between reading and writing [decision 20]`, () =>
      withStores(database, 1, async ([store]) => {
        const rename = (petId: bigint) => store.pets.update(petId, { name: 'Max' }, undefined)
        const { id } = (await create(await InProcess.on(store))).json
        const service = await InProcess.on(changedOnceRead(store, rename))
        const patched = await service.call('PATCH', `/pets/${id}`, { categoryId: 2 }, { 'if-match': '*' })
        assert.equal(patched.status, 200, patched.text)
        assert.equal((await service.call('DELETE', `/pets/${id}`, undefined, { 'if-match': '*' })).status, 204)
      }))

    for (const [method, body, done] of [
      ['PATCH', { categoryId: 2 }, 200],
      ['DELETE', undefined, 204],
    ] as const)
      test(`${method} accepts an If-Match list only if it contains the version at the moment of writing, on ${database.name} [decision 20]`, () =>
        withStores(database, 1, async ([store]) => {
          const plain = await InProcess.on(store)
          const { id } = (await create(plain)).json
          const versions = [await plain.call('GET', `/pets/${id}`)]
          versions.push(await plain.call('PATCH', `/pets/${id}`, { name: 'Max' }))
          const [old, renewed] = versions.map(tagOf) as [string, string]

          const sendWhileRenamed = async (ifMatch: string) => {
            await store.pets.update(BigInt(id), { name: 'Rex' }, undefined)
            const rename = (petId: bigint) => store.pets.update(petId, { name: 'Max' }, undefined)
            const service = await InProcess.on(changedOnceRead(store, rename))
            return service.call(method, `/pets/${id}`, body, { 'if-match': ifMatch })
          }
          for (const tags of [old, `${old}, "other"`]) {
            const refused = await sendWhileRenamed(tags)
            assert.deepEqual([refused.status, refused.json.code], [412, 'precondition_failed'])
            assert.equal((await plain.call('GET', `/pets/${id}`)).text, versions[1]?.text, 'nothing else changed')
          }
          assert.equal((await sendWhileRenamed(`${old}, ${renewed}`)).status, done)
          const left = await plain.call('GET', `/pets/${id}`)
          if (method === 'PATCH') assert.deepEqual(left.json, { ...versions[1]?.json, categoryId: 2 })
          else assert.equal(left.status, 404)
        }))

    test(`Of concurrent changes of one order with the same If-Match, one succeeds and the others get 412, on ${database.name} [decision 20]`, () =>
      withStores(database, 1, async ([store]) => {
        const plain = await InProcess.on(store)
        const { id: petId } = (await create(plain)).json
        const path = `/store/orders/${(await plain.call('POST', '/store/orders', { petId })).json.id}`
        const sent = { 'if-match': tagOf(await plain.call('GET', path)) }
        const names = ['Ada', 'Mia', 'Zoe']
        const service = await InProcess.on(readTogether(store, names.length))
        const replies = await Promise.all(names.map((reference) => service.call('PATCH', path, { reference }, sent)))
        assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 412, 412])
        const made = replies.find(({ status }) => status === 200)
        assert.equal((await plain.call('GET', path)).text, made?.text)
      }))

    test(`An If-Match list gets 404 if the animal is removed meanwhile, on ${database.name}`, () =>
      withStores(database, 1, async ([store]) => {
        const created = await create(await InProcess.on(store))
        const service = await InProcess.on(changedOnceRead(store, (petId) => store.pets.remove(petId, undefined)))
        const sent = { 'if-match': tagOf(created) }
        assert.equal((await service.call('PATCH', `/pets/${created.json.id}`, { name: 'Max' }, sent)).status, 404)
      }))
  })
