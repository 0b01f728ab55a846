/** An order, and how it changes the status of its animal. */
import { limits } from '../limits.ts'
import { Choice, expects, Int64, PageOf, sentTime, Timestamp } from '../schema/schema.ts'
import { type Static, Type } from '../schema/type.ts'
import { Count, Name, NewName, type PetStatus } from './pet.ts'

export const OrderStatus = Choice(['placed', 'completed', 'cancelled', 'returned', 'expired'], {
  $id: 'OrderStatus',
  description:
    'State of the order: open while `placed`, then `completed`, `cancelled`, or `expired` if its `heldUntil` has ' +
    'passed; a completed one may be `returned`.',
})
export type OrderStatus = Static<typeof OrderStatus>

/**
 * The status that an animal gets with each state of its order. While an order is placed or completed, no other can be
 * placed on the animal, and only this one changes its status.
 */
export const statusOfPet = {
  placed: 'pending',
  completed: 'sold',
  cancelled: 'available',
  returned: 'available',
  expired: 'available',
} as const satisfies Record<OrderStatus, PetStatus>

/** The state from which an order can be moved to each other state; from `placed` only while it is held. */
export const stateBefore = {
  completed: 'placed',
  cancelled: 'placed',
  returned: 'completed',
} as const satisfies Record<OrderMove, OrderStatus>

/** A state that a client can move an order to after it was placed; it expires by itself. */
export type OrderMove = Exclude<OrderStatus, 'placed' | 'expired'>

export const heldUntilExpected = `an RFC 3339 time in the future, at most ${limits.holdTime.text} ahead`
const heldUntilText = `Until when the order is held: ${heldUntilExpected}. Once it has passed the order is \`expired\``

const reference = Type.Optional(
  NewName('Who the order is for, in your words, such as a name and a telephone number', limits.referenceLength),
)

export const NewOrder = Type.Object(
  {
    petId: Int64({ description: 'Identifier of the animal to order.' }),
    reference,
    heldUntil: Type.Optional(
      Type.String({
        description: `${heldUntilText}. Without one, it is held for as long as the operator has set, or without an end.`,
        ...sentTime,
        [expects]: heldUntilExpected,
      }),
    ),
  },
  { $id: 'NewOrder', additionalProperties: false, description: 'An order to place.' },
)

export const OrderPatch = Type.Object(
  {
    reference,
    heldUntil: Type.Optional(
      Type.Unsafe<string | null>({
        type: ['string', 'null'],
        description: `${heldUntilText}. With \`null\` the order does not expire. It can be changed only while the order is \`placed\`.`,
        ...sentTime,
        [expects]: `${heldUntilExpected}, or null`,
      }),
    ),
  },
  {
    $id: 'OrderPatch',
    additionalProperties: false,
    description: 'Changes to an order; members left out stay unchanged.',
  },
)

export const Order = Type.Object(
  {
    id: Int64({ description: 'Unique identifier assigned by the service.' }),
    petId: Int64({ description: 'Identifier of the animal.' }),
    status: OrderStatus,
    reference: Type.Optional(Name('Who the order is for', limits.referenceLength)),
    heldUntil: Type.Optional(
      Timestamp('When the order expires, or would have expired; absent if it has no such time.'),
    ),
    createdAt: Timestamp('When the order was placed.'),
    updatedAt: Timestamp('When it last changed.'),
    completedAt: Type.Optional(Timestamp('When it was completed; kept after its animal has been returned.')),
  },
  { $id: 'Order', description: 'An order on one animal.' },
)

export const OrderCounts = Type.Object(
  {
    placed: Count('Orders that are `placed`.'),
    completed: Count('Orders that are `completed`.'),
    cancelled: Count('Orders that are `cancelled`.'),
    returned: Count('Orders that are `returned`.'),
    expired: Count('Orders that are `expired`.'),
    dueToday: Count('Orders that are `placed` and whose `heldUntil` is within the next 24 hours.'),
  },
  { $id: 'OrderCounts', description: 'The number of orders in each state, and of those that are due.' },
)

export const Orders = PageOf(Order, 'Orders', 'orders, in ascending order of `id`')
