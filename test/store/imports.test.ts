/** Imports in a store. Animals and progress are written together, or not at all. */
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { databases } from '../../harness/databases.ts'
import { withStores } from '../../harness/in-process.ts'
import { releasePostgres } from '../../harness/postgres.ts'
import type { Histogram } from '../../src/observe/metrics.ts'
import type { ImportedPet } from '../../src/store/maintenance.ts'
import { petsOf } from './subject.ts'

after(releasePostgres)

/** The last arguments of `add`. */
const batch = (rows: number, ...animals: readonly ImportedPet[]) => [animals, rows] as const
const start = { rowsDone: 0, finishedAt: undefined }

for (const database of databases)
  describe(`an import on ${database.name}`, () => {
    test(`An import adds animals and its progress together, and nothing if its state is not current, on ${database.name} [decision 28]`, () =>
      withStores(database, 1, async ([{ imports, ...store }]) => {
        assert.deepEqual(await imports.begin('a', false), start)
        const animals = batch(3, ['Rex', '9223372036854775807', 'sold'], ['"\\é𝔊', '-1', 'available'])
        assert.equal(await imports.add('a', start, ...animals), true)
        assert.equal(await imports.add('a', start, ...batch(1, ['Lady', '1', 'available'])), false)
        assert.equal(await imports.add('b', start, ...batch(1, ['Lady', '1', 'available'])), false)
        const state = { ...start, rowsDone: 3 }
        for (const again of [false, true]) assert.deepEqual(await imports.begin('a', again), state)
        const ended = { ...state, finishedAt: 1_800_000_000_000 }
        assert.equal(await imports.add('a', ended, ...batch(0)), true)
        assert.deepEqual(await imports.begin('a', false), ended)
        assert.equal(await imports.add('a', state, ...batch(1)), false)
        assert.deepEqual(await imports.begin('a', true), start, 'begun anew')
        assert.deepEqual(petsOf((await store.pets.page({ after: 0, limit: 10 })).json), [
          { id: 1n, name: 'Rex', categoryId: 2n ** 63n - 1n, status: 'sold' },
          { id: 2n, name: '"\\é𝔊', categoryId: -1n, status: 'available' },
        ])
      }))

    test(`If two processes import the same rows concurrently, one of them adds them, on ${database.name} [decision 28]`, () =>
      withStores(database, 2, async (stores) => {
        await stores[0].imports.begin('a', false)
        const pets = Array.from({ length: 500 }, (_, i): ImportedPet => [`Rex ${i}`, '1', 'sold'])
        for (let rowsDone = 0; rowsDone < 5_000; rowsDone += 500) {
          const state = { ...start, rowsDone }
          const added = await Promise.all(stores.map(({ imports }) => imports.add('a', state, pets, 500)))
          assert.deepEqual(added.toSorted(), [false, true])
        }
        assert.equal((await stores[0].bulk.counts()).pets, 5_000)
      }))

    test(`An import gives ids and events in the order of the file, and a search finds each animal, on ${database.name} [decision 28]`, () =>
      withStores(database, 1, async ([{ imports, events, pets }]) => {
        await imports.begin('a', false)
        const animals = Array.from({ length: 1_000 }, (_, i): ImportedPet => [`Rex ${i}`, '1', 'sold'])
        await imports.add('a', start, animals, animals.length)
        const found = petsOf((await pets.page({ after: 0, limit: 1_000 })).json)
        assert.deepEqual(
          found.map(({ id, name }) => [id, name]),
          animals.map(([name], i) => [BigInt(i + 1), name]),
        )
        const page = await events.page({ after: { id: 0, at: 0 }, limit: 1_000 })
        assert.ok(typeof page === 'object')
        assert.deepEqual(
          page.events.map(({ type, petId }) => [type, petId]),
          animals.map((_, i) => ['pet.created', i + 1]),
        )
        const rexes = petsOf((await pets.page({ after: 0, limit: 1_000, search: ['rex'] })).json)
        assert.deepEqual(rexes, found)
      }))

    test(`An import adds overlapping parts in order, and none after a part that failed, on ${database.name} [decision 28]`, () =>
      withStores(database, 1, async ([{ imports, bulk, pets, samples }]) => {
        await imports.begin('a', false)
        const many = Array.from({ length: 900 }, (_, i): ImportedPet => [`Rex ${i}`, '1', 'sold'])
        const one: ImportedPet = ['Lady', '1', 'sold']
        const add = (rowsDone: number, animals: readonly ImportedPet[]) =>
          imports.add('a', { ...start, rowsDone }, animals, animals.length)
        assert.deepEqual(await Promise.all([add(0, many), add(900, [one]), add(901, [one])]), [true, true, true])
        const commits = samples().find(([name]) => name === 'petstore_commit_duration_seconds')?.[1] as Histogram
        const message = 'each in a transaction of its own, so that writes of others come in between'
        assert.equal(
          commits.counts.reduce((sum, count) => sum + count),
          3,
          message,
        )
        // The second batch could be added by itself, because another process has added what the first one contains.
        assert.deepEqual(await Promise.all([add(1, many), add(902, [one])]), [false, false])
        await assert.rejects(add(902, [['Max', '1', 'gone' as 'sold']]))
        assert.equal(await add(902, [one]), true, 'after one that failed')
        assert.equal((await bulk.counts()).pets, 903)
        const found = petsOf((await pets.page({ after: 0, limit: 1_000 })).json)
        assert.deepEqual(
          found.map(({ name }) => name),
          [...many, one, one, one].map(([name]) => name),
        )
      }))

    test(`An import wakes followers of events, and recording the use of a key does not, on ${database.name}`, () =>
      withStores(database, 1, async ([{ imports, events, keys }]) => {
        const woken: string[] = []
        let doing = 'begin'
        const stop = events.watch(() => void woken.push(doing))
        await imports.begin('a', false)
        doing = 'touch'
        await keys.touch(1, 1)
        doing = 'add'
        await imports.add('a', start, ...batch(1, ['Rex', '1', 'sold']))
        stop()
        assert.deepEqual([...new Set(woken)], ['add'])
      }))
  })
