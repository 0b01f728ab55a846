/**
 * Searches in a catalogue of many blocks of ids: all is found, also in a copy, and a check tells when it would not be.
 */
import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { after, before, describe, test } from 'node:test'
import fc from 'fast-check'
import type { PetStatus } from '../../src/model/pet.ts'
import { searchWordsOf, wordsOf } from '../../src/model/words.ts'
import type { PetQuery, Store } from '../../src/store/store.ts'
import { databases } from '../support/databases.ts'
import { faultsIn } from '../support/faults.ts'
import { InProcess, withStores } from '../support/in-process.ts'
import { releasePostgres } from '../support/postgres.ts'
import { times } from '../support/scope.ts'
import { openAt } from '../support/stores.ts'
import { matching, type Pet, petsOf, statuses, walk } from './subject.ts'

after(releasePostgres)

/** Ids of the first 400 blocks and beyond 2^40, at both ends of blocks; some words are rare, two never meet. */
const animals: readonly Pet[] = [...Array(400).keys()]
  .flatMap((block) => [1, 2, 4095, 8190, 8191, 8192].map((place) => 8192 * block + place))
  .concat([2 ** 31, 2 ** 40, 2 ** 40 + 8191, 2 ** 40 + 8192])
  .map((id, i) => ({
    id: BigInt(id),
    name: `${i % 2 ? 'Bella' : 'Max'} ${id}${i % 1000 === 999 ? ' Rarität' : ''}${i % 7 ? '' : ' von Berg'}`,
    categoryId: BigInt(i % 500 === 499 ? 2 : 1),
    status: (i > 2_200 ? 'available' : i % 300 ? 'sold' : 'pending') as PetStatus,
  }))
const lastId = Number(animals.at(-1)?.id)

const fill = ({ bulk }: Store): Promise<void> =>
  bulk.import(async (write) => {
    const rows = animals.map(({ id, name, categoryId, status }) =>
      [id, name, wordsOf(name).join(' '), categoryId, status, 0].map(String),
    )
    await write({ table: 'pets', rows })
    return { api_keys: 0, pets: lastId, orders: 0, events: 0, webhooks: 0 }
  })

type Query = Omit<PetQuery, 'limit' | 'search'> & { readonly search: string }

const expected = ({ search, ...query }: Query): Pet[] => matching(animals, { ...query, search: searchWordsOf(search) })

/** What the pages show, of which there may not be too many. */
async function found(store: Store, { search, ...query }: Query, limit: number): Promise<Pet[]> {
  const { seen, pages } = await walk(store, { ...query, search: searchWordsOf(search) }, limit)
  assert.ok(pages <= 60 + seen.length / limit, `${pages} pages for ${seen.length} animals`)
  return seen
}

const queries = 'bella,b,max berg,bella max,raritat,rar berg,1,81,32768,nobody,b 1 v r'.split(',')

for (const database of databases)
  describe(`a search on ${database.name}`, () => {
    let store: Store
    let remove: () => Promise<void>
    before(async () => {
      const opened = await database.open()
      remove = opened.remove
      store = await openAt(opened.url)
      await fill(store)
    })
    after(async () => {
      await store.close()
      await remove()
    })

    test('finds the same as a plain comparison across blocks, in both orders, with all filters [D32]', async () => {
      for (const search of queries)
        for (const isDescending of [false, true]) {
          const query = { search, isDescending, after: undefined }
          assert.deepEqual(await found(store, query, 100), expected(query), `${search} ${isDescending}`)
        }
      const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined })
      const any = fc.record({
        search: fc.constantFrom(...queries),
        status: optional(fc.constantFrom(...statuses)),
        categoryId: optional(fc.constantFrom(1n, 2n, 3n)),
        isDescending: fc.boolean(),
        after: optional(fc.constantFrom(...animals.map(({ id }) => Number(id)), 8192 * 500, lastId + 1)),
      })
      const property = fc.asyncProperty(any, fc.constantFrom(13, 100), async (query, limit) =>
        assert.deepEqual(await found(store, query, limit), expected(query)),
      )
      await fc.assert(property, { numRuns: times(40, 15) })
    })

    test('looks no further than it must: a page of a common word is full, and the end is told [D32]', async () => {
      const { pets } = store
      const page = await pets.page({ after: undefined, limit: 5, search: ['bella'] })
      assert.equal(petsOf(page.json).length, 5)
      assert.equal(page.next, Number(petsOf(page.json)[4]?.id))
      const last = expected({ search: 'bella', after: undefined }).at(-1)
      const end = await pets.page({ after: Number(last?.id) - 1, limit: 1, search: ['bella'] })
      assert.deepEqual([petsOf(end.json), end.next], [[last], undefined])
      // Words that never meet, and many that nobody has: it gives up before it has looked at all blocks. In PostgreSQL
      // each word of a block costs 0.3 ms if it is common; on SQLite only one of them is looked for.
      const strange = Array.from('abcdefghijklmnopqrst', (letter) => `q${letter}`)
      for (const search of [['bella', 'max'], strange]) {
        const short = await pets.page({ after: undefined, limit: 5, search })
        assert.equal(short.json, '[]')
        if (database.name === 'SQLite' && search === strange) assert.equal(short.next, undefined)
        else {
          const blocks = Number(short.next) / 8192
          assert.ok(blocks > 1 && blocks <= (database.name === 'PostgreSQL' ? 48 / search.length : 200), `${blocks}`)
        }
      }
      // The filter leaves out all blocks but the last ones.
      const available = await pets.page({ after: undefined, limit: 5, search: ['bella'], status: 'available' })
      assert.equal(petsOf(available.json).length, 5)
    })

    test('links to its own next page, also beside another that means the same', async () => {
      const service = await InProcess.on(store)
      const paths = ['bella', 'Bella', 'BÉLLA!'].map((text) => `/pets?search=${encodeURIComponent(text)}&limit=1`)
      const pages = await Promise.all(paths.map((path) => service.call('GET', path)))
      for (const [i, { headers }] of pages.entries()) assert.ok(headers.get('link')?.includes(`${paths[i]}&`))
    })

    for (const target of databases.filter((each) => each !== database))
      test(`finds the same in a copy on ${target.name} [D29]`, () =>
        withStores(target, 1, async ([copy]) => {
          await copy.bulk.import((write) => store.bulk.export(write))
          assert.deepEqual(await faultsIn(copy), [])
          for (const search of ['raritat', 'max berg', '32768']) {
            const query = { search, after: undefined }
            assert.deepEqual(await found(copy, query, 100), expected(query))
          }
          await copy.pets.update(8190n, { name: 'Anna' }, undefined)
          await copy.pets.remove(8191n, undefined)
          assert.deepEqual(await faultsIn(copy), [])
          assert.equal((await copy.pets.page({ after: undefined, limit: 5, search: ['8190'] })).json, '[]')
        }))
  })

test('a check finds what an index on SQLite lacks, and what it has too much', () =>
  withStores(databases[0], 1, async ([store], url) => {
    await fill(store)
    assert.deepEqual(await faultsIn(store), [])
    await store.pets.update(4095n, { name: '🐶' }, undefined)
    assert.deepEqual(await faultsIn(store), [])
    const db = new DatabaseSync(url.slice('sqlite:'.length))
    const found = (id: number, word: string) => `Animal ${id} is found by ${word}, which is not in its name.`
    for (const [spoil, mend, fault] of [
      [
        "DELETE FROM pet_words WHERE word = '8192' AND pet_id = 8192",
        "INSERT INTO pet_words VALUES (1, '8192', 8192)",
        'Animal 8192 is not found by 8192.',
      ],
      ["INSERT INTO pet_words VALUES (1, 'be', 8192)", "DELETE FROM pet_words WHERE word = 'be'", found(8192, 'be')],
      ["INSERT INTO pet_words VALUES (0, 'x', 3)", "DELETE FROM pet_words WHERE word = 'x'", found(3, 'x')],
      [
        "INSERT INTO pet_words VALUES (3, '8192', 8192)",
        'DELETE FROM pet_words WHERE block = 3 AND pet_id = 8192',
        found(8192, '8192'),
      ],
      [
        `INSERT INTO pet_words VALUES (${Math.floor(lastId / 8192) + 9}, 'x', 1)`,
        'DELETE FROM pets; DELETE FROM pet_words',
        found(1, 'x'),
      ],
      [`INSERT INTO pet_words VALUES (0, 'x', 1)`, '', found(1, 'x')],
    ] as const) {
      db.exec(spoil)
      assert.deepEqual(await faultsIn(store), [fault])
      db.exec(mend)
    }
    assert.equal(db.prepare(`SELECT 1 FROM pet_words WHERE word = ''`).get(), undefined)
    db.close()
  }))
