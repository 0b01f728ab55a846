/**
 * Text that was typed and animals that were selected, kept until they are saved or dropped. They outlive a closed form, a
 * refused key and a reload.
 */
import { computed, effect, signal } from '@preact/signals'
import { parseJson, stringifyJson } from '../../../../client/src/json.ts'
import type { Order, Pet, PetStatus } from '../../../../client/src/types.ts'
import { ofTab } from '../../../reference/docs/shared-key.ts'
import type { Until } from '../until.ts'

/**
 * An animal that is being added, in the category with this number if one was chosen, or else in a new one with this
 * name. `attempt` is the Idempotency-Key with which it was sent.
 */
export interface NewPetDraft {
  readonly name: string
  readonly category?: string | undefined
  readonly newCategory?: string | undefined
  readonly attempt?: string | undefined
}

/**
 * An animal that is being edited, with the version that was read. `theirs` is the version that somebody else has made
 * of it meanwhile.
 */
export interface EditDraft {
  readonly before: Pet
  readonly etag: string
  readonly isOpen: boolean
  readonly name: string
  readonly category: string
  readonly newCategory?: string | undefined
  readonly status: PetStatus
  readonly theirs?: Pet | undefined
}

/** The form of an order for an animal: a reservation, a sale at the counter, or a change of the order `before`. */
export interface OrderDraft {
  readonly kind: 'reserve' | 'sell' | 'change'
  readonly isOpen: boolean
  /** Whether the animal was opened only for this form, and closes together with it. */
  readonly isFromList?: boolean | undefined
  readonly reference: string
  readonly until: Until
  readonly attempt?: string | undefined
  readonly before?: Order | undefined
  readonly etag?: string | undefined
  readonly theirs?: Order | undefined
  /** The text for a new order from before somebody else reserved the animal. It is restored afterwards. */
  readonly kept?: OrderDraft | undefined
}

/** The text for the name of a category. */
export interface NameDraft {
  readonly text: string
  /** The name of the category when somebody began to type another one. */
  readonly seen?: string | undefined
  /** The number of the category that was chosen instead. */
  readonly category?: string | undefined
}

interface Drafts {
  /** The name of the key whose person has typed all of this. */
  readonly by?: string | undefined
  readonly add: NewPetDraft | null
  /**
   * The key is the number of the category, "new" for a category to add, or "move" for a category to move animals to.
   */
  readonly names: Readonly<Record<string, NameDraft>>
  /** The key is the number of the animal. */
  readonly edits: Readonly<Record<string, EditDraft>>
  readonly orders: Readonly<Record<string, OrderDraft>>
  /** The numbers of the selected animals, or undefined unless animals are being selected. */
  readonly selected?: readonly string[] | undefined
}

const none: Drafts = { add: null, names: {}, edits: {}, orders: {} }
const name = 'petstore.drafts'
/** This many forms of each kind that were left are kept. */
const keptMax = 20

const drafts = signal<Drafts>({ ...none, ...(parseJson(ofTab?.getItem(name) ?? '{}') as Partial<Drafts>) })

export const newPet = (): NewPetDraft | null => drafts.value.add
export const editOf = (id: bigint): EditDraft | undefined => drafts.value.edits[String(id)]
export const orderDraftOf = (id: bigint): OrderDraft | undefined => drafts.value.orders[String(id)]
export const nameDraftOf = (of: string): NameDraft | undefined => drafts.value.names[of]
/** Whether there is anything that would be lost. */
export const isTyped = (): boolean =>
  Boolean(drafts.value.add?.name) || Object.keys(drafts.value.names).length > 0 || openCount(drafts.value) > 0
const openCount = ({ edits, orders }: Drafts): number =>
  [...Object.values(edits), ...Object.values(orders)].filter(({ isOpen }) => isOpen).length

function putInto<T>(all: Readonly<Record<string, T>>, id: bigint | string, draft: T | null): Record<string, T> {
  const others = Object.entries(all).filter(([each]) => each !== String(id))
  return Object.fromEntries([...others, ...(draft ? [[String(id), draft] as const] : [])].slice(-keptMax))
}

export function putNewPet(draft: NewPetDraft | null): void {
  drafts.value = { ...drafts.value, add: draft }
}
export function putName(of: string, draft: NameDraft | null): void {
  drafts.value = { ...drafts.value, names: putInto(drafts.value.names, of, draft) }
}
export function putEdit(id: bigint, draft: EditDraft | null): void {
  drafts.value = { ...drafts.value, edits: putInto(drafts.value.edits, id, draft) }
}
export function putOrderDraft(id: bigint, draft: OrderDraft | null): void {
  drafts.value = { ...drafts.value, orders: putInto(drafts.value.orders, id, draft) }
}
/** Closes the form and keeps its text. `isUnchanged` says that there is nothing to keep. */
export function foldOrderDraft(id: bigint, isUnchanged: (draft: OrderDraft) => boolean): void {
  const draft = orderDraftOf(id)
  if (!draft) return
  const left = isUnchanged(draft) ? draft.kept : draft
  putOrderDraft(id, left ? { ...left, isOpen: false, isFromList: undefined } : null)
}
// While somebody types, the list of what is selected stays the same.
const selectedTexts = computed(() => drafts.value.selected)
export const selectedIds = computed(() => selectedTexts.value?.map(BigInt))
export function putSelected(ids: readonly bigint[] | null): void {
  drafts.value = { ...drafts.value, selected: ids?.map(String) }
}
export function forgetDrafts(): void {
  drafts.value = none
}

export const personOfDrafts = (): string | undefined => drafts.value.by
export function setPersonOfDrafts(by: string): void {
  drafts.value = { ...drafts.value, by }
}

/** Keeps the drafts for as long as the tab is open. */
export function startDrafts(): void {
  effect(() => {
    const { add, names, edits, orders, selected } = drafts.value
    const isNone = !add && !selected && [names, edits, orders].every((each) => Object.keys(each).length === 0)
    if (isNone) ofTab?.removeItem(name)
    else ofTab?.setItem(name, stringifyJson(drafts.value))
  })
}
