/** The cache of the first pages. The simulation also checks that no cached page is older than a write. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { InProcess } from '../../harness/in-process.ts'
import { Folder } from '../../harness/process.ts'
import { openFile } from '../../harness/stores.ts'
import type { Reply } from '../../src/http/message.ts'
import { createPageCache } from '../../src/http/page-cache.ts'
import type { Store } from '../../src/store/store.ts'
import { rex } from '../store/subject.ts'

const replyOf = (body: string): Reply => ({ status: 200, body })

/** Makes a cache on a store whose version the test sets, and counts how often a reply was made. */
function newCache() {
  const state = { version: 1, made: 0 }
  const cache = createPageCache(() => state.version)
  const get = (key: string, body = key) =>
    cache.reply(key, async () => {
      state.made++
      return replyOf(body)
    })
  const sample = (name: string, label?: string) =>
    cache.samples().find((each) => each[0] === name && each[2] === label)?.[1]
  return {
    state,
    get,
    bytes: () => sample('petstore_page_cache_bytes'),
    count: (result: string) => sample('petstore_page_cache_requests_total', result),
  }
}

describe('the cache of first pages', () => {
  test('The cache of first pages returns the same reply until the version of the store changes', async () => {
    const { state, get, bytes, count } = newCache()
    const first = await get('a')
    assert.equal(await get('a'), first)
    assert.notEqual(await get('b'), first)
    assert.deepEqual([state.made, count('hit'), count('miss')], [2, 1, 2])
    state.version++
    assert.deepEqual(await get('a', 'newer'), replyOf('newer'))
    assert.equal(bytes(), 1024 + 2 * (2 + 5))
  })

  test('The cache of first pages does not keep a reply that was begun before the version changed', async () => {
    const { state, get } = newCache()
    const late = get('a', 'old')
    state.version++
    await get('b')
    assert.deepEqual(await late, replyOf('old'))
    assert.deepEqual(await get('a', 'new'), replyOf('new'))
  })

  test('The cache of first pages makes one reply for concurrent requests, unless the version changes', async () => {
    const { state, get, bytes } = newCache()
    const [first, second] = [get('a'), get('a')]
    assert.equal(await first, await second)
    assert.deepEqual([state.made, bytes()], [1, 1024 + 2 * (2 + 1)])
    state.version++
    const before = get('a', 'old')
    state.version++
    const after = get('a', 'new')
    assert.deepEqual([await before, await after, await get('a')], [replyOf('old'), replyOf('new'), replyOf('new')])
    assert.equal(state.made, 3)
  })

  test('The cache of first pages does not keep a reply that failed', async () => {
    const cache = createPageCache(() => 1)
    const failing = async () => {
      throw new Error('no page')
    }
    await assert.rejects(async () => cache.reply('a', failing), /no page/)
    assert.deepEqual(await cache.reply('a', async () => replyOf('page')), replyOf('page'))
  })

  test('The cache of first pages uses at most 8 MiB, and drops the oldest replies first', async () => {
    const { state, get, bytes } = newCache()
    // A reply counts as 1 KiB plus two bytes for each character, and the characters of its key count twice.
    const body = 'x'.repeat(2 ** 19 - 512 - 2)
    for (const key of 'abcdefgh') await get(key, body)
    assert.equal(bytes(), 2 ** 23)
    await get('i', body)
    assert.equal(bytes(), 2 ** 23)
    state.made = 0
    for (const key of 'bcdefghi') await get(key)
    assert.equal(state.made, 0)
    await get('a')
    assert.equal(state.made, 1)
    await get('huge', 'x'.repeat(2 ** 22))
    assert.equal(bytes(), 0)
  })
})

describe('cached first pages on SQLite', () => {
  /** Runs two processes on one file. The first serves, and the test sees whether it read a page from the file. */
  async function withTwo(
    work: (service: InProcess, readPages: () => number, stores: readonly [Store, Store]) => Promise<void>,
  ) {
    using folder = new Folder()
    const stores = [openFile(folder.database), openFile(folder.database)] as const
    let pages = 0
    const counted = (table: 'pets' | 'orders') => ({
      ...stores[0][table],
      page: (query: never) => {
        pages++
        return stores[0][table].page(query)
      },
    })
    const store = { ...stores[0], pets: counted('pets'), orders: counted('orders') } as Store
    const readPages = () => {
      const read = pages
      pages = 0
      return read
    }
    try {
      await work(await InProcess.on(store), readPages, stores)
    } finally {
      for (const each of stores) await each.close()
    }
  }

  test('The cache on SQLite distinguishes every parameter, and keeps only first pages', () =>
    withTwo(async (service, readPages, [store]) => {
      for (let i = 0; i < 3; i++) await store.pets.insert(rex, undefined)
      await store.orders.place({ petId: 1n }, undefined)
      const paths = [
        ...[
          '',
          '&limit=2',
          '&status=available',
          '&order=desc',
          '&categoryId=1',
          '&id=1',
          '&id=1,2',
          '&search=rex',
          '&search=Rex',
        ].map((filters) => `/pets?x=1${filters}`),
        ...['', '&petId=1', '&reference=a', '&status=placed', '&order=desc'].map(
          (filters) => `/store/orders?x=1${filters}`,
        ),
      ]
      const first = await Promise.all(paths.map((path) => service.call('GET', path)))
      assert.equal(readPages(), paths.length)
      const again = await Promise.all(paths.map((path) => service.call('GET', path)))
      assert.equal(readPages(), 0)
      for (const [i, { status, text, headers }] of again.entries()) {
        const path = paths[i] as string
        assert.deepEqual([status, text], [200, first[i]?.text], path)
        for (const name of ['etag', 'link']) assert.equal(headers.get(name), first[i]?.headers.get(name), path)
      }
      for (let i = 0; i < 2; i++) {
        await service.call('GET', '/pets?after=1')
        assert.equal(readPages(), 1)
      }
    }))

  test('A cached first page on SQLite is read again after a write of this or another process [decision 20]', () =>
    withTwo(async (service, readPages, stores) => {
      for (const [i, store] of [stores[0], stores[1], stores[0]].entries()) {
        await store.pets.insert(rex, undefined)
        for (const isRead of [1, 0]) {
          assert.equal((await service.call('GET', '/pets')).json.length, i + 1)
          assert.equal(readPages(), isRead)
        }
      }
    }))
})
