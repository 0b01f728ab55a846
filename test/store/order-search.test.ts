/** Searches for orders, both with the tables of words and in steps. Each finds what a plain comparison finds. */
import assert from 'node:assert/strict'
import { describe } from 'node:test'
import fc from 'fast-check'
import { databases } from '../../harness/databases.ts'
import { faultsIn } from '../../harness/faults.ts'
import { withStores } from '../../harness/in-process.ts'
import { releasePostgres } from '../../harness/postgres.ts'
import { after, before, some, test, times } from '../../harness/scope.ts'
import { runSql } from '../../harness/sql.ts'
import { patient } from '../../harness/stores.ts'
import type { OrderStatus } from '../../src/model/order.ts'
import { wordsOf } from '../../src/model/words.ts'
import { openStore } from '../../src/store/open.ts'
import type { SearchLimits } from '../../src/store/search.ts'
import type { OrderQuery, Page, Store } from '../../src/store/store.ts'
import { systemTime } from '../../src/time.ts'
import { rowOf } from './subject.ts'

after(releasePostgres)

interface Order {
  readonly id: number
  readonly petId: number
  readonly name: string
  readonly reference: string | undefined
  readonly status: OrderStatus
}

/**
 * The ids have gaps, and some are beyond 2^40. Animal 7 has most of the orders, and animals with `Frei` in their names
 * have none.
 */
const animals = [...Array(60).keys()]
  .map((i) => (i < 55 ? 3 * i + 1 : 2 ** 40 + i))
  .map((id, i) => {
    const more = [i % 20 === 19 && 'Rarität', i % 20 === 2 && 'Viel', i % 3 === 1 && 'Frei'].filter(Boolean)
    return { id, name: [i % 2 ? 'Bella' : 'Max', id % 50, ...more].join(' ') }
  })
const references = [
  undefined,
  undefined,
  'Novák 555-0117',
  'Mrs Bell, 12',
  'novak',
  '１２ 0012',
  '١٢ 🐶',
  'berg 123 12a',
]

const orders: readonly Order[] = [...Array(200).keys()].map((i) => {
  const animal = animals[i % 3 ? 2 : i % 54] ?? assert.fail()
  return {
    id: i < 190 ? 2 * i + 1 : 2 ** 41 + i,
    petId: animal.id,
    name: animal.name,
    reference: i % 50 === 49 ? 'Seltenheit' : references[i % references.length],
    status: (['cancelled', 'returned', 'expired'] as const)[i % 3] ?? assert.fail(),
  }
})

const fill = ({ bulk }: Store): Promise<void> =>
  bulk.import(async (write) => {
    await write({ table: 'pets', rows: animals.map(({ id, name }) => [String(id), name, '1', 'available']) })
    const rows = orders.map(({ id, petId, status, reference = null }) => {
      const at = '2026-01-01T00:00:00.000Z'
      return [String(id), String(petId), status, reference, null, at, at, status === 'returned' ? at : null]
    })
    await write({ table: 'orders', rows })
    return { api_keys: 0, pets: 2 ** 41, orders: 2 ** 42, events: 0, webhooks: 0 }
  })

const openWith = (url: string, search?: SearchLimits): Promise<Store> =>
  openStore({ ...patient, url, connections: 5, schema: 'migrate', ...(search && { search }) })

/** The limits of the service, by which this shop is small, and limits by which words are rare, common, or either. */
const ways: Readonly<Record<string, SearchLimits | undefined>> = {
  'in either way': { rareMax: 5, rowsPerStep: 32, rowsPerPage: 96 },
  'by steps of a thousand orders': { rareMax: -1, rowsPerStep: 1_000, rowsPerPage: 1_000 },
  'by steps of seven orders': { rareMax: -1, rowsPerStep: 7, rowsPerPage: 21 },
  'in the tables of words alone': undefined,
  'by steps of four orders': { rareMax: -1, rowsPerStep: 4, rowsPerPage: 40 },
}

type Query = Partial<Omit<OrderQuery, 'limit' | 'search'>> & { readonly search: string }
const wordsIn = ({ search, ...query }: Query) => ({ ...query, search: wordsOf(search) })

/** Returns the ids that a plain comparison finds. */
function matching(query: Query, all: readonly Order[] = orders): number[] {
  const { status, petId, reference, search, after, isDescending } = query
  const found = all.filter((order) => {
    const words = wordsOf(`${order.reference ?? ''} ${order.name}`)
    const isFound = (each: string) =>
      words.some((word) => word.startsWith(each)) || each === String(order.id) || each === String(order.petId)
    return (
      (after === undefined || (isDescending ? order.id < after : order.id > after)) &&
      wordsOf(search).every(isFound) &&
      (status === undefined || order.status === status) &&
      (petId === undefined || BigInt(order.petId) === petId) &&
      (reference === undefined || order.reference === reference)
    )
  })
  const ids = found.map(({ id }) => id)
  return isDescending ? ids.reverse() : ids
}

/** Returns the ids that the pages show, one after another. */
async function walk({ orders }: Store, query: Query, limit = 100): Promise<number[]> {
  const seen: number[] = []
  let next: number | undefined = query.after
  for (let pages = 0; pages < 2_500; pages++) {
    const page: Page = await orders.page({ ...wordsIn(query), after: next, limit })
    const ids: number[] = JSON.parse(page.json).map(({ id }: { id: number }) => id)
    assert.ok(ids.length <= limit)
    const isFurther = (to: number, from: number) => (query.isDescending ? to < from : to > from)
    assert.ok(
      page.next === undefined || next === undefined || isFurther(page.next, next),
      'the next page is further on',
    )
    seen.push(...ids)
    next = page.next
    if (next === undefined) return seen
  }
  return assert.fail('the pages have no end')
}

/**
 * Words of references, of names, and of both; numbers of orders, of animals, and of neither; and digits of other
 * scripts.
 */
const searches = [
  ...[
    'novak',
    'NOVÁK bella',
    'b',
    'bell',
    'bell 12',
    'max raritat',
    'seltenheit',
    'selten max 7',
    'nobody',
    'nov nova',
  ],
  ...['1', '7', '13', '12', '12 123', '13 7', '133 133', '12a', '012', '0', '00', '１３', '١٢', '4398046511303'],
  ...['9007199254740993', '9'.repeat(40), 'b m', '5 55 555 0117 nov', `${orders[60]?.id} ${orders[60]?.petId}`],
  // No word begins with 67, which is an order for animal 100, or with 82 or 100, which are only animals.
  ...['67', '067', '100', '0100', '82', '67 100', '67 82', 'bella 100', '100 novak 67', '67 0100', '6', '8'],
]
const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined })
const anyQuery = fc.record({
  search: fc.oneof(
    fc.constantFrom(...searches),
    fc
      .array(fc.constantFrom('bella', 'max', 'n', '1', '12', '7', '5', '67', '100'), { minLength: 1 })
      .map((words) => words.join(' ')),
  ),
  status: optional(fc.constantFrom('cancelled' as const, 'returned' as const, 'completed' as const)),
  petId: optional(fc.constantFrom(7n, 1n, 13n, 2n)),
  reference: optional(fc.constantFrom('novak', 'Seltenheit', 'nobody')),
  isDescending: fc.boolean(),
  after: optional(fc.constantFrom(...orders.map(({ id }) => id), 2 ** 30, 2 ** 43)),
})

for (const database of databases)
  describe(`a search for orders on ${database.name}`, () => {
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
      test(`${way} finds the same orders as a plain comparison, in both directions, with all filters, on ${database.name} [decision 7]`, async () => {
        assert.deepEqual(await faultsIn(storeOf(way)), [])
        for (const [i, search] of searches.entries()) {
          const query = { search, isDescending: i % 2 > 0 }
          assert.deepEqual(await walk(storeOf(way), query, 13), matching(query), search)
        }
        const property = fc.asyncProperty(anyQuery, fc.constantFrom(1, 13, 100), async (query, limit) => {
          assert.deepEqual(await walk(storeOf(way), query, limit), matching(query))
        })
        await fc.assert(property, { numRuns: times(200, 5) })
      })

    test(`A search for orders by common words reads a bounded number of orders per page, and the next page continues, on ${database.name} [decision 7]`, async () => {
      const { orders } = storeOf('by steps of seven orders')
      for (const [filters, words, rows] of [
        [{}, 2, 21],
        [{ status: 'returned' }, 2, 21],
        [{ petId: 7n }, 2, 21],
        [{ petId: 7n, status: 'returned', isDescending: true }, 2, 21],
        // Each word is compared, so a step of three or four words reads half as many orders.
        [{}, 3, 12],
        [{}, 100, 3],
      ] as const) {
        const search = ['bella', 'nobody', ...Array.from({ length: words - 2 }, () => 'b')]
        const page = await orders.page({ after: undefined, limit: 5, search, ...filters })
        const read = matching({ search: '', ...filters })
        assert.deepEqual(page, { json: '[]', next: read[rows - 1] }, `${words} words ${Object.keys(filters)}`)
      }
    })

    test(`A search for orders looks up a word only if few orders and few names contain it, on ${database.name} [decision 7]`, async () => {
      for (const [search, rareMax, isLookedUp] of [
        ['seltenheit', 4, true],
        ['seltenheit', 3, false],
        ['raritat', 8, true],
        ['raritat', 2, false],
        // Animal 7 has most of the orders. Here they are found by its number and by its name.
        ['7', 2_000, true],
        ['7', 50, false],
        ['viel', 2_000, true],
        ['viel', 50, false],
        // Twenty animals have no orders.
        ['frei', 20, true],
        ['frei', 19, false],
        // Only the eight longest words are counted.
        ['m ma max 7 v vi vie viel seltenheit', 4, true],
      ] as const) {
        const store = await openWith(url, { rareMax, rowsPerStep: 1, rowsPerPage: 2 })
        const page = await store.orders.page({ ...wordsIn({ search }), after: undefined, limit: 300 })
        assert.equal(page.next === undefined, isLookedUp, `${search} ${rareMax}`)
        const ids = JSON.parse(page.json).map(({ id }: { id: number }) => id)
        if (isLookedUp) assert.deepEqual(ids, matching({ search }), search)
        await store.close()
      }
    })

    for (const target of databases)
      test(`A search for orders finds the same in a copy on ${target.name}, and changes there immediately, on ${database.name} [decision 7]`, () =>
        withStores(target, 1, async ([copy]) => {
          await copy.bulk.import((write) => storeOf('in either way').bulk.export(write))
          assert.deepEqual(await faultsIn(copy), [])
          for (const search of ['seltenheit', 'bell 12', '7'])
            assert.deepEqual(await walk(copy, { search }), matching({ search }))
          const placed = rowOf(await copy.orders.place({ petId: 1n, reference: 'Ünal 0815' }, undefined))
          const bare = rowOf(await copy.orders.place({ petId: 4n }, undefined))
          const [first] = orders
          assert.deepEqual(await walk(copy, { search: 'unal' }), [placed.id])
          assert.deepEqual(await walk(copy, { search: `${bare.id}` }), [bare.id])
          await copy.pets.update(1n, { name: 'Waldi' }, undefined)
          await copy.orders.update(BigInt(placed.id), { reference: 'Peña' })
          await copy.orders.update(BigInt(first?.id ?? 0), { reference: 'Peñafiel' })
          await copy.orders.move(BigInt(bare.id), 'completed')
          const ofWaldi = orders.filter(({ petId }) => petId === 1).map(({ id }) => id)
          assert.deepEqual(await walk(copy, { search: 'wald' }), [...ofWaldi, placed.id])
          assert.deepEqual(await walk(copy, { search: 'unal' }), [])
          assert.deepEqual(await walk(copy, { search: 'pena' }), [first?.id, placed.id])
          assert.deepEqual(await faultsIn(copy), [])
        }))

    test(`petstore check finds orders that a search finds by a wrong word or misses by a right one, on ${database.name}`, () =>
      withStores(database, 1, async ([store], url) => {
        await fill(store)
        const stray = `Order 9 is found by be, which is not in its reference.`
        for (const [spoil, mend, fault] of [
          [
            `DELETE FROM order_words WHERE word = 'novak' AND order_id = 9`,
            `INSERT INTO order_words VALUES ('novak', 9)`,
            'Order 9 is not found by novak.',
          ],
          [`INSERT INTO order_words VALUES ('be', 9)`, `DELETE FROM order_words WHERE word = 'be'`, stray],
          [
            `UPDATE orders SET words = 'max' WHERE id = 9`,
            `UPDATE orders SET words = 'novak' WHERE id = 9`,
            'Order 9 has other words than its reference.',
          ],
          [
            `UPDATE orders SET words = 'max' WHERE id = 1`,
            `UPDATE orders SET words = '' WHERE id = 1`,
            'Order 1 has other words than its reference.',
          ],
        ] as const) {
          await runSql(url, spoil)
          assert.deepEqual(await faultsIn(store), [fault])
          await runSql(url, mend)
          assert.deepEqual(await faultsIn(store), [])
        }
        await runSql(url, 'DELETE FROM orders WHERE id = 9')
        assert.deepEqual(await faultsIn(store), [])
      }))

    test(`A search for orders works on a copy of a database without words of orders, on ${database.name} [decision 28]`, () =>
      withStores(database, 1, async ([old], url) => {
        await fill(old)
        const drop = url.startsWith('sqlite:')
          ? 'DROP TRIGGER orders_insert_words; DROP TRIGGER orders_rename; DROP TRIGGER orders_delete'
          : 'DROP TRIGGER order_words_add ON orders; DROP TRIGGER order_words_rename ON orders'
        await runSql(url, `${drop}; DROP TABLE order_words; ALTER TABLE orders DROP COLUMN words`)
        const source = await openStore({ ...patient, url, connections: 2, schema: 'read' })
        await withStores(database, 1, async ([copy]) => {
          await copy.bulk.import((write) => source.bulk.export(write))
          assert.deepEqual(await faultsIn(copy), [])
          assert.deepEqual(await walk(copy, { search: 'novak' }), matching({ search: 'novak' }))
        })
        await source.close()
      }))
  })

test('Searches of animals and of orders on SQLite share the turns of the event loop: one step per turn [decision 7]', () =>
  withStores(databases[0], 1, async ([store], url) => {
    await fill(store)
    const searching = await openWith(url, { rareMax: -1, rowsPerStep: 10, rowsPerPage: 100 })
    let [turns, isSearching] = [0, true]
    const countTurns = () => {
      turns++
      if (isSearching) setImmediate(countTurns)
    }
    setImmediate(countTurns)
    const range = { after: undefined, limit: 100, search: ['bella', 'nobody'] }
    const pages = [0, 1, 2].flatMap(() => [searching.orders.page(range), searching.pets.page(range)])
    for (const page of await Promise.all(pages)) assert.equal(page.json, '[]')
    isSearching = false
    await searching.close()
    // There are ten steps for orders, and seven for the 60 animals.
    assert.ok(turns >= 3 * (10 + 7), `${turns} turns for 51 steps`)
  }))

test('A slow step of a search on SQLite continues in the next turn of the event loop [decision 7]', () =>
  withStores(databases[0], 1, async ([store], url) => {
    const rows = [...Array(1_000).keys()].map((i) => [String(i + 1), 'Bella', '1', 'available'])
    await store.bulk.import(async (write) => {
      await write({ table: 'pets', rows })
      return { api_keys: 0, pets: 1_000, orders: 0, events: 0, webhooks: 0 }
    })
    /** Returns how many turns a search takes if the clock advances by this many milliseconds whenever it is read. */
    async function turnsAt(pace: number): Promise<number> {
      let [turns, ticks] = [0, 0]
      const nextTurn = (run: () => void) => {
        turns++
        setImmediate(run)
      }
      const time = { ...systemTime, ticks: () => (ticks += pace), nextTurn }
      const limits = { rareMax: -1, rowsPerStep: 1_000, rowsPerPage: 1_000 }
      const searching = await openStore({ ...patient, time, url, connections: 1, schema: 'migrate', search: limits })
      turns = 0
      const page = await searching.pets.page({ after: undefined, limit: 100, search: ['nobody'] })
      const counted = turns
      await searching.close()
      assert.deepEqual(page, { json: '[]', next: 1_000 })
      return counted
    }
    assert.equal(await turnsAt(0), 1)
    assert.ok((await turnsAt(1_000)) > 1)
  }))

test('A page whose rows are found in several parts of a step on SQLite ends with the last row that it shows [decision 7]', () =>
  withStores(databases[0], 1, async ([store], url) => {
    const rows = [...Array(1_000).keys()].map((i) => [String(i + 1), i % 5 ? 'Max' : 'Bella', '1', 'available'])
    await store.bulk.import(async (write) => {
      await write({ table: 'pets', rows })
      return { api_keys: 0, pets: 1_000, orders: 0, events: 0, webhooks: 0 }
    })
    const search = { rareMax: -1, rowsPerStep: 1_000, rowsPerPage: 1_000 }
    const searching = await openStore({ ...patient, url, connections: 1, schema: 'migrate', search })
    // The first 250 rows, which are read together, contain 50 of them.
    const { json, next } = await searching.pets.page({ after: undefined, limit: 60, search: ['bella'] })
    assert.deepEqual([JSON.parse(json).length, JSON.parse(json).at(-1).id, next], [60, 296, 296])
    await searching.close()
  }))
