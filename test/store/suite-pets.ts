/** Animals in a store: kept exactly, and paged as a plain search would. */
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import fc from 'fast-check'
import type { PetStatus } from '../../src/model/pet.ts'
import type { Page } from '../../src/store/store.ts'
import { byId, int64Max, int64Min, type Pet, petsOf, rex, type Subject, statuses } from './subject.ts'

const anyInt64 = fc.oneof(fc.constantFrom(int64Min, int64Max, 0n, 2n ** 53n + 1n), fc.bigInt(int64Min, int64Max))
const anyName = fc.string({ unit: 'binary', minLength: 1, maxLength: 80 }).filter((name) => !/^\s*$|\p{Cc}/u.test(name))
const anyPet = fc.record({ name: anyName, categoryId: anyInt64, status: fc.constantFrom(...statuses) })

export function petSuite(given: () => Subject): void {
  describe('animals', () => {
    test('an empty store has one empty page', async () => {
      assert.deepEqual(await given().store.pets.page({ after: 0, limit: 100 }), { json: '[]', next: undefined })
    })

    test('what was added is found, digit for digit and character for character', async () => {
      await fc.assert(
        fc.asyncProperty(anyPet, async (pet) => {
          const added = await given().add(pet)
          assert.deepEqual(await given().found(added.id), added)
        }),
      )
    })

    for (const categoryId of [int64Min, int64Min + 1n, -1n, 0n, 2n ** 53n, 2n ** 53n + 1n, int64Max - 1n, int64Max])
      test(`category ${categoryId} is exact, in the answer and as a filter`, async () => {
        const added = await given().add({ ...rex, categoryId })
        assert.deepEqual(await given().found(added.id), added)
        assert.deepEqual(await given().walk({ categoryId }), given().matching({ categoryId }))
      })

    for (const name of [
      '  Rex  ',
      'e\u0301',
      '\u00e9',
      '"\\/\u2028\u2029',
      "'; DROP TABLE pets; --",
      '%_$1',
      '👩‍👩‍👧',
      '\u{10ffff}',
      'x'.repeat(1024),
    ])
      test(`the name ${JSON.stringify(name.slice(0, 24))} is kept verbatim`, async () => {
        const { id } = await given().add({ ...rex, name })
        assert.equal((await given().found(id))?.name, name)
      })

    test('ids rise, from above zero and below 2^53', async () => {
      let last = 0n
      for (let i = 0; i < 20; i++) {
        const { id } = await given().add()
        assert.ok(id > last && id < 2n ** 53n)
        last = id
      }
    })

    test('an id nobody has is not found', async () => {
      const last = given().all().at(-1)?.id ?? 0n
      for (const id of [0n, -1n, last + 1_000_000n, 2n ** 53n, int64Min, int64Max])
        assert.equal(await given().store.pets.find(id), undefined, String(id))
    })

    test('many added at once all get ids of their own and are all found', async () => {
      const added = await Promise.all(Array.from({ length: 500 }, () => given().add({ ...rex, categoryId: 500n })))
      assert.equal(new Set(added.map((pet) => pet.id)).size, 500)
      assert.deepEqual(await given().walk({ categoryId: 500n }), added.toSorted(byId))
    })
  })
}

export function pageSuite(given: () => Subject): void {
  describe('pages', () => {
    const categories = [1n, 2n, -7n, int64Max]
    before(async () => {
      for (let i = 0; i < 60; i++)
        await given().add({
          name: `page ${i}`,
          categoryId: categories[i % categories.length] as bigint,
          status: statuses[i % statuses.length] as PetStatus,
        })
    })

    // Places in the model rather than ids: which ids there are is known only when the query is made.
    const place = fc.oneof(fc.constant(-1), fc.nat(1000))
    const idAt = (at: number): bigint => given().all()[at % given().model.length]?.id ?? 0n
    const filters = {
      status: fc.constantFrom(...statuses),
      categoryId: fc.oneof(fc.constantFrom(...categories), anyInt64),
      ids: fc.array(fc.oneof(place, anyInt64), { minLength: 1, maxLength: 100 }),
    }
    type Name = keyof typeof filters
    let combinations: Name[][] = [[]]
    for (const name of Object.keys(filters) as Name[])
      combinations = combinations.flatMap((names) => [names, [...names, name]])
    for (const names of combinations)
      test(`by ${names.join(' and ') || 'no filter'} are what a plain search gives`, () => {
        const used = fc.record(filters, { requiredKeys: names }).map((values) => ({
          ...(names.includes('status') && { status: values.status }),
          ...(names.includes('categoryId') && { categoryId: values.categoryId }),
          ...(names.includes('ids') && { places: values.ids }),
        }))
        const property = fc.asyncProperty(
          place,
          fc.integer({ min: 1, max: 100 }),
          used,
          async (start, limit, { places, ...rest }) => {
            const from = idAt(start)
            const ids = places?.map((at) => (typeof at === 'number' ? idAt(at) : at))
            const rows = given().matching({ ...rest, ids }, from)
            const page = await given().store.pets.page({ after: Number(from), limit, ...rest, ids })
            assert.deepEqual(petsOf(page.json), rows.slice(0, limit))
            assert.equal(page.next, rows.length > limit ? Number(rows[limit - 1]?.id) : undefined)
          },
        )
        return fc.assert(property, { numRuns: 60 })
      })

    test('many asked for at once are each the one that was asked for', async () => {
      const asked = given()
        .all()
        .flatMap(({ id, categoryId }) => [
          { after: Number(id), limit: 3 },
          { after: Number(id), limit: 4 },
          { after: Number(id), limit: 3, categoryId },
          { after: 0, limit: 3, categoryId, status: 'sold' as const },
        ])
      const pages = await Promise.all(asked.map((query) => given().store.pets.page(query)))
      for (const [i, { after, limit, ...filters }] of asked.entries())
        assert.deepEqual(petsOf(pages[i]?.json ?? ''), given().matching(filters, BigInt(after)).slice(0, limit))
    })

    for (const limit of [1, 7, 100])
      test(`of ${limit}, walked to the end, show every animal once and in order`, async () => {
        assert.deepEqual(await given().walk({}, limit), given().all())
      })

    test('walked while animals are added miss none that stood at the start and show none twice', async () => {
      const stood = given().all()
      const adding: Promise<Pet>[] = []
      const seen: bigint[] = []
      let next: number | undefined = 0
      // The walk ends: it takes 20 a step, and only 3 are added.
      while (next !== undefined) {
        for (let i = 0; i < 3; i++) adding.push(given().add())
        const page: Page = await given().store.pets.page({ after: next, limit: 20 })
        await adding.at(-1)
        seen.push(...petsOf(page.json).map((pet) => pet.id))
        next = page.next
      }
      await Promise.all(adding)
      assert.ok(
        seen.every((id, i) => i === 0 || id > (seen[i - 1] as bigint)),
        'in order, and none twice',
      )
      const shown = new Set(seen)
      assert.ok(
        stood.every((pet) => shown.has(pet.id)),
        'none missed',
      )
    })
  })
}
