/**
 * What the page knows of the store and of what a person is doing: every view is drawn from this, and every action
 * changes this.
 */
import { batch, computed, type ReadonlySignal, signal } from '@preact/signals'
import type { VNode } from 'preact'
import { parseJson, stringifyJson } from '../../../client/src/json.ts'
import type { OrderFilter } from '../../../client/src/petstore.ts'
import type {
  CategoryInventory,
  DaySales,
  Event,
  Inventory,
  Order,
  OrderStatus,
  Pet,
  PetStatus,
} from '../../../client/src/types.ts'
import { dropKey, key } from '../../reference/docs/shared-key.ts'
import { address } from './address.ts'
import { edited, newPet } from './drafts.ts'
import { isOffline, isOnline, isWaiting, me, refusal, wordsOf } from './session.ts'

/** An animal as it is shown: one that somebody removed keeps its place. */
export type ShownPet = Omit<Pet, 'status'> & { readonly status: PetStatus | 'removed' }

/** Where a page of the list begins: of what a search asks for, the how manieth, and from where on. */
export interface Place {
  readonly source: number
  readonly cursor: string | undefined
}

/** A page of the list; one that changes is replaced, so that the others stay as drawn. */
export interface Chunk {
  readonly pets: readonly ShownPet[]
  readonly next: Place | undefined
}

/** A category that has animals or a name, and what it is called on the page. */
export interface LabelledCategory extends CategoryInventory {
  readonly label: string
}

export interface Opened {
  readonly pet?: ShownPet
  readonly orders: readonly Order[]
  /** What has happened to it and to its orders, the oldest first. */
  readonly events?: readonly Event[]
  /** Where the events go on that are not read yet. */
  readonly eventsRead?: string | undefined
  /** Why it could not be loaded. */
  readonly failure?: unknown
}

export interface ShownOrder {
  readonly order: Order
  readonly pet: ShownPet
}

/** The orders that are loaded; `next` asks for those that are not. */
export interface Orders {
  readonly items: readonly ShownOrder[]
  readonly next: OrderFilter | undefined
  /** Why the next ones could not be loaded. */
  readonly failure?: unknown
}

/** What was just done or failed, with its way back. */
export interface Message {
  readonly text: string | VNode
  readonly isError?: boolean
  /** Whether it goes by itself when the key may ask again. */
  readonly isWaiting?: boolean
  readonly undo?: (() => unknown) | undefined
  /** Takes whose the order is that was just placed. */
  readonly refer?: (reference: string) => unknown
  /** What is put off until the person has gone on: until the message has gone by itself, at a press or for another. */
  readonly whenGone?: () => unknown
}

/** Something that takes many requests, and how far it is. */
export interface Task {
  readonly title: string
  readonly done: number
  /** Undefined where nobody knows. */
  readonly total: number | undefined
  readonly stop: () => void
}

/** An animal for which the service has refused what was done to several. */
export interface Refused {
  readonly pet: Pet
  readonly why: string
}

/** The pages that are loaded. */
export const chunks = signal<readonly Chunk[]>([])
/** The animals added since the list was loaded, the newest first. */
export const added = signal<readonly ShownPet[]>([])
/**
 * Those that others have added meanwhile, the newest first; they wait until they are asked for, since nothing moves by
 * itself.
 */
export const newcomers = signal<readonly Pet[]>([])
/** The animals that are selected; null unless animals are being selected. */
export const selected = signal<ReadonlySet<bigint> | null>(null)
/** What is being done with many animals. */
export const task = signal<Task | null>(null)
export const refused = signal<readonly Refused[]>([])
/** What is printed instead of what the screen shows. */
export const printed = signal<readonly Pet[] | null>(null)
/** Those that were removed here, or will be when the message has gone: they are not listed. */
export const removed = signal<ReadonlySet<bigint>>(new Set())
/** Why the list could not be loaded. */
export const failure = signal<unknown>(null)
export const isLoading = signal(false)
/** Whether what others do appears by itself. */
export const isLive = signal(false)
/** What is typed into the search; the address has what is searched for. */
export const searched = signal('')
export const inventory = signal<Inventory | null>(null)
export const sales = signal<readonly DaySales[] | null>(null)
export const categories = signal<readonly LabelledCategory[]>([])
/** The animal that is open. */
export const opened = signal<Opened | null>(null)
export const orders = signal<Orders | null>(null)
/** How many orders there are of each status, as far as it is known. */
export const orderCounts = signal<ReadonlyMap<OrderStatus, string>>(new Map())
/** What is typed into the search for orders; the address has what is searched for. */
export const sought = signal('')
/** Which sheet is open besides that of an animal. */
export const sheet = signal<'add' | 'categories' | 'shortcuts' | 'refused' | null>(history.state?.sheet ?? null)
const latestMessage = signal<Message | null>(null)
export const message: ReadonlySignal<Message | null> = latestMessage
/** Shows a message, or none, in place of the one before, and then does what that one has put off. */
export function showMessage(next: Message | null): void {
  const before = latestMessage.peek()
  latestMessage.value = next
  before?.whenGone?.()
}
/** What the service has found wrong in a form, by the name of the field; `of` is what was to be done. */
export const faults = signal<{ readonly of: string; readonly fields: ReadonlyMap<string, string> } | null>(null)
/** What is under way; a second click on it does nothing. */
export const busy = signal<ReadonlySet<string>>(new Set())

/** Where the page begins that is not loaded yet. */
export const next = computed(() => chunks.value.at(-1)?.next)

// As text, which stays the same when only counts change: then no list is drawn anew.
const namesText = computed(() =>
  stringifyJson(categories.value.map(({ categoryId: id, label, name }) => ({ id, label, name }))),
)
const names = computed(() => parseJson(namesText.value) as { id: bigint; label: string; name?: string }[])
const labels = computed(() => new Map(names.value.map(({ id, label }) => [id, label])))
export const categoryName = (id: bigint): string => labels.value.get(id) ?? `Category ${id}`
/** The names that people gave. */
export const categoryNames = computed(
  () => new Map(names.value.flatMap(({ id, name }) => (name === undefined ? [] : [[id, name] as const]))),
)

/**
 * How many animals of each status there are of what is chosen. The service counts none for a search: then it is known
 * once all that was found is there.
 */
export const counts = computed((): Inventory | undefined => {
  const { status, category, search } = address.value
  if (search) {
    if (status || next.value || isLoading.value || failure.value) return undefined
    const found = chunks.value.flatMap(({ pets }) => pets)
    const count = (wanted: PetStatus) => found.filter((pet) => pet.status === wanted).length
    return { available: count('available'), pending: count('pending'), sold: count('sold') }
  }
  if (category === undefined || !inventory.value) return inventory.value ?? undefined
  const none = { available: 0, pending: 0, sold: 0 }
  return categories.value.find(({ categoryId }) => categoryId === category) ?? none
})
export const countOf = ({ available, pending, sold }: Inventory): number => available + pending + sold
/** How many animals fit, where that is known. */
export const total = computed(() => {
  const { status } = address.value
  return counts.value && (status ? counts.value[status] : countOf(counts.value))
})
/** Whether an order decides on the status of the animal that is open. */
export const isHeld = computed(
  () => opened.value?.orders.some(({ status }) => /placed|completed/.test(status)) ?? false,
)

export const isSame = (one: unknown, other: unknown): boolean => stringifyJson(one) === stringifyJson(other)

/** Counts what was shown anew, so that an answer from before is not shown after it. */
export const shown = { count: 0 }

/** Shows an animal as it is now, wherever it is shown. */
export function showPet(pet: ShownPet): void {
  shown.count++
  const isOld = (each: ShownPet) => each.id === pet.id && !isSame(each, pet)
  const put = (pets: readonly ShownPet[]) => pets.map((each) => (each.id === pet.id ? pet : each))
  batch(() => {
    if (opened.value?.pet?.id === pet.id) opened.value = { ...opened.value, pet }
    if (added.value.some(isOld)) added.value = put(added.value)
    if (chunks.value.some(({ pets }) => pets.some(isOld)))
      chunks.value = chunks.value.map((chunk) => (chunk.pets.some(isOld) ? { ...chunk, pets: put(chunk.pets) } : chunk))
  })
}

/** Shows an order as it is now, in its place. */
export function showOrder(order: Order): void {
  shown.count++
  if (!orders.value) return
  const items = orders.value.items.map((each) => (each.order.id === order.id ? { ...each, order } : each))
  orders.value = { ...orders.value, items }
}

/** Says what failed; `undo` is what can be tried again. */
export function tell(error: unknown, undo?: () => unknown): void {
  if (key.value === null) return
  if (isOffline(error)) isOnline.value = false
  else showMessage({ text: wordsOf(error), isError: true, isWaiting: isWaiting(error), undo })
}

/** Whoever signs in next finds nothing of this person's. */
export function forget(): void {
  batch(() => {
    // What it has put off is not done: an animal that could still be brought back stays.
    latestMessage.value = null
    dropKey()
    searched.value = sought.value = refusal.value = ''
    orderCounts.value = new Map()
    inventory.value = sales.value = opened.value = orders.value = null
    sheet.value = me.value = newPet.value = edited.value = null
    task.value?.stop()
    selected.value = printed.value = null
    refused.value = chunks.value = added.value = newcomers.value = categories.value = []
    removed.value = new Set()
  })
}
