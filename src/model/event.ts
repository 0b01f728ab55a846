/** An event: one change of an animal, an order or the name of a category. */
import { Int64, PageOf, Timestamp } from '../schema/schema.ts'
import { type Schema, type Static, Type } from '../schema/type.ts'
import { KeyName } from './key.ts'
import { Order } from './order.ts'
import { Category, Pet } from './pet.ts'

const petTypes = ['pet.created', 'pet.updated', 'pet.deleted'] as const
const orderTypes = [
  ...(['order.placed', 'order.completed', 'order.cancelled', 'order.returned', 'order.expired'] as const),
  'order.updated',
] as const
const categoryTypes = ['category.named', 'category.unnamed'] as const
export const eventTypes = [...petTypes, ...orderTypes, ...categoryTypes]
export type EventType = (typeof eventTypes)[number]

/**
 * A position among the events: the id and the time in milliseconds of an event, or 0 and 0 for the beginning. After a
 * restore, or a failover to a server that lacked the last events, ids are assigned again. The time distinguishes such
 * events.
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

/** An event of one of the given types, which determine its data. */
const EventOf = <const Types extends readonly string[], Data extends Schema>(
  types: Types,
  data: Data,
  texts: { $id: string; description: string },
) =>
  Type.Object(
    {
      id: Int64({ description: 'Identifier of the event. Later events have higher identifiers.' }),
      type: { ...Type.Unsafe<Types[number]>({ type: 'string', description: 'What happened.' }), enum: types },
      at: Timestamp('When the event happened, by the clock of the database.'),
      by: Type.Optional(
        KeyName('The name of the API key that caused the event. Absent if no key did, as in an import.'),
      ),
      data,
    },
    texts,
  )

const variants = {
  pet: EventOf(petTypes, Pet, {
    $id: 'PetEvent',
    description:
      'A change of an animal. `data` is the animal after the change, or before it if the animal was removed.',
  }),
  order: EventOf(orderTypes, Order, {
    $id: 'OrderEvent',
    description: 'A change of an order. `data` is the order after the change.',
  }),
  category: EventOf(categoryTypes, Category, {
    $id: 'CategoryEvent',
    description:
      'A change of the name of a category. `data` contains the new name, or the last name if the name was removed.',
  }),
}

export const TestEvent = EventOf(
  ['webhook.test'],
  Type.Object({ id: Int64({ description: 'Identifier of the webhook.' }) }),
  { $id: 'TestEvent', description: 'A test of a webhook. Its `id` is always 0.' },
)

export const eventSchemaOf = (type: EventType) => variants[type.split('.', 1)[0] as keyof typeof variants]

/**
 * Clients narrow the type of the data by `type`, so it is an enum. A client that cannot handle types that are added
 * later requests only the types that it knows.
 */
export const Event = Type.Unsafe<Static<(typeof variants)[keyof typeof variants]>>({
  $id: 'Event',
  description:
    'A change of an animal, of an order, or of the name of a category. The `type` says what `data` contains. ' +
    'Further types may be added: ignore types that you do not know, or request only the types that you know.',
  oneOf: Object.values(variants),
  discriminator: {
    propertyName: 'type',
    mapping: Object.fromEntries(eventTypes.map((type) => [type, `#/components/schemas/${eventSchemaOf(type).$id}`])),
  },
})
export type Event = Static<typeof Event>

export const Events = PageOf(Event, 'Events', 'events, in ascending order of `id`')
