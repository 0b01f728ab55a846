/** What every store must do with the names of categories and the counts of animals. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseJson } from '../../src/schema/json.ts'
import type { Page } from '../../src/store/store.ts'
import { faultsIn } from '../support/faults.ts'
import { int64Max, int64Min, rex, type Subject } from './subject.ts'

/** All rows of a list, page by page, each as its text. */
async function walk(read: (after: bigint | undefined) => Page<bigint> | Promise<Page<bigint>>): Promise<string[]> {
  const rows: string[] = []
  let after: bigint | undefined
  do {
    const { json, next }: Page<bigint> = await read(after)
    const found = parseJson(json).value as Map<string, unknown>[]
    rows.push(...found.map((row) => [...row.values()].map(String).join(' ')))
    after = next
  } while (after !== undefined)
  return rows
}

const ids = [int64Min, -(2n ** 53n) - 1n, -1n, 0n, 7n, 2n ** 53n + 1n, int64Max]

export function inventorySuite(subject: () => Subject): void {
  test('names of categories are kept for the whole range of int64, and listed in order of the id', async () => {
    const { categories } = subject().store
    for (const id of ids.toReversed())
      assert.deepEqual(await categories.put(id, `"\\ ${id}`, undefined), {
        json: `{"id":${id},"name":"\\"\\\\ ${id}"}`,
        isNew: true,
      })
    assert.deepEqual(await categories.put(7n, 'Dogs', undefined), { json: '{"id":7,"name":"Dogs"}', isNew: false })
    assert.equal(await categories.find(7n), '{"id":7,"name":"Dogs"}')
    const expected = ids.map((id) => (id === 7n ? '7 Dogs' : `${id} "\\ ${id}`))
    for (const limit of [1, 2, 3, ids.length, 100])
      assert.deepEqual(await walk((after) => categories.page({ after, limit })), expected)
    for (const id of ids) assert.equal(await categories.remove(id, undefined), true)
    assert.equal(await categories.remove(7n, undefined), undefined)
    assert.equal(await categories.find(7n), undefined)
  })

  test('a name changes or goes only while it is the given version', async () => {
    const { categories } = subject().store
    assert.equal(await categories.put(1n, 'Dogs', '{"id":1,"name":"Cats"}'), 'precondition_failed')
    const first = await categories.put(1n, 'Dogs', undefined)
    assert.ok(typeof first === 'object')
    assert.deepEqual(await categories.put(1n, 'Cats', first.json), { json: '{"id":1,"name":"Cats"}', isNew: false })
    assert.equal(await categories.put(1n, 'Birds', first.json), 'precondition_failed')
    assert.equal(await categories.remove(1n, first.json), 'precondition_failed')
    assert.equal(await categories.remove(1n, '{"id":1,"name":"Cats"}'), true)
    assert.equal(await categories.remove(1n, first.json), undefined)
  })

  test('counts follow every change of an animal, and sales what was sold less what came back [D97]', async () => {
    const { pets, orders, inventory, categories } = subject().store
    const base = 4_000_000_000_000_000_000n
    const own = async () =>
      (await walk((after) => inventory.page({ after, limit: 2 }))).filter((row) => row.startsWith('4000000000000000'))
    const total = async () => JSON.parse(await inventory.total())
    const since = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)
    const sales = async () => {
      const days = await inventory.sales(since)
      return [days.reduce((sum, { added }) => sum + added, 0), days.reduce((sum, { sold }) => sum + sold, 0)]
    }
    const [before, [added = 0, sold = 0]] = [await total(), await sales()]
    const animal = { name: 'Rex', categoryId: base, status: 'available' as const }
    const [a, b] = [await subject().add(animal), await subject().add({ ...animal, status: 'sold' })]
    assert.deepEqual(await own(), [`${base} 1 0 1`])
    await pets.update(a.id, { categoryId: base + 1n, name: 'Max' }, undefined)
    assert.deepEqual(await own(), [`${base} 0 0 1`, `${base + 1n} 1 0 0`])
    await orders.place(a.id, 't', undefined)
    assert.deepEqual(await own(), [`${base} 0 0 1`, `${base + 1n} 0 1 0`])
    const { id } = JSON.parse((await orders.page({ after: 0, limit: 1, petId: a.id })).json)[0]
    await orders.move(BigInt(id), 'completed', 't')
    await pets.update(b.id, { name: 'Ada' }, undefined)
    assert.deepEqual(await own(), [`${base} 0 0 1`, `${base + 1n} 0 0 1`])
    // A sold animal that moves is not sold again; one that comes back and is sold again is.
    await pets.update(b.id, { categoryId: base + 1n }, undefined)
    await pets.update(b.id, { status: 'available' }, undefined)
    assert.deepEqual(await own(), [`${base + 1n} 1 0 1`])
    await pets.update(b.id, { status: 'sold' }, undefined)
    await categories.put(base, 'Dogs', undefined)
    assert.deepEqual(await own(), [`${base} Dogs 0 0 0`, `${base + 1n} 0 0 2`])
    await pets.remove(b.id, undefined)
    await categories.remove(base, undefined)
    assert.deepEqual(await sales(), [added + 2, sold + 1])
    await orders.move(BigInt(id), 'returned', 't')
    assert.deepEqual(await sales(), [added + 2, sold])
    await pets.update(a.id, { categoryId: 1n }, undefined)
    assert.deepEqual(await own(), [])
    subject().replace(b.id, undefined)
    subject().replace(a.id, { ...a, name: 'Max', categoryId: 1n, status: 'available' })
    assert.deepEqual(await total(), { ...before, available: before.available + 1 })
    assert.deepEqual(await faultsIn(subject().store), [])
  })

  test('what was counted so far can be dated anew; what comes later counts as usual', async () => {
    const { inventory } = subject().store
    await subject().add(rex)
    const days = [
      { day: '2020-01-31', added: 5, sold: 0 },
      { day: '2020-02-01', added: 0, sold: 2 },
    ]
    await inventory.setSales(days)
    const sales = async () => (await inventory.sales('2020-01-01')).toSorted((a, b) => (a.day < b.day ? -1 : 1))
    assert.deepEqual(await sales(), days)
    await subject().add(rex)
    const [first, second, today, ...more] = await sales()
    assert.deepEqual([first, second], days)
    assert.deepEqual([today?.added, today?.sold, more], [1, 0, []])
    assert.deepEqual(await faultsIn(subject().store), [])
  })
}
