/** GET /events: beyond the rules in src/conform: what an order tells, and positions that were lost. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { positionOf as textOf } from '../../client/src/index.ts'
import { defaultScopes } from '../../src/model/key.ts'
import { addPet, addPets, cursorOf, expectError, nextPage } from '../support/expect.ts'
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

  test('has two events of an order that moves its animal, and none of a request that repeats another [D105]', async () => {
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

  test('links to a next page always, in the form that pages have, and begins with the oldest event without a cursor [D109]', async () => {
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

  test('refuses a position ahead of all events with 410, as after a backup was put back', async () => {
    const cursor = cursorOf(await get('/events?limit=1'))
    const ahead = `/events?cursor=${cursor.slice(0, 8)}${2 ** 52}-mwhmvow0`
    assert.match(expectError(await get(ahead), 410, 'events_expired'), /start over/)
  })

  test('refuses a position whose event is another one now with 410, and goes on from those before it [D114]', async () => {
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

  test('needs the scope events:read, which no key has by default [D117]', async () => {
    assert.ok(!defaultScopes.includes('events:read'))
    expectError(await service().call('GET', '/events'), 403, 'insufficient_scope')
    expectError(await service().call('GET', '/events', { key: null }), 401, 'missing_api_key')
    expectError(await service().call('POST', '/events'), 405, 'method_not_allowed')
  })
})
