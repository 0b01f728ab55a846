/** Pages that SQLite's store keeps. That they are never older than a write is seen by the simulation. */
import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { describe, test } from 'node:test'
import { createReader } from '../../src/store/sqlite/reader.ts'
import type { Store } from '../../src/store/store.ts'
import { systemTime } from '../../src/time.ts'
import { Folder } from '../support/process.ts'
import { openFile } from '../support/stores.ts'
import { rex } from './subject.ts'

async function withTwo(work: (stores: readonly [Store, Store]) => Promise<void>): Promise<void> {
  using folder = new Folder()
  const stores = [openFile(folder.database), openFile(folder.database)] as const
  try {
    await work(stores)
  } finally {
    for (const store of stores) await store.close()
  }
}

describe('kept pages', () => {
  test('are returned again as long as nothing was written', () =>
    withTwo(async ([store]) => {
      await store.pets.insert(rex, undefined)
      const page = await store.pets.page({ after: undefined, limit: 20 })
      assert.equal(await store.pets.page({ after: undefined, limit: 20 }), page)
      assert.notEqual(await store.pets.page({ after: undefined, limit: 19 }), page)
      assert.notEqual(await store.pets.page({ after: undefined, limit: 20, status: 'available' }), page)
      await store.orders.place({ petId: 1n }, undefined)
      assert.notDeepEqual(
        await store.pets.page({ after: undefined, limit: 20, categoryId: 1n }),
        await store.orders.page({ after: undefined, limit: 20, petId: 1n }),
        'filters whose texts run together',
      )
      const newest = await store.pets.page({ after: undefined, limit: 20, isDescending: true })
      assert.notEqual(newest, page)
      assert.equal(await store.pets.page({ after: undefined, limit: 20, isDescending: true }), newest)
    }))

  test('are dropped, the oldest first, before they fill the memory', () =>
    withTwo(async ([store]) => {
      const large = { ...rex, name: 'x'.repeat(1024) }
      await Promise.all(Array.from({ length: 100 }, () => store.pets.insert(large, undefined)))
      // Of some 80 to 100,000 characters each, so that those that fit are fewer than these.
      const limits = Array.from({ length: 60 }, (_, i) => 100 - i)
      const pages = []
      for (const limit of limits) pages.push(await store.pets.page({ after: undefined, limit }))
      // From this one on they are 3.4 million characters, which take 6.7 MB of the 8 MiB.
      for (const limit of [88, 41])
        assert.equal(await store.pets.page({ after: undefined, limit }), pages[limits.indexOf(limit)])
      assert.notEqual(await store.pets.page({ after: undefined, limit: 100 }), pages[0])
      // Also with the longest keys and nothing in them.
      for (let n = 0; n < 1_500; n++) {
        const ids = Array.from({ length: 100 }, (_, i) => 9_000_000_000_000_000_000n + BigInt(1000 * n + i))
        await store.pets.page({ after: undefined, limit: 20, ids })
      }
      const bytes = Number(store.samples().find(([name]) => name === 'petstore_page_cache_bytes')?.[1])
      assert.ok(bytes > 7 * 2 ** 20 && bytes <= 8 * 2 ** 20, `${bytes} bytes`)
    }))

  test('take 8 MiB at most, and nothing once they are dropped', () => {
    using db = new DatabaseSync(':memory:')
    const reader = createReader(db, systemTime)
    const bytes = () => reader.samples().find(([name]) => name === 'petstore_page_cache_bytes')?.[1]
    assert.equal(bytes(), 0)
    // A page counts 1 KiB, and two bytes for each character, those of its key twice.
    for (const [characters, expected] of [
      [2 ** 22 - 512 - 2, 2 ** 23],
      [2 ** 22 - 512 - 1, 0],
    ] as const) {
      reader.readCached('k', () => ({ json: 'x'.repeat(characters), next: undefined }))
      assert.equal(bytes(), expected)
      reader.clearCache()
      assert.equal(bytes(), 0)
    }
    reader.end()
  })
})

test('a statement is prepared once, whatever the page begins with, its size and the values of its filters', (t) =>
  withTwo(async ([store]) => {
    const read = async (at: number) => {
      for (const isDescending of [false, true])
        await store.pets.page({ after: at, limit: 20 + at, isDescending, categoryId: BigInt(at) })
    }
    await read(1)
    const prepare = t.mock.method(DatabaseSync.prototype, 'prepare')
    await read(2)
    assert.equal(prepare.mock.callCount(), 0)
  }))
