/** How the client follows events: by the stream, by the feed where the stream does not come through, and when it ends. */
import assert from 'node:assert/strict'
import { getEventListeners } from 'node:events'
import { test } from 'node:test'
import {
  type EventFilter,
  ForbiddenError,
  GoneError,
  PetStore,
  type PetStoreError,
  positionOf,
} from '../../client/src/index.ts'
import { addPet, addPets } from '../support/expect.ts'
import { onOneTarget } from '../support/service.ts'

/** After this time without a byte, the stream is given up. */
const silence = 30_000

const big = 9007199254740993n
const at = '2026-11-15T09:30:00.000Z'
const eventText = (id: number) =>
  `{"id":${id},"type":"pet.deleted","at":"${at}","data":{"id":1,"name":"id: 7","categoryId":${big}}}`
const frame = (id: number) => `id: ${id}\nevent: pet.deleted\ndata: ${eventText(id)}\n\n`
const opening = (id: number) => `retry: 2000\n\nid: ${id}\n\n`
const closing = 'event: closing\ndata: {}\n\n'

type Reply = (init: RequestInit) => Response | Promise<Response>

/** A stream of these pieces that then ends, or stays open until the client cuts it. */
const stream =
  (pieces: readonly (string | Uint8Array)[], isOpen = false): Reply =>
  ({ signal }) =>
    new Response(
      new ReadableStream({
        start(controller) {
          for (const piece of pieces)
            controller.enqueue(typeof piece === 'string' ? new TextEncoder().encode(piece) : piece)
          if (!isOpen) controller.close()
          else signal?.addEventListener('abort', () => controller.error(signal.reason))
        },
      }),
    )
const feed =
  (ids: readonly number[], next: string): Reply =>
  () =>
    new Response(`[${ids.map(eventText)}]`, { headers: { Link: `</v1/events?cursor=${next}>; rel="next"` } })
const refusal =
  (status: number, code: string): Reply =>
  () =>
    Response.json({ code, message: 'no', status }, { status })
const noRoute = refusal(404, 'route_not_found')
const cut: Reply = () => Promise.reject(new TypeError('fetch failed'))

/** The reason when a client asks once more than there are replies. */
const over = 'over'

/** Follows against these replies in turn, until `most` events have come; silence lasts half a minute at once. */
async function follow(
  replies: Reply[],
  filter?: EventFilter,
  most = Number.POSITIVE_INFINITY,
  onError?: (error: PetStoreError) => void,
) {
  const requests: string[] = []
  const pauses: number[] = []
  const ids: number[] = []
  const stop = new AbortController()
  const petstore = new PetStore({
    baseUrl: 'http://shop.example/v1',
    apiKey: 'key',
    maxRetries: 0,
    random: () => 1,
    async fetch(url, init) {
      const { pathname, search } = new URL(url)
      const headers = new Headers(init.headers)
      assert.equal(headers.get('authorization'), 'Bearer key')
      const last = headers.get('last-event-id')
      requests.push(`${pathname.slice(4)}${decodeURIComponent(search)}${last === null ? '' : ` after ${last}`}`)
      const reply = replies.shift()
      if (!reply) stop.abort(over)
      stop.signal.throwIfAborted()
      return reply?.(init) ?? assert.fail()
    },
    async sleep(milliseconds, signal) {
      if (milliseconds !== silence) pauses.push(milliseconds)
      // What has arrived is read before that.
      else await new Promise((resolve) => setImmediate(resolve))
      signal?.throwIfAborted()
    },
  })
  let error: unknown
  try {
    for await (const event of petstore.events.follow(filter, { signal: stop.signal, onError })) {
      assert.ok('categoryId' in event.data && event.data.categoryId === big, 'every digit is kept')
      ids.push(Number(event.id))
      if (ids.length === most) break
    }
  } catch (thrown) {
    error = thrown
  }
  assert.deepEqual(getEventListeners(stop.signal, 'abort'), [])
  return { ids, requests, pauses, error }
}

test('follows the stream from the present, however its text is cut, and resumes after the last event', async () => {
  const bytes = new TextEncoder().encode(`${opening(4)}${frame(5)}:\nid: 6\n\n${frame(7)}`)
  const { ids, requests, pauses, error } = await follow([
    stream(Array.from(bytes, (_, i) => bytes.subarray(i, i + 1))),
    stream([opening(7), frame(8), frame(9).slice(0, -1)]),
    stream([opening(8), `:\nid: 10\n\n`]),
    stream([opening(10), closing]),
  ])
  assert.deepEqual(ids, [5, 7, 8])
  const path = 'events/stream'
  assert.deepEqual(requests, [path, `${path} after 7`, `${path} after 8`, `${path} after 10`, `${path} after 10`])
  assert.deepEqual(pauses, [250, 250, 250, 250])
  assert.equal(error, over)
})

test('begins where it is told, with its filters, and passes them on to the feed', async () => {
  const filters = { type: ['pet.deleted', 'pet.created'], petId: big } as const
  const query = `type=pet.deleted,pet.created&petId=${big}`
  const byId = await follow([noRoute, feed([8], 'b'), feed([], 'b'), stream([frame(9)])], { ...filters, after: 7n })
  assert.deepEqual(byId.ids, [8, 9])
  assert.deepEqual(byId.requests, [
    `events/stream?${query} after 7`,
    `events?limit=100&${query}&after=7`,
    `events?limit=100&${query}&cursor=b`,
    `events/stream?${query}&cursor=b`,
    `events/stream?${query} after 9`,
  ])
  const byCursor = await follow([noRoute, feed([], 'a')], { ...filters, cursor: 'a' })
  const asked = [`events/stream?${query}&cursor=a`, `events?limit=100&${query}&cursor=a`]
  assert.deepEqual(byCursor.requests, [...asked, asked[0]])
})

test('asks the feed for the present where there is no stream, and the stream again after 1, 2, 4 and at most 64 polls [D263]', async () => {
  // No stream has a body like this, and of the feed it is an empty page, the last one.
  const { requests, pauses, error } = await follow(Array(300).fill(feed([], 'p')))
  assert.deepEqual(requests.slice(0, 3), ['events/stream', 'events?limit=100&from=now', 'events?limit=100&cursor=p'])
  const between = requests.join().split(/,?events.stream[^,]*,?/)
  const counts = between.map((asked) => asked.split(',').filter((each) => each.endsWith('=p')).length)
  assert.deepEqual(counts.slice(1, 9), [1, 2, 4, 8, 16, 32, 64, 64])
  assert.deepEqual(pauses.slice(0, 16), [500, 1000, 1000, 2000, 2000, 2000, 2000, ...Array(8).fill(4000), 8000])
  assert.equal(Math.max(...pauses), 8000)
  assert.equal(error, over)
})

for (const [name, held] of [
  ['does not answer', ({ signal }) => new Promise((_, reject) => signal?.addEventListener('abort', reject))],
  ['sends nothing', stream([], true)],
  ['sends its first frame and then nothing', stream([opening(7)], true)],
] as [string, Reply][])
  test(`takes the feed in place of a stream that ${name} for half a minute [D263]`, async () => {
    const { ids, requests } = await follow([held, feed([8], 'b'), feed([], 'b'), stream([frame(9)])], { after: 7n })
    assert.deepEqual(ids, [8, 9])
    assert.equal(requests[1], 'events?limit=100&after=7')
  })

test('waits longer each time while nothing answers, also behind a gateway, and then goes on where it was [D264]', async () => {
  const gateway: Reply = () => new Response('<html>', { status: 502 })
  const { ids, pauses } = await follow(
    [
      cut,
      cut,
      gateway,
      gateway,
      cut,
      refusal(503, 'unavailable'),
      cut,
      refusal(500, 'internal_error'),
      stream([frame(8)]),
    ],
    { after: 7n },
  )
  assert.deepEqual(ids, [8])
  assert.deepEqual(pauses, [500, 1000, 2000, 4000, 250])
})

test('tells of each failure, however long they last, and ends with what it is answered [D264]', async () => {
  const failed = refusal(500, 'internal_error')
  const told: (number | undefined)[] = []
  const tell = (error: PetStoreError) => void told.push(error.status)
  const lasting = await follow([cut, failed, cut, cut, ...Array(2_000).fill(failed)], { after: 7n }, 1, tell)
  assert.deepEqual([told.length, lasting.error], [1_002, over])
  assert.deepEqual(told.slice(0, 3), [500, undefined, 500])
  const enough = new Error('enough')
  const ended = await follow(Array(100).fill(failed), {}, 1, () => {
    if (told.push(0) > 1_010) throw enough
  })
  assert.equal(ended.error, enough)
})

test('goes on after the position of an event, as a stream has sent it or as it is made of the event', async () => {
  const position = '7-mwhmvow0'
  assert.equal(positionOf({ id: 7n, at }), position)
  assert.equal(positionOf({ id: 9223372036854775807n, at: '1970-01-01T00:00:00.035Z' }), '9223372036854775807-z')
  const beginning = `retry: 2000\n\nid: ${position}\n\n`
  const { requests, error } = await follow(
    [noRoute, feed([8], 'b'), feed([], 'b'), stream([beginning]), feed([], 'c'), feed([], 'c')],
    { after: position },
  )
  assert.deepEqual(requests, [
    `events/stream after ${position}`,
    `events?limit=100&after=${position}`,
    'events?limit=100&cursor=b',
    'events/stream?cursor=b',
    `events?limit=100&after=${position}`,
    'events?limit=100&cursor=c',
    'events?limit=100&cursor=c',
  ])
  assert.equal(error, over)
})

test('ends with the error of a service that has removed the events, or refuses the key [D264]', async () => {
  const expired = await follow([stream([frame(8)]), refusal(410, 'events_expired'), refusal(410, 'events_expired')])
  assert.ok(expired.error instanceof GoneError && expired.error.code === 'events_expired')
  assert.deepEqual([expired.ids, expired.requests[2]], [[8], 'events?limit=100&after=8'])
  const refused = await follow([refusal(403, 'insufficient_scope'), refusal(403, 'insufficient_scope')])
  assert.ok(refused.error instanceof ForbiddenError)
  assert.deepEqual(refused.pauses, [])
})

test('cuts the stream when the loop is left, and when the signal is aborted, whose reason the loop throws', async () => {
  let signal: AbortSignal | null | undefined
  const open: Reply = (init) => {
    signal = init.signal
    return stream([frame(8), frame(9)], true)(init)
  }
  assert.deepEqual((await follow([open], {}, 1)).ids, [8])
  assert.equal(signal?.aborted, true)

  const reason = new Error('enough')
  const stop = new AbortController()
  const petstore = new PetStore({
    baseUrl: 'http://shop.example/v1',
    apiKey: 'key',
    fetch: async (_, init) => open(init),
    // Nothing is waited for once the signal is aborted.
    sleep: async (milliseconds) => void (milliseconds === silence ? await new Promise(() => {}) : assert.fail()),
  })
  const events = petstore.events.follow({}, { signal: stop.signal })
  assert.equal((await events.next()).value?.id, 8n)
  await events.next()
  const next = events.next()
  stop.abort(reason)
  await assert.rejects(next, reason)
  assert.equal(signal?.aborted, true)
  await assert.rejects(petstore.events.follow({}, { signal: stop.signal }).next(), reason)
})

test('a list of events ends where its next page is itself, and begins only once where it is told', async () => {
  const requests: string[] = []
  const replies = [feed([3], 'b'), feed([], 'c'), feed([4], 'd'), feed([], 'd')]
  const petstore = new PetStore({
    baseUrl: 'http://shop.example/v1',
    apiKey: 'key',
    async fetch(url, init) {
      requests.push(new URL(url).search)
      return replies.shift()?.(init) ?? assert.fail('one request too many')
    },
  })
  const events = await Array.fromAsync(petstore.events.list({ type: ['pet.deleted'], after: 2n }))
  assert.deepEqual(
    events.map(({ id }) => id),
    [3n, 4n],
  )
  assert.deepEqual(requests, [
    '?type=pet.deleted&limit=100&after=2',
    ...['b', 'c', 'd'].map((cursor) => `?type=pet.deleted&limit=100&cursor=${cursor}`),
  ])
})

onOneTarget('follow', (service) => {
  test('needs one request where the stream comes through, with what happened before and after', async () => {
    const asked: string[] = []
    const petstore = new PetStore({
      baseUrl: `${service().url}/v1`,
      apiKey: await service().makeKey({ scopes: ['events:read'] }),
      fetch(url, init) {
        asked.push(url.replace(`${service().url}/v1/`, ''))
        return fetch(url, init)
      },
    })
    const { next: cursor } = await petstore.events.list({ from: 'now' }).page()
    const ids = await addPets(service(), 3)
    let seen = 0
    for await (const { data } of petstore.events.follow({ cursor })) {
      assert.equal(Number(data.id), ids[seen++])
      if (seen === 3) ids.push((await addPet(service())).id)
      if (seen === 4) break
    }
    assert.deepEqual(asked, ['events?from=now', `events/stream?cursor=${cursor}`])
  })
})
