/** Searches, both with the table of words and in steps. Each finds what a plain comparison finds, on both databases. */
import assert from 'node:assert/strict'
import { describe } from 'node:test'
import fc from 'fast-check'
import { databases } from '../../harness/databases.ts'
import { faultsIn } from '../../harness/faults.ts'
import { InProcess, withStores } from '../../harness/in-process.ts'
import { releasePostgres } from '../../harness/postgres.ts'
import { after, before, some, test, times } from '../../harness/scope.ts'
import { runSql } from '../../harness/sql.ts'
import { patient } from '../../harness/stores.ts'
import type { PetStatus } from '../../src/model/pet.ts'
import { searchWordsOf } from '../../src/model/words.ts'
import { openStore } from '../../src/store/open.ts'
import type { SearchLimits } from '../../src/store/search.ts'
import type { PetQuery, Store } from '../../src/store/store.ts'
import { matching, type Pet, petsOf, statuses, walk } from './subject.ts'

after(releasePostgres)

/** The ids have gaps, and some are beyond 2^40. Some words are rare. "bella" and "max" never occur together. */
const animals: readonly Pet[] = [...Array(200).keys()]
  .map((i) => (i < 190 ? 3 * i + 1 : 2 ** 40 + i))
  .map((id, i) => ({
    id: BigInt(id),
    name: `${i % 2 ? 'Bella' : 'Max'} ${id}${i % 40 === 39 ? ' Rarität' : ''}${i % 7 ? '' : ' von Berg'}`,
    categoryId: BigInt(i % 25 === 24 ? 2 : 1),
    status: (i > 180 ? 'available' : i % 30 ? 'sold' : 'pending') as PetStatus,
  }))
const idAt = (n: number) => Number(animals.at(n)?.id)

const fill = ({ bulk }: Store): Promise<void> =>
  bulk.import(async (write) => {
    const rows = animals.map(({ id, name, categoryId, status }) => [id, name, categoryId, status].map(String))
    await write({ table: 'pets', rows })
    return { api_keys: 0, pets: idAt(-1), orders: 0, events: 0, webhooks: 0 }
  })

const openWith = (url: string, search?: SearchLimits): Promise<Store> =>
  openStore({ ...patient, url, connections: 5, schema: 'migrate', ...(search && { search }) })

/**
 * The limits of the service, by which this catalogue is small, and limits by which words are rare, common, or either.
 */
const ways: Readonly<Record<string, SearchLimits | undefined>> = {
  'in either way': { rareMax: 5, rowsPerStep: 32, rowsPerPage: 96 },
  'by steps of a thousand animals': { rareMax: -1, rowsPerStep: 1_000, rowsPerPage: 1_000 },
  'by steps of seven animals': { rareMax: -1, rowsPerStep: 7, rowsPerPage: 21 },
  'in the table of words alone': undefined,
  'by steps of two animals': { rareMax: -1, rowsPerStep: 2, rowsPerPage: 40 },
}

type Query = Omit<PetQuery, 'limit' | 'search'> & { readonly search: string }
const wordsIn = ({ search, ...query }: Query) => ({ ...query, search: searchWordsOf(search) })

const searches = 'bella,b,max berg,bella max,raritat,rar berg,1,13,1099511627970,nobody,b 1 v r'.split(',')
const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined })
const anyQuery = fc.record({
  search: fc.constantFrom(...searches),
  status: optional(fc.constantFrom(...statuses)),
  categoryId: optional(fc.constantFrom(1n, 2n, 3n)),
  ids: optional(fc.subarray(animals.slice(0, 40).map(({ id }) => id))),
  isDescending: fc.boolean(),
  after: optional(fc.constantFrom(...animals.map(({ id }) => Number(id)), 2 ** 30, idAt(-1) + 1)),
})

for (const database of databases)
  describe(`a search on ${database.name}`, () => {
    let url: string
    let remove: () => Promise<void>
    const stores = new Map<string, Store>()
    const storeOf = (way: string): Store => stores.get(way) ?? assert.fail(way)
    before(async () => {
      ;({ url, remove } = await database.open())
      for (const [way, limits] of Object.entries(ways)) stores.set(way, await openWith(url, limits))
      await fill(storeOf('in either way'))
    })
    after(async () => {
      for (const store of stores.values()) await store.close()
      await remove()
    })

    for (const way of some(Object.keys(ways), 3))
      test(`${way} finds the same animals as a plain comparison, in both directions, with all filters, on ${database.name} [decision 7]`, async () => {
        for (const search of searches)
          for (const isDescending of [false, true]) {
            const query = wordsIn({ search, isDescending, after: undefined })
            const { seen } = await walk(storeOf(way), query, 13)
            assert.deepEqual(seen, matching(animals, query), `${search} ${isDescending}`)
          }
        const property = fc.asyncProperty(anyQuery, fc.constantFrom(1, 13, 100), async (query, limit) => {
          const { seen } = await walk(storeOf(way), wordsIn(query), limit)
          assert.deepEqual(seen, matching(animals, wordsIn(query)))
        })
        await fc.assert(property, { numRuns: times(100, 5) })
      })

    test(`A search for common words reads a bounded number of animals per page, and the next page continues, on ${database.name} [decision 7]`, async () => {
      const { pets } = storeOf('by steps of seven animals')
      for (const [filters, words, rows] of [
        [{}, 2, 21],
        [{ status: 'sold' }, 2, 21],
        [{ categoryId: 1n }, 2, 21],
        [{ categoryId: 1n, status: 'sold', isDescending: true }, 2, 21],
        // Each word is compared, so a step of three or four words reads half as many animals, and so on.
        [{}, 3, 12],
        [{}, 4, 12],
        [{}, 5, 6],
        [{}, 100, 3],
      ] as const) {
        const search = ['bella', 'max', ...Array.from({ length: words - 2 }, () => 'b')]
        const page = await pets.page({ after: undefined, limit: 5, search, ...filters })
        const read = matching(animals, { ...filters })
        assert.deepEqual(page, { json: '[]', next: Number(read[rows - 1]?.id) }, JSON.stringify({ words, rows }))
      }
    })

    test(`A search for a common word reads no further than its page, and reports the end, on ${database.name} [decision 7]`, async () => {
      const { pets } = storeOf('by steps of a thousand animals')
      const page = await pets.page({ after: undefined, limit: 5, search: ['bella'] })
      assert.deepEqual(petsOf(page.json), matching(animals, { search: ['bella'] }).slice(0, 5))
      assert.equal(page.next, Number(petsOf(page.json)[4]?.id))
      const last = matching(animals, { search: ['bella'] }).at(-1)
      const end = await pets.page({ after: Number(last?.id) - 1, limit: 1, search: ['bella'] })
      assert.deepEqual([petsOf(end.json), end.next], [[last], undefined])
    })

    test(`A search of many words looks up the rarest if only a bounded number of animals have it, on ${database.name}`, async () => {
      for (const [rareMax, isFoundNow] of [
        [5, true],
        [4, false],
      ] as const) {
        const store = await openWith(url, { rareMax, rowsPerStep: 1, rowsPerPage: 2 })
        const search = [...Array.from({ length: 30 }, () => 'b'), 'raritat']
        const { json, next } = await store.pets.page({ after: undefined, limit: 100, search })
        assert.deepEqual([petsOf(json).length, next === undefined], [isFoundNow ? 5 : 0, isFoundNow])
        await store.close()
      }
    })

    test(`A search links to its own next page, even beside another search with the same meaning, on ${database.name}`, async () => {
      const service = await InProcess.on(storeOf('in either way'))
      const paths = ['bella', 'Bella', 'BÉLLA!'].map((text) => `/pets?search=${encodeURIComponent(text)}&limit=1`)
      for (const _ of ['read', 'cached']) {
        const pages = await Promise.all(paths.map((path) => service.call('GET', path)))
        for (const [i, { headers }] of pages.entries()) assert.ok(headers.get('link')?.includes(`${paths[i]}&`))
      }
    })

    for (const target of databases)
      test(`A search finds the same in a copy on ${target.name}, and after changes to it, on ${database.name} [decision 7]`, () =>
        withStores(target, 1, async ([copy]) => {
          await copy.bulk.import((write) => storeOf('in either way').bulk.export(write))
          assert.deepEqual(await faultsIn(copy), [])
          for (const search of ['raritat', 'max berg', '13']) {
            const query = wordsIn({ search, after: undefined })
            assert.deepEqual((await walk(copy, query)).seen, matching(animals, query))
          }
          const idsOf = async (word: string) => (await walk(copy, { search: [word] })).seen.map(({ id }) => id)
          await copy.pets.update(4n, { name: 'Anna Bella' }, undefined)
          await copy.pets.update(10n, { name: '🐶' }, undefined)
          await copy.pets.remove(13n, undefined)
          assert.deepEqual(await faultsIn(copy), [])
          assert.deepEqual(
            [await idsOf('anna'), await idsOf('10')],
            [
              [4n],
              matching(animals, { search: ['10'] })
                .slice(1)
                .map(({ id }) => id),
            ],
          )
          assert.deepEqual(
            await idsOf('13'),
            matching(animals, { search: ['13'] })
              .slice(1)
              .map(({ id }) => id),
          )
        }))

    test(`The pages of a search contain every animal that stayed exactly once, while others are changed, on ${database.name} [decision 7]`, () =>
      withStores(database, 1, async ([store], url) => {
        await fill(store)
        const walking = await openWith(url, { rareMax: -1, rowsPerStep: 5, rowsPerPage: 20 })
        let isWalking = true
        const changes = (async () => {
          for (let i = 0; isWalking && i < 100; i++) {
            const { id } = animals[2 * i] as Pet
            if (i % 3 === 0) await store.pets.remove(id, undefined)
            else await store.pets.update(id, { name: i % 3 === 1 ? 'Bella' : 'Max' }, undefined)
            await store.pets.insert({ name: 'Bella', categoryId: 1n, status: 'sold' }, undefined)
          }
        })()
        for (const isDescending of [false, true]) {
          const { seen } = await walk(walking, { search: ['bella'], isDescending }, 7)
          const ids = seen.map(({ id }) => id)
          assert.equal(new Set(ids).size, ids.length, 'none is shown twice')
          const stayed = matching(animals, { search: ['bella'], isDescending })
          assert.deepEqual(
            seen.filter(({ id }) => stayed.some((pet) => pet.id === id)),
            stayed,
          )
        }
        isWalking = false
        await changes
        await walking.close()
        assert.deepEqual(await faultsIn(store), [])
      }))

    test(`petstore check finds animals that a search finds by a wrong word or misses by a right one, on ${database.name}`, () =>
      withStores(database, 1, async ([store], url) => {
        await fill(store)
        assert.deepEqual(await faultsIn(store), [])
        const stray = (id: number, word: string) => `Animal ${id} is found by ${word}, which is not in its name.`
        for (const [spoil, mend, fault] of [
          [
            `DELETE FROM pet_words WHERE word = '13' AND pet_id = 13`,
            `INSERT INTO pet_words VALUES ('13', 13)`,
            'Animal 13 is not found by 13.',
          ],
          [`INSERT INTO pet_words VALUES ('be', 13)`, `DELETE FROM pet_words WHERE word = 'be'`, stray(13, 'be')],
          [`INSERT INTO pet_words VALUES ('max', 12)`, `DELETE FROM pet_words WHERE pet_id = 12`, stray(12, 'max')],
        ] as const) {
          await runSql(url, spoil)
          assert.deepEqual(await faultsIn(store), [fault])
          await runSql(url, mend)
        }
        assert.deepEqual(await faultsIn(store), [])
      }))
  })

test('Searches on SQLite take one step in each turn of the event loop, however many there are [decision 7]', () =>
  withStores(databases[0], 1, async ([store], url) => {
    await fill(store)
    const searching = await openWith(url, { rareMax: -1, rowsPerStep: 20, rowsPerPage: 200 })
    let turns = 0
    let isSearching = true
    const countTurns = () => {
      turns++
      if (isSearching) setImmediate(countTurns)
    }
    setImmediate(countTurns)
    const pages = Array.from({ length: 5 }, () =>
      searching.pets.page({ after: undefined, limit: 100, search: ['bella', 'max'] }),
    )
    for (const page of await Promise.all(pages)) assert.equal(page.json, '[]')
    isSearching = false
    await searching.close()
    assert.ok(turns >= 5 * 10, `${turns} turns for 50 steps`)
  }))
