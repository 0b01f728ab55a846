/** GET /events: order, pages that never end, filters, the present, and what is refused. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { positionOf as textOf } from '../../client/src/index.ts'
import { eventTypes } from '../../src/model/event.ts'
import { defaultScopes } from '../../src/model/key.ts'
import { addPet, addPets, cursorOf, expectError, freshCategory, nextPage } from '../support/expect.ts'
import { type Answer, onEveryTarget } from '../support/service.ts'
import { replaceEvents } from '../support/sql.ts'

interface Event {
  readonly id: number
  readonly type: string
  readonly at: string
  readonly data: { readonly id: number }
}

/** As the client makes it. */
const positionOf = ({ id, at }: Pick<Event, 'id' | 'at'>) => textOf({ id: BigInt(id), at })

onEveryTarget('listEvents', (service) => {
  let reader: Promise<string> | undefined
  const get = async (path: string, headers: Record<string, string> = {}): Promise<Answer> =>
    service().call('GET', path, { key: await (reader ??= service().makeKey({ scopes: ['events:read'] })), headers })

  /** Where the feed is now, with these filters. */
  async function present(filters = ''): Promise<string> {
    const answer = await get(`/events?${filters}from=now`)
    assert.deepEqual([answer.status, answer.text], [200, '[]'])
    return nextPage(answer) ?? assert.fail('no link')
  }
  /** Every event after a page, and the page where there are no more. */
  async function follow(path: string): Promise<{ events: Event[]; end: string }> {
    const events: Event[] = []
    for (;;) {
      const answer = await get(path)
      assert.equal(answer.status, 200, answer.text)
      const next = nextPage(answer) ?? assert.fail('no link')
      events.push(...answer.json)
      if (next === path) return { events, end: path }
      path = next
    }
  }
  const typesOf = ({ events }: { events: readonly Event[] }) => events.map(({ type }) => type)

  test('answers every change since the present was asked for, the oldest first, with the thing as it was then', async () => {
    const start = await present()
    const categoryId = freshCategory()
    const created = await service().call('POST', '/pets', { body: { name: 'Ré"x', categoryId } })
    const path = `/pets/${created.json.id}`
    const changed = await service().call('PATCH', path, { body: { name: 'Max' } })
    assert.equal((await service().call('PATCH', path, { body: {} })).status, 200)
    await service().call('PUT', `/categories/${categoryId}`, { body: { name: 'Dogs' } })
    assert.equal((await service().call('DELETE', path)).status, 204)
    const { events, end } = await follow(start)
    assert.deepEqual(
      events.map(({ type, data }) => [type, data]),
      [
        ['pet.created', created.json],
        ['pet.updated', changed.json],
        ['category.named', { id: categoryId, name: 'Dogs' }],
        ['pet.deleted', changed.json],
      ],
    )
    const ids = events.map(({ id }) => id)
    assert.deepEqual(
      ids,
      ids.toSorted((a, b) => a - b),
    )
    assert.equal(new Set(ids).size, ids.length)
    const whole = await get(start)
    assert.ok(whole.text.includes(`,"data":${created.text}}`), 'the text of the response itself')
    for (const { at } of events) assert.match(at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    assert.equal((await follow(end)).events.length, 0)
  })

  test('has two events of an order that moves its animal, and none of a request that repeats another', async () => {
    const { id: petId } = await addPet(service())
    const start = await present(`petId=${petId}&`)
    const { json: order } = await service().call('POST', '/store/orders', { body: { petId } })
    for (const verb of ['complete', 'return'])
      for (let i = 0; i < 2; i++) await service().call('POST', `/store/orders/${order.id}/${verb}`)
    const { events } = await follow(start)
    assert.deepEqual(events.map(({ type }) => type).sort(), [
      ...['order.completed', 'order.placed', 'order.returned'],
      ...['pet.updated', 'pet.updated', 'pet.updated'],
    ])
    const returned = events.find(({ type }) => type === 'order.returned')
    assert.deepEqual(returned?.data, (await service().call('GET', `/store/orders/${order.id}`)).json)
    assert.deepEqual(
      typesOf(await follow(start.replace('/events?', '/events?type=order.returned&').replace(/&cursor=.*/, ''))),
      ['order.returned'],
    )
  })

  test('links to a next page always, in the form that pages have, and begins with the oldest event without a cursor', async () => {
    await addPets(service(), 2)
    const first = await get('/events?limit=1&type=pet.updated,pet.created&petId=1')
    const link = new RegExp(
      `^<${service().url}/v1/events\\?type=pet\\.updated,pet\\.created&petId=1&limit=1&cursor=[\\w-]+>; rel="next"$`,
    )
    assert.match(first.headers.get('link') ?? '', link)
    const oldest = await get('/events?limit=1')
    assert.equal(oldest.json[0].id, 1)
    assert.equal((await get(nextPage(oldest) ?? '')).json[0].id, 2)
  })

  test('takes types in a list or repeated, and the animal, and binds the cursor to them', async () => {
    const start = await present('type=pet.created,pet.deleted&')
    const [id] = await addPets(service(), 2)
    await service().call('PATCH', `/pets/${id}`, { body: { name: 'Max' } })
    await service().call('DELETE', `/pets/${id}`)
    const wanted = ['pet.created', 'pet.created', 'pet.deleted']
    assert.deepEqual(typesOf(await follow(start)), wanted)
    const cursor = new URLSearchParams(start.split('?')[1]).get('cursor')
    assert.deepEqual(
      typesOf(await follow(`/events?type=pet.created&type=pet.deleted&limit=2&cursor=${cursor}`)),
      wanted,
    )
    assert.deepEqual(typesOf(await follow(`/events?petId=${id}`)), ['pet.created', 'pet.updated', 'pet.deleted'])
    for (const filters of ['', 'type=pet.created&', 'type=pet.created,pet.deleted&petId=1&', 'petId=1&'])
      expectError(await get(`/events?${filters}cursor=${cursor}`), 400, 'invalid_cursor')
  })

  test('begins with what is to come with from=now, also while there is nothing yet', async () => {
    const start = await present()
    assert.deepEqual((await follow(start)).events, [])
    const { id } = await addPet(service())
    assert.deepEqual(
      (await follow(start)).events.map(({ data }) => data.id),
      [id],
    )
  })

  for (const query of [
    'from=then',
    'from=',
    'type=',
    'type=pet.sold',
    'type=pet.created,',
    'petId=x',
    'after=x',
    'after=-1',
    'after=1-',
    'after=1-A',
    'after=1-01',
    'after=1-a-b',
    `after=${2 ** 53}`,
    'limit=0',
    'type[]=x',
  ])
    test(`refuses ${query}`, async () => {
      expectError(await get(`/events?${query}`), 400, 'invalid_parameter')
    })

  test('begins after the event whose id is given, with the filters that are given', async () => {
    const start = await present()
    const [first, second] = await addPets(service(), 2)
    await service().call('DELETE', `/pets/${first}`)
    const { events } = await follow(start)
    assert.deepEqual((await follow(`/events?after=${events[0]?.id}`)).events, events.slice(1))
    const created = await follow(`/events?type=pet.created&petId=${second}&limit=1&after=${events[0]?.id}`)
    assert.deepEqual(created.events, [events[1]])
    const position = positionOf(events[0] as Event)
    assert.deepEqual((await follow(`/events?after=${position}`)).events, events.slice(1))
    for (const ahead of [2 ** 52, `${2 ** 52}-mwhmvow0`])
      expectError(await get(`/events?after=${ahead}`), 410, 'events_expired')
  })

  test('refuses more than one beginning, more types than there are, and a cursor it did not issue', async () => {
    const cursor = cursorOf(await get('/events?limit=1'))
    for (const two of [`from=now&cursor=${cursor}`, `after=0&cursor=${cursor}`, 'from=now&after=1'])
      assert.match(expectError(await get(`/events?${two}`), 400, 'invalid_parameter'), /^from, after, cursor: /)
    assert.equal((await get(`/events?type=${eventTypes.join()}`)).status, 200)
    expectError(await get(`/events?type=${eventTypes.join()},pet.created`), 400, 'invalid_parameter')
    for (const text of [
      'abc',
      `${cursor}A=`,
      `${cursor.slice(0, 8)}-1`,
      `${cursor.slice(0, 8)}00`,
      `${cursor.slice(0, 8)}1`,
    ])
      expectError(await get(`/events?cursor=${text}`), 400, 'invalid_cursor')
  })

  test('refuses a position ahead of all events with 410, as after a backup was put back', async () => {
    const cursor = cursorOf(await get('/events?limit=1'))
    const ahead = `/events?cursor=${cursor.slice(0, 8)}${2 ** 52}-mwhmvow0`
    assert.match(expectError(await get(ahead), 410, 'events_expired'), /start over/)
  })

  test('refuses a position whose event is another one now with 410, and goes on from those before it', async () => {
    const start = await present()
    await addPets(service(), 3)
    const { events, end } = await follow(start)
    const [first, second, third] = events as [Event, Event, Event]
    await replaceEvents(service().databaseUrl, second.id)
    for (const filters of ['', '&type=pet.created', '&petId=1'])
      for (const { id, at } of [second, third])
        expectError(await get(`/events?after=${positionOf({ id, at })}${filters}`), 410, 'events_expired')
    expectError(await get(end), 410, 'events_expired')
    const again = await follow(`/events?after=${positionOf(first)}`)
    assert.deepEqual(
      again.events.map(({ id, data }) => [id, data]),
      [second, third].map(({ id, data }) => [id, data]),
    )
    assert.notDeepEqual(again.events, [second, third], 'their times tell')
    assert.deepEqual((await follow(again.end)).events, [])
    assert.deepEqual((await get(`/events?after=${second.id}`)).json, again.events.slice(1), 'an id alone does not tell')
  })

  test('answers 304 while nothing was added, and HEAD', async () => {
    const start = await present()
    const answer = await get(start)
    const tag = answer.headers.get('etag') ?? assert.fail('no ETag')
    assert.equal(answer.headers.get('cache-control'), 'private, no-cache')
    assert.equal((await get(start, { 'if-none-match': tag })).status, 304)
    await addPet(service())
    assert.equal((await get(start, { 'if-none-match': tag })).status, 200)
    const head = await service().call('HEAD', start, { key: await service().makeKey({ scopes: ['events:read'] }) })
    assert.deepEqual([head.status, head.text], [200, ''])
    assert.match(head.headers.get('link') ?? '', /rel="next"/)
  })

  test('needs the scope events:read, which no key has by default', async () => {
    assert.ok(!defaultScopes.includes('events:read'))
    expectError(await service().call('GET', '/events'), 403, 'insufficient_scope')
    expectError(await service().call('GET', '/events', { key: null }), 401, 'missing_api_key')
    expectError(await service().call('POST', '/events'), 405, 'method_not_allowed')
  })
})
