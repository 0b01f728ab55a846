/** What an order is, and how it moves the animal it holds. */
import { type Static, Type } from '@sinclair/typebox'
import { Choice, Int64, Timestamp } from '../schema/schema.ts'
import type { PetStatus } from './pet.ts'

export const OrderStatus = Choice(['placed', 'completed', 'cancelled'], {
  $id: 'OrderStatus',
  description: 'State of the order: open while `placed`; `completed` and `cancelled` are final.',
})
export type OrderStatus = Static<typeof OrderStatus>

/**
 * The life of an animal: where an order in a state leaves it. An order is placed on an available animal that no order
 * holds or has bought; it ends once, as completed or as cancelled. `sale` is what the store keeps beside the status,
 * so that one row tells whether an order moves it.
 */
export const lifeOf = {
  placed: { pet: 'pending', sale: 'open' },
  completed: { pet: 'sold', sale: 'done' },
  cancelled: { pet: 'available', sale: null },
} as const satisfies Record<OrderStatus, { pet: PetStatus; sale: 'open' | 'done' | null }>

/** The two ways an order ends. */
export type OrderEnd = Exclude<OrderStatus, 'placed'>

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

export const Orders = Type.Array(Order, {
  $id: 'Orders',
  description: 'A page of orders, in ascending order of `id`.',
  maxItems: 100,
})
