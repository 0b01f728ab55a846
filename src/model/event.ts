/** An event: one change of an animal, an order or the name of a category. */
import { type Static, Type } from '@sinclair/typebox'
import { limits } from '../limits.ts'
import { Int64, Timestamp } from '../schema/schema.ts'
import { Category } from './category.ts'
import { Order } from './order.ts'
import { Pet } from './pet.ts'

export const eventTypes = [
  'pet.created',
  'pet.updated',
  'pet.deleted',
  'order.placed',
  'order.completed',
  'order.cancelled',
  'category.named',
  'category.unnamed',
] as const
export type EventType = (typeof eventTypes)[number]

export const Event = Type.Object(
  {
    id: Int64({ description: 'Identifier of the event; later ones are higher.' }),
    // Not an enum: the list may grow, and a client that was made before must not break.
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
