/** The listed orders: those in a state, or those that a search finds. Also the number of orders in each state. */
import { batch, computed, type ReadonlySignal, signal } from '@preact/signals'
import type { Page } from '../../../../client/src/list.ts'
import type { OrderFilter } from '../../../../client/src/petstore.ts'
import type { Order, OrderCounts, Pet } from '../../../../client/src/types.ts'
import { codeOf } from '../refusals.ts'
import { endOfDay } from '../times.ts'
import { numberIn, wordsIn } from '../words.ts'
import { address, pageMax } from './address.ts'
import { isSame, type ShownPet } from './animals.ts'
import { now } from './clock.ts'
import { beforeAsking, isCurrent } from './known.ts'
import { createQuestions } from './latest.ts'
import { can, noteLimit, petstore } from './session.ts'

export interface ShownOrder {
  readonly order: Order
  readonly pet: ShownPet
}

export interface Orders {
  /** Identifies the list. */
  readonly of: string
  /** What is drawn, in parts. A part stays the same array until something in it changes. */
  readonly chunks: readonly (readonly ShownOrder[])[]
  /** Open orders that are read and sorted but whose animals are not read yet. */
  readonly waiting: readonly Order[]
  /** Whether the orders that end first come first. Otherwise the newest come first. */
  readonly isBySoonest: boolean
  /** Whether all open orders, or all that are due today, are read. */
  readonly isWhole: boolean
  /** The filter that reads the remaining orders. */
  readonly next?: OrderFilter | undefined
  readonly isLoading: boolean
  /** The reason why they could not be loaded. */
  readonly failure?: unknown
}

/** The service lists orders by number. Up to this many open orders are read in order to sort them by their end. */
const sortedMax = 1_000
/** All orders that are due today are shown, unless there are more open orders than these pages contain. */
const duePages = 50
/** The pages of a search may be short or empty. After this many, the user decides whether to continue. */
const searchPages = 5
/** If more orders than this have left the list, it is read as if it was just opened. */
const leftMax = 20
/** This many orders fill a screen. */
const screenful = 20
/** At most this many orders are read again when everything is. */
const againMax = 1_000
const dayMs = 86_400_000

/** The changes of this many orders are remembered, because an answer in progress may be older. */
const heardMax = 200

const none: Orders = { of: '', chunks: [], waiting: [], isBySoonest: false, isWhole: false, isLoading: false }
const state = signal(none)
const counted = signal<OrderCounts | null>(null)
const heard = signal<ReadonlyMap<bigint, Order>>(new Map())
const questions = createQuestions()
export const orders: ReadonlySignal<Orders> = state
export const orderCounts: ReadonlySignal<OrderCounts | null> = counted
/** All orders that are drawn. */
export const shownOrders = computed((): readonly ShownOrder[] => state.value.chunks.flat())

export const areOrdersShown = (): boolean => address.value.show === 'orders' && can('orders:read', 'pets:read')

/** Sorts by the end of the orders. Orders without an end come last, the newest of them first. */
function bySoonest(one: Order, other: Order): number {
  const [a, b] = [one.heldUntil ?? '~', other.heldUntil ?? '~']
  if (a !== b) return a < b ? -1 : 1
  return one.id < other.id ? 1 : -1
}
const byNewest = (one: Order, other: Order): number => (one.id < other.id ? 1 : -1)
/** The condition by which the service counts `dueToday`. */
const isWithinDay = ({ heldUntil = '' }: Order): boolean => Date.parse(heldUntil) - Date.now() < dayMs
/** Whether an order ends today, in the time zone of the user, or should have ended. */
const isDue = ({ heldUntil = '' }: Order): boolean => Date.parse(heldUntil) < endOfDay(Date.now())

/** The number of reservations that end today, or undefined if the page has not read them all. */
export const dueCount = computed((): number | undefined => {
  if (counted.value?.dueToday === 0) return 0
  if (!state.value.isWhole) return undefined
  const open = [...shownOrders.value.map(({ order }) => order), ...state.value.waiting]
  return now.value && open.filter((order) => order.status === 'placed' && isDue(order)).length
})

/** Whether the shown orders are still sorted. New orders are added at the end, and changed ones stay where they are. */
export const isSorted = computed((): boolean => {
  const { tab = 'placed', find } = address.value
  const isOfOpen = !find && (tab === 'placed' || tab === 'due')
  const compare = state.value.isBySoonest ? bySoonest : byNewest
  const shown = shownOrders.value.map(({ order }) => order)
  const sorted = shown.filter(({ id, status }) => (isOfOpen ? status === 'placed' : id !== numberIn(find ?? '')))
  const all = [...sorted, ...state.value.waiting.slice(0, 1)]
  return all.every((each, i) => i === 0 || compare(all[i - 1] as Order, each) < 0)
})

const newest = (order: Order): Order => {
  const known = heard.peek().get(order.id)
  return known && known.updatedAt > order.updatedAt ? known : order
}

async function withPets(found: readonly Order[]): Promise<ShownOrder[]> {
  const at = beforeAsking()
  const ids = [...new Set(found.map(({ petId }) => petId))]
  const pets = new Map<bigint, Pet>()
  for (let at = 0; at < ids.length; at += pageMax) {
    const id = ids.slice(at, at + pageMax)
    const { items } = await petstore().pets.list({ limit: pageMax, id }).page()
    for (const pet of items) pets.set(pet.id, pet)
  }
  // An animal that has orders is never removed.
  return found.flatMap((order) => {
    const read = pets.get(order.petId)
    const pet = isCurrent(order.petId, at) ? read : (petOfOrders(order.petId) ?? read)
    return pet ? { order: newest(order), pet } : []
  })
}

/**
 * Returns the filter of the address, or undefined for a text without a letter or digit, for which the service finds
 * nothing.
 */
function wanted(): OrderFilter | undefined {
  const { find, tab = 'placed' } = address.peek()
  const page = { limit: pageMax, order: 'desc' } as const
  if (!find) return { ...page, status: tab === 'due' ? 'placed' : tab }
  return wordsIn(find).length > 0 ? { ...page, search: String(numberIn(find) ?? find) } : undefined
}

interface Found {
  readonly orders: readonly Order[]
  readonly next: OrderFilter | undefined
}

/**
 * Returns the filter for what a search finds besides a number. A number in groups, such as 724 123 456, may also be a
 * telephone number that was noted in these groups.
 */
function inGroups({ search, ...page }: OrderFilter): OrderFilter | undefined {
  const { find } = address.peek()
  const isJoined = search !== undefined && find !== undefined && search === String(numberIn(find))
  return isJoined && wordsIn(find).length > 1 ? { ...page, cursor: undefined, search: find } : undefined
}

/**
 * Returns the order whose number is searched for. If there are many newer orders that the number finds, the first page
 * does not contain it, and one more request reads it.
 */
async function numbered({ search = '', cursor }: OrderFilter, { items, next }: Page<Order>): Promise<readonly Order[]> {
  if (cursor !== undefined || !/^\d{1,15}$/.test(search)) return []
  const id = BigInt(search)
  const listed = items.filter((order) => order.id === id)
  if (listed.length > 0 || next === undefined) return listed
  try {
    return [await petstore().orders.get(id)]
  } catch (error) {
    if (codeOf(error) === 'order_not_found') return []
    throw error
  }
}

/** Reads page after page until there are enough orders. */
async function readPages(
  filter: OrderFilter,
  isEnough: (orders: readonly Order[], pages: number) => boolean | Promise<boolean>,
): Promise<Found> {
  const found = new Map<bigint, Order>()
  let next: OrderFilter | undefined = filter
  for (let pages = 1; next; pages++) {
    const page = await petstore().orders.list(next).page()
    for (const order of [...(await numbered(next, page)), ...page.items]) found.set(order.id, order)
    next = page.next === undefined ? inGroups(next) : { ...next, cursor: page.next }
    if (await isEnough([...found.values()], pages)) break
  }
  // A number means the order with that number first, and then everything else that it finds.
  const isMeant = ({ id }: Order) => Number(filter.search === String(id))
  const orders = [...found.values()].sort((one, other) => isMeant(other) - isMeant(one) || byNewest(one, other))
  return { orders, next }
}

/** Continues to read from there, up to the wanted number. */
const readOn = (filter: OrderFilter, count: number, isLatest: () => boolean): Promise<Found> =>
  readPages(filter, ({ length }, pages) => {
    const isLong = filter.search !== undefined && pages >= searchPages
    return length >= count || isLong || !isLatest()
  })

type List = Found & Pick<Orders, 'isBySoonest' | 'isWhole'>

/** Reads what is due today, or all open orders unless they are too many to sort. The counts say when to stop. */
async function readOpen(
  filter: OrderFilter,
  count: number,
  isLatest: () => boolean,
  counting?: Promise<void>,
): Promise<List> {
  const onlyDue = address.peek().tab === 'due'
  const isSortable = () => (counted.peek()?.placed ?? 0) <= sortedMax
  let isWhole = false
  const { orders, next } = await readPages(filter, async (orders, pages) => {
    await counting
    const { dueToday = 0 } = counted.peek() ?? {}
    isWhole = onlyDue && orders.filter(isWithinDay).length >= dueToday
    if (!isLatest() || isWhole) return true
    return onlyDue ? pages >= duePages : !isSortable() && orders.length >= count
  })
  isWhole ||= next === undefined
  if (!onlyDue && !isSortable()) return { orders, next, isBySoonest: false, isWhole }
  const wanted = onlyDue ? orders.filter(isDue) : orders
  return { orders: wanted.toSorted(bySoonest), next: onlyDue && isWhole ? undefined : next, isBySoonest: true, isWhole }
}

/** Splits orders into parts of these lengths, and the rest into pages. */
function inChunks(items: readonly ShownOrder[], lengths: readonly number[]): ShownOrder[][] {
  const chunks: ShownOrder[][] = []
  for (let at = 0; at < items.length; at += chunks.at(-1)?.length ?? 0)
    chunks.push(items.slice(at, at + (lengths[chunks.length] ?? pageMax)))
  return chunks
}

/** Runs a request. If there is no answer, the orders of the same list stay. Another list begins at its top. */
async function load(of: string, run: (isLatest: () => boolean) => Promise<Partial<Orders>>): Promise<void> {
  const isLatest = questions.ask()
  const isOther = state.peek().of !== of
  state.value = { ...state.peek(), isLoading: true, failure: undefined }
  try {
    const found = await run(isLatest)
    if (!isLatest()) return
    state.value = { ...state.peek(), ...found, of, isLoading: false }
    if (isOther) scrollTo(0, 0)
  } catch (failure) {
    if (!isLatest()) return
    noteLimit(failure)
    const kept = state.peek().of === of ? state.peek() : { ...none, of }
    state.value = { ...kept, isLoading: false, failure }
  }
}

export async function loadOrderCounts(): Promise<void> {
  counted.value = await petstore().orders.counts()
}

/**
 * Returns the shown orders in their current state and in their places, or null if there are none or too many have left.
 */
async function shownNow(found: readonly Order[], status: Order['status'] | undefined): Promise<Order[][] | null> {
  const now = new Map(found.map((order) => [order.id, order]))
  const shown = shownOrders.peek().map(({ order }) => order)
  const left = shown.filter((order) => !now.has(order.id) && (!status || order.status === status))
  if (shown.length === 0 || left.length > leftMax) return null
  const read = await Promise.all(left.map(({ id }) => petstore().orders.get(id)))
  for (const order of read) now.set(order.id, order)
  return state.peek().chunks.map((chunk) => chunk.map(({ order }) => now.get(order.id) ?? order))
}

async function readList(
  filter: OrderFilter,
  count: number,
  isLatest: () => boolean,
  isInPlace: boolean,
): Promise<Partial<Orders>> {
  const { find } = address.peek()
  const counting = find && counted.peek() ? undefined : loadOrderCounts()
  const isOpen = filter.status === 'placed'
  const enough = Math.max(count, isOpen ? pageMax : screenful)
  const reading = isOpen
    ? readOpen(filter, enough, isLatest, counting)
    : readOn(filter, enough, isLatest).then((found) => ({ ...found, isBySoonest: false, isWhole: false }))
  const [{ orders, ...rest }] = await Promise.all([reading, counting])
  const first = isOpen ? enough : Number.POSITIVE_INFINITY
  const kept = (isInPlace && (await shownNow(orders, filter.status))) || []
  const known = new Set(kept.flat().map(({ id }) => id))
  const fresh = orders.filter(({ id }) => !known.has(id))
  const joining = fresh.slice(0, Math.max(0, first - known.size))
  const shown = await withPets([...kept.flat(), ...joining])
  const lengths = kept.map(({ length }) => length)
  const chunks = inChunks(shown, lengths).map((chunk, i) => {
    const before = state.peek().chunks[i]
    // A part that has not changed is not drawn again.
    return before && isSame(chunk, before) ? before : chunk
  })
  return { ...rest, chunks, waiting: fresh.slice(joining.length) }
}

function read(isInPlace: boolean): Promise<void> {
  const { tab = 'placed', find = '' } = address.peek()
  const of = `${tab} ${find}`
  const isOfSame = state.peek().of === of
  const count = isOfSame ? Math.min(shownOrders.peek().length, againMax) : 0
  const filter = wanted()
  return load(of, async (isLatest) =>
    filter ? readList(filter, count, isLatest, isInPlace && isOfSame) : { ...none, of },
  )
}

/**
 * Reads the list of the address in its order, and the counts. If the list is already shown, the same number of orders
 * is read.
 */
export const loadOrders = (): Promise<void> => read(false)
/** Reads again what is shown. Each order stays in its place, and new ones are added at the end. */
export const reloadOrders = (): Promise<void> => read(true)

export async function loadMoreOrders(): Promise<void> {
  const { isLoading, next } = state.peek()
  if (isLoading || (!next && state.peek().waiting.length === 0)) return
  await load(state.peek().of, async (isLatest) => {
    let { waiting, next } = state.peek()
    if (waiting.length === 0 && next) {
      const found = next.status === 'placed' ? await readOpen(next, 1, isLatest) : await readOn(next, 1, isLatest)
      waiting = found.orders
      next = found.next
    }
    const known = new Set(shownOrders.peek().map(({ order }) => order.id))
    const fresh = waiting.filter(({ id }) => !known.has(id))
    const chunk = await withPets(fresh.slice(0, pageMax))
    const { chunks } = state.peek()
    return { chunks: chunk.length > 0 ? [...chunks, chunk] : chunks, waiting: fresh.slice(pageMax), next }
  })
}

/** Changes some rows. The other parts of the list are not drawn again. */
function put(isMeant: (each: ShownOrder) => boolean, part: Partial<ShownOrder>): void {
  if (!shownOrders.peek().some(isMeant)) return
  const chunks = state
    .peek()
    .chunks.map((chunk) =>
      chunk.some(isMeant) ? chunk.map((each) => (isMeant(each) ? { ...each, ...part } : each)) : chunk,
    )
  state.value = { ...state.peek(), chunks }
}

/** Shows the current state of an order in its place. */
export function putOrder(order: Order): void {
  const others = [...heard.peek()].filter(([id]) => id !== order.id)
  heard.value = new Map([...others.slice(-heardMax), [order.id, newest(order)]])
  put((each) => each.order.id === order.id && each.order.updatedAt <= order.updatedAt, { order })
  const { waiting } = state.peek()
  if (!waiting.some(({ id }) => id === order.id)) return
  const still = waiting.filter(({ id }) => id !== order.id)
  const rest = order.status === 'placed' ? [...still, order].toSorted(bySoonest) : still
  state.value = { ...state.peek(), waiting: rest }
}

/** Shows the current state of the animal of orders. */
export const putPetOfOrders = (pet: ShownPet): void => put((each) => each.pet.id === pet.id, { pet })

export const petOfOrders = (id: bigint): ShownPet | undefined =>
  shownOrders.peek().find(({ pet }) => pet.id === id)?.pet

/**
 * Whether an order that was just placed belongs to the list. Only the service knows what a search finds, but an order
 * for the same animal and the same customer as one of the list replaces that one, as after Undo.
 */
export function isJoining(order: Order): boolean {
  const { find, tab = 'placed' } = address.peek()
  const listed = [...shownOrders.peek().map((each) => each.order), ...state.peek().waiting]
  const isReplacing = ({ petId, reference }: Order) => petId === order.petId && reference === order.reference
  const isOf = find ? listed.some(isReplacing) : tab === 'placed' || (tab === 'due' && isDue(order))
  return areOrdersShown() && isOf && order.status === 'placed' && listed.every(({ id }) => id !== order.id)
}

/** Adds orders that were just placed to the end of the open ones, so that nothing else moves. */
export function joinOrders(fresh: readonly ShownOrder[]): void {
  const joining = fresh.filter(({ order }) => isJoining(order))
  const { chunks } = state.peek()
  const last = chunks.at(-1) ?? []
  if (joining.length > 0) state.value = { ...state.peek(), chunks: [...chunks.slice(0, -1), [...last, ...joining]] }
}

export function forgetOrders(): void {
  questions.ask()
  batch(() => {
    state.value = none
    counted.value = null
    heard.value = new Map()
  })
}
