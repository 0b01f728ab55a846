/** What a person can change about categories: add one by its name, rename one, and remove one that has no animals. */
import { foldedName } from '../../model/text.ts'
import { change, short, undoing } from './change.ts'
import { labelled, loadCounts } from './load.ts'
import { html } from './parts.ts'
import { petstore } from './session.ts'
import { categories, type LabelledCategory, type Message } from './state.ts'

const labelOf = (id: bigint): string | undefined => categories.value.find(({ categoryId }) => categoryId === id)?.label
const called = (name: string): ReturnType<typeof short> => short({ name })

/**
 * The number of the category that is called so; a new one gets a number above all others. Not the very next: the
 * service names a
 * category whether it has a name or not, and two people may add one at the same time.
 */
export async function numberOf(name: string): Promise<bigint> {
  const all = labelled(await petstore().inventoryByCategory().toArray())
  const known = all.find((each) => [each.label, each.name ?? ''].some((text) => foldedName(text) === foldedName(name)))
  if (known) return known.categoryId
  const taken = all.map(({ categoryId }) => categoryId).filter((id) => id < 1n << 52n)
  const highest = taken.reduce((most, id) => (id > most ? id : most), 0n)
  const free = highest + BigInt(1 + Math.floor(Math.random() * 1e6))
  await petstore().categories.put(free, { name: name.trim() })
  return free
}

export const addCategory = (name: string): Promise<boolean> =>
  change('name new', async () => {
    const before = new Set(categories.value.map(({ categoryId }) => categoryId))
    const id = await numberOf(name)
    await loadCounts()
    if (before.has(id)) return { text: html`There is a category ${called(labelOf(id) ?? name)} already.` }
    const undo = undoing('name new', async () => {
      await petstore().categories.delete(id)
      return { text: html`The category ${called(name)} was removed again.` }
    })
    return { text: html`The category ${called(name)} was added.`, undo }
  })

/** Gives a category another name, or none; what somebody else has called it since is not undone. */
export const nameCategory = ({ categoryId, label, name: former }: LabelledCategory, name: string): Promise<boolean> =>
  change(`name ${categoryId}`, async () => {
    const named = await petstore().categories.put(categoryId, { name })
    await loadCounts()
    const undo = undoing(`name ${categoryId}`, async () => {
      if (former) await petstore().categories.put(categoryId, { name: former }, { ifMatch: named })
      else await petstore().categories.delete(categoryId, { ifMatch: named })
      return { text: html`${called(name)} is called ${called(label)} again.` }
    })
    return { text: html`${called(label)} is called ${called(name)} now.`, undo }
  })

export const removeCategory = ({ categoryId, label, name = label }: LabelledCategory): Promise<boolean> =>
  change(`name ${categoryId}`, async (): Promise<Message> => {
    await petstore().categories.delete(categoryId)
    await loadCounts()
    const undo = undoing(`name ${categoryId}`, async () => {
      await petstore().categories.put(categoryId, { name })
      return { text: html`The category ${called(name)} is back.` }
    })
    return { text: html`The category ${called(name)} was removed.`, undo }
  })
