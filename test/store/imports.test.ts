/** Imports in a store: animals and progress are written together, or not at all. */
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import type { ImportedPet, Outcome } from '../../src/store/store.ts'
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
