/** What every store must do, whatever its database. Each implementation runs this suite. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type OpenedStore, rex, rowOf, Subject } from './subject.ts'
import { eventSuite } from './suite-events.ts'
import { keySuite } from './suite-keys.ts'
import { orderSuite } from './suite-orders.ts'
import { petSuite } from './suite-pets.ts'
import { webhookSuite } from './suite-webhooks.ts'

export function storeSuite(name: string, open: () => Promise<OpenedStore>): void {
  describe(`the store on ${name}`, () => {
    let subject: Subject
    before(async () => {
      subject = new Subject(await open())
    })
    after(() => subject?.remove())
    for (const suite of [petSuite, orderSuite, eventSuite, keySuite, webhookSuite]) suite(() => subject)

    test('Categories and their counts are listed in pages from the lowest number to the highest [decision 14]', async () => {
      const { categories, inventory } = subject.store
      const numbers = [-(2n ** 63n), -1n, 0n, 2n ** 63n - 1n]
      for (const id of numbers) await categories.put(id, `${id}`, undefined)
      for (const table of [categories, inventory]) {
        const found: string[] = []
        let after: bigint | undefined
        for (let pages = 0; pages < 10; pages++) {
          const { json, next } = await table.page({ after, limit: 2 })
          found.push(...Array.from(json.matchAll(/"name":"(-?\d+)"/g), ([, name = '']) => name))
          if (next === undefined) break
          after = next
        }
        assert.deepEqual(found, numbers.map(String))
      }
      for (const id of numbers) await categories.remove(id, undefined)
    })

    test('A write that is refused fails alone among those in its commit', async () => {
      const key = await subject.addKey()
      const add = () => subject.store.pets.insert(rex, undefined)
      const [before, refused, after] = await Promise.allSettled([add(), subject.addKey({ hash: key.hash }), add()])
      assert.equal(refused.status, 'rejected')
      for (const result of [before, after]) {
        assert.ok(result.status === 'fulfilled')
        const { id, json } = rowOf(result.value)
        assert.equal(await subject.store.pets.find(BigInt(id)), json)
      }
      assert.deepEqual(await subject.store.keys.findByHash(key.hash), key)
    })

    test('A store that is closed and opened again contains everything, including writes in progress', async () => {
      const claim = await subject.newClaim()
      const first = rowOf(await subject.store.pets.insert(rex, claim))
      const keys = await subject.store.keys.list()
      const { json } = await subject.store.pets.page({ after: 0, limit: 1_000 })
      const underWay = subject.store.pets.insert(rex, undefined)
      await subject.reopen()
      const last = rowOf(await underWay)
      assert.ok(last.id > first.id)
      assert.equal(
        (await subject.store.pets.page({ after: 0, limit: 1_001 })).json,
        `${json.slice(0, -1)},${last.json}]`,
      )
      assert.deepEqual(await subject.store.keys.list(), keys)
      assert.deepEqual(await subject.store.pets.insert(rex, claim), { ...first, replayed: true })
      assert.ok(rowOf(await subject.store.pets.insert(rex, undefined)).id > last.id)
    })
  })
}
