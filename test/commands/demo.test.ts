/** `petstore demo` and `petstore serve --demo` fill a store with sample data, which is the same each time. */
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { describe } from 'node:test'
import { onStore } from '../../harness/catalogue.ts'
import { databases } from '../../harness/databases.ts'
import { releasePostgres } from '../../harness/postgres.ts'
import { command, done, Folder, fails, node, Program, Served } from '../../harness/process.ts'
import { after, test, testInFull } from '../../harness/scope.ts'
import { main } from '../../harness/service.ts'
import { fillDemo } from '../../src/commands/demo-shop.ts'
import type { Store } from '../../src/store/store.ts'
import { petsOf, rex } from '../store/subject.ts'

after(releasePostgres)

const now = Date.parse('2026-11-16T12:00:00Z')
const day = 86_400_000

interface Order {
  id: number
  petId: number
  status: string
  reference?: string
  heldUntil?: string
  createdAt: string
  updatedAt: string
}
type Event = { id: number; type: string; at: string; by?: string; data: { id: number; status: string } }

async function eventsFrom({ events }: Store, time: number): Promise<Event[]> {
  const page = await events.page({ after: await events.positionBefore(time), limit: 1_000 })
  assert.ok(typeof page === 'object')
  return page.events.map(({ json }) => JSON.parse(json))
}

/** Fills an empty database as of `now`, and returns what clients see. */
const filled = (url: string) =>
  onStore(url, async (store) => {
    await fillDemo(store, now)
    const pets = petsOf((await store.pets.page({ after: 0, limit: 1_000 })).json)
    const orders: Order[] = JSON.parse((await store.orders.page({ after: 0, limit: 100 })).json)
    const sales = (await store.inventory.sales('2026-01-01')).toSorted((a, b) => (a.day < b.day ? -1 : 1))
    const [events, ofLastWeek] = [await eventsFrom(store, 0), await eventsFrom(store, now - 7 * day)]
    const search = await store.orders.page({ after: 0, limit: 100, search: ['novak', 'bella'] })
    assert.match(search.json, /^\[\{"id":1,"petId":1,"status":"completed","reference":"Mrs Novak, 555-0117",/)
    return { pets, orders, sales, events, ofLastWeek }
  })

const tally = (values: readonly string[]) =>
  Object.fromEntries([...new Set(values)].sort().map((value) => [value, values.filter((one) => one === value).length]))

describe('petstore demo', () => {
  test('petstore demo fills both databases with the same 200 animals and 90 orders of the last four weeks', async () => {
    const [first, second] = await Promise.all(
      databases.map(async ({ open }) => {
        const { url, remove } = await open()
        const content = await filled(url)
        await done(['check'], { DATABASE_URL: url })
        await remove()
        return content
      }),
    )
    assert.deepEqual(first, second)
    const { pets = [], orders = [] } = first ?? {}
    assert.equal(pets.length, 200)
    assert.equal(new Set(pets.map(({ categoryId }) => categoryId)).size, 6)
    assert.deepEqual(tally(pets.map(({ status }) => status)), { available: 122, pending: 9, sold: 69 })
    assert.deepEqual(tally(orders.map(({ status }) => status)), { cancelled: 12, completed: 69, placed: 9 })
    const times = orders.map(({ createdAt }) => Date.parse(createdAt))
    const inOrder = times.toSorted((a, b) => a - b)
    assert.deepEqual(times, inOrder)
    for (const { createdAt, updatedAt } of orders) {
      assert.ok(Date.parse(createdAt) >= now - 28 * day && Date.parse(updatedAt) < now)
      assert.ok(updatedAt >= createdAt)
    }
    for (const { status, heldUntil } of orders) assert.equal(heldUntil !== undefined, status === 'placed')
    const hoursHeld = orders.flatMap(({ heldUntil = '' }) => (Date.parse(heldUntil) - now) / 3_600_000 || [])
    assert.ok(hoursHeld.every((hours) => hours > 4))
    assert.ok(hoursHeld.some((hours) => hours < 24) && hoursHeld.some((hours) => hours > 48))
    assert.ok(orders.some(({ reference }) => reference === undefined))
    for (let week = 0; week < 4; week++) assert.ok(times.some((time) => now - time > week * 7 * day))
  })

  test('petstore demo counts each animal as sold on the day of its order, and as added before that day [decision 27]', async () => {
    using folder = new Folder()
    const { orders, sales } = await filled(`sqlite:${folder.database}`)
    const soldOn = (day: string) =>
      orders.filter(({ status, updatedAt }) => status === 'completed' && updatedAt.startsWith(day)).length
    for (const { day, sold, returned } of sales) assert.deepEqual([sold, returned], [soldOn(day), 0], day)
    const addedBefore = (time: string) =>
      sales.filter(({ day }) => day < time.slice(0, 10)).reduce((sum, { added }) => sum + added, 0)
    assert.equal(addedBefore('3'), 200)
    for (const { petId, createdAt } of orders) assert.ok(petId <= addedBefore(createdAt), `${petId} at ${createdAt}`)
    assert.ok(sales.filter(({ sold }) => sold > 0).length > 20)
  })

  test('petstore demo creates events on the days of its orders, and their sums are the sales of each day [decision 27]', async () => {
    using folder = new Folder()
    const { pets, orders, sales, events, ofLastWeek } = await filled(`sqlite:${folder.database}`)
    for (const [i, { id, at, by }] of events.entries()) {
      assert.deepEqual([id, by], [i + 1, undefined])
      assert.ok(i === 0 || at >= (events[i - 1]?.at ?? ''), `event ${id}`)
    }
    const isOn = (type: RegExp, day: string, status?: string) =>
      events.filter(
        (event) =>
          type.test(event.type) && event.at.startsWith(day) && (status === undefined || event.data.status === status),
      ).length
    assert.equal(tally(events.map(({ type }) => type))['category.named'], 6)
    for (const { day, added, sold } of sales)
      assert.deepEqual(
        [isOn(/pet.created/, day), isOn(/pet.updated/, day, 'sold'), isOn(/order.completed/, day)],
        [added, sold, sold],
        day,
      )
    const eventsOn = (kind: string, id: number) =>
      events.filter(({ type, data }) => type.startsWith(kind) && data.id === id)
    for (const order of orders) {
      const own = eventsOn('order.', order.id)
      const steps = [...new Set([`order.placed ${order.createdAt}`, `order.${order.status} ${order.updatedAt}`])]
      assert.deepEqual(
        own.map(({ type, at }) => `${type} ${at}`),
        steps,
      )
      assert.deepEqual(own.at(-1)?.data, order)
      const moves = eventsOn('pet.updated', order.petId).map(({ at }) => at)
      assert.deepEqual(
        moves,
        own.map(({ at }) => at),
        'the animal moves with its order',
      )
    }
    for (const pet of pets)
      assert.deepEqual(eventsOn('pet.', Number(pet.id)).at(-1)?.data.status, pet.status, String(pet.id))
    const first = ofLastWeek[0]?.id ?? 0
    assert.ok(first > 1 && Date.parse(ofLastWeek[0]?.at ?? '') >= now - 7 * day)
    assert.ok(Date.parse(events[first - 2]?.at ?? '') < now - 7 * day)
    // Events are kept for 30 days unless the operator has chosen otherwise.
    assert.ok(Date.parse(events[0]?.at ?? '') > now - 29.5 * day)
  })

  for (const { name, open } of databases)
    test(`Two concurrent runs of petstore demo on ${name} fill the store once [decision 27]`, async () => {
      const { url, remove } = await open()
      await onStore(url, (store) =>
        onStore(url, async (other) => {
          const results = await Promise.allSettled([fillDemo(store, now), fillDemo(other, now)])
          assert.deepEqual(results.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
          const { pets, orders } = await store.bulk.counts()
          assert.deepEqual([pets, orders], [200, 90])
        }),
      )
      await remove()
    })

  for (const { name, open } of databases)
    test(`petstore demo fills a store on ${name} that contains only API keys, and keeps the keys [decision 27]`, async () => {
      const { url, remove } = await open()
      const env = { DATABASE_URL: url }
      await command(['keys', 'create', '--name', 'first'], env)
      await done(['demo'], env)
      await command(['keys', 'create', '--name', 'second'], env)
      const keys: { id: number; name: string }[] = JSON.parse((await command(['keys', 'list', '--json'], env)).stdout)
      assert.deepEqual(
        keys.map(({ id, name }) => [id, name]),
        [
          [1, 'first'],
          [2, 'second'],
        ],
      )
      await remove()
    })

  test('petstore demo refuses a store that is not empty, and does not change it', async () => {
    using folder = new Folder()
    assert.equal(await done(['demo'], folder.env), '200 animals in 6 categories and 90 orders were added.\n')
    using other = new Folder()
    await onStore(other.url, (store) => store.pets.insert(rex, undefined))
    for (const { env } of [folder, other])
      await fails(['demo'], env, 'The database to fill is not empty. Name a new one.')
    assert.match(await done(['check'], other.env), /^No faults in 1 animal and 0 orders/)
  })
})

describe('petstore serve --demo', () => {
  test('petstore serve --demo shows a key and uses a temporary database instead of DATABASE_URL [decision 27]', async () => {
    using folder = new Folder()
    const env = { ...folder.env, PORT: '0', TMPDIR: folder.path }
    await using program = new Program([node, main, 'serve', '--demo'], { env })
    const [, key = '', url = ''] = await program.until(/curl .*-H 'Authorization: Bearer (\w+)' (\S+)\n/, 'stderr')
    const ask = async (address: string) =>
      (await fetch(address, { headers: { Authorization: `Bearer ${key}` } })).json() as Promise<unknown[]>
    assert.equal((await ask(`${url}?limit=100&status=sold`)).length, 69)
    assert.equal((await ask(url.replace('/pets', '/events?limit=1'))).length, 1, 'so that /shop follows')
    assert.doesNotMatch(program.stdout, /pst_/)
    assert.deepEqual(files(folder), ['petstore-demo'])
    assert.equal((await program.end('SIGTERM')).code, 0)
    assert.deepEqual(files(folder), [])
  })

  testInFull(
    'petstore serve --demo uses the next free port if the port is taken, and says so [decision 27]',
    async () => {
      using folder = new Folder()
      await using served = await Served.start(folder.env)
      const env = { PORT: String(served.port), TMPDIR: folder.path }
      await using program = new Program([node, main, 'serve', '--demo'], { env })
      const [, taken, port] = await program.until(/^Port (\d+) is taken; the demo is on (\d+)\.\n/, 'stderr')
      assert.equal(Number(taken), served.port)
      assert.ok(Number(port) > served.port)
      await program.until(new RegExp(`running at http://127\\.0\\.0\\.1:${port}/v1\n`), 'stderr')
      assert.equal((await program.end('SIGTERM')).code, 0)
    },
  )
})

const files = ({ path }: Folder) =>
  readdirSync(path)
    .filter((name) => !name.includes('compile'))
    .map((name) => name.slice(0, 'petstore-demo'.length))
