/** The feed of events: what a second system reads to stay in step. */
import { Type } from '@sinclair/typebox'
import { refuse } from '../errors.ts'
import { cursor, int64, oneOf, type Parameter, pageSize, someOf } from '../http/input.ts'
import { operation } from '../http/operation.ts'
import { type EventPosition, Events, eventTypes, positionSchema, positionText, readPosition } from '../model/event.ts'
import type { EventTable } from '../store/store.ts'

const now = { ...Type.Unsafe<'now'>({ type: 'string' }), enum: ['now'] as const }

export const position: Parameter<Exclude<ReturnType<typeof readPosition>, undefined>> = {
  schema: positionSchema,
  description:
    'Begin after this event: the `id` that a stream has sent, such as `7-mwhmvow0`, or the `id` of an event. The latter cannot tell ' +
    'whether the event was lost and its `id` given out again, as after a restore.',
  example: '7-mwhmvow0',
  parse: readPosition,
  expects: 'the id of an event, as an event or a stream has it',
  refusal: 'invalid_parameter',
}

const exampleAt = '2026-11-15T09:30:00.000Z'
const exampleOrder = { id: 7, petId: 42, status: 'placed', createdAt: exampleAt, updatedAt: exampleAt }

export const listEvents = operation({
  id: 'listEvents',
  method: 'GET',
  path: '/events',
  tag: 'events',
  scope: 'events:read',
  stability: 'beta',
  summary: 'List events',
  description:
    'Returns a page of events, the oldest first: every change of an animal, an order or the name of a category. The `Link` ' +
    'header always has the next page, also after the last event: keep it, and ask again later. There is nothing more for now ' +
    'when its cursor is the one that was sent; with filters, a page before that may be short or even empty. Whoever follows ' +
    'the pages misses no event and gets none twice. To keep a copy of the catalogue: ask with `from=now`, list everything, then follow. ' +
    'Events are removed after a while (30 days, unless the operator chose another time); a cursor from before then is refused ' +
    'with 410 `events_expired`: start over. At most one of `from`, `after` and `cursor` may be given.',
  query: {
    limit: pageSize('Maximum number of events to return.'),
    type: { ...someOf(eventTypes, 'Return only events of these types.'), example: ['order.placed', 'pet.updated'] },
    petId: int64('Return only events of this animal, and of orders on it.', 42),
    from: oneOf(now, 'Begin after the latest event instead of with the oldest: the page is empty.'),
    after: position,
    cursor,
  },
  answer: {
    status: 200,
    description: 'A page of events.',
    schema: Events,
    example: [
      { id: 1, type: 'order.placed', at: exampleAt, data: exampleOrder },
      {
        id: 2,
        type: 'pet.updated',
        at: exampleAt,
        data: { id: 42, name: 'Rex', categoryId: 1, status: 'pending' },
      },
    ],
    headers: ['Link', 'ETag', 'Cache-Control'],
  },
  refusals: ['events_expired'],
  async run({ path, query: { from, after, ...query } }, { store: { events }, paging }) {
    const { cursor, limit, type: types, petId } = query
    if ([from, after, cursor].filter((start) => start !== undefined).length > 1)
      refuse('invalid_parameter', 'from, after, cursor: only one of them may be given')
    const reply = (json: string, end: EventPosition) => paging.reply(path, query, { json, next: positionText(end) })
    if (from) return reply('[]', await events.present())
    const start = after ? await positionOf(after, events) : paging.startAtEvent(path, query)
    const page = await pageAfter(events, start, { limit, types, petId })
    return reply(`[${page.events.map(({ json }) => json).join()}]`, page.position)
  },
})

/** The position that a client has sent; refuses one whose event was removed. */
export async function positionOf(
  { id, at }: { id: number; at: number | undefined },
  events: EventTable,
): Promise<EventPosition> {
  const position = at === undefined ? await events.positionOf(id) : { id, at }
  return typeof position === 'string' ? refuse(position) : position
}

/** Without a start, the oldest events that are kept. */
async function pageAfter(
  events: EventTable,
  start: EventPosition | undefined,
  filters: Omit<Parameters<EventTable['page']>[0], 'after'>,
) {
  for (;;) {
    const page = await events.page({ ...filters, after: start ?? (await events.oldest()) })
    if (typeof page === 'object') return page
    // Without a start: some were removed since.
    if (start !== undefined) refuse(page)
  }
}
