/** What a person can change, each with its way back where the service has one. */
import type { VNode } from 'preact'
import { randomKey } from '../../../client/src/transport.ts'
import type { Category, CategoryInventory, NewPet, Order, Pet, PetPatch, PetStatus } from '../../../client/src/types.ts'
import { address, go } from './address.ts'
import { loadCounts, openPet, refresh } from './load.ts'
import { html } from './parts.ts'
import { codeOf, faultsOf, isFinal, isOffline, petstore } from './session.ts'
import {
  added,
  busy,
  type EditDraft,
  edited,
  faults,
  type Message,
  message,
  type ShownPet,
  showPet,
  tell,
} from './state.ts'

/**
 * Runs a change unless it is under way; then says what was done and counts again. Resolves with whether it succeeded.
 * `again` is offered when the service has not decided.
 */
async function change(what: string, run: () => Promise<Message | null>, again?: () => unknown): Promise<boolean> {
  if (busy.value.has(what)) return false
  busy.value = new Set(busy.value).add(what)
  message.value = faults.value = null
  const wasOffline = !navigator.onLine
  try {
    message.value = await run()
    loadCounts().catch(tell)
    return true
  } catch (error) {
    const fields = hasForm(what) && faultsOf(error)
    if (fields) {
      faults.value = { of: what, fields }
      return false
    }
    tell(error, isFinal(error) ? undefined : again)
    if (isOffline(error)) message.value = { text: notDone(what, wasOffline), isError: true, undo: again }
    // What is shown was not what the service has: somebody else may have been faster.
    if (isFinal(error)) refresh()
    return false
  } finally {
    busy.value = new Set([...busy.value].filter((each) => each !== what))
  }
}

/** Whether there are fields beside which it can be said what is wrong. */
const hasForm = (what: string): boolean => /^(?:add|save|name)\b/.test(what)

const deeds: Readonly<Record<string, readonly [what: string, done: string]>> = {
  add: ['The animal', 'added'],
  save: ['What you typed', 'saved'],
  order: ['The order', 'placed'],
  move: ['The order', 'changed'],
  name: ['The name', 'saved'],
  remove: ['The animal', 'removed'],
  undo: ['It', 'undone'],
}

/** That nothing was done, which is certain only if there was no connection from the beginning. */
function notDone(what: string, wasOffline: boolean): string {
  const [subject, done] = deeds[what.replace(/ .*/, '')] ?? ['It', 'done']
  return wasOffline && !navigator.onLine
    ? `${subject} was not ${done}. Try again when the connection is back.`
    : `${subject} was perhaps ${done}: no answer came. When the connection is back, the page shows how it is.`
}

function undoing(what: string, run: () => Promise<Message>): () => unknown {
  const undo = () => change(`undo ${what}`, run, undo)
  return undo
}

/** A name within a sentence, set apart so that one written from right to left turns nothing else around. */
function short({ name }: { readonly name: string }): VNode {
  const letters = [...name]
  return html`<bdi>${letters.length > 40 ? `${letters.slice(0, 39).join('')}…` : name}</bdi>`
}

/** An animal as it is now, and its ETag as text, which a draft can keep. */
async function versionOf({ id }: { readonly id: bigint }): Promise<{ pet: Pet; etag: string }> {
  const pet = await petstore().pets.get(id)
  return { pet, etag: etagOf(pet) }
}
const etagOf = (pet: Pet): string => petstore().response(pet)?.headers.get('etag') ?? ''

export const addPet = (body: NewPet, idempotencyKey: string): Promise<boolean> =>
  change('add', async () => {
    const pet = await petstore().pets.create(body, { idempotencyKey })
    added.value = [pet, ...added.value]
    const undo = undoing('add', async () => {
      await petstore().pets.delete(pet.id, { ifMatch: pet })
      added.value = added.value.filter(({ id }) => id !== pet.id)
      return { text: html`${short(pet)} was removed again.` }
    })
    return { text: html`${short(pet)} was added.`, undo }
  })

export const startEdit = ({ id }: { readonly id: bigint }): Promise<boolean> =>
  change('edit', async () => {
    const { pet, etag } = await versionOf({ id })
    const left = edited.value
    showPet(pet)
    edited.value = { before: pet, etag, name: pet.name, category: String(pet.categoryId), status: pet.status }
    if (!left || Object.keys(changesOf(left)).length === 0) return null
    const undo = () => {
      message.value = null
      edited.value = left
      go({ pet: left.before.id })
    }
    return { text: html`What you typed for ${short(left.before)} was dropped.`, undo }
  })

/** What a draft changes; a number that is not typed to its end is no change yet. */
export function changesOf({ before, name, category, status }: EditDraft): PetPatch {
  const categoryId = /^-?\d+$/.test(category) ? BigInt(category) : before.categoryId
  return {
    ...(name !== before.name && { name }),
    ...(categoryId !== before.categoryId && { categoryId }),
    ...(status !== before.status && { status }),
  }
}

/** The members of a change as another version of the animal has them. */
export const asIn = (pet: Pet, body: PetPatch): PetPatch =>
  Object.fromEntries(Object.keys(body).map((member) => [member, pet[member as keyof Pet]]))

/** Saves over the version that was seen, and never over another: then both are shown. */
export const saveEdit = (): Promise<boolean> =>
  change('save', async () => {
    const draft = edited.value
    if (!draft) return null
    const { before } = draft
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

/** The Idempotency-Keys of orders whose answer got lost. An animal that was read again is another value, and a click then means another order. */
const attempts = new WeakMap<ShownPet, string>()

export const placeOrder = (pet: ShownPet): Promise<boolean> =>
  change(`order ${pet.id}`, async () => {
    const idempotencyKey = attempts.get(pet) ?? randomKey()
    attempts.set(pet, idempotencyKey)
    const order = await petstore().orders.place({ petId: pet.id }, { idempotencyKey })
    attempts.delete(pet)
    await afterOrder(pet, 'pending')
    return { text: html`${short(pet)} is reserved.`, undo: () => moveOrder(pet, order, 'cancel') }
  })

const moves = {
  complete: ['sold', (pet: ShownPet) => html`${short(pet)} is sold.`],
  cancel: ['available', (pet: ShownPet) => html`The order is cancelled; ${short(pet)} is available again.`],
  return: ['available', (pet: ShownPet) => html`${short(pet)} was taken back, and is available again.`],
} as const

export const moveOrder = (pet: ShownPet, order: Order, verb: keyof typeof moves): Promise<boolean> =>
  change(`move ${order.id}`, async () => {
    const [status, say] = moves[verb]
    await petstore().orders[verb](order.id)
    await afterOrder(pet, status)
    // A sale is undone where all can see it: by taking the animal back.
    return { text: say(pet), undo: verb === 'cancel' ? () => placeOrder(pet) : undefined }
  })

async function afterOrder(pet: ShownPet, status: PetStatus): Promise<void> {
  showPet({ ...pet, status })
  if (address.value.pet === pet.id) await openPet(pet.id)
}

export const nameCategory = ({ categoryId, name: former }: CategoryInventory, name: string): Promise<boolean> =>
  change(`name ${categoryId}`, async () => {
    const put = async (text: string | undefined, ifMatch?: Category) =>
      text
        ? petstore().categories.put(categoryId, { name: text }, { ifMatch })
        : petstore().categories.delete(categoryId, { ifMatch })
    const say = (text: string | undefined) =>
      text
        ? html`Category ${categoryId} is called ${short({ name: text })}.`
        : html`Category ${categoryId} has no name any more.`
    const named = await put(name)
    await loadCounts()
    const undo = undoing(`name ${categoryId}`, async () => {
      await put(former, named ?? undefined)
      return { text: say(former) }
    })
    return { text: say(name), undo }
  })
