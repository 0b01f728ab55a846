/** `petstore demo` and `petstore serve --demo`: a store to look around in, the same each time. */
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { describe } from 'node:test'
import { fillDemo } from '../../src/commands/demo-shop.ts'
import { petsOf, rex } from '../store/subject.ts'
import { onStore } from '../support/catalogue.ts'
import { databases } from '../support/databases.ts'
import { releasePostgres } from '../support/postgres.ts'
import { done, Folder, fails, node, Program, Served } from '../support/process.ts'
import { after, test } from '../support/scope.ts'
import { main } from '../support/service.ts'

after(releasePostgres)

const now = Date.parse('2026-11-16T12:00:00Z')
const day = 86_400_000

type Order = { petId: number; status: string; createdAt: string; updatedAt: string }

/** Fills an empty database as of `now`, and gives what clients see. */
const filled = (url: string) =>
  onStore(url, async (store) => {
    await fillDemo(store, now)
    const pets = petsOf((await store.pets.page({ after: 0, limit: 1_000 })).json)
    const orders: Order[] = JSON.parse((await store.orders.page({ after: 0, limit: 100 })).json)
    const sales = (await store.inventory.sales('2026-01-01')).toSorted((a, b) => (a.day < b.day ? -1 : 1))
    return { pets, orders, sales }
  })

const tally = (values: readonly string[]) =>
  Object.fromEntries([...new Set(values)].sort().map((value) => [value, values.filter((one) => one === value).length]))

describe('petstore demo', () => {
  test('fills both databases with the same 200 animals and 90 orders of the last six weeks', async () => {
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
      assert.ok(Date.parse(createdAt) >= now - 42 * day && Date.parse(updatedAt) < now)
      assert.ok(updatedAt >= createdAt)
    }
    for (let week = 0; week < 6; week++) assert.ok(times.some((time) => now - time > week * 7 * day))
  })

  test('counts the animals as sold on the day of their order, and added before it [D220]', async () => {
    using folder = new Folder()
    const { orders, sales } = await filled(`sqlite:${folder.database}`)
    const soldOn = (day: string) =>
      orders.filter(({ status, updatedAt }) => status === 'completed' && updatedAt.startsWith(day)).length
    for (const { day, sold, returned } of sales) assert.deepEqual([sold, returned], [soldOn(day), 0], day)
    const addedBefore = (time: string) =>
      sales.filter(({ day }) => day < time.slice(0, 10)).reduce((sum, { added }) => sum + added, 0)
    assert.equal(addedBefore('3'), 200)
    for (const { petId, createdAt } of orders) assert.ok(petId <= addedBefore(createdAt), `${petId} at ${createdAt}`)
    const days = sales.filter(({ day }) => day > '2026-10-17')
    assert.ok(days.filter(({ sold }) => sold > 0).length > 20)
  })

  for (const { name, open } of databases)
    test(`run twice at the same time on ${name}, fills the store once [D220]`, async () => {
      const { url, remove } = await open()
      await onStore(url, async (store) => {
        const results = await Promise.allSettled([fillDemo(store, now), fillDemo(store, now)])
        assert.deepEqual(results.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
        const { pets, orders } = await store.bulk.counts()
        assert.deepEqual([pets, orders], [200, 90])
      })
      await remove()
    })

  test('refuses a store that is not empty, and leaves it as it is', async () => {
    using folder = new Folder()
    assert.equal(await done(['demo'], folder.env), '200 animals in 6 categories and 90 orders were added.\n')
    using other = new Folder()
    await onStore(other.url, (store) => store.pets.insert(rex, undefined))
    for (const { env } of [folder, other])
      await fails(['demo'], env, 'The store is not empty. Name a new database in DATABASE_URL.')
    assert.match(await done(['check'], other.env), /^No faults in 1 animal and 0 orders/)
  })
})

describe('petstore serve --demo', () => {
  test('shows a key and serves a temporary database, and not that of DATABASE_URL [D220]', async () => {
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

  test('is on the next free port if the service itself runs already, and says so [D409]', async () => {
    using folder = new Folder()
    await using served = await Served.start(folder.env)
    const env = { PORT: String(served.port), TMPDIR: folder.path }
    await using program = new Program([node, main, 'serve', '--demo'], { env })
    const [, taken, port] = await program.until(/^Port (\d+) is taken; the demo is on (\d+)\.\n/, 'stderr')
    assert.equal(Number(taken), served.port)
    assert.ok(Number(port) > served.port)
    await program.until(new RegExp(`running at http://127\\.0\\.0\\.1:${port}/v1\n`), 'stderr')
    assert.equal((await program.end('SIGTERM')).code, 0)
  })
})

const files = ({ path }: Folder) =>
  readdirSync(path)
    .filter((name) => !name.includes('compile'))
    .map((name) => name.slice(0, 'petstore-demo'.length))
