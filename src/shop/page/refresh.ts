/**
 * Reads again what is stale. Only one refresh runs at a time, and at most one per second, however many events, changes
 * and returns to the page there are.
 */
import { effect, untracked } from '@preact/signals'
import type { Pet } from '../../../client/src/types.ts'
import { key } from '../../reference/docs/shared-key.ts'
import { isOffline } from './refusals.ts'
import { createScheduler } from './scheduler.ts'
import { address, filter, pageMax } from './state/address.ts'
import {
  announce,
  failure,
  isFitting,
  isSame,
  loadFirst,
  mayBeNew,
  petShown,
  putPet,
  reloadList,
  type ShownPet,
} from './state/animals.ts'
import { loadCategories, loadInventory } from './state/catalogue.ts'
import { busy } from './state/forms.ts'
import { beforeAsking, isCurrent } from './state/known.ts'
import { message, showMessage, tell } from './state/messages.ts'
import { opened, openPet, putOpened } from './state/opened.ts'
import {
  areOrdersShown,
  joinOrders,
  loadOrderCounts,
  loadOrders,
  petOfOrders,
  putPetOfOrders,
  reloadOrders,
} from './state/orders.ts'
import { isReportShown, loadReport } from './state/report.ts'
import { can, isOnline, me, petstore, setOnline, signIn } from './state/session.ts'
import { sheet } from './state/sheets.ts'
import { isNothing, markStale, type Stale, stale, takeStale } from './state/stale.ts'

const everyMs = 1_000
/** How long the page waits before it asks again for what could not be read. */
const againMs = 60_000

/** Reads everything that is shown. */
async function readEverything(isAnew: boolean): Promise<void> {
  const { pet, show } = address.peek()
  const list = () => (failure.peek() ? loadFirst() : reloadList(isAnew))
  await Promise.all([
    loadCategories(),
    show === undefined && loadInventory(),
    show === undefined && list(),
    areOrdersShown() && (isAnew ? loadOrders() : reloadOrders()),
    isReportShown() && loadReport(),
    pet !== undefined && openPet(pet),
  ])
}

/** Shows the current state of an animal everywhere on the page. */
function putEverywhere(pet: ShownPet, at: number): void {
  putPet(pet, at)
  putPetOfOrders(pet)
  const before = opened.peek()?.pet
  if (before?.id !== pet.id || isSame(before, pet)) return
  putOpened(pet)
  // The page's own change must not be announced as a change by somebody else, and its Undo must stay.
  if (busy.peek().size > 0 || message.peek()?.undo) return
  const isEnded = before.status === 'pending' && opened.peek()?.orders?.at(-1)?.status === 'expired'
  const text = isEnded
    ? 'Its reservation has ended, so it is available again.'
    : `Somebody else has ${pet.status === 'removed' ? 'removed' : 'changed'} this animal.`
  showMessage({ text: [text] })
}

async function announceNew(fresh: readonly Pet[]): Promise<void> {
  const source = filter.peek()
  const fitting = fresh.filter(isFitting)
  if (fitting.length === 0 || source.search === undefined) return announce(fitting)
  const id = fitting.map((pet) => pet.id)
  const { items } = await petstore()
    .pets.list({ ...source, limit: pageMax, id })
    .page()
  if (source === filter.peek()) announce(items)
}

const shownOf = (id: bigint): ShownPet | undefined => {
  const isOpened = opened.peek()?.id === id
  return petShown(id) ?? (isOpened ? opened.peek()?.pet : undefined) ?? petOfOrders(id)
}

/** Returns which of the changed animals must be read. Beside orders or the report, new animals are not visible. */
function askedOf({ pets, newOrders }: Stale): bigint[] {
  const asked = [...pets].filter((id) => shownOf(id) || mayBeNew(id))
  const isCrowd = asked.length + newOrders.length > pageMax
  return isCrowd && address.peek().show ? asked.filter(shownOf) : asked
}

/** Reads the animals that changed, and those of orders that were just placed, in one request. */
async function readPets(what: Stale): Promise<void> {
  const { newOrders } = what
  const changed = askedOf(what)
  const id = [...new Set([...changed, ...newOrders.map(({ petId }) => petId)])]
  if (id.length === 0) return
  const at = beforeAsking()
  const { items } = await petstore().pets.list({ limit: pageMax, id }).page()
  const found = new Map(items.map((pet) => [pet.id, pet]))
  const fresh: Pet[] = []
  for (const each of changed) {
    const [before, now] = [shownOf(each), found.get(each)]
    if (!before && now) fresh.push(now)
    // A removed animal keeps its place, so that nobody clicks the button of the next one.
    else if (before && isCurrent(each, at)) putEverywhere(now ?? { ...before, status: 'removed' }, at)
  }
  joinOrders(
    newOrders.flatMap((order) => {
      const pet = found.get(order.petId)
      return pet ? [{ order, pet }] : []
    }),
  )
  await announceNew(fresh.filter((pet) => mayBeNew(pet.id)))
}

const isMany = (what: Stale): boolean => askedOf(what).length + what.newOrders.length > pageMax

async function readSome(what: Stale): Promise<void> {
  const { show, category } = address.peek()
  const isCounted = show === undefined && what.counts
  // Reads the counts that are shown: those of the chosen category or of all animals, and those of each category in its
  // sheet.
  const isOfCategory = category !== undefined
  const isOfEach = isCounted && (isOfCategory || sheet.peek() === 'categories')
  await Promise.all([
    (what.categories || isOfEach) && loadCategories(),
    isCounted && !isOfCategory && loadInventory(),
    readPets(what),
    what.orderCounts && areOrdersShown() && loadOrderCounts(),
    (what.report || what.sales.length > 0) && isReportShown() && loadReport(what.report ? [] : what.sales),
  ])
}

async function refresh(): Promise<void> {
  const what = takeStale()
  // Without a key, there is nothing to read.
  if (key.peek() === null) return setOnline(true)
  if (!me.peek()) await signIn(key.peek() ?? '')
  if (!can('pets:read')) return
  try {
    // Without a connection, one request finds out whether there is one again.
    if (!isOnline.peek()) await petstore().me({ maxRetries: 0 })
    const isAll = what.everything || what.anew || isMany(what)
    await (isAll ? readEverything(what.anew) : readSome(what))
  } catch (error) {
    tell(error)
    // Without a connection, or with a key that has to wait, everything is read again later anyway.
    if (!isOffline(error) && isOnline.peek()) setTimeout(() => markStale({ everything: true }), againMs)
  }
}

export function startRefresh(): void {
  const scheduler = createScheduler(refresh, everyMs)
  effect(() => {
    if (!isNothing(stale.value)) untracked(scheduler.want)
  })
}
