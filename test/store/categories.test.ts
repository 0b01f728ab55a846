/** Categories that are created by name alone: which names count as the same, and which numbers the categories get. */
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import fc from 'fast-check'
import { databases } from '../../harness/databases.ts'
import { faultsIn } from '../../harness/faults.ts'
import { withStores } from '../../harness/in-process.ts'
import { releasePostgres } from '../../harness/postgres.ts'
import { runOf } from '../../harness/random.ts'
import { times } from '../../harness/scope.ts'
import { runSql } from '../../harness/sql.ts'
import type { CategoryTable, Store } from '../../src/store/store.ts'
import { rex } from './subject.ts'

after(releasePostgres)

const int64Max = 2n ** 63n - 1n
const tops = [999n, 10n ** 6n - 1n, 10n ** 9n - 1n, 10n ** 12n - 1n, 10n ** 15n - 1n]

/**
 * The rule in other words: the number after the highest number with at most this many digits, if it has as many digits
 * at most.
 */
function expectedNumber(used: readonly bigint[]): bigint {
  for (const digits of [3, 6, 9, 12, 15]) {
    const short = used.filter((number) => number > 0n && String(number).length <= digits)
    const next = short.reduce((highest, number) => (number > highest ? number : highest), 0n) + 1n
    if (String(next).length <= digits) return next
  }
  let lowest = 1n
  while (used.includes(lowest)) lowest++
  return lowest
}

const idOf = async (categories: CategoryTable, name: string): Promise<bigint> => (await categories.create(name)).id

for (const database of databases)
  describe(`a category that is made by its name, on ${database.name}`, () => {
    test(`A category made by its name is the existing one with that name, compared like a search, on ${database.name} [decision 13]`, () =>
      withStores(database, 1, async ([store]) => {
        const { categories } = store
        assert.deepEqual(await categories.create('Guinea pigs', 'desk'), {
          id: 1n,
          json: '{"id":1,"name":"Guinea pigs"}',
          isNew: true,
        })
        const known = { id: 1n, json: '{"id":1,"name":"Guinea pigs"}' }
        for (const name of ['Guinea pigs', ' GUÍNEA-pigs! ', 'ｇｕｉｎｅａ　ｐｉｇｓ']) {
          assert.deepEqual(await categories.create(name), { ...known, isNew: false })
          assert.deepEqual(await categories.findNamed(name), known)
        }
        // The beginning of a word does not match it, and the order and number of words count.
        for (const [i, name] of ['Guinea', 'Guinea pig', 'pigs, Guinea', 'Guinea pigs pigs', '豚', '豚豚'].entries()) {
          assert.equal(await categories.findNamed(name), undefined)
          assert.equal(await idOf(categories, name), BigInt(i + 2), name)
        }
        assert.deepEqual(await faultsIn(store), [])
      }))

    test(`A category whose name has no letter and no digit is matched exactly, on ${database.name} [decision 13]`, () =>
      withStores(database, 1, async ([{ categories }]) => {
        const names = ['🐕', '🐈', ' 🐕', '🐕 ', '"\\"', '"\\', '-']
        for (const [i, name] of names.entries()) assert.equal(await idOf(categories, name), BigInt(i + 1), name)
        for (const [i, name] of names.entries()) assert.equal(await idOf(categories, name), BigInt(i + 1), name)
      }))

    test(`A category whose name is too long to be searched completely is matched exactly, on ${database.name} [decision 13]`, () =>
      withStores(database, 1, async ([store]) => {
        const long = ['a'.repeat(64), 'ก'.repeat(64), '𐐨'.repeat(32), `a${'𐐨'.repeat(31)}`, 'ﷺ '.repeat(230)]
        const names = long.flatMap((name) => [name, `${name}1`, `${name}2`])
        for (const [i, name] of names.entries()) assert.equal(await idOf(store.categories, name), BigInt(i + 1), name)
        for (const [i, name] of names.entries()) assert.equal(await idOf(store.categories, name), BigInt(i + 1), name)
        // The search sees the last of these as a different name.
        assert.equal(await idOf(store.categories, 'ﷺ'), BigInt(names.length + 1))
        // These names are short enough.
        const last = BigInt(names.length + 2)
        for (const name of ['a'.repeat(62), 'A'.repeat(62)]) assert.equal(await idOf(store.categories, name), last)
        assert.deepEqual(await faultsIn(store), [])
      }))

    test(`A category made by its name may have a name of any length, on ${database.name} [decision 13]`, () =>
      withStores(database, 1, async ([{ categories }]) => {
        // The characters differ, because PostgreSQL would compress equal ones.
        const long = (from: number) => String.fromCodePoint(...Array.from({ length: 1_024 }, (_, i) => from + i))
        const names = [long(0x20000), `${long(0x20000).slice(0, -2)}x`, long(0x1f300), `${long(0x1f300).slice(0, -2)}.`]
        for (const [i, name] of names.entries()) assert.equal(await idOf(categories, name), BigInt(i + 1))
        for (const [i, name] of names.entries()) assert.equal(await idOf(categories, name), BigInt(i + 1))
      }))

    test(`Among several categories with one name, the exact spelling wins, then the lowest number, on ${database.name} [decision 13]`, () =>
      withStores(database, 1, async ([store], url) => {
        const { categories } = store
        for (const [id, name] of [
          [7n, 'dogs'],
          [-5n, 'DOGS'],
          [int64Max, 'Dögs'],
          [9n, 'dogs'],
        ] as const)
          await categories.put(id, name, undefined)
        const found: bigint[] = []
        for (const name of ['Dogs', 'dogs', 'Dögs']) found.push(await idOf(categories, name))
        assert.deepEqual(found, [-5n, 7n, int64Max])
        await categories.put(-5n, 'Cats', undefined)
        await categories.remove(7n, undefined)
        assert.deepEqual(await Promise.all(['Dogs', 'cats'].map((name) => idOf(categories, name))), [9n, -5n])
        assert.deepEqual(await faultsIn(store), [])
        await runSql(url, `UPDATE categories SET name = 'Birds' WHERE id = 9`)
        assert.deepEqual(await faultsIn(store), ['Category 9 has other words than its name.'])
      }))

    test(`A category made by its name gets a short number that no category and no animal has, on ${database.name} [decision 13]`, (t) =>
      withStores(database, 1, async ([{ categories, pets }], url) => {
        const { seed } = runOf(t)
        const near = tops.flatMap((top) => [top - 1n, top, top + 1n])
        const number = fc.oneof(
          { weight: 3, arbitrary: fc.constantFrom(...tops, ...near) },
          { weight: 3, arbitrary: fc.constantFrom(1n, 2n, 3n, 4n, 6n, 998n) },
          { weight: 1, arbitrary: fc.constantFrom(0n, -1n, -999n, -int64Max - 1n, int64Max, 2n ** 53n) },
          { weight: 1, arbitrary: fc.bigInt({ min: -int64Max - 1n, max: int64Max }) },
        )
        const numbers = fc.array(number, { maxLength: 4 })
        // The last number of each range is used, so that a gap must be found.
        const full = fc.tuple(fc.boolean(), numbers).map(([isFull, list]) => [...(isFull ? tops : []), ...list])
        const property = fc.asyncProperty(full, numbers, async (ofNames, ofAnimals) => {
          await runSql(url, 'DELETE FROM pets; DELETE FROM categories')
          for (const id of ofNames) await categories.put(id, `Kind ${id}`, undefined)
          for (const categoryId of ofAnimals) await pets.insert({ ...rex, categoryId }, undefined)
          const used = [...ofNames, ...ofAnimals]
          for (const name of ['Dogs', 'Cats', 'Birds']) {
            const expected = expectedNumber(used)
            assert.equal(await idOf(categories, name), expected, `${used}`)
            used.push(expected)
          }
        })
        await fc.assert(property, { numRuns: times(300, 12), seed })
      }))

    test(`A category made by its name does not get a number that the caller keeps free, on ${database.name} [decision 13]`, () =>
      withStores(database, 1, async ([{ categories }]) => {
        const others = new Map([
          [1_000n, 999n],
          [1_000_000n, 41_000n],
        ])
        assert.equal((await categories.create('Dogs', undefined, others)).id, 41_001n)
        assert.equal(await idOf(categories, 'Cats'), 1n)
      }))

    test(`A category made by its name does not get the number of one that is named at the same moment, on ${database.name} [decision 13]`, () =>
      withStores(database, 3, async ([first, ...others]) => {
        const [second, third] = others as [Store, Store]
        for (let i = 1n; i <= 20n; i++) {
          const [put, one, other] = await Promise.all([
            first.categories.put(i * 3n - 2n, `Put ${i}`, undefined),
            second.categories.create(`One ${i}`),
            third.categories.create(`Other ${i}`),
          ])
          assert.ok(typeof put === 'object')
          // If the name came first, the number was named twice. Otherwise it was not used.
          assert.ok(one.isNew && other.isNew && one.id !== other.id)
          assert.equal(put.isNew, ![one.id, other.id].includes(i * 3n - 2n))
          const { json } = await first.categories.page({ after: undefined, limit: 100 })
          const names = JSON.parse(json) as { id: number; name: string }[]
          assert.ok(names.some(({ id, name }) => id === Number(i * 3n - 2n) && name === `Put ${i}`))
        }
      }))
  })
