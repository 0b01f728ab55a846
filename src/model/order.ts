/** An order, and how it changes the status of its animal. */
import { limits } from '../limits.ts'
import { Choice, expects, Int64, PageOf, sentTime, Timestamp } from '../schema/schema.ts'
import { type Static, Type } from '../schema/type.ts'
import { Count, Name, NewName, type PetStatus } from './pet.ts'

export const OrderStatus = Choice(['placed', 'completed', 'cancelled', 'returned', 'expired'], {
  $id: 'OrderStatus',
  description:
    'State of the order. A new order is `placed`. It becomes `completed` or `cancelled` on request, or `expired` ' +
    'when its `heldUntil` has passed. A `completed` order can become `returned`.',
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

/**
 * The state from which an order can be moved to each other state. From `placed`, this is possible only while it is
 * held.
 */
export const stateBefore = {
  completed: 'placed',
  cancelled: 'placed',
  returned: 'completed',
} as const satisfies Record<OrderMove, OrderStatus>

/**
 * A state that a client can move an order to after it was placed. `expired` is not one of them, because an order
 * expires by itself.
 */
export type OrderMove = Exclude<OrderStatus, 'placed' | 'expired'>

export const heldUntilExpected = `an RFC 3339 time in the future, at most ${limits.holdTime.text} ahead`
const heldUntilText = `When the order expires: ${heldUntilExpected}`

const reference = Type.Optional(
  NewName('Who the order is for, in your words, such as a name and a telephone number', limits.referenceLength),
)

export const NewOrder = Type.Object(
  {
    petId: Int64({ description: 'Identifier of the animal to order.' }),
    reference,
    heldUntil: Type.Optional(
      Type.String({
        description:
          `${heldUntilText}. If it is omitted, the order expires after the time that the operator has set, or ` +
          'never if none is set.',
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
        description:
          `${heldUntilText}, or \`null\` for an order that never expires. It can be changed only while the order ` +
          'is `placed`.',
        ...sentTime,
        [expects]: `${heldUntilExpected}, or null`,
      }),
    ),
  },
  {
    $id: 'OrderPatch',
    additionalProperties: false,
    description: 'The members of an order to change. Omitted members stay unchanged.',
  },
)

export const Order = Type.Object(
  {
    id: Int64({ description: 'Unique identifier assigned by the service.' }),
    petId: Int64({ description: 'Identifier of the animal.' }),
    status: OrderStatus,
    reference: Type.Optional(Name('Who the order is for', limits.referenceLength)),
    heldUntil: Type.Optional(
      Timestamp('When the order expires or would have expired. Absent if the order never expires.'),
    ),
    createdAt: Timestamp('When the order was placed.'),
    updatedAt: Timestamp('When the order was last changed.'),
    completedAt: Type.Optional(Timestamp('When the order was completed. Kept after the animal has been returned.')),
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
