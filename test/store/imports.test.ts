/** Imports in a store: animals and progress are written together, or not at all. */
import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { after, describe, test } from 'node:test'
import { openStore } from '../../src/store/open.ts'
import type { ImportedPet, Outcome, Store } from '../../src/store/store.ts'
import { databases } from '../support/databases.ts'
import { withStores } from '../support/in-process.ts'
import { releasePostgres } from '../support/postgres.ts'
import { petsOf, rex, rowOf } from './subject.ts'

after(releasePostgres)

const pets = (...animals: readonly ImportedPet[]): string => JSON.stringify(animals)
const start = { rowsDone: 0, keepsIds: false, finishedAt: undefined }

for (const database of databases)
  describe(`an import on ${database.name}`, () => {
    test('adds animals and advances together; with a state that is not current, neither', () =>
      withStores(database, 1, async ([{ imports, ...store }]) => {
        assert.deepEqual(await imports.begin('a', false, undefined), start)
        assert.equal(
          await imports.add('a', start, pets(['Rex', '9223372036854775807', 'sold'], ['"\\é𝔊', '-1', 'available']), 3),
          true,
        )
        assert.equal(await imports.add('a', start, pets(['Lady', '1', 'available']), 1), false)
        assert.equal(await imports.add('b', start, pets(['Lady', '1', 'available']), 1), false)
        for (const again of [false, true])
          assert.deepEqual(
            await imports.begin('a', again, undefined),
            { ...start, rowsDone: 3 },
            'it is not begun anew',
          )
        assert.deepEqual(petsOf((await store.pets.page({ after: 0, limit: 10 })).json), [
          { id: 1n, name: 'Rex', categoryId: 2n ** 63n - 1n, status: 'sold' },
          { id: 2n, name: '"\\é𝔊', categoryId: -1n, status: 'available' },
        ])
      }))

    test('adds nothing once it is finished, until it is begun again', () =>
      withStores(database, 1, async ([{ imports }]) => {
        await imports.begin('a', false, undefined)
        const ended = { ...start, finishedAt: 1_800_000_000_000 }
        assert.equal(await imports.add('a', ended, pets(), 0), true)
        assert.deepEqual(await imports.begin('a', false, undefined), ended)
        assert.equal(await imports.add('a', start, pets(), 1), false)
        assert.deepEqual(await imports.begin('a', true, undefined), start)
        assert.equal(await imports.add('a', start, pets(), 1), true)
      }))

    test('reserves the ids of the file if none was ever assigned: others get those after them', () =>
      withStores(database, 2, async ([{ imports, ...store }, ...others]) => {
        const add = () => others[0]?.pets.insert(rex, undefined)
        assert.equal(await imports.isNew(), true)
        const state = await imports.begin('a', false, 40)
        assert.equal(state.keepsIds, true)
        assert.equal(await imports.isNew(), false)
        assert.equal(rowOf((await add()) as Outcome).id, 41)
        await imports.add('a', state, pets(['Rex', '1', 'sold', 7], ['Lady', '1', 'sold', 40]), 2)
        const { json } = await store.pets.page({ after: 0, limit: 10 })
        assert.deepEqual(
          petsOf(json).map(({ id }) => id),
          [7n, 40n, 41n],
        )
        assert.equal((await imports.begin('b', false, 100)).keepsIds, false)
        assert.equal(rowOf((await add()) as Outcome).id, 42)
      }))

    test('counts an id as assigned, also when its animal is gone', () =>
      withStores(database, 1, async ([{ imports, ...store }]) => {
        await store.pets.insert(rex, undefined)
        await store.pets.remove(1n, undefined)
        assert.equal(await imports.isNew(), false)
        assert.equal((await imports.begin('a', false, 40)).keepsIds, false)
      }))
  })

describe('the first import of a SQLite file', () => {
  const [sqlite] = databases
  const open = (url: string) => openStore({ url, connections: 1, timeoutMilliseconds: 5_000 })
  const all = ['events_pets_insert', 'pets_by_category', 'pets_by_category_and_status', 'pets_by_status']

  /** What of the indexes and the trigger is there. */
  function present(url: string): unknown[] {
    using db = new DatabaseSync(url.replace('sqlite:', ''), { readOnly: true })
    const found = db.prepare(`SELECT name FROM sqlite_schema WHERE name IN (${all.map(() => '?')}) ORDER BY name`)
    return found.all(...all).map(({ name }) => name)
  }

  /** Each animal has one event, in the order of the ids, with the animal as it is. */
  async function assertEvents({ pets, events }: Store): Promise<void> {
    const page = await events.page({ after: 0, limit: 10 })
    assert.ok(typeof page === 'object')
    const created = page.events.map(({ json }) => json.replace(/.*"data":(.*)\}$/, '$1'))
    assert.equal(`[${created.join()}]`, (await pets.page({ after: 0, limit: 10 })).json)
    assert.ok(page.events.every(({ type }) => type === 'pet.created'))
  }

  const add = async ({ imports }: Store, rowsDone: number, finishedAt?: number) =>
    assert.equal(await imports.add('a', { ...start, rowsDone, finishedAt }, pets(['Rex', '1', 'sold']), 1), true)

  test('goes without indexes and trigger, which are there again at its end; every animal has its event', () =>
    withStores(sqlite, 1, async ([store], url) => {
      await store.imports.begin('a', false, undefined)
      assert.deepEqual(present(url), [])
      await add(store, 0)
      await add(store, 1)
      assert.deepEqual(present(url), [])
      await add(store, 2, 1)
      assert.deepEqual(present(url), all)
      await store.pets.insert(rex, undefined)
      await assertEvents(store)
      assert.equal(await store.inventory.total(), '{"available":1,"pending":0,"sold":3}')
      assert.deepEqual(await store.inventory.discrepancies(), [])
    }))

  test('goes with them once another process has opened the file', () =>
    withStores(sqlite, 1, async ([store], url) => {
      await store.imports.begin('a', false, undefined)
      await add(store, 0)
      assert.equal(store.imports.rowsPerBatch, 40_000)
      const other = await open(url)
      assert.deepEqual(present(url), all)
      assert.equal(store.imports.rowsPerBatch, 10_000)
      await add(store, 1)
      await other.pets.insert(rex, undefined)
      await add(store, 2, 1)
      await assertEvents(store)
      await other.close()
    }))

  test('keeps them where another process has the file open, or an animal was ever added', async () => {
    await withStores(sqlite, 2, async ([store], url) => {
      await store.imports.begin('a', false, undefined)
      assert.deepEqual(present(url), all)
      await add(store, 0, 1)
      await assertEvents(store)
    })
    await withStores(sqlite, 1, async ([store], url) => {
      await store.pets.insert(rex, undefined)
      await store.imports.begin('a', false, undefined)
      assert.deepEqual(present(url), all)
    })
  })

  test('leaves the file to others as soon as it has begun', () =>
    withStores(sqlite, 1, async ([store], url) => {
      await store.imports.begin('a', false, undefined)
      const other = await open(url)
      await other.pets.insert(rex, undefined)
      await assertEvents(store)
      await other.close()
    }))
})
