/** Histories of one animal, and whether some order of their operations, one after another, explains every answer (Wing and Gong). */

/** What an order is before and after. */
export const moves = {
  complete: ['placed', 'completed'],
  cancel: ['placed', 'cancelled'],
  return: ['completed', 'returned'],
} as const

/** What was asked and what was answered, between two moments of one clock. */
export interface Operation {
  readonly kind: 'place' | keyof typeof moves | 'pet' | 'orders'
  /** The order that is to move. */
  readonly orderId?: number
  /** The id of the order placed, a status, the orders as text, or the code of a refusal. */
  readonly answer: number | string
  readonly invoked: number
  readonly returned: number
}

/** The animal and its orders at one moment, in the order of their ids: `7:cancelled 9:placed`. */
type State = readonly (readonly [id: number, status: string])[]

export const textOf = (orders: State): string => orders.map(([id, status]) => `${id}:${status}`).join(' ')

function petOf(state: State): string {
  if (state.some(([, status]) => status === 'completed')) return 'sold'
  return state.some(([, status]) => status === 'placed') ? 'pending' : 'available'
}

/** The state after an operation, or undefined where the operation would have been answered otherwise. */
function after(state: State, { kind, orderId, answer }: Operation): State | undefined {
  if (kind === 'pet') return answer === petOf(state) ? state : undefined
  if (kind === 'orders') return answer === textOf(state) ? state : undefined
  if (kind === 'place') {
    if (petOf(state) !== 'available') return answer === 'pet_not_available' ? state : undefined
    const isNew = typeof answer === 'number' && state.every(([id]) => id < answer)
    return isNew ? [...state, [answer, 'placed']] : undefined
  }
  const status = state.find(([id]) => id === orderId)?.[1]
  const [before, moved] = moves[kind]
  if (status === undefined) return answer === 'order_not_found' ? state : undefined
  if (status !== before && status !== moved) return answer === 'order_state_conflict' ? state : undefined
  if (answer !== moved) return undefined
  return state.map(([id, each]) => [id, id === orderId ? moved : each])
}

/** Searches all orders that keep an operation behind those that had returned before it was invoked. */
export function isLinearizable(history: readonly Operation[]): boolean {
  const tried = new Set<string>()
  function search(rest: readonly Operation[], state: State): boolean {
    if (rest.length === 0) return true
    const place = `${rest.map(({ invoked }) => invoked).join()} ${textOf(state)}`
    if (tried.has(place)) return false
    tried.add(place)
    const firstReturn = Math.min(...rest.map(({ returned }) => returned))
    return rest.some((operation) => {
      if (operation.invoked > firstReturn) return false
      const next = after(state, operation)
      return (
        next !== undefined &&
        search(
          rest.filter((other) => other !== operation),
          next,
        )
      )
    })
  }
  return search(history, [])
}
