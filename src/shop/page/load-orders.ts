/** Reads the orders of the store: those of a status, or those that a search means, and how many there are. */
import { batch } from '@preact/signals'
import type { OrderFilter } from '../../../client/src/petstore.ts'
import type { Order } from '../../../client/src/types.ts'
import { address, int64, orderTabs, pageMax, pageSize } from './address.ts'
import { folded } from './pages.ts'
import { can, codeOf, petstore } from './session.ts'
import { type Orders, orderCounts, orders, type ShownOrder, shown, showOrder, tell } from './state.ts'

/** So many open ones are read to show first what ends soonest: the service lists by number. */
const openMax = 1_000
/** Of so many animals of a name the orders are looked for. */
const animalsMax = 10

/** How often orders were asked for: the answer to an earlier question is dropped. */
const asked = { count: 0 }

async function withPets(found: readonly Order[]): Promise<ShownOrder[]> {
  const ids = [...new Set(found.map(({ petId }) => petId))]
  const pages = Array.from({ length: Math.ceil(ids.length / pageMax) }, (_, i) => {
    const id = ids.slice(i * pageMax, (i + 1) * pageMax)
    return petstore().pets.list({ limit: pageMax, id }).page()
  })
  const pets = new Map((await Promise.all(pages)).flatMap(({ items }) => items.map((pet) => [pet.id, pet])))
  // One that has orders is never removed.
  return found.flatMap((order) => {
    const pet = pets.get(order.petId)
    return pet ? { order, pet } : []
  })
}

async function readPage(filter: OrderFilter): Promise<Orders> {
  const page = await petstore().orders.list(filter).page()
  return { items: await withPets(page.items), next: page.next ? { ...filter, cursor: page.next } : undefined }
}

const listOf = (status: Order['status']): OrderFilter => ({ limit: pageMax, order: 'desc', status })

/** What ends soonest first; what does not end last, the newest first. */
const bySoonest = ({ order: one }: ShownOrder, { order: other }: ShownOrder): number =>
  (one.heldUntil ?? '~') < (other.heldUntil ?? '~') ? -1 : one.heldUntil === other.heldUntil ? 0 : 1

/** One that was completed between two pages is on both. */
const distinct = (items: readonly ShownOrder[]): ShownOrder[] => [
  ...new Map(items.map((each) => [each.order.id, each])).values(),
]

/** From there on, until there are as many as wanted. */
async function readOn(from: Orders, wanted: number): Promise<Orders> {
  let { items, next } = from
  while (next && items.length < wanted) {
    const page: Orders = await readPage(next)
    items = distinct([...items, ...page.items])
    next = page.next
  }
  return {
    items: next?.status === 'placed' || items[0]?.order.status === 'placed' ? items.toSorted(bySoonest) : items,
    next,
  }
}

const open = (): Promise<Orders> => readOn({ items: [], next: listOf('placed') }, openMax)

/** Those with the number, of the animal with that number, with that reference, or on animals of that name. */
async function search(text: string): Promise<Orders> {
  const { orders, pets } = petstore()
  const id = int64(text.replace(/^#/, ''))
  const ofPet = async (petId: bigint) => (await orders.list({ petId, limit: pageMax, order: 'desc' }).page()).items
  const named = async () => {
    const filters = [{ status: 'sold' } as const, {}]
    const lists = /[\p{L}\p{N}]/u.test(text)
      ? filters.map((filter) => pets.list({ ...filter, search: text, limit: animalsMax, order: 'desc' }).page())
      : []
    const ids = new Set((await Promise.all(lists)).flatMap(({ items }) => items.map((pet) => pet.id)))
    return (await Promise.all([...ids].map(ofPet))).flat()
  }
  const numbered = async (orderId: bigint) => {
    const order = await orders.get(orderId).catch((error) => {
      if (codeOf(error) !== 'order_not_found') throw error
    })
    return order ? [order] : []
  }
  const wanted = folded(text)
  const isMeant = ({ order, pet }: ShownOrder) =>
    [order.reference ?? '', pet.name].some((each) => folded(each).includes(wanted))
  const [opened, ...found] = await Promise.all([
    open(),
    id === undefined ? [] : numbered(id),
    id === undefined ? [] : ofPet(id),
    orders
      .list({ reference: text, limit: pageMax, order: 'desc' })
      .page()
      .then(({ items }) => items),
    named(),
  ])
  const [exact = [], ...others] = found
  const items = [...(await withPets(exact)), ...opened.items.filter(isMeant), ...(await withPets(others.flat()))]
  return { items: distinct(items), next: undefined }
}

/** What the address asks for; undefined if something else was asked for meanwhile. */
async function read(run: () => Promise<Orders>, before: Orders): Promise<Orders | undefined> {
  const mine = ++asked.count
  const count = shown.count
  try {
    const found = await run()
    if (mine !== asked.count) return undefined
    return count === shown.count ? found : await read(run, before)
  } catch (failure) {
    return mine === asked.count ? { ...before, failure } : undefined
  }
}

/** As many as are shown. */
export async function loadOrders(): Promise<void> {
  const { find, tab = 'placed' } = address.value
  const wanted = tab === 'placed' ? openMax : Math.max(pageSize, orders.value?.items.length ?? 0)
  const none: Orders = { items: [], next: undefined }
  const found = await read(() => (find ? search(find) : readOn({ ...none, next: listOf(tab) }, wanted)), none)
  if (found) orders.value = found
  await countOrders()
}

export async function loadMoreOrders(): Promise<void> {
  const before = orders.value
  if (!before) return
  const { failure, ...from } = before
  orders.value = (await read(() => readOn(from, from.items.length + 1), from)) ?? orders.value
}

/** The service counts no orders: known is how many there are up to a page of them, or how many of the open ones. */
export async function countOrders(): Promise<void> {
  try {
    const pages = await Promise.all(orderTabs.map((status) => petstore().orders.list(listOf(status)).page()))
    orderCounts.value = new Map(orderTabs.map((status, i) => [status, countText(pages[i])]))
  } catch (error) {
    tell(error)
  }
}
const countText = (page: { items: readonly Order[]; next?: string | undefined } | undefined): string =>
  `${page?.items.length ?? 0}${page?.next ? '+' : ''}`

export const areOrdersShown = (): boolean => address.value.show === 'orders' && can('orders:read') && can('pets:read')

/**
 * What others did about these animals: each order keeps its place, so that nobody presses the button of another; new
 * ones come last.
 */
export async function showOrdersAgain(ids: readonly bigint[]): Promise<void> {
  if (!areOrdersShown() || !orders.value) return
  const { find, tab } = address.value
  const changed = orders.value.items.filter(({ pet }) => ids.includes(pet.id))
  const [fresh, ...now] = await Promise.all([
    find || tab ? undefined : readPage(listOf('placed')),
    ...changed.map(({ order }) => petstore().orders.get(order.id)),
  ])
  batch(() => {
    for (const order of now) showOrder(order)
    if (fresh && orders.value)
      orders.value = { ...orders.value, items: distinct([...orders.value.items, ...fresh.items]) }
  })
  await countOrders()
}
