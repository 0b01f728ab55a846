/** The orders that are listed: those of a state, or those that a search finds, and how many there are. */
import { type ReadonlySignal, signal } from '@preact/signals'
import type { OrderFilter } from '../../../../client/src/petstore.ts'
import type { Order, OrderCounts } from '../../../../client/src/types.ts'
import { address, pageMax } from './address.ts'
import type { ShownPet } from './animals.ts'
import { createQuestions } from './latest.ts'
import { can, noteLimit, petstore } from './session.ts'

export interface ShownOrder {
  readonly order: Order
  readonly pet: ShownPet
}

/** The orders that are loaded; `next` asks for those that are not. */
export interface Orders {
  readonly items: readonly ShownOrder[]
  readonly next?: OrderFilter | undefined
  readonly isLoading: boolean
  /** Why the next ones could not be loaded. */
  readonly failure?: unknown
}

/** So many open ones are read to show first what ends soonest: the service lists by number. */
const openMax = 1_000
const dayMs = 86_400_000

const state = signal<Orders>({ items: [], isLoading: false })
const counted = signal<OrderCounts | null>(null)
const questions = createQuestions()
export const orders: ReadonlySignal<Orders> = state
export const orderCounts: ReadonlySignal<OrderCounts | null> = counted

export const areOrdersShown = (): boolean => address.value.show === 'orders' && can('orders:read', 'pets:read')

/** What ends soonest first; what does not end last, the newest first. */
const bySoonest = ({ order: one }: ShownOrder, { order: other }: ShownOrder): number => {
  const [a, b] = [one.heldUntil ?? '~', other.heldUntil ?? '~']
  if (a !== b) return a < b ? -1 : 1
  return one.id < other.id ? 1 : -1
}

async function withPets(found: readonly Order[]): Promise<ShownOrder[]> {
  const id = [...new Set(found.map(({ petId }) => petId))]
  const { items } = id.length > 0 ? await petstore().pets.list({ limit: pageMax, id }).page() : { items: [] }
  const pets = new Map(items.map((pet) => [pet.id, pet]))
  // One that has orders is never removed.
  return found.flatMap((order) => {
    const pet = pets.get(order.petId)
    return pet ? { order, pet } : []
  })
}

/** What the address asks for. */
function wanted(): OrderFilter {
  const { find, tab = 'placed' } = address.peek()
  const page = { limit: pageMax, order: 'desc' } as const
  return find ? { ...page, search: find } : { ...page, status: tab === 'due' ? 'placed' : tab }
}

/** From there on, until there are as many as wanted. */
async function readOn(from: OrderFilter, items: readonly ShownOrder[], count: number) {
  let next: OrderFilter | undefined = from
  const found = new Map(items.map((each) => [each.order.id, each]))
  do {
    const page = await petstore().orders.list(next).page()
    for (const each of await withPets(page.items)) found.set(each.order.id, each)
    next = page.next ? { ...next, cursor: page.next } : undefined
  } while (next && found.size < count)
  const all = [...found.values()]
  if (from.status !== 'placed') return { items: all, next }
  const isDue = ({ order }: ShownOrder) => Date.parse(order.heldUntil ?? '') - Date.now() < dayMs
  return { items: (address.peek().tab === 'due' ? all.filter(isDue) : all).toSorted(bySoonest), next }
}

async function read(filter: OrderFilter, items: readonly ShownOrder[], count: number): Promise<void> {
  const isLatest = questions.ask()
  state.value = { ...state.peek(), isLoading: true, failure: undefined }
  try {
    const found = await readOn(filter, items, count)
    if (isLatest()) state.value = { ...found, isLoading: false }
  } catch (failure) {
    if (!isLatest()) return
    noteLimit(failure)
    state.value = { items, isLoading: false, failure }
  }
}

/** As many as are shown. */
export const loadOrders = (): Promise<void> => {
  const filter = wanted()
  return read(filter, [], filter.status === 'placed' ? openMax : state.peek().items.length)
}
export async function loadMoreOrders(): Promise<void> {
  const { items, next, isLoading } = state.peek()
  if (next && !isLoading) await read(next, items, items.length + 1)
}
export async function loadOrderCounts(): Promise<void> {
  counted.value = await petstore().orders.counts()
}

/** Shows an order as it is now, in its place. */
export function putOrder(order: Order): void {
  const isOld = (each: ShownOrder) => each.order.id === order.id && each.order.updatedAt <= order.updatedAt
  if (!state.peek().items.some(isOld)) return
  const items = state.peek().items.map((each) => (isOld(each) ? { ...each, order } : each))
  state.value = { ...state.peek(), items }
}

/** Shows the animal of orders as it is now. */
export function putPetOfOrders(pet: ShownPet): void {
  if (!state.peek().items.some((each) => each.pet.id === pet.id)) return
  const items = state.peek().items.map((each) => (each.pet.id === pet.id ? { ...each, pet } : each))
  state.value = { ...state.peek(), items }
}

/** Whether an order that was just placed belongs to what is listed. */
export function isJoining({ id, status }: Order): boolean {
  const { find, tab = 'placed' } = address.peek()
  const isListed = state.peek().items.some(({ order }) => order.id === id)
  return areOrdersShown() && !find && tab === 'placed' && status === 'placed' && !isListed
}

/** Orders that were just placed join the open ones at the end: nothing else moves. */
export function joinOrders(fresh: readonly ShownOrder[]): void {
  const joining = fresh.filter(({ order }) => isJoining(order))
  if (joining.length > 0) state.value = { ...state.peek(), items: [...state.peek().items, ...joining] }
}

export function forgetOrders(): void {
  questions.ask()
  state.value = { items: [], isLoading: false }
  counted.value = null
}
