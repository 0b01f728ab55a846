/** Following events over HTTP: what a client receives, where a stream begins, and when it is refused. */
import assert from 'node:assert/strict'
import { positionOf } from '../../client/src/index.ts'
import { EventStream } from '../../harness/event-stream.ts'
import { expectError } from '../../harness/expect.ts'
import { becomes } from '../../harness/patience.ts'
import { RawConnection, request } from '../../harness/raw.ts'
import { before, test } from '../../harness/scope.ts'
import { asProcess } from '../../harness/service.ts'

asProcess('GET /events/stream', (service) => {
  let key: string
  before(async () => {
    key = await service().makeKey({ scopes: ['events:read', 'metrics:read'] })
  })
  const open = (query = '', headers: Record<string, string> = {}) =>
    EventStream.open(`${service().url}/v1`, { key, headers }, query)
  const add = async (name = 'Rex') => (await service().call('POST', '/pets', { body: { name, categoryId: 1 } })).json
  const refused = (query: string, headers: Record<string, string> = {}, used: string | null = key) =>
    service().call('GET', `/events/stream${query}`, { key: used, headers })

  test('An event stream sends each event in the format of the list, and is neither cached nor compressed', async () => {
    await using stream = await open()
    const { headers, status } = stream.response
    const { responses } = (await service().call('GET', '/../openapi.json')).json.paths['/events/stream'].get
    assert.deepEqual(
      [String(status)],
      Object.keys(responses).filter((declared) => declared.startsWith('2')),
    )
    assert.equal(headers.get('content-type'), 'text/event-stream')
    assert.deepEqual(
      ['cache-control', 'x-accel-buffering', 'content-encoding', 'content-length', 'etag'].map((name) =>
        headers.get(name),
      ),
      ['no-store', 'no', null, null, null],
    )
    assert.match(headers.get('x-request-id') ?? '', /./)
    assert.equal(stream.retry, 2_000)
    const pet = await add('Ré 🐕')
    await service().call('PATCH', `/pets/${pet.id}`, { body: { name: 'Max' } })
    await service().call('DELETE', `/pets/${pet.id}`)
    await stream.until(({ frames }) => frames.length === 3)
    assert.deepEqual(
      stream.frames.map(({ type }) => type),
      ['pet.created', 'pet.updated', 'pet.deleted'],
    )
    const [created, updated] = stream.frames.map(({ data }) => JSON.parse(data))
    assert.deepEqual(Object.keys(created), ['id', 'type', 'at', 'by', 'data'])
    assert.deepEqual([created.data, created.type, created.by], [pet, 'pet.created', 'test'])
    assert.deepEqual(updated.data, { ...pet, name: 'Max' })
    for (const { lastEventId, data } of stream.frames) assert.equal(lastEventId, positionOf(JSON.parse(data)))
  })

  test('An event stream and the list begin after the Last-Event-ID of a page of the list [decision 15]', async () => {
    const page = await service().call('GET', '/events?from=now', { key })
    const after = page.headers.get('last-event-id') ?? ''
    const { id } = await add()
    const [event] = (await service().call('GET', `/events?after=${after}`, { key })).json
    assert.equal(event.data.id, id)
    await using stream = await open('', { 'Last-Event-ID': after })
    await stream.until(({ frames }) => frames.length === 1)
    assert.deepEqual(JSON.parse(stream.frames[0]?.data ?? ''), event)
  })

  test('An event stream begins at a cursor of the list with the same filters, but Last-Event-ID takes precedence [decision 15]', async () => {
    const filters = 'type=pet.created'
    const list = await service().call('GET', `/events?${filters}&from=now`, { key })
    const cursor = /cursor=([\w-]+)/.exec(list.headers.get('link') ?? '')?.[1]
    for (let i = 0; i < 3; i++) await add()
    await using byCursor = await open(`?${filters}&cursor=${cursor}`)
    await byCursor.until(({ ids }) => ids.length === 3)
    const headers = { 'Last-Event-ID': byCursor.frames[1]?.lastEventId ?? '' }
    await using byHeader = await open(`?${filters}&cursor=${cursor}`, headers)
    await byHeader.until(({ ids }) => ids.length > 0)
    assert.deepEqual(byHeader.ids, byCursor.ids.slice(2))
    await using byId = await open(`?${filters}`, { 'Last-Event-ID': String(byCursor.ids[1]) })
    await byId.until(({ ids }) => ids.length > 0)
    assert.deepEqual(byId.ids, byCursor.ids.slice(2), 'the id of the event alone will do')
    await using byAfter = await open(`?${filters}&after=${byCursor.frames[1]?.lastEventId}`)
    await byAfter.until(({ ids }) => ids.length > 0)
    assert.deepEqual(byAfter.ids, byCursor.ids.slice(2), 'as in the list')
    expectError(await refused(`?${filters}&cursor=${cursor}&after=1`), 400, 'invalid_parameter')
    expectError(await refused(`?cursor=${cursor}`), 400, 'invalid_cursor')
  })

  test('An event stream is refused with 400, 401, 403 or 410 before it begins [decision 15]', async () => {
    const wrong = ['x', '-1', '1.5', '01', '', ' ', '12345678901234567890', '1-', '-a', '1-A', '1-01', '1-a-b']
    for (const text of [...wrong, '1-zzzzzzzzzzz'])
      expectError(await refused('', { 'Last-Event-ID': text }), 400, 'invalid_cursor')
    expectError(await refused('?cursor=nonsense'), 400, 'invalid_cursor')
    expectError(await refused('?type=pet.sold'), 400, 'invalid_parameter')
    expectError(await refused('?petId=x'), 400, 'invalid_parameter')
    expectError(await refused('', {}, null), 401, 'missing_api_key')
    expectError(await refused('', {}, service().key), 403, 'insufficient_scope')
    for (const ahead of ['999999999999', '999999999999-mwhmvow0', '0-1'])
      expectError(await refused('', { 'Last-Event-ID': ahead }), 410, 'events_expired')
    const { headers } = await service().call('GET', '/events?limit=1', { key })
    const [, seal] = /cursor=([\w-]{8})/.exec(headers.get('link') ?? '') ?? []
    const ahead = await service().call('GET', `/events?cursor=${seal}${2 ** 52}-mwhmvow0`, { key })
    assert.match(expectError(ahead, 410, 'events_expired'), /Start again with from=now/)
  })

  test('HEAD of the event stream returns the headers and no stream', async () => {
    const { status, headers, text } = await service().call('HEAD', '/events/stream', { key })
    assert.deepEqual([status, headers.get('content-type'), text], [200, 'text/event-stream', ''])
  })

  const metric = async (name: string) =>
    Number(new RegExp(`^${name} (.*)$`, 'm').exec((await service().call('GET', '//metrics', { key })).text)?.[1])
  const openStreams = (count: number) => becomes(() => metric('petstore_event_streams'), count)

  test('An event stream counts as one finished request, and ends when its client disconnects [decision 15]', async () => {
    await openStreams(0)
    const streams = [await open(), await open()]
    const raw = await RawConnection.open(service().port)
    raw.send(request('GET /v1/events/stream HTTP/1.1', ['Host: a', `Authorization: Bearer ${key}`]))
    await openStreams(3)
    assert.equal(await metric('http_server_active_requests'), 1, 'the one that asks')
    await raw.reset()
    await Promise.all(streams.map((stream) => stream.close()))
    await openStreams(0)
    await service().logged(/"route":"\/v1\/events\/stream","status":200/)
  })

  test('An event stream ends when its key is revoked, and reconnecting is then refused [decision 15]', async () => {
    const other = await service().makeKey({ scopes: ['events:read'] })
    const stream = await EventStream.open(`${service().url}/v1`, { key: other })
    await service().revokeKey(other)
    await service().passSeconds(2)
    assert.equal(await stream.ended, true, 'with its proper end')
    assert.deepEqual([stream.isClosing, stream.lastEventId], [true, stream.frames[0]?.lastEventId])
    await service().setClock(Date.now() + 5_000)
    expectError(await refused('', {}, other), 401, 'invalid_api_key')
    await service().setClock(null)
  })
})
