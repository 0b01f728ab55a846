/** An order, and how it changes the status of its animal. */
import { Choice, Int64, PageOf, Timestamp } from '../schema/schema.ts'
import { type Static, Type } from '../schema/type.ts'
import type { PetStatus } from './pet.ts'

export const OrderStatus = Choice(['placed', 'completed', 'cancelled', 'returned'], {
  $id: 'OrderStatus',
  description:
    'State of the order: open while `placed`, then `completed` or `cancelled`; a completed one may be `returned`.',
})
export type OrderStatus = Static<typeof OrderStatus>

/**
 * The state of an animal for each state of its order. A placed or completed order holds its animal: no other order can
 * be placed on it, and only this one changes its status. `held` is the column of the animal that says so.
 */
export const effectOnPet = {
  placed: { status: 'pending', held: 1 },
  completed: { status: 'sold', held: 1 },
  cancelled: { status: 'available', held: 0 },
  returned: { status: 'available', held: 0 },
} as const satisfies Record<OrderStatus, { status: PetStatus; held: 0 | 1 }>

/** The state from which an order can be moved to each other state. */
export const stateBefore = {
  completed: 'placed',
  cancelled: 'placed',
  returned: 'completed',
} as const satisfies Record<OrderMove, OrderStatus>

/** A state that an order can be moved to after it was placed. */
export type OrderMove = Exclude<OrderStatus, 'placed'>

export const NewOrder = Type.Object(
  { petId: Int64({ description: 'Identifier of the animal to order.' }) },
  { $id: 'NewOrder', additionalProperties: false, description: 'An order to place.' },
)

export const Order = Type.Object(
  {
    id: Int64({ description: 'Unique identifier assigned by the service.' }),
    petId: Int64({ description: 'Identifier of the animal.' }),
    status: OrderStatus,
    createdAt: Timestamp('When the order was placed.'),
    updatedAt: Timestamp('When its status last changed.'),
  },
  { $id: 'Order', description: 'An order on one animal.' },
)

export const Orders = PageOf(Order, 'Orders', 'orders, in ascending order of `id`')
