/** The operations on events, which a second system reads as pages or as a stream to stay up to date. */
import { refuse } from '../errors.ts'
import { operation, type Services } from '../http/operation.ts'
import { cursor, int64, oneOf, type Parameter, pageSize, someOf, time } from '../http/parameters.ts'
import { limits } from '../limits.ts'
import { type EventPosition, Events, eventTypes, positionSchema, positionText, readPosition } from '../model/event.ts'
import { Type } from '../schema/type.ts'
import type { EventTable } from '../store/event-table.ts'
import type { Hub } from './hub.ts'

const now = { ...Type.Unsafe<'now'>({ type: 'string' }), enum: ['now'] as const }

const position: Parameter<Exclude<ReturnType<typeof readPosition>, undefined>> = {
  schema: positionSchema,
  description:
    'Begin after this event. The value is an `id` that a stream has sent, such as `7-mwhmvow0`, or the `id` of an ' +
    'event. Prefer the `id` of a stream: with only the `id` of an event, the service cannot notice that this ' +
    'event was lost when a backup was restored, and that another event now has its `id`.',
  parse: readPosition,
  expects: 'the id of an event, or an id that a stream has sent',
  refusal: 'invalid_parameter',
}

const exampleAt = '2026-11-15T09:30:00.000Z'
const exampleOrder = { id: 7, petId: 42, status: 'placed', createdAt: exampleAt, updatedAt: exampleAt }

export interface EventServices extends Services {
  readonly streams: Hub
}

export const listEvents = operation({
  id: 'listEvents',
  method: 'GET',
  path: '/events',
  tag: 'events',
  scope: 'events:read',
  stability: 'beta',
  summary: 'List events',
  description:
    'Returns a page of events, the oldest first. An event is a change of an animal, of an order, or of the name ' +
    'of a category. At most one of `from`, `since`, `after` and `cursor` can be given.\n\nThe `Link` header ' +
    'always contains the URL of the next page, even after the last event. Keep this URL and request it again ' +
    'later. If the `cursor` in the `Link` header is the one that you sent, there are no further events yet. With ' +
    'filters, an earlier page can be short or empty. A client that follows these URLs receives every event ' +
    'exactly once.\n\nTo keep a copy of the catalogue, request `from=now`, then list all animals, then follow the ' +
    'events. Events are removed after 30 days, unless the operator has set another time. A cursor that is older ' +
    'is refused with 410 `events_expired`; then start again with `from=now`.',
  query: {
    limit: pageSize('Maximum number of events to return.'),
    type: { ...someOf(eventTypes, 'Return only events of these types.'), example: ['order.placed', 'pet.updated'] },
    petId: int64('Return only events of this animal and of its orders.', 42),
    from: {
      ...oneOf(now, 'Begin after the latest event instead of at the oldest one. The page is empty.'),
      example: undefined,
    },
    since: time(
      'Begin at the first event at or after this time. If events of that time are no longer kept, begin at the ' +
        'oldest event.',
    ),
    after: position,
    cursor,
  },
  answer: {
    status: 200,
    description: 'A page of events.',
    schema: Events,
    example: [
      { id: 1, type: 'order.placed', at: exampleAt, by: 'Front desk', data: exampleOrder },
      {
        id: 2,
        type: 'pet.updated',
        at: exampleAt,
        by: 'Front desk',
        data: { id: 42, name: 'Rex', categoryId: 1, status: 'pending' },
      },
    ],
    headers: ['Last-Event-ID'],
  },
  refusals: ['events_expired'],
  async run({ path, query: { from, since, after, ...query } }, { store: { events }, paging }) {
    const { cursor, limit, type: types, petId } = query
    if ([from, since, after, cursor].filter((start) => start !== undefined).length > 1)
      refuse('invalid_parameter', 'from, since, after, cursor: send only one of them')
    const reply = (json: string, end: EventPosition) => {
      const page = paging.reply(path, query, { json, next: positionText(end) })
      return { ...page, headers: [...(page.headers ?? []), 'Last-Event-ID', positionText(end)] }
    }
    if (from) return reply('[]', await events.present())
    const start = after ? await positionOf(after, events) : paging.startAtEvent(path, query)
    const page = await pageAfter(events, start ?? since, { limit, types, petId })
    return reply(`[${page.events.map(({ json }) => json).join()}]`, page.position)
  },
})

const streamType = 'text/event-stream'

const messages = {
  unavailable: 'The service cannot accept more event streams. Try again after the seconds in the Retry-After header.',
  rate_limited:
    `This API key already has ${limits.eventStreamsOfKey.text} open event streams, which is the maximum. Close ` +
    'some of them.',
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
    'Sends each event as soon as it has happened, as a server-sent event with three fields: `id`, `event` (the ' +
    'type of the event) and `data` (the event as in the list, in one line). The stream begins after ' +
    '`Last-Event-ID`, `after` or `cursor`; without any of them, it begins with the next event. It continues until ' +
    'the connection ends. Connect again with the last `id` to receive every event exactly once.\n\nA block that ' +
    'contains only an `id` reports the current position of the stream. A comment is sent every ' +
    `${limits.commentTime.text}. Before the service closes a stream, it sends the event \`closing\`; then connect ` +
    `again immediately. A client that leaves data unread for ${limits.stuckTime.text} is disconnected. If the ` +
    'events after the given position were removed, the response is 410 `events_expired`; then connect without a ' +
    'position, and list everything again.',
  acceptsLastEventId: true,
  hideTryItPanel: 'A stream continues until the client ends it, so a panel would never show a response.',
  query: {
    type: someOf(eventTypes, 'Send only events of these types.'),
    petId: int64('Send only events of this animal and of its orders.', 42),
    after: position,
    cursor: {
      ...cursor,
      description:
        'Where the stream begins: a `cursor` from the `Link` header of a list of events with the same filters. ' +
        '`Last-Event-ID` takes precedence.',
    },
  },
  answer: {
    status: 200,
    description: 'The events, for as long as the connection lasts.',
    type: streamType,
    schema: Type.String({
      description:
        'Server-sent events, as the HTML standard defines them. The stream continues until the connection ends.',
    }),
    example:
      'retry: 2000\n\nid: 6-mwhmvol4\n\nid: 7-mwhmvow0\nevent: pet.created\ndata: ' +
      '{"id":7,"type":"pet.created","at":"2026-11-15T09:30:00.000Z","by":"Front desk",' +
      '"data":{"id":42,"name":"Rex","categoryId":1,"status":"available"}}\n\n',
  },
  refusals: ['events_expired'],
  async run({ query, lastEventId, key }, { store: { events }, paging, streams }: EventServices) {
    const { after: given, ...filters } = query
    const { type: types, petId, cursor } = filters
    if (given && cursor !== undefined) refuse('invalid_parameter', 'after, cursor: send only one of them')
    const refusal = streams.refusalOf(key.id)
    if (refusal) refuse(refusal, messages[refusal], ['Retry-After', '1'])
    const sent = lastEventId === undefined ? given : readPosition(lastEventId)
    if (lastEventId !== undefined && !sent)
      refuse('invalid_cursor', 'Last-Event-ID must be an id that the stream has sent.')
    const after = sent ? await positionOf(sent, events) : paging.startAtEvent(listEvents.path, filters)
    const page =
      after === undefined
        ? { events: [], position: await events.present() }
        : await events.page({ after, limit: limits.pageSize.max, types, petId })
    if (page === 'events_expired') return refuse(page)
    const body = streams.follow({ keyId: key.id, types, petId, events: page.events, after: page.position })
    // Tells nginx not to buffer the response.
    return { status: 200, body, type: streamType, headers: ['X-Accel-Buffering', 'no'] }
  },
})

/** The position that a client has sent. Refuses a position whose event was removed. */
async function positionOf(
  { id, at }: { id: number; at: number | undefined },
  events: EventTable,
): Promise<EventPosition> {
  const position = at === undefined ? await events.positionOf(id) : { id, at }
  return typeof position === 'string' ? refuse(position) : position
}

/** A page after a position or from a time on. Without either, it contains the oldest events that are kept. */
async function pageAfter(
  events: EventTable,
  start: EventPosition | number | undefined,
  filters: Omit<Parameters<EventTable['page']>[0], 'after'>,
) {
  for (;;) {
    const after = typeof start === 'number' ? await events.positionBefore(start) : (start ?? (await events.oldest()))
    const page = await events.page({ ...filters, after })
    if (typeof page === 'object') return page
    // Events were removed since the position was found a moment ago, so it is determined again.
    if (start === after) refuse(page)
  }
}
