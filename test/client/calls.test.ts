/** What the client asks of the platform: the parameters and the page size of a walk, the timeout of a try, and no listener left on a signal. */
import assert from 'node:assert/strict'
import { getEventListeners } from 'node:events'
import { test } from 'node:test'
import {
  type EventListFilter,
  type OrderFilter,
  type PetFilter,
  PetStore,
  type PetStoreOptions,
  TimeoutError,
} from '../../client/src/index.ts'
import { projectFile } from '../support/project.ts'

const settings = { baseUrl: 'http://shop.example/v1', apiKey: 'key' }

/** A client whose requests get these answers in turn, and what it asked for. */
function answered(answers: (() => Response)[], options: Partial<PetStoreOptions> = {}) {
  const queries: Record<string, string>[] = []
  const petstore = new PetStore({
    ...settings,
    ...options,
    async fetch(url) {
      queries.push(Object.fromEntries(new URL(url).searchParams))
      const answer = answers.shift()
      assert.ok(answer, `one request too many: ${url}`)
      return answer()
    },
  })
  return { petstore, queries }
}
const page = (next?: string) => () =>
  new Response('[]', { headers: next === undefined ? {} : { Link: `</v1/pets?cursor=${next}>; rel="next"` } })
const unavailable = () => Response.json({ code: 'unavailable', message: 'not now', status: 503 }, { status: 503 })

test('for await fetches pages of 100 unless another size is given', async () => {
  const whole = answered([page('b'), page('c'), page()])
  assert.deepEqual(await Array.fromAsync(whole.petstore.pets.list()), [])
  assert.deepEqual(whole.queries, [{ limit: '100' }, { limit: '100', cursor: 'b' }, { limit: '100', cursor: 'c' }])

  const given = answered([page('b'), page()])
  await Array.fromAsync(given.petstore.orders.list({ status: 'placed', limit: 7, cursor: 'a' }))
  assert.deepEqual(given.queries, [
    { status: 'placed', limit: '7', cursor: 'a' },
    { status: 'placed', limit: '7', cursor: 'b' },
  ])
})

test('a walk begins after the given id, and goes on by its cursors, in the given order', async () => {
  const newest = answered([page('b'), page()])
  await Array.fromAsync(newest.petstore.pets.list({ search: 'rex & co', order: 'desc', after: 2n ** 63n - 1n }))
  const filters = { search: 'rex & co', order: 'desc', limit: '100' }
  assert.deepEqual(newest.queries, [
    { ...filters, after: '9223372036854775807' },
    { ...filters, cursor: 'b' },
  ])
})

test('a list takes every parameter that the document has for it, and no other', () => {
  type Names<Filter> = { readonly [Name in keyof Filter]-?: true }
  const page = { limit: true, cursor: true } as const
  const ordered = { ...page, order: true, after: true } as const
  const pets: Names<PetFilter> = { ...ordered, status: true, categoryId: true, id: true, search: true }
  const orders: Names<OrderFilter> = { ...ordered, status: true, petId: true }
  const events: Names<EventListFilter> = { ...page, type: true, petId: true, after: true, from: true }
  const { paths } = JSON.parse(projectFile('openapi.json'))
  for (const [path, names] of Object.entries({ '/pets': pets, '/store/orders': orders, '/events': events })) {
    const documented = paths[path].get.parameters.filter((each: { in: string }) => each.in === 'query')
    assert.deepEqual(documented.map(({ name }: { name: string }) => name).sort(), Object.keys(names).sort())
  }
})

test('toArray collects all, or as many as asked for, in pages no larger than that', async () => {
  const ids = (first: number, next?: string) => () => {
    const { headers } = page(next)()
    return new Response(JSON.stringify([{ id: first }, { id: first + 1 }]), { headers })
  }
  const idsOf = async (list: Promise<{ id: bigint }[]>) => (await list).map(({ id }) => id)

  const whole = answered([ids(1, 'b'), ids(3)])
  assert.deepEqual(await idsOf(whole.petstore.pets.list().toArray()), [1n, 2n, 3n, 4n])
  assert.deepEqual(whole.queries, [{ limit: '100' }, { limit: '100', cursor: 'b' }])

  const some = answered([ids(1, 'b'), ids(3, 'c')])
  assert.deepEqual(await idsOf(some.petstore.pets.list().toArray({ limit: 3 })), [1n, 2n, 3n])
  assert.deepEqual(some.queries, [{ limit: '3' }, { limit: '3', cursor: 'b' }])

  const sized = answered([ids(1, 'b')])
  assert.deepEqual(await idsOf(sized.petstore.pets.list({ limit: 2 }).toArray({ limit: 2 })), [1n, 2n])
  assert.deepEqual(sized.queries, [{ limit: '2' }], 'no page is fetched that is not needed')
  assert.deepEqual(await answered([]).petstore.pets.list().toArray({ limit: 0 }), [])
})

test('a single page has the given size, or the default of the service', async () => {
  const { petstore, queries } = answered([page('b'), page()])
  assert.deepEqual(await petstore.pets.list().page(), { items: [], next: 'b' })
  await petstore.pets.list({ limit: 7 }).page()
  assert.deepEqual(queries, [{}, { limit: '7' }])
})

test('a try times out after 30 seconds, unless the client or the call sets another timeout', async (t) => {
  const times: number[] = []
  // Of the platform's timer: its time is up at once.
  t.mock.method(AbortSignal, 'timeout', (milliseconds: number) => {
    times.push(milliseconds)
    return AbortSignal.abort(new DOMException('time is up', 'TimeoutError'))
  })
  const fetch: PetStoreOptions['fetch'] = async (_, { signal }) => {
    signal?.throwIfAborted()
    return assert.fail('the request has no time limit')
  }
  const usual = new PetStore({ ...settings, fetch, maxRetries: 0 })
  const patient = new PetStore({ ...settings, fetch, maxRetries: 0, timeoutMs: 90_000 })
  const isLate = (milliseconds: number) => (error: unknown) =>
    error instanceof TimeoutError && error.message === `No response within ${milliseconds} ms.`
  await assert.rejects(usual.pets.list().page(), isLate(30_000))
  await assert.rejects(patient.pets.list().page(), isLate(90_000))
  await assert.rejects(patient.pets.list({}, { timeoutMs: 5 }).page(), isLate(5))
  assert.deepEqual(times, [30_000, 90_000, 5])
})

test('for await leaves no listener on the signal of its caller, also after retries and delays', async () => {
  const { signal } = new AbortController()
  const { petstore } = answered([page('b'), unavailable, page('c'), unavailable, unavailable, page()], {
    random: () => 0,
  })
  await Array.fromAsync(petstore.pets.list({}, { signal }))
  assert.deepEqual(getEventListeners(signal, 'abort'), [])
})

test('ifMatch takes an ETag, or what this client returned with one, and nothing else [D327]', async () => {
  const sent: (string | null)[] = []
  const tags = ['"v1"', 'W/"v2"']
  const petstore = new PetStore({
    ...settings,
    async fetch(_, { headers }) {
      sent.push(new Headers(headers).get('if-match'))
      return new Response('{"id":7,"name":"Rex"}', { headers: { ETag: tags.shift() ?? '' } })
    },
  })
  const pet = await petstore.pets.create({ name: 'Rex', categoryId: 1n })
  const max = await petstore.pets.update(7n, { name: 'Max' }, { ifMatch: pet })
  // Weak, as a proxy that compresses makes it.
  await petstore.pets.update(7n, { name: 'Rex' }, { ifMatch: max })
  await petstore.pets.delete(7n, { ifMatch: '"v0"' })
  await petstore.categories.delete(7n)
  assert.deepEqual(sent, [null, '"v1"', '"v2"', '"v0"', null])
  for (const ifMatch of [{ ...pet }, null as never])
    await assert.rejects(petstore.pets.delete(7n, { ifMatch }), /^TypeError: ifMatch: not what create, get/)
})

test('tells how a call was answered, and a page of a list', async () => {
  const headers = { 'X-Request-Id': 'r-7', ETag: '"v1"' }
  const { petstore } = answered([
    () => Response.json({ id: 1 }, { status: 201, headers }),
    () => Response.json([], { headers }),
  ])
  const pet = await petstore.pets.create({ name: 'Rex', categoryId: 1n })
  const created = petstore.response(pet)
  assert.deepEqual([created?.status, created?.requestId, created?.headers.get('etag')], [201, 'r-7', '"v1"'])
  assert.equal(petstore.response(await petstore.orders.list().page())?.status, 200)
  assert.equal(petstore.response({ ...pet }), undefined)
})
