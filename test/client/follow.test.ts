/**
 * How the client follows events: by the stream, by the feed where the stream does not come through, and when it ends.
 */
import assert from 'node:assert/strict'
import { getEventListeners } from 'node:events'
import { test } from 'node:test'
import { type EventFilter, ForbiddenError, GoneError, type PetStoreError, positionOf } from '../../client/src/index.ts'
import { answered, cut, page, type Reply, refusal } from './support/stub.ts'

/** After this time without a byte, the stream is given up. */
const silence = 30_000

const at = '2026-11-15T09:30:00.000Z'
const eventOf = (id: number) => ({ id, type: 'pet.deleted', at, data: { id: 1, name: 'id: 7', categoryId: 1 } })
const frame = (id: number) => `id: ${id}\nevent: pet.deleted\ndata: ${JSON.stringify(eventOf(id))}\n\n`
const opening = (id: number | string) => `retry: 2000\n\nid: ${id}\n\n`
const closing = 'event: closing\ndata: {}\n\n'

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
const feed = (ids: readonly number[], next: string): Reply => page(next, ids.map(eventOf))
const noRoute = refusal(404, 'route_not_found')

/** The reason when a client asks once more than there are replies. */
const over = 'over'

/** Follows against these replies in turn, until `most` events have come; silence lasts half a minute at once. */
async function follow(
  replies: readonly Reply[],
  filter?: EventFilter,
  most = Number.POSITIVE_INFINITY,
  onError?: (error: PetStoreError) => void,
) {
  const pauses: number[] = []
  const ids: number[] = []
  const stop = new AbortController()
  const end = () => {
    stop.abort(over)
    return Promise.reject(over)
  }
  const { petstore, sent } = answered([...replies, end], {
    maxRetries: 0,
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
      if (ids.push(Number(event.id)) === most) break
    }
  } catch (thrown) {
    error = thrown
  }
  assert.deepEqual(getEventListeners(stop.signal, 'abort'), [])
  const requests = sent.map(({ url: { pathname, search }, headers }) => {
    const last = headers.get('last-event-id')
    return `${pathname.slice(4)}${decodeURIComponent(search)}${last === null ? '' : ` after ${last}`}`
  })
  return { ids, requests, pauses, error }
}

test('follow reads the stream from the present, however its text is cut, and resumes after the last event', async () => {
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

test('follow reports a stream that is cut off to onError, and resumes after its last event [decision 31]', async () => {
  const errors: PetStoreError[] = []
  const broken: Reply = () => {
    const bytes = new TextEncoder().encode(opening(4) + frame(5))
    let isSent = false
    const pull = (controller: ReadableStreamDefaultController) => {
      if (isSent) controller.error(new TypeError('terminated'))
      else controller.enqueue(bytes)
      isSent = true
    }
    return new Response(new ReadableStream({ pull }))
  }
  const ended = stream([opening(5), frame(6)])
  const { ids, requests } = await follow([broken, ended], {}, Number.POSITIVE_INFINITY, (error) => errors.push(error))
  assert.deepEqual(ids, [5, 6])
  assert.deepEqual(requests.slice(0, 2), ['events/stream', 'events/stream after 5'])
  assert.deepEqual(
    errors.map(({ name, message }) => [name, message]),
    [['ConnectionError', 'The stream was cut off.']],
  )
  assert.match(errors[0]?.requestId ?? '', /^[0-9a-f]{32}$/)
})

test('follow begins at the given position and passes its filters to the list', async () => {
  const filters = { type: ['pet.deleted', 'pet.created'], petId: 9n } as const
  const query = `type=pet.deleted,pet.created&petId=9`
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

test('follow polls the feed if there is no stream, and tries the stream again after 1, 2, 4 … 64 polls [decision 31]', async () => {
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
  test(`follow polls the feed if a stream ${name} for half a minute [decision 31]`, async () => {
    const { ids, requests } = await follow([held, feed([8], 'b'), feed([], 'b'), stream([frame(9)])], { after: 7n })
    assert.deepEqual(ids, [8, 9])
    assert.equal(requests[1], 'events?limit=100&after=7')
  })

test('follow waits longer after each failure, even behind a gateway, and then continues [decision 31]', async () => {
  const gateway: Reply = () => new Response('<html>', { status: 502 })
  const [unavailable, failed] = [refusal(503, 'unavailable'), refusal(500, 'internal_error')]
  const replies = [cut, cut, gateway, gateway, cut, unavailable, cut, failed, stream([frame(8)])]
  const { ids, pauses } = await follow(replies, { after: 7n })
  assert.deepEqual(ids, [8])
  assert.deepEqual(pauses, [500, 1000, 2000, 4000, 250])
})

test('follow reports each failure for as long as failures last, and ends after a refusal [decision 31]', async () => {
  const failed = refusal(500, 'internal_error')
  const told: (number | undefined)[] = []
  const tell = (error: PetStoreError) => void told.push(error.status)
  const lasting = await follow([cut, failed, cut, cut, ...Array(400).fill(failed)], { after: 7n }, 1, tell)
  assert.deepEqual([told.length, lasting.error], [202, over])
  assert.deepEqual(told.slice(0, 3), [500, undefined, 500])
  const enough = new Error('enough')
  const ended = await follow(Array(100).fill(failed), {}, 1, () => {
    if (told.push(0) > 210) throw enough
  })
  assert.equal(ended.error, enough)
})

test('follow resumes after the position of an event from a stream, and after the result of positionOf', async () => {
  const after = positionOf({ id: 7n, at })
  assert.equal(after, '7-mwhmvow0')
  assert.equal(positionOf({ id: 9223372036854775807n, at: '1970-01-01T00:00:00.035Z' }), '9223372036854775807-z')
  const { requests } = await follow([noRoute, feed([], 'b'), feed([], 'b'), stream([opening('9-z')])], { after })
  assert.deepEqual(requests, [
    `events/stream after ${after}`,
    `events?limit=100&after=${after}`,
    'events?limit=100&cursor=b',
    'events/stream?cursor=b',
    'events?limit=100&after=9-z',
  ])
})

test('follow throws the error of a service that has removed the events or refuses the key [decision 31]', async () => {
  const expired = await follow([stream([frame(8)]), refusal(410, 'events_expired'), refusal(410, 'events_expired')])
  assert.ok(expired.error instanceof GoneError && expired.error.code === 'events_expired')
  assert.deepEqual([expired.ids, expired.requests[2]], [[8], 'events?limit=100&after=8'])
  const refused = await follow([refusal(403, 'insufficient_scope'), refusal(403, 'insufficient_scope')])
  assert.ok(refused.error instanceof ForbiddenError)
  assert.deepEqual(refused.pauses, [])
})

test('follow closes the stream when the loop is left, or when its signal is aborted, and then throws the reason', async () => {
  let signal: AbortSignal | null | undefined
  const open: Reply = (init) => {
    signal = init.signal
    return stream([frame(8), frame(9)], true)(init)
  }
  assert.deepEqual((await follow([open], {}, 1)).ids, [8])
  assert.equal(signal?.aborted, true)

  const reason = new Error('enough')
  const stop = new AbortController()
  const { petstore } = answered([open], {
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

test('A list of events ends if its next page is the same page, and uses the given position only for the first page', async () => {
  const { petstore, queries } = answered([feed([3], 'b'), feed([], 'c'), feed([4], 'd'), feed([], 'd')])
  const events = await petstore.events.list({ type: ['pet.deleted'], after: 2n }).toArray()
  const ids = events.map(({ id }) => id)
  assert.deepEqual(ids, [3n, 4n])
  const filters = { type: 'pet.deleted', limit: '100' }
  const cursors = ['b', 'c', 'd'].map((cursor) => ({ ...filters, cursor }))
  assert.deepEqual(queries(), [{ ...filters, after: '2' }, ...cursors])
})
