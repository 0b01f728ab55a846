/** Searching for animals: what a plain comparison of words gives, whatever is renamed, removed or imported. */
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import fc from 'fast-check'
import { type PetStatus, searchWordsOf } from '../../src/model/pet.ts'
import { runCheck } from '../../src/store/checks.ts'
import { petOf, petsOf, rex, rowOf, type Subject, statuses } from './subject.ts'

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
const anyName = fc
  .array(fc.constantFrom(...parts), { minLength: 1, maxLength: 4 })
  .chain((words) => fc.constantFrom(' ', '-', '').map((gap) => words.join(gap)))
const anySearch = fc
  .array(
    fc.constantFrom(...parts, 'b', 'm', 'bell', '1 9', 'x'.repeat(64), "' | 'max", '!bella', 'a:* OR 1=1', 'qqq'),
    { minLength: 1, maxLength: 3 },
  )
  .map((words) => searchWordsOf(words.join(' ')))
  .filter((words) => words.length > 0)

export function searchSuite(given: () => Subject): void {
  describe('a search', () => {
    const categories = [1n, 77n]
    before(async () => {
      const names = fc.sample(anyName, { numRuns: 120, seed: 7 })
      const batch = names.map((name, i) =>
        given().add({ name, categoryId: categories[i % 2] as bigint, status: statuses[i % 3] as PetStatus }),
      )
      await Promise.all(batch)
    })

    const place = fc.oneof(fc.constant(-1), fc.nat(1000))
    const idAt = (at: number): bigint => given().all()[at % given().model.length]?.id ?? 0n
    const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined })

    test('finds what a plain comparison finds, with all filters, in both orders and pages of any size [D29]', async () => {
      const property = fc.asyncProperty(
        fc.record({
          search: anySearch,
          status: optional(fc.constantFrom(...statuses)),
          categoryId: optional(fc.constantFrom(...categories, 5n)),
          places: optional(fc.array(place, { minLength: 1, maxLength: 100 })),
          isDescending: fc.boolean(),
        }),
        optional(place),
        fc.constantFrom(1, 2, 7, 100),
        async ({ places, ...filters }, start, limit) => {
          const ids = places?.map(idAt)
          const after = start === undefined ? undefined : Number(idAt(start))
          const { isDescending } = filters
          const rows = given()
            .matching({ ...filters, ids })
            .filter(({ id }) => after === undefined || (isDescending ? id < after : id > after))
          if (isDescending) rows.reverse()
          assert.deepEqual(await given().walk({ ...filters, ids, after }, limit), rows)
        },
      )
      await fc.assert(property, { numRuns: 300 })
    })

    test('finds an animal at once when it is added or renamed, and no more when it is renamed or removed', async () => {
      const found = async (search: string) =>
        (await given().walk({ search: searchWordsOf(search) })).map(({ id }) => id)
      const { id } = await given().add({ ...rex, name: 'Kunigunde Zwei' })
      assert.deepEqual(await found('zwei kuni'), [id])
      const renamed = async (name: string) => {
        const json = rowOf((await given().store.pets.update(id, { name }, undefined)) ?? assert.fail()).json
        given().model.splice(
          given().model.findIndex((pet) => pet.id === id),
          1,
          petOf(json),
        )
      }
      await renamed('Kunigunde 🐶 Drei')
      assert.deepEqual(await found('zwei'), [])
      assert.deepEqual(await found('kunigunde drei'), [id])
      await given().store.pets.update(id, { status: 'sold', categoryId: 3n }, undefined)
      assert.deepEqual(await found('kunigunde drei'), [id])
      await renamed('🐶')
      assert.deepEqual(await found('kunigunde'), [])
      await renamed('Zwei 2')
      assert.deepEqual(await found('zwei 2'), [id])
      await given().store.pets.remove(id, undefined)
      given().model.splice(
        given().model.findIndex((pet) => pet.id === id),
        1,
      )
      assert.deepEqual(await found('zwei'), [])
    })

    test('finds an animal that was added with an idempotency key, and one that was imported', async () => {
      rowOf(await given().claim({ ...rex, name: 'Ottokar eins' }, await given().newClaim()))
      const state = await given().store.imports.begin('search', false, undefined)
      await given().store.imports.add(
        'search',
        state,
        [
          ['Ottokar zwei', '1', 'sold'],
          ['🐶', '1', 'sold'],
          ['Ottokar drei', '1', 'sold'],
        ],
        3,
      )
      const { json } = await given().store.pets.page({ after: undefined, limit: 10, search: ['ottokar'] })
      assert.deepEqual(
        petsOf(json).map(({ name }) => name),
        ['Ottokar eins', 'Ottokar zwei', 'Ottokar drei'],
      )
      const all = petsOf((await given().store.pets.page({ after: Number(given().all().at(-1)?.id), limit: 100 })).json)
      given().model.push(...all)
    })

    test('leaves nothing for a check to find', async () => {
      const faults: string[] = []
      for (const check of given().store.inspection.checks)
        await runCheck(
          given().store.inspection,
          check,
          (fault) => faults.push(fault),
          () => {},
        )
      assert.deepEqual(faults, [])
    })
  })
}
