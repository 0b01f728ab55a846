/** The open animal, with its orders, and with its history if somebody asks for it. */
import { computed, type ReadonlySignal, signal } from '@preact/signals'
import type { Event, Order, Pet } from '../../../../client/src/types.ts'
import { codeOf } from '../refusals.ts'
import { address, pageMax } from './address.ts'
import { petShown, putPet, type ShownPet } from './animals.ts'
import { beforeAsking, isCurrent } from './known.ts'
import { createQuestions } from './latest.ts'
import { tell } from './messages.ts'
import { can, noteLimit, petstore } from './session.ts'
import { markStale } from './stale.ts'

export interface Opened {
  readonly id: bigint
  readonly pet?: ShownPet | undefined
  /** Undefined until the orders are read. */
  readonly orders?: readonly Order[] | undefined
  /** The history of the animal and of its orders, the oldest event first, or undefined if nobody has asked for it. */
  readonly events?: readonly Event[] | undefined
  /** The reason why it could not be loaded. */
  readonly failure?: unknown
}

const state = signal<Opened | null>(null)
const questions = createQuestions()
export const opened: ReadonlySignal<Opened | null> = state
export const petOf = computed(() => state.value?.pet)

/** The order that decides on the status of the animal, if there is one. */
export const decisive = computed((): Order | undefined =>
  state.value?.orders?.find(({ status }) => status === 'placed' || status === 'completed'),
)

/** No animal ever has more orders than this. */
const ordersMax = 1_000

/** Reads the animal that the address names. Meanwhile, what the list shows of it is shown. */
export async function openPet(id: bigint): Promise<void> {
  const isLatest = questions.ask()
  const at = beforeAsking()
  const isWanted = () => isLatest() && address.peek().pet === id
  if (state.peek()?.id !== id) state.value = { id, pet: petShown(id) }
  try {
    const [pet, orders] = await Promise.all([
      petstore().pets.get(id),
      can('orders:read') ? petstore().orders.list({ petId: id }).toArray({ limit: ordersMax }) : [],
    ])
    if (!isWanted()) return
    const known = isCurrent(id, at) ? pet : (state.peek()?.pet ?? pet)
    state.value = { id, pet: known, orders: orders.map(newest), events: state.peek()?.events }
    putPet(known, at)
  } catch (error) {
    if (!isWanted()) return
    noteLimit(error)
    const isGone = codeOf(error) === 'pet_not_found'
    if (isGone) markStale({ counts: true, pets: [id] })
    if (isGone || !state.peek()?.pet) state.value = { id, failure: error }
    else tell(error)
  }
}

/** Returns the known state of an order if it is newer than the answer. */
const newest = (order: Order): Order => {
  const known = state.peek()?.orders?.find(({ id }) => id === order.id)
  return known && known.updatedAt > order.updatedAt ? known : order
}

/** Shows the current state of the animal, if it is the open one. */
export function putOpened(pet: ShownPet): void {
  if (state.peek()?.id === pet.id) state.value = { ...state.peek(), id: pet.id, pet }
}

/** Shows the current state of an order, if it belongs to the open animal. */
export function putOrderOfOpened(order: Order): void {
  const { id, orders } = state.peek() ?? {}
  if (id !== order.petId || !orders) return
  const others = orders.filter((each) => each.id !== order.id)
  const all = [...others, newest(order)].toSorted((one, other) => (one.id < other.id ? -1 : 1))
  state.value = { ...state.peek(), id, orders: all }
}

export function addEvent(event: Event): void {
  const { id, events } = state.peek() ?? {}
  const petId = 'petId' in event.data ? event.data.petId : event.data.id
  if (id === undefined || id !== petId || !events || event.type.startsWith('category.')) return
  if (events.every((each) => each.id !== event.id)) state.value = { ...state.peek(), id, events: [...events, event] }
}

/** The service looks through 10,000 events for a page. Older events than these pages cover are left out. */
const historyPages = 30

/** Reads the history of the open animal. */
export async function loadHistory(): Promise<void> {
  const { id: petId, events } = state.peek() ?? {}
  if (petId === undefined || events) return
  const found = new Map<bigint, Event>()
  let cursor: string | undefined
  try {
    for (let pages = 0; pages < historyPages; pages++) {
      const page = await petstore().events.list({ petId, limit: pageMax, cursor }).page()
      for (const event of page.items) found.set(event.id, event)
      if (page.next === cursor) break
      cursor = page.next
    }
    if (state.peek()?.id === petId) state.value = { ...state.peek(), id: petId, events: [...found.values()] }
  } catch (error) {
    tell(error)
  }
}

export function forgetOpened(): void {
  questions.ask()
  state.value = null
}

/** Whether the animal of an event or of an answer is the open one. */
export const isOpen = (pet: Pick<Pet, 'id'>): boolean => state.peek()?.id === pet.id
