/** Reads what the page shows, and reads it again; answers that are older than what is known are dropped. */
import { batch, signal } from '@preact/signals'
import type { CategoryInventory } from '../../../client/src/types.ts'
import { key } from '../../reference/docs/shared-key.ts'
import { address, pageMax } from './address.ts'
import { areOrdersShown, loadOrders } from './load-orders.ts'
import { isReportShown, loadReport } from './load-report.ts'
import { byName, readPage } from './pages.ts'
import { can, codeOf, isOnline, isWaiting, me, petstore, signIn } from './session.ts'
import {
  added,
  type Chunk,
  categories,
  chunks,
  failure,
  inventory,
  isLoading,
  isSame,
  type LabelledCategory,
  newcomers,
  next,
  opened,
  type Place,
  sales,
  shown,
  showPet,
  tell,
} from './state.ts'

/** More than a person can choose from. */
const listMax = 1_000
/** The lists, counts and animals asked for so far: the answer to an earlier question is dropped. */
const asked = { list: 0, counts: 0, animal: 0 }

const idsIn = (list: readonly Chunk[]): Set<bigint> => new Set(list.flatMap(({ pets }) => pets.map(({ id }) => id)))

async function loadChunk(place?: Place): Promise<void> {
  const mine = ++asked.list
  isLoading.value = true
  failure.value = null
  try {
    const chunk = await readPage(place, idsIn(place ? chunks.value : []))
    if (mine !== asked.list) return
    batch(() => {
      isLoading.value = false
      if (!place) clear()
      chunks.value = [...chunks.value, chunk]
      if (!place) readAt.value = new Date()
    })
  } catch (error) {
    if (mine !== asked.list) return
    batch(() => {
      isLoading.value = false
      isWaiting(error)
      if (!place) clear()
      failure.value = error
    })
  }
}

/** When the list was read; null until then. */
export const readAt = signal<Date | null>(null)

function clear(): void {
  if (chunks.value.length > 0) scrollTo(0, 0)
  chunks.value = added.value = newcomers.value = []
}

/** What is shown stays until the answer is there: a list that comes and goes with each letter cannot be read. */
export const loadFirst = (): Promise<void> => loadChunk()

export async function loadMore(): Promise<void> {
  if (next.value && !isLoading.value) await loadChunk(next.value)
}

/** By their names. Two categories may have one name: then their numbers tell them apart. */
export function labelled(list: readonly CategoryInventory[]): LabelledCategory[] {
  const all = list.map((each) => ({ ...each, label: each.name ?? `Category ${each.categoryId}` }))
  const counts = Map.groupBy(all, ({ label }) => label)
  return all
    .map((each) =>
      counts.get(each.label)?.length === 1 ? each : { ...each, label: `${each.label} (${each.categoryId})` },
    )
    .sort((one, other) => byName.compare(one.label, other.label))
}

export async function loadCounts(): Promise<void> {
  const mine = ++asked.counts
  const [total, perCategory, days] = await Promise.all([
    petstore().inventory(),
    petstore().inventoryByCategory().toArray({ limit: listMax }),
    petstore().sales(30),
  ])
  if (mine !== asked.counts) return
  batch(() => {
    inventory.value = total
    categories.value = labelled(perCategory)
    sales.value = days
  })
}

export async function openPet(id: bigint): Promise<void> {
  const mine = ++asked.animal
  const before = shown.count
  const isWanted = () => mine === asked.animal && address.value.pet === id
  if (opened.value?.pet?.id !== id) opened.value = null
  try {
    const [pet, orders] = await Promise.all([
      petstore().pets.get(id),
      can('orders:read') ? petstore().orders.list({ petId: id }).toArray({ limit: listMax }) : [],
    ])
    if (!isWanted()) return
    if (before !== shown.count) return await openPet(id)
    opened.value = { ...opened.value, pet, orders }
    showPet(pet)
    if (can('events:read')) readHistory(id).catch(() => {})
  } catch (error) {
    if (!isWanted()) return
    isWaiting(error)
    if (opened.value === null || codeOf(error) === 'pet_not_found') opened.value = { orders: [], failure: error }
    else tell(error)
  }
}

/** The service looks through 10,000 events for a page: of those from before, the rest is left out. */
const historyPages = 30

/** What has happened to the animal that is open, from where it is known on; the sheet does not wait for it. */
async function readHistory(petId: bigint): Promise<void> {
  for (let pages = 0; pages < historyPages; pages++) {
    const cursor = opened.value?.eventsRead
    const { items, next } = await petstore().events.list({ petId, limit: pageMax, cursor }).page()
    if (opened.value?.pet?.id !== petId) return
    const events = new Map([...(opened.value.events ?? []), ...items].map((event) => [event.id, event]))
    opened.value = { ...opened.value, events: [...events.values()], eventsRead: next }
    if (next === cursor) return
  }
}

/** The animals just added, which the pages may not have yet. */
async function refreshAdded(): Promise<void> {
  const before = added.value
  if (before.length === 0) return
  const id = before.slice(0, pageMax).map((pet) => pet.id)
  const { items } = await petstore().pets.list({ limit: pageMax, id }).page()
  if (added.value === before) added.value = [...items.reverse(), ...before.slice(pageMax)]
}

/** From page to page anew: where one begins depends on what has left or joined those before it. */
async function refreshChunks(): Promise<void> {
  const mine = asked.list
  const before = shown.count
  const fresh: Chunk[] = []
  let place: Place | undefined
  while (fresh.length < chunks.value.length && (fresh.length === 0 || place)) {
    const chunk = await readPage(place, idsIn(fresh))
    if (mine !== asked.list) return
    if (before !== shown.count) return await refresh()
    fresh.push(chunk)
    place = chunk.next
  }
  readAt.value = new Date()
  // What has not changed stays as it is drawn.
  chunks.value = fresh.map((chunk, i) => {
    const drawn = chunks.value[i]
    return drawn && isSame(chunk, drawn) ? drawn : chunk
  })
}

/** Asks again for all that is shown. */
export async function refresh(): Promise<void> {
  // Without a key there is nothing to ask for.
  if (key.value === null) isOnline.value = true
  else if (!me.value) await signIn(key.value)
  if (!can('pets:read')) return
  if (failure.value) chunks.value.length === 0 ? loadFirst() : loadMore()
  try {
    await loadCounts()
    if (areOrdersShown()) await loadOrders()
    if (isReportShown()) await loadReport()
    if (address.value.pet !== undefined) await openPet(address.value.pet)
    newcomers.value = []
    await refreshAdded()
    await refreshChunks()
  } catch (error) {
    tell(error)
  }
}

/** What was asked for is not wanted any more. */
export function dropAnswers(): void {
  asked.list++
}
