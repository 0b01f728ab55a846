/** Histories of one animal, and whether some sequence of their operations explains every answer (Wing and Gong). */
import { moves } from '../order.ts'

/** The status to which a PATCH sets the animal. */
export const patches = { sell: 'sold', offer: 'available' } as const

/** A request and its answer, between two moments on one clock. */
export interface Operation {
  readonly kind: 'place' | keyof typeof moves | keyof typeof patches | 'remove' | 'pet' | 'orders'
  /** The order to move. */
  readonly orderId?: number
  /** The id of the placed order, a status, `removed`, the orders as text, or the code of a refusal. */
  readonly answer: number | string
  readonly invoked: number
  readonly returned: number
}

type Orders = readonly (readonly [id: number, status: string])[]
/** The animal and its orders at one moment, in the order of their ids. */
interface State {
  /** Undefined after the animal was removed. */
  readonly pet: 'available' | 'pending' | 'sold' | undefined
  readonly orders: Orders
}

/** Writes orders as text, such as `7:cancelled 9:placed`. */
export const textOf = (orders: Orders): string => orders.map(([id, status]) => `${id}:${status}`).join(' ')

/** Returns the answer of a correct service. A new order gets any id above the earlier ids. */
function answerTo({ pet, orders }: State, { kind, orderId }: Operation): string | 'a new id' {
  const isHeld = orders.some(([, status]) => status === 'placed' || status === 'completed')
  if (kind === 'orders') return textOf(orders)
  if (kind in moves) {
    const [before, moved] = moves[kind as keyof typeof moves]
    const status = orders.find(([id]) => id === orderId)?.[1]
    if (status === undefined) return 'order_not_found'
    return status === before || status === moved ? moved : 'order_state_conflict'
  }
  if (pet === undefined) return kind === 'place' ? 'unknown_pet' : 'pet_not_found'
  if (kind === 'pet') return pet
  if (kind === 'place') return pet === 'available' ? 'a new id' : 'pet_not_available'
  if (kind === 'remove') return orders.length > 0 ? 'order_state_conflict' : 'removed'
  return isHeld ? 'order_state_conflict' : patches[kind as keyof typeof patches]
}

/** Returns the state after an operation, or undefined if the operation would have got another answer. */
function after(state: State, operation: Operation): State | undefined {
  const { kind, orderId, answer } = operation
  const expected = answerTo(state, operation)
  if (expected === 'a new id') {
    const isNew = typeof answer === 'number' && state.orders.every(([id]) => id < answer)
    return isNew ? { pet: 'pending', orders: [...state.orders, [answer, 'placed']] } : undefined
  }
  if (answer !== expected) return undefined
  if (answer === 'removed') return { ...state, pet: undefined }
  if (kind === 'sell' || kind === 'offer') return answer === patches[kind] ? { ...state, pet: answer } : state
  const isMoved = kind in moves && state.orders.some(([id, status]) => id === orderId && status !== answer)
  if (!isMoved || answer === 'order_state_conflict') return state
  const orders = state.orders.map(([id, status]) => [id, id === orderId ? String(answer) : status] as const)
  return { pet: answer === 'completed' ? 'sold' : 'available', orders }
}

/** Searches all sequences in which an operation follows those that had returned before it was invoked. */
export function isLinearizable(history: readonly Operation[]): boolean {
  const tried = new Set<string>()
  function search(rest: readonly Operation[], state: State): boolean {
    if (rest.length === 0) return true
    const place = `${rest.map(({ invoked }) => invoked).join()} ${state.pet} ${textOf(state.orders)}`
    if (tried.has(place)) return false
    tried.add(place)
    const firstReturn = Math.min(...rest.map(({ returned }) => returned))
    return rest.some((operation) => {
      const next = operation.invoked > firstReturn ? undefined : after(state, operation)
      const others = rest.filter((other) => other !== operation)
      return next !== undefined && search(others, next)
    })
  }
  return search(history, { pet: 'available', orders: [] })
}
