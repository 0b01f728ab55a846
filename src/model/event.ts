/** An event: one change of an animal, an order or the name of a category. */
import { type Static, Type } from '@sinclair/typebox'
import { limits } from '../limits.ts'
import { Int64, Timestamp } from '../schema/schema.ts'
import { Order } from './order.ts'
import { Category, Pet } from './pet.ts'

export const eventTypes = [
  'pet.created',
  'pet.updated',
  'pet.deleted',
  'order.placed',
  'order.completed',
  'order.cancelled',
  'order.returned',
  'category.named',
  'category.unnamed',
] as const
export type EventType = (typeof eventTypes)[number]

/**
 * A place in the feed: the id of an event and its time in milliseconds, or 0 and 0 for the beginning. After a restore, or a
 * failover to a server that lacked the last events, ids are given out again; the time tells such events apart.
 */
export interface EventPosition {
  readonly id: number
  readonly at: number
}

export const isSamePosition = (one: EventPosition, other: EventPosition): boolean =>
  one.id === other.id && one.at === other.at

/** A position as the id in streams and webhook messages, such as `7-mwhmvow0`. */
export const positionText = ({ id, at }: EventPosition): string => `${id}-${at.toString(36)}`

/** The form of a position in the OpenAPI document, as a parameter and as Last-Event-ID. */
export const positionSchema = { type: 'string', maxLength: 32, pattern: '^[0-9]+(-[0-9a-z]+)?$' }

/** Reads a position that a client has sent: `7-mwhmvow0`, or only the id of an event, without a time. */
export function readPosition(text: string): { id: number; at: number | undefined } | undefined {
  const [, id, at] = /^(0|[1-9][0-9]{0,15})(?:-(0|[1-9a-z][0-9a-z]{0,9}))?$/.exec(text) ?? []
  if (id === undefined || !Number.isSafeInteger(Number(id))) return undefined
  return { id: Number(id), at: at === undefined ? undefined : Number.parseInt(at, 36) }
}

export const Event = Type.Object(
  {
    id: Int64({ description: 'Identifier of the event; later ones are higher.' }),
    // Not an enum: types may be added, and older clients must not break.
    type: Type.Unsafe<EventType>({
      type: 'string',
      maxLength: 64,
      pattern: '^[a-z]+\\.[a-z]+$',
      description: 'What happened. Further types may be added; ignore those that you do not know.',
      'x-extensible-enum': eventTypes,
    }),
    at: Timestamp('When it happened, by the clock of the database.'),
    data: Type.Union([Pet, Order, Category], {
      description: 'The animal, order or category as it was then; one that was removed, as it was last.',
    }),
  },
  { $id: 'Event', description: 'A change of an animal, an order or the name of a category.' },
)
export type Event = Static<typeof Event>

export const Events = Type.Array(Event, {
  $id: 'Events',
  description: 'A page of events, in ascending order of `id`.',
  maxItems: limits.pageSize.max,
})
