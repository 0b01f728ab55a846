/** The orders that are listed: those of a state, or those that a search finds, and how many there are of each. */
import { batch, computed, type ReadonlySignal, signal } from '@preact/signals'
import type { OrderFilter } from '../../../../client/src/petstore.ts'
import type { Order, OrderCounts, Pet } from '../../../../client/src/types.ts'
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
  /** Which list this is. */
  readonly of: string
  /** What is drawn, in parts; a part stays the same array until something in it changes. */
  readonly chunks: readonly (readonly ShownOrder[])[]
  /** Open orders that are read and sorted, and whose animals are not read yet. */
  readonly waiting: readonly Order[]
  /** Whether what ends first is on top; else the newest is. */
  readonly isBySoonest: boolean
  /** Whether all that are open, or due today, are read. */
  readonly isWhole: boolean
  /** Asks for those that are not read. */
  readonly next?: OrderFilter | undefined
  readonly isLoading: boolean
  /** Why they could not be loaded. */
  readonly failure?: unknown
}

/** The service lists by number. Up to so many open orders are read to show first what ends soonest. */
const sortedMax = 1_000
/** What is due today is shown whole, unless it is hidden among more open orders than these pages have. */
const duePages = 50
/** Pages of a search may be short or empty; after so many, somebody says whether to search on. */
const searchPages = 5
/** Where more orders than that have left a list, it is read as if it was just opened. */
const leftMax = 20
/** As many as fill a screen. */
const screenful = 20
/** Not more than that are read again when everything is. */
const againMax = 1_000
const dayMs = 86_400_000

/** An answer that is under way may be older than what was heard of so many orders. */
const heardMax = 200

const none: Orders = { of: '', chunks: [], waiting: [], isBySoonest: false, isWhole: false, isLoading: false }
const state = signal(none)
const counted = signal<OrderCounts | null>(null)
const heard = signal<ReadonlyMap<bigint, Order>>(new Map())
const questions = createQuestions()
export const orders: ReadonlySignal<Orders> = state
export const orderCounts: ReadonlySignal<OrderCounts | null> = counted
/** All that is drawn. */
export const shownOrders = computed((): readonly ShownOrder[] => state.value.chunks.flat())

export const areOrdersShown = (): boolean => address.value.show === 'orders' && can('orders:read', 'pets:read')

/** What ends soonest first; what does not end last, the newest first. */
function bySoonest(one: Order, other: Order): number {
  const [a, b] = [one.heldUntil ?? '~', other.heldUntil ?? '~']
  if (a !== b) return a < b ? -1 : 1
  return one.id < other.id ? 1 : -1
}
const byNewest = (one: Order, other: Order): number => (one.id < other.id ? 1 : -1)
/** What the service counts as `dueToday`. */
const isWithinDay = ({ heldUntil = '' }: Order): boolean => Date.parse(heldUntil) - Date.now() < dayMs
/** What ends today, where somebody looks at it, or should have ended. */
const isDue = ({ heldUntil = '' }: Order): boolean => Date.parse(heldUntil) < endOfDay(Date.now())

/** How many reservations end today; undefined where the page has not read them all. */
export const dueCount = computed((): number | undefined => {
  if (counted.value?.dueToday === 0) return 0
  if (!state.value.isWhole) return undefined
  const open = [...shownOrders.value.map(({ order }) => order), ...state.value.waiting]
  return now.value && open.filter((order) => order.status === 'placed' && isDue(order)).length
})

/** Whether what is shown is still in its order: new orders join at the end, and changed ones stay where they are. */
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
  // One that has orders is never removed.
  return found.flatMap((order) => {
    const read = pets.get(order.petId)
    const pet = isCurrent(order.petId, at) ? read : (petOfOrders(order.petId) ?? read)
    return pet ? { order: newest(order), pet } : []
  })
}

/** What the address asks for; undefined for a text without a letter or a digit, in which the service finds nothing. */
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

/** Page after page, until there is enough. */
async function readPages(
  filter: OrderFilter,
  isEnough: (orders: readonly Order[], pages: number) => boolean | Promise<boolean>,
): Promise<Found> {
  const orders: Order[] = []
  let next: OrderFilter | undefined = filter
  for (let pages = 1; next; pages++) {
    const page = await petstore().orders.list(next).page()
    orders.push(...page.items)
    next = page.next === undefined ? undefined : { ...filter, cursor: page.next }
    if (await isEnough(orders, pages)) break
  }
  // A number is meant for that order first, and then for what else it finds.
  const isMeant = ({ id }: Order) => Number(filter.search === String(id))
  return { orders: orders.sort((one, other) => isMeant(other) - isMeant(one)), next }
}

/** From there on, as many as are wanted. */
const readOn = (filter: OrderFilter, count: number, isLatest: () => boolean): Promise<Found> =>
  readPages(filter, ({ length }, pages) => {
    const isLong = filter.search !== undefined && pages >= searchPages
    return length >= count || isLong || !isLatest()
  })

type List = Found & Pick<Orders, 'isBySoonest' | 'isWhole'>

/** What is due today, or all that is open unless that is too much to sort. How many there are says when to stop. */
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

/** In parts of these lengths, and then of a page each. */
function inChunks(items: readonly ShownOrder[], lengths: readonly number[]): ShownOrder[][] {
  const chunks: ShownOrder[][] = []
  for (let at = 0; at < items.length; at += chunks.at(-1)?.length ?? 0)
    chunks.push(items.slice(at, at + (lengths[chunks.length] ?? pageMax)))
  return chunks
}

/** Runs one question; what is shown of the same list stays if there is no answer. */
async function load(of: string, run: (isLatest: () => boolean) => Promise<Partial<Orders>>): Promise<void> {
  const isLatest = questions.ask()
  state.value = { ...state.peek(), isLoading: true, failure: undefined }
  try {
    const found = await run(isLatest)
    if (isLatest()) state.value = { ...state.peek(), ...found, of, isLoading: false }
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

/** The orders that are shown, as they are now and where they are; null if there are none, or too many have left. */
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
    // What has not changed stays as it is drawn.
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

/** Reads the list that the address asks for, in its order, and counts again; of the same list, as many as are shown. */
export const loadOrders = (): Promise<void> => read(false)
/** Reads again what is shown: each order stays in its place, and new ones join at the end. */
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

/** Changes what is shown in some rows; the other parts of the list stay as they are drawn. */
function put(isMeant: (each: ShownOrder) => boolean, part: Partial<ShownOrder>): void {
  if (!shownOrders.peek().some(isMeant)) return
  const chunks = state
    .peek()
    .chunks.map((chunk) =>
      chunk.some(isMeant) ? chunk.map((each) => (isMeant(each) ? { ...each, ...part } : each)) : chunk,
    )
  state.value = { ...state.peek(), chunks }
}

/** Shows an order as it is now, in its place. */
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

/** Shows the animal of orders as it is now. */
export const putPetOfOrders = (pet: ShownPet): void => put((each) => each.pet.id === pet.id, { pet })

export const petOfOrders = (id: bigint): ShownPet | undefined =>
  shownOrders.peek().find(({ pet }) => pet.id === id)?.pet

/** Whether an order that was just placed belongs to what is listed. */
export function isJoining(order: Order): boolean {
  const { find, tab = 'placed' } = address.peek()
  const isOf = tab === 'placed' || (tab === 'due' && isDue(order))
  const isListed = [...shownOrders.peek().map((each) => each.order), ...state.peek().waiting]
  return areOrdersShown() && !find && isOf && order.status === 'placed' && isListed.every(({ id }) => id !== order.id)
}

/** Orders that were just placed join the open ones at the end: nothing else moves. */
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
