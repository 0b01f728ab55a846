/**
 * Tests of animals in a store that the model (harness/model) does not cover. Animals are stored exactly, and paged and
 * searched like in a plain comparison.
 */
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import fc from 'fast-check'
import { times } from '../../harness/scope.ts'
import type { PetStatus } from '../../src/model/pet.ts'
import { searchWordsOf } from '../../src/model/words.ts'
import { int64Max, int64Min, matching, type Pet, petsOf, rex, rowOf, type Subject, statuses, walk } from './subject.ts'

const anyInt64 = fc.oneof(
  fc.constantFrom(int64Min, int64Min + 1n, -1n, 0n, 2n ** 53n, 2n ** 53n + 1n, int64Max - 1n, int64Max),
  fc.bigInt(int64Min, int64Max),
)
/** Names that are hard to store unchanged. */
const names = [
  '  Rex  ',
  'e\u0301',
  '\u00e9',
  '"\\/\u2028\u2029',
  "'; DROP TABLE pets; --",
  '%_$1',
  'x'.repeat(1024),
  '\u{10ffff}',
  '\u00a0a',
  '👩‍👩‍👧',
]

/** Parts of names that are hard to search for. */
const parts = [
  'Bella',
  'be',
  'BÉLLE',
  'Max',
  '199',
  '19',
  '1',
  'ma',
  '猫',
  '犬猫',
  'ミー',
  'ς',
  'Σ',
  'ﬁ',
  '🐶',
  '%',
  "'",
  '"',
  '\\',
  ':*',
  '&',
  '\u{10ffff}',
  'x'.repeat(70),
]
const hardName = fc
  .array(fc.constantFrom(...parts), { minLength: 1, maxLength: 4 })
  .chain((words) => fc.constantFrom(' ', '-', '').map((gap) => words.join(gap)))
const anySearch = fc
  .array(
    fc.constantFrom(...parts, 'b', 'm', 'bell', '1 9', 'x'.repeat(64), "' | 'max", '!bella', 'a:* OR 1=1', 'qqq'),
    { minLength: 1, maxLength: 3 },
  )
  .map((words) => searchWordsOf(words.join(' ')))
  .filter((words) => words.length > 0)

const categories = [1n, 2n ** 53n + 1n, int64Min, int64Max]

export function petSuite(given: () => Subject): void {
  describe('pages of animals', () => {
    /** All animals in the store. */
    const all: Pet[] = []
    before(async () => {
      all.push(...(await walk(given().store, {})).seen)
      const added = [...names, ...fc.sample(hardName, { numRuns: 120, seed: 7 })].map(async (name, i) => {
        const pet = { name, categoryId: categories[i % 4] as bigint, status: statuses[i % 3] as PetStatus }
        const { id, json } = rowOf(await given().store.pets.insert(pet, undefined))
        assert.deepEqual(petsOf(`[${json}]`), [{ id: BigInt(id), ...pet }])
        assert.equal(await given().store.pets.find(BigInt(id)), json)
        return { id: BigInt(id), ...pet }
      })
      all.push(...(await Promise.all(added)).toSorted((a, b) => Number(a.id - b.id)))
    })

    // Positions among the animals, because the ids are known only when the query is made.
    const place = fc.oneof(fc.constant(-1), fc.nat(1000))
    const idAt = (at: number): bigint => all[at % all.length]?.id ?? 0n
    const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined })

    test('Pages of animals with any filters, in both directions and of any size, equal a plain comparison [decision 7]', () =>
      fc.assert(
        fc.asyncProperty(
          fc.record({
            search: optional(anySearch),
            status: optional(fc.constantFrom(...statuses)),
            categoryId: optional(fc.oneof(fc.constantFrom(...categories), anyInt64)),
            places: optional(fc.array(fc.oneof(place, anyInt64), { minLength: 1, maxLength: 100 })),
            isDescending: fc.boolean(),
          }),
          optional(place),
          fc.constantFrom(1, 2, 7, 60, 100),
          async ({ places, ...filters }, start, limit) => {
            const ids = places?.map((at) => (typeof at === 'number' ? idAt(at) : at))
            const after = start === undefined ? undefined : Number(idAt(start))
            const query = { ...filters, ids, after }
            const rows = matching(all, query)
            // A search may end a page early.
            if (filters.search) return assert.deepEqual((await walk(given().store, query, limit)).seen, rows)
            const page = await given().store.pets.page({ ...query, limit })
            assert.deepEqual(petsOf(page.json), rows.slice(0, limit))
            assert.equal(page.next, rows.length > limit ? Number(rows[limit - 1]?.id) : undefined)
          },
        ),
        { numRuns: times(400, 100) },
      ))

    test('Concurrent requests for many animals each return the requested one', async () => {
      const asked = all.flatMap(({ id, categoryId }) => [
        { after: Number(id), limit: 3 },
        { after: Number(id), limit: 4 },
        { after: Number(id), limit: 3, categoryId },
        { after: 0, limit: 3, categoryId, status: 'sold' as const },
      ])
      const pages = await Promise.all(asked.map((query) => given().store.pets.page(query)))
      for (const [i, query] of asked.entries())
        assert.deepEqual(petsOf(pages[i]?.json ?? ''), matching(all, query).slice(0, query.limit))
    })
  })

  test('A search finds an animal immediately after it is added, renamed or imported, and no longer by its old name', async () => {
    const { pets, imports } = given().store
    const found = async (search: string) =>
      (await walk(given().store, { search: searchWordsOf(search) })).seen.map(({ id }) => Number(id))
    const { id } = rowOf(await pets.insert({ ...rex, name: 'Kunigunde Zwei' }, undefined))
    const change = (changes: Parameters<typeof pets.update>[1]) => pets.update(BigInt(id), changes, undefined)
    assert.deepEqual(await found('zwei kuni'), [id])
    await change({ name: 'Kunigunde 🐶 Drei' })
    assert.deepEqual([await found('zwei'), await found('kunigunde drei')], [[], [id]])
    await change({ status: 'sold', categoryId: 3n })
    assert.deepEqual(await found('kunigunde drei'), [id])
    await change({ name: '🐶' })
    assert.deepEqual(await found('kunigunde'), [])
    await change({ name: 'Zwei 2' })
    assert.deepEqual(await found('zwei 2'), [id])
    await pets.remove(BigInt(id), undefined)
    assert.deepEqual(await found('zwei'), [])

    const claimed = rowOf(await pets.insert({ ...rex, name: 'Ottokar eins' }, await given().newClaim()))
    const state = await imports.begin('search', false)
    const imported = ['Ottokar zwei', '🐶', 'Ottokar drei'].map((name) => [name, '1', 'sold'] as const)
    await imports.add('search', state, imported, 3)
    const [two, , three] = petsOf((await pets.page({ after: claimed.id, limit: 100 })).json)
    assert.deepEqual(await found('ottokar'), [claimed.id, Number(two?.id), Number(three?.id)])
  })

  test('A search ignores strokes and ligatures, in the name and in the search text [decision 7]', async () => {
    const names = ['Søren', 'Soren', 'Łucja', 'Lucja', 'Straße', 'Strasse', 'Æsop', 'Aesop']
    const { pets } = given().store
    const ids: number[] = []
    for (const name of names) ids.push(rowOf(await pets.insert({ ...rex, name }, undefined)).id)
    for (const [search, place] of Object.entries({
      søren: 0,
      soren: 0,
      łucj: 2,
      lucja: 2,
      straß: 4,
      strass: 4,
      æ: 6,
      aes: 6,
    })) {
      const { seen } = await walk(given().store, { search: searchWordsOf(search) })
      assert.deepEqual(seen.map(({ id }) => Number(id)).slice(-2), ids.slice(place, place + 2), search)
    }
  })
}
