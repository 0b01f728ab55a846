/** An order, and how it changes the status of its animal. */
import { type Static, Type } from '@sinclair/typebox'
import { Choice, Int64, Timestamp } from '../schema/schema.ts'
import { PageOf } from './page.ts'
import type { PetStatus } from './pet.ts'

export const OrderStatus = Choice(['placed', 'completed', 'cancelled'], {
  $id: 'OrderStatus',
  description: 'State of the order: open while `placed`; `completed` and `cancelled` are final.',
})
export type OrderStatus = Static<typeof OrderStatus>

/**
 * The state of an animal for each state of its order. An order is placed on an available animal that no other order
 * holds or has bought, and ends once, as completed or cancelled. `sale` is a column of the animal, so that its own row
 * says whether an order holds it (open) or has bought it (done).
 */
export const effectOnPet = {
  placed: { status: 'pending', sale: 'open' },
  completed: { status: 'sold', sale: 'done' },
  cancelled: { status: 'available', sale: null },
} as const satisfies Record<OrderStatus, { status: PetStatus; sale: 'open' | 'done' | null }>

/** The two final states of an order. */
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

export const Orders = PageOf(Order, 'Orders', 'orders, in ascending order of `id`')
