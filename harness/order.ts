/** An order as it is shown, and the table of its life: the only one of the tests, and not taken from that in src/. */

export interface Order {
  readonly id: number
  readonly petId: number
  readonly status: 'placed' | 'completed' | 'cancelled' | 'returned' | 'expired'
  readonly reference?: string
  readonly heldUntil?: string
  readonly createdAt: string
  readonly updatedAt: string
  readonly completedAt?: string
}

/** What an order is before and after, and what becomes of its animal. */
export const moves = {
  complete: ['placed', 'completed', 'sold'],
  cancel: ['placed', 'cancelled', 'available'],
  return: ['completed', 'returned', 'available'],
} as const
export type Verb = keyof typeof moves
/** By itself, when its time is over. */
export const expiry = ['placed', 'expired', 'available'] as const
