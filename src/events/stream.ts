/** The stream of events: the feed, sent as it grows. */
import { Type } from '@sinclair/typebox'
import { refuse } from '../errors.ts'
import { cursor, int64, someOf } from '../http/input.ts'
import { operation } from '../http/operation.ts'
import { limits } from '../limits.ts'
import { eventTypes, readPosition } from '../model/event.ts'
import { position, positionOf } from './operations.ts'

const streamType = 'text/event-stream'
/** A cursor is that of the feed. */
const feedPath = '/events'

const messages = {
  unavailable: 'The service takes no more event streams; try again shortly.',
  rate_limited: `This API key has ${limits.eventStreamsOfKey.text} event streams open, and may have no more; close some.`,
}

export const streamEvents = operation({
  id: 'streamEvents',
  method: 'GET',
  path: '/events/stream',
  tag: 'events',
  scope: 'events:read',
  stability: 'beta',
  summary: 'Follow events as they happen',
  description:
    'Sends events as server-sent events, each as soon as it has happened: `id`, `event` (its type) and `data` (the event as in ' +
    'the list, in one line). It begins with what follows `Last-Event-ID`, or `after`, or `cursor`, or else with the present, and goes on until ' +
    'the connection ends; connect again with the last `id` to miss no event and get none twice. A block that has only an `id` says how far ' +
    `the stream has come; a comment comes every ${limits.commentTime.text}. Before the service closes a stream, it sends the event \`closing\`: ` +
    'connect again at once. A client that does not read what was sent ' +
    `for ${limits.stuckTime.text} is disconnected. If the events after that position were removed, the response is 410 \`events_expired\`: start over.`,
  acceptsLastEventId: true,
  hideTryItPanel: 'A stream goes on until the client ends it; a panel would wait for its end.',
  query: {
    type: someOf(eventTypes, 'Send only events of these types.'),
    petId: int64('Send only events of this animal, and of orders on it.', 42),
    after: position,
    cursor: {
      ...cursor,
      description:
        'Where the stream begins: from the `Link` header of a list of events with the same filters. `Last-Event-ID` comes first.',
    },
  },
  answer: {
    status: 200,
    description: 'The events, as long as the connection lasts.',
    type: streamType,
    schema: Type.Unsafe<string>({ description: 'Server-sent events, as in the HTML standard; no end is set.' }),
    example:
      'retry: 2000\n\nid: 6-mwhmvol4\n\nid: 7-mwhmvow0\nevent: pet.created\ndata: {"id":7,"type":"pet.created","at":"2026-11-15T09:30:00.000Z",' +
      '"data":{"id":42,"name":"Rex","categoryId":1,"status":"available"}}\n\n',
    headers: ['Cache-Control'],
  },
  refusals: ['events_expired'],
  async run({ query, lastEventId, key }, { store: { events }, paging, streams }) {
    const { after: given, ...filters } = query
    const { type: types, petId, cursor } = filters
    if (given && cursor !== undefined) refuse('invalid_parameter', 'after, cursor: only one of them may be given')
    const refusal = streams.refusalOf(key.id)
    if (refusal) refuse(refusal, messages[refusal], ['Retry-After', '1'])
    const sent = lastEventId === undefined ? given : readPosition(lastEventId)
    if (lastEventId !== undefined && !sent)
      refuse('invalid_cursor', 'Last-Event-ID must be an id that the stream has sent.')
    const after = sent ? await positionOf(sent, events) : paging.startAtEvent(feedPath, { limit: 1, ...filters })
    const page =
      after === undefined
        ? { events: [], position: await events.present() }
        : await events.page({ after, limit: limits.pageSize.max, types, petId })
    if (page === 'events_expired') return refuse(page)
    const body = streams.follow({ keyId: key.id, types, petId, events: page.events, after: page.position })
    // nginx keeps what it gets in a buffer unless it is told not to.
    return { status: 200, body, type: streamType, headers: ['X-Accel-Buffering', 'no'] }
  },
})
