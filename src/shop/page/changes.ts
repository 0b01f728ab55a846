/** What a person can change, each with its way back where the service has one. */
import { randomKey } from '../../../client/src/transport.ts'
import type { Order, OrderPatch, Pet, PetPatch, PetStatus } from '../../../client/src/types.ts'
import { address, close, go } from './address.ts'
import { numberOf } from './category-changes.ts'
import { change, short, undoing } from './change.ts'
import { type EditDraft, edited, type NewPetDraft } from './drafts.ts'
import { loadCounts, openPet } from './load.ts'
import { areOrdersShown, countOrders } from './load-orders.ts'
import { html } from './parts.ts'
import { codeOf, petstore, wordsOf } from './session.ts'
import {
  added,
  isHeld,
  type Message,
  message,
  orders,
  removed,
  type ShownPet,
  showMessage,
  showOrder,
  showPet,
  tell,
} from './state.ts'

/** An animal as it is now, and its ETag as text, which a draft can keep. */
async function versionOf({ id }: { readonly id: bigint }): Promise<{ pet: Pet; etag: string }> {
  const pet = await petstore().pets.get(id)
  return { pet, etag: etagOf(pet) }
}
const etagOf = (pet: Pet): string => petstore().etag(pet) ?? ''

export const addPet = (draft: NewPetDraft, idempotencyKey: string): Promise<boolean> =>
  change('add', async () => {
    const { name, category, newCategory = '' } = draft
    const categoryId = category ? BigInt(category) : await numberOf(newCategory)
    const pet = await petstore().pets.create({ name, categoryId }, { idempotencyKey })
    added.value = [pet, ...added.value]
    const undo = undoing('add', async () => {
      await petstore().pets.delete(pet.id, { ifMatch: pet })
      added.value = added.value.filter(({ id }) => id !== pet.id)
      return { text: html`${short(pet)} was removed again.` }
    })
    return { text: html`${short(pet)} was added.`, undo }
  })

/**
 * It is final, so it waits until the message has gone: until then it can be undone. Whoever leaves the page before
 * leaves the animal in the store.
 */
export function removePet(pet: ShownPet): void {
  const state = { isKept: false }
  const putBack = () => {
    removed.value = new Set([...removed.value].filter((id) => id !== pet.id))
  }
  const undo = () => {
    state.isKept = true
    showMessage({ text: html`${short(pet)} stays.` })
  }
  const whenGone = async () => {
    if (state.isKept) return putBack()
    try {
      await petstore().pets.delete(pet.id)
      loadCounts().catch(tell)
    } catch (error) {
      if (codeOf(error) === 'pet_not_found') return
      putBack()
      const why = codeOf(error) === 'order_state_conflict' ? 'it stays in the books with its orders.' : wordsOf(error)
      showMessage({ text: html`${short(pet)} was not removed: ${why}`, isError: true })
    }
  }
  removed.value = new Set(removed.value).add(pet.id)
  close()
  showMessage({ text: html`${short(pet)} will be removed when this message goes.`, undo, whenGone })
}

export const startEdit = ({ id }: { readonly id: bigint }): Promise<boolean> =>
  change('edit', async () => {
    const { pet, etag } = await versionOf({ id })
    const left = edited.value
    showPet(pet)
    edited.value = { before: pet, etag, name: pet.name, category: String(pet.categoryId), status: pet.status }
    if (!left || Object.keys(changesOf(left)).length === 0) return null
    const undo = () => {
      showMessage(null)
      edited.value = left
      go({ pet: left.before.id })
    }
    return { text: html`What you typed for ${short(left.before)} was dropped.`, undo }
  })

/** What a draft changes: a new category is none before it has a number, and no status where an order decides on it. */
export function changesOf({ before, name, category, status }: EditDraft): PetPatch {
  const categoryId = category ? BigInt(category) : before.categoryId
  return {
    ...(name !== before.name && { name }),
    ...(categoryId !== before.categoryId && { categoryId }),
    ...(status !== before.status && !isHeld.value && { status }),
  }
}

/** The members of a change as another version of the animal has them. */
export const asIn = (pet: Pet, body: PetPatch): PetPatch =>
  Object.fromEntries(Object.keys(body).map((member) => [member, pet[member as keyof Pet]]))

/** Saves over the version that was seen, and never over another: then both are shown. */
export const saveEdit = (): Promise<boolean> =>
  change('save', async () => {
    let draft = edited.value
    if (!draft) return null
    const { before } = draft
    if (!draft.category) {
      const category = String(await numberOf(draft.newCategory ?? ''))
      draft = edited.value = { ...(edited.value ?? draft), category }
    }
    const body = changesOf(draft)
    if (Object.keys(body).length === 0) {
      edited.value = null
      return null
    }
    const saved = await saveOver(draft, body)
    if (!saved) return null
    showPet(saved)
    // What was typed while it was saved is still to be saved.
    edited.value =
      edited.value === draft || !edited.value ? null : { ...edited.value, before: saved, etag: etagOf(saved) }
    const undo = undoing('save', async () => {
      const pet = await petstore().pets.update(before.id, asIn(before, body), { ifMatch: saved })
      showPet(pet)
      return { text: html`${short(pet)} is as it was.` }
    })
    return { text: html`${short(saved)} was saved.`, undo }
  })

/** The animal as it is saved; undefined if somebody else has changed it, which the draft then shows. */
async function saveOver({ before, etag: ifMatch }: EditDraft, body: PetPatch): Promise<Pet | undefined> {
  try {
    return await petstore().pets.update(before.id, body, { ifMatch })
  } catch (error) {
    if (codeOf(error) !== 'precondition_failed') throw error
    const { pet: theirs, etag } = await versionOf(before)
    showPet(theirs)
    // An order may decide on its status now.
    await openPet(before.id)
    // It was this change whose answer got lost, or theirs is the same.
    if (Object.entries(body).every(([member, value]) => theirs[member as keyof Pet] === value)) return theirs
    if (edited.value) edited.value = { ...edited.value, theirs, etag }
  }
}

/** After a conflict: the other version stays, or these changes go on top of it. */
export function keepTheirs(): void {
  edited.value = null
}
export async function saveMine(): Promise<void> {
  const draft = edited.value
  if (!draft?.theirs) return
  const { name, categoryId, status } = { ...draft.theirs, ...changesOf(draft) }
  const { etag, theirs: before } = draft
  edited.value = { before, etag, name, category: String(categoryId), status }
  await saveEdit()
}

/**
 * The Idempotency-Keys of orders whose answer got lost. An animal that was read again is another value, and a click
 * then means another order.
 */
const attempts = new WeakMap<ShownPet, string>()

/** `as` is a former order on the animal, for whose person and until when this one is. */
export const placeOrder = (pet: ShownPet, as?: Order): Promise<boolean> =>
  change(`order ${pet.id}`, async () => {
    const idempotencyKey = attempts.get(pet) ?? randomKey()
    attempts.set(pet, idempotencyKey)
    const { reference, heldUntil } = as ?? {}
    const isHeldOn = heldUntil !== undefined && Date.parse(heldUntil) > Date.now()
    const body = { petId: pet.id, ...(reference && { reference }), ...(isHeldOn && { heldUntil }) }
    const order = await petstore().orders.place(body, { idempotencyKey })
    attempts.delete(pet)
    if (orders.value) orders.value = { ...orders.value, items: [{ order, pet }, ...orders.value.items] }
    await afterOrder(pet, 'pending')
    return reserved(pet, order)
  })

function reserved(pet: ShownPet, order: Order): Message {
  const { reference } = order
  const undo = () => moveOrder(pet, order, 'cancel')
  if (reference) return { text: html`${short(pet)} is reserved for ${short({ name: reference })}.`, undo }
  return { text: html`${short(pet)} is reserved.`, undo, refer: (text) => saveOrder(pet, order, { reference: text }) }
}

/** Whose an order is, and how long the animal is held for them. */
export const saveOrder = (pet: ShownPet, { id, status }: Order, body: OrderPatch): Promise<boolean> =>
  change(`hold ${id}`, async () => {
    const saved = await petstore().orders.update(id, body)
    showOrder(saved)
    if (address.value.pet === pet.id) await openPet(pet.id)
    return status === 'placed' ? reserved(pet, saved) : { text: html`Order ${id} was saved.` }
  })

const moves = {
  complete: ['sold', (pet: ShownPet) => html`${short(pet)} is sold.`],
  cancel: ['available', (pet: ShownPet) => html`The order is cancelled; ${short(pet)} is available again.`],
  return: ['available', (pet: ShownPet) => html`${short(pet)} was taken back, and is available again.`],
} as const

export const moveOrder = (pet: ShownPet, order: Order, verb: keyof typeof moves): Promise<boolean> =>
  change(`move ${order.id}`, async () => {
    const [status, say] = moves[verb]
    showOrder(await petstore().orders[verb](order.id))
    await afterOrder(pet, status)
    const undo = { complete: () => undoSale(pet, order), cancel: () => placeOrder(pet, order), return: undefined }[verb]
    return { text: say(pet), undo }
  })

/** The sale is sent at once, so that none is lost with the tab: taken back, the animal is ordered anew as it was. */
const undoSale = (pet: ShownPet, order: Order): Promise<boolean> =>
  change(`move ${order.id}`, async () => {
    showOrder(await petstore().orders.return(order.id))
    await afterOrder(pet, 'available')
    await placeOrder(pet, order)
    return message.value
  })

/** Taking back undoes a sale that may be long ago: it asks. */
export function takeBack(pet: ShownPet, order: Order): void {
  if (confirm(`Take ${pet.name} back? Its sale is undone, and it is available again.`)) moveOrder(pet, order, 'return')
}

async function afterOrder(pet: ShownPet, status: PetStatus): Promise<void> {
  showPet({ ...pet, status })
  if (areOrdersShown()) countOrders()
  if (address.value.pet === pet.id) await openPet(pet.id)
}
