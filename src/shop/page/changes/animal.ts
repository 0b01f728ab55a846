/** What a person can change about an animal. Each change can be undone if the service allows it. */
import type { Pet, PetPatch } from '../../../../client/src/types.ts'
import { codeOf } from '../refusals.ts'
import { close } from '../state/address.ts'
import { addToList, putPet, type ShownPet, takeFromList } from '../state/animals.ts'
import { type EditDraft, editOf, type NewPetDraft, putEdit } from '../state/drafts.ts'
import { decisive, openPet, putOpened } from '../state/opened.ts'
import { putPetOfOrders } from '../state/orders.ts'
import { petstore } from '../state/session.ts'
import { say } from '../words.ts'
import { numberOf } from './category.ts'
import { change, undoing } from './change.ts'

export function showPet(pet: ShownPet): void {
  putPet(pet)
  putOpened(pet)
  putPetOfOrders(pet)
}

const etagOf = (pet: Pet): string => petstore().etag(pet) ?? ''

export const addPet = (draft: NewPetDraft, idempotencyKey: string): Promise<boolean> =>
  change('add', async () => {
    const { name, category, newCategory = '' } = draft
    const categoryId = category ? BigInt(category) : await numberOf(newCategory)
    const pet = await petstore().pets.create({ name, categoryId }, { idempotencyKey })
    addToList(pet)
    const undo = undoing('add', async () => {
      await petstore().pets.delete(pet.id, { ifMatch: pet })
      takeFromList(pet.id)
      if (category) return { text: say`${pet} was removed again.` }
      return { text: say`${pet} was removed again; the category ${{ name: newCategory }} stays.` }
    })
    return { text: say`${pet} was added.`, undo }
  })

/** The service cannot restore an animal with its number, so the page asks first, and offers no Undo. */
export async function removePet(pet: ShownPet): Promise<void> {
  if (!confirm(`Remove ${pet.name}, number ${pet.id}, for good? Nobody can bring it back.`)) return
  const isDone = await change(`remove ${pet.id}`, async () => {
    await petstore().pets.delete(pet.id)
    takeFromList(pet.id)
    return { text: say`${pet} was removed.` }
  })
  if (isDone) close()
}

/** Begins to edit the animal in its current state, or continues with the text that was typed before. */
export const startEdit = ({ id }: { readonly id: bigint }): Promise<boolean> =>
  change('edit', async () => {
    const draft = editOf(id)
    if (draft) putEdit(id, { ...draft, isOpen: true })
    else {
      const pet = await petstore().pets.get(id)
      showPet(pet)
      const { name, categoryId, status } = pet
      putEdit(id, { before: pet, etag: etagOf(pet), isOpen: true, name, category: String(categoryId), status })
    }
    return null
  })

/** Closes the form. Its text stays, unless it changes nothing. */
export function leaveEdit(id: bigint): void {
  const draft = editOf(id)
  const isChanged = draft && (draft.newCategory || draft.theirs || Object.keys(changesOf(draft)).length > 0)
  putEdit(id, isChanged ? { ...draft, isOpen: false } : null)
}

/**
 * Returns what a draft changes. A new category does not count before it has a number, and the status does not count if
 * an order decides on it.
 */
export function changesOf({ before, name, category, status }: EditDraft): PetPatch {
  const categoryId = category ? BigInt(category) : before.categoryId
  return {
    ...(name !== before.name && { name }),
    ...(categoryId !== before.categoryId && { categoryId }),
    ...(status !== before.status && !decisive.value && { status }),
  }
}

/** Returns the members of a change with the values of another version of the animal. */
export const asIn = (pet: Pet, body: PetPatch): PetPatch =>
  Object.fromEntries(Object.keys(body).map((member) => [member, pet[member as keyof Pet]]))

/** Saves only over the version that was seen. If there is another one, both are shown. */
export const saveEdit = (id: bigint): Promise<boolean> =>
  change(`save ${id}`, async () => {
    const given = editOf(id)
    if (!given) return null
    const category = given.category || String(await numberOf(given.newCategory ?? ''))
    const typed = editOf(id)
    const sent = { ...given, category, newCategory: '' }
    // The new category has a number now, with which both versions and another attempt can name it.
    const numbered = typed && typed.newCategory === given.newCategory ? { ...typed, category, newCategory: '' } : typed
    if (given.newCategory && numbered) putEdit(id, numbered)
    const body = changesOf(sent)
    if (Object.keys(body).length === 0) {
      putEdit(id, null)
      return null
    }
    const saved = await saveOver(sent, body)
    if (!saved) return null
    showPet(saved)
    const now = editOf(id)
    // Text that was typed while the change was saved is still unsaved.
    const isAsSent = now === given || (typed === given && now === numbered)
    putEdit(id, isAsSent || !now ? null : { ...now, before: saved, etag: etagOf(saved) })
    const { before } = given
    const undo = undoing('save', async () => {
      const pet = await petstore().pets.update(id, asIn(before, body), { ifMatch: saved })
      showPet(pet)
      return { text: say`${pet} is as it was.` }
    })
    return { text: say`${saved} was saved.`, undo }
  })

/**
 * Resolves with the saved animal, or with undefined if somebody else has changed it. The draft then shows the other
 * version.
 */
async function saveOver({ before: { id }, etag: ifMatch }: EditDraft, body: PetPatch): Promise<Pet | undefined> {
  try {
    return await petstore().pets.update(id, body, { ifMatch })
  } catch (error) {
    if (codeOf(error) !== 'precondition_failed') throw error
    const theirs = await petstore().pets.get(id)
    showPet(theirs)
    // An order may now decide on its status.
    await openPet(id)
    // Either this change was saved and its answer was lost, or somebody else has made the same change.
    if (Object.entries(body).every(([member, value]) => theirs[member as keyof Pet] === value)) return theirs
    const draft = editOf(id)
    if (draft) putEdit(id, { ...draft, theirs, etag: etagOf(theirs) })
  }
}

/** Shows the animal as it is now beside these changes, after somebody else has changed it once more. */
export async function readTheirs(id: bigint): Promise<void> {
  const theirs = await petstore().pets.get(id)
  showPet(theirs)
  const draft = editOf(id)
  if (draft?.theirs) putEdit(id, { ...draft, theirs, etag: etagOf(theirs) })
}

/** Keeps the other version after a conflict. */
export const keepTheirs = (id: bigint): void => putEdit(id, null)

/** Applies these changes to the other version after a conflict. */
export async function saveMine(id: bigint): Promise<void> {
  const draft = editOf(id)
  if (!draft?.theirs) return
  const { name, categoryId, status } = { ...draft.theirs, ...changesOf(draft) }
  const { etag, theirs: before } = draft
  putEdit(id, { before, etag, isOpen: true, name, category: String(categoryId), status })
  await saveEdit(id)
}
