/** What a person can change about categories: add one by its name, rename one, and remove one without animals. */
import { changedMeanwhile } from '../refusals.ts'
import {
  categories,
  categoryCalled,
  countOf,
  isSameName,
  type LabelledCategory,
  loadCategories,
} from '../state/catalogue.ts'
import type { Message } from '../state/messages.ts'
import { petstore } from '../state/session.ts'
import { say } from '../words.ts'
import { change, undoing } from './change.ts'

/** Reads the current state of the category from the service. */
const readCategory = async (id: bigint): Promise<LabelledCategory | undefined> =>
  (await loadCategories()).find(({ categoryId }) => categoryId === id)
const called = (name: string) => ({ name })

/** Returns the number of the category with this name. For a new name, the service finds a free number. */
export async function numberOf(name: string): Promise<bigint> {
  const known = categoryCalled(name)
  if (known) return known.categoryId
  const { id } = await petstore().categories.create({ name: name.trim() })
  await loadCategories()
  return id
}

export const addCategory = (name: string): Promise<boolean> =>
  change('name new', async () => {
    // Somebody else may have added the category. Then this person must not remove it.
    const before = await loadCategories()
    const id = await numberOf(name)
    const known = before.find(({ categoryId }) => categoryId === id)
    if (known) return { text: say`There is a category ${called(known.label)} already.` }
    const named = (await readCategory(id))?.name
    const undo = undoing('name new', async () => {
      const now = await readCategory(id)
      // Somebody else has given it another name, or has put an animal into it.
      if (!now || now.name !== named || countOf(now) > 0) throw changedMeanwhile()
      await petstore().categories.delete(id)
      await loadCategories()
      return { text: say`The category ${called(name)} was removed again.` }
    })
    return { text: say`The category ${called(name)} was added.`, undo }
  })

/** Two categories with the same name are hard to distinguish, so the page asks whether this is intended. */
function isMeant({ categoryId, label }: LabelledCategory, name: string): boolean {
  const other = categories.value.find(
    (each) => each.categoryId !== categoryId && each.name !== undefined && isSameName(each.name, name),
  )
  return (
    !other ||
    confirm(
      `There is a category ${other.name} already, number ${other.categoryId}. Call ${label} so, too? ` +
        'To bring the animals of both together, select them and move them to one category.',
    )
  )
}

/**
 * Gives a category another name. `seen` is the name that the category had when the new one was typed. If somebody else
 * has renamed it since, the page asks. The service has no version of a single category to send with the change, so the
 * names are read again right before it.
 */
export async function nameCategory(category: LabelledCategory, name: string, seen: string): Promise<boolean> {
  const { categoryId } = category
  if (!isMeant(category, name)) return false
  return change(`name ${categoryId}`, async () => {
    const { label, name: former } = (await readCategory(categoryId)) ?? category
    const isAsBefore = (former ?? '') === seen || former === name
    if (!isAsBefore && !confirm(`Somebody else calls it ${label} now. Call it ${name} all the same?`)) return null
    const named = await petstore().categories.put(categoryId, { name })
    await loadCategories()
    const undo = undoing(`name ${categoryId}`, async () => {
      if (former) await petstore().categories.put(categoryId, { name: former }, { ifMatch: named })
      else await petstore().categories.delete(categoryId, { ifMatch: named })
      await loadCategories()
      return { text: say`${called(name)} is called ${called(label)} again.` }
    })
    return { text: say`${called(label)} is called ${called(name)} now.`, undo }
  })
}

export const removeCategory = ({ categoryId, label, name = label }: LabelledCategory): Promise<boolean> =>
  change(`name ${categoryId}`, async (): Promise<Message> => {
    const now = await readCategory(categoryId)
    if (now && (now.label !== label || countOf(now) > 0)) throw changedMeanwhile()
    await petstore().categories.delete(categoryId)
    await loadCategories()
    const undo = undoing(`name ${categoryId}`, async () => {
      if ((await readCategory(categoryId))?.name) throw changedMeanwhile()
      await petstore().categories.put(categoryId, { name })
      await loadCategories()
      return { text: say`The category ${called(name)} is back.` }
    })
    return { text: say`The category ${called(name)} was removed.`, undo }
  })
