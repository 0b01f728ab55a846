/** What is being typed, kept until it is saved or dropped: it outlives a closed form, a refused key and a reload. */
import { effect, signal } from '@preact/signals'
import { parseJson, stringifyJson } from '../../../../client/src/json.ts'
import type { Order, Pet, PetStatus } from '../../../../client/src/types.ts'
import { ofTab } from '../../../reference/docs/shared-key.ts'
import type { Until } from '../until.ts'

/**
 * An animal being added: in the category of this number if one was chosen, else in one of this new name. `attempt` is
 * the Idempotency-Key under which it was sent.
 */
export interface NewPetDraft {
  readonly name: string
  readonly category?: string | undefined
  readonly newCategory?: string | undefined
  readonly attempt?: string | undefined
}

/** An animal being edited, with the version that was read; `theirs` is what somebody else has made of it meanwhile. */
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

/** An order on an animal as it is typed: a reservation, a sale at the counter, or a change of the order `before`. */
export interface OrderDraft {
  readonly kind: 'reserve' | 'sell' | 'change'
  readonly isOpen: boolean
  /** Whether the animal was opened for this alone, and closes with it. */
  readonly isFromList?: boolean | undefined
  readonly reference: string
  readonly until: Until
  readonly attempt?: string | undefined
  readonly before?: Order | undefined
  readonly etag?: string | undefined
  readonly theirs?: Order | undefined
  /** What was typed for an order of its own before somebody else reserved the animal; it is there again afterwards. */
  readonly kept?: OrderDraft | undefined
}

/** What is typed as the name of a category. */
export interface NameDraft {
  readonly text: string
  /** The name that it had when somebody began to type another one. */
  readonly seen?: string | undefined
  /** The number of the category that was chosen instead. */
  readonly category?: string | undefined
}

interface Drafts {
  readonly add: NewPetDraft | null
  /** By the number of the category; "new" for one to add, "move" for one to move animals to. */
  readonly names: Readonly<Record<string, NameDraft>>
  /** By the number of the animal. */
  readonly edits: Readonly<Record<string, EditDraft>>
  readonly orders: Readonly<Record<string, OrderDraft>>
}

const none: Drafts = { add: null, names: {}, edits: {}, orders: {} }
const name = 'petstore.drafts'
/** So many forms that somebody has left are kept of each kind. */
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
/** The form goes, and what is typed in it stays; `isUnchanged` if there is nothing to keep. */
export function foldOrderDraft(id: bigint, isUnchanged: (draft: OrderDraft) => boolean): void {
  const draft = orderDraftOf(id)
  if (!draft) return
  const left = isUnchanged(draft) ? draft.kept : draft
  putOrderDraft(id, left ? { ...left, isOpen: false, isFromList: undefined } : null)
}
export function forgetDrafts(): void {
  drafts.value = none
}

/** Keeps them for as long as the tab is open. */
export function startDrafts(): void {
  effect(() => {
    const { add, names, edits, orders } = drafts.value
    const isNone = !add && [names, edits, orders].every((each) => Object.keys(each).length === 0)
    if (isNone) ofTab?.removeItem(name)
    else ofTab?.setItem(name, stringifyJson(drafts.value))
  })
}
