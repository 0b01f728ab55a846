/**
 * An order as the service shows it, and the table of its states. All tests use this table, which does not depend on the
 * one in src/.
 */

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

/** The state of an order before and after each move, and the resulting status of its animal. */
export const moves = {
  complete: ['placed', 'completed', 'sold'],
  cancel: ['placed', 'cancelled', 'available'],
  return: ['completed', 'returned', 'available'],
} as const
export type Verb = keyof typeof moves
/** The move that happens by itself when the time of an order is over. */
export const expiry = ['placed', 'expired', 'available'] as const
