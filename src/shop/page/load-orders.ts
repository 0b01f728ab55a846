/** Reads the orders of the store: those that are open first, then the others, in both the newest first. */
import type { OrderFilter } from '../../../client/src/petstore.ts'
import { address, pageSize } from './address.ts'
import { can, petstore } from './session.ts'
import { type Orders, orders, type ShownOrder, shown, showOrder } from './state.ts'

/** The service has no list of what is not open: the second is of all, without those. */
const open: OrderFilter = { limit: pageSize, order: 'desc', status: 'placed' }
const all: OrderFilter = { limit: pageSize, order: 'desc' }

/** How often orders were asked for: the answer to an earlier question is dropped. */
const asked = { count: 0 }

async function readPage(filter: OrderFilter): Promise<Orders> {
  const page = await petstore().orders.list(filter).page()
  const isFirst = filter.status !== undefined
  const found = isFirst ? page.items : page.items.filter(({ status }) => status !== 'placed')
  const id = [...new Set(found.map(({ petId }) => petId))]
  const pets = id.length > 0 ? await petstore().pets.list({ limit: pageSize, id }).page() : { items: [] }
  const names = new Map(pets.items.map((pet) => [pet.id, pet]))
  const items = found.flatMap((order): ShownOrder[] => {
    // One that has orders is never removed.
    const pet = names.get(order.petId)
    return pet ? [{ order, pet }] : []
  })
  return { items, next: page.next ? { ...filter, cursor: page.next } : isFirst ? all : undefined }
}

/** One that was completed between two pages is on both. */
const distinct = (items: readonly ShownOrder[]): ShownOrder[] => [
  ...new Map(items.map((each) => [each.order.id, each])).values(),
]

/** From there on, until there are as many as wanted; undefined if something else was asked for meanwhile. */
async function read(from: Orders, wanted: number): Promise<Orders | undefined> {
  const mine = ++asked.count
  const before = shown.count
  let { items, next } = from
  try {
    for (let isEnough = false; next && !isEnough; isEnough = items.length >= wanted) {
      const page: Orders = await readPage(next)
      if (mine !== asked.count) return undefined
      if (before !== shown.count) return await read(from, wanted)
      items = distinct([...items, ...page.items])
      next = page.next
    }
    return { items, next }
  } catch (failure) {
    return mine === asked.count ? { items, next, failure } : undefined
  }
}

/** As many as are shown. */
export async function loadOrders(): Promise<void> {
  const wanted = Math.max(pageSize, orders.value?.items.length ?? 0)
  orders.value = (await read({ items: [], next: open }, wanted)) ?? orders.value
}

export async function loadMoreOrders(): Promise<void> {
  if (orders.value) orders.value = (await read(orders.value, orders.value.items.length + 1)) ?? orders.value
}

export const areOrdersShown = (): boolean => address.value.show === 'orders' && can('orders:read') && can('pets:read')

/**
 * What others did about these animals: each order keeps its place, so that nobody presses the button of another; new
 * ones come last.
 */
export async function showOrdersAgain(ids: readonly bigint[]): Promise<void> {
  if (!areOrdersShown() || !orders.value) return
  const changed = orders.value.items.filter(({ pet }) => ids.includes(pet.id))
  const [fresh, ...now] = await Promise.all([
    readPage(open),
    ...changed.map(({ order }) => petstore().orders.get(order.id)),
  ])
  for (const order of now) showOrder(order)
  orders.value = { ...orders.value, items: distinct([...orders.value.items, ...fresh.items]) }
}
