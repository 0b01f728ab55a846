/** How many animals there are, and the categories with their names. */
import { batch, computed, type ReadonlySignal, signal } from '@preact/signals'
import { parseJson, stringifyJson } from '../../../../client/src/json.ts'
import type { CategoryInventory, Inventory } from '../../../../client/src/types.ts'
import { categoryWordsOf } from '../../../model/words.ts'
import { byName } from '../words.ts'
import { createQuestions } from './latest.ts'
import { petstore } from './session.ts'

/** A category that has animals or a name, with its label on the page. */
export interface LabelledCategory extends CategoryInventory {
  readonly label: string
}

/** A person cannot choose from more categories. */
const categoriesMax = 1_000

const total = signal<Inventory | null>(null)
const list = signal<readonly LabelledCategory[]>([])
const totals = createQuestions()
const lists = createQuestions()
export const inventory: ReadonlySignal<Inventory | null> = total
export const categories: ReadonlySignal<readonly LabelledCategory[]> = list

// A text stays equal when only counts change, so that no list is drawn again.
const namesText = computed(() =>
  stringifyJson(list.value.map(({ categoryId: id, label, name }) => ({ id, label, name }))),
)
const labels = computed(() => {
  const names = parseJson(namesText.value) as { id: bigint; label: string }[]
  return new Map(names.map(({ id, label }) => [id, label]))
})
export const categoryName = (id: bigint): string => labels.value.get(id) ?? `Category ${id}`
export const countOf = ({ available, pending, sold }: Inventory): number => available + pending + sold

/** Whether two names are the same for the service, which ignores case, accents and punctuation. */
export function isSameName(one: string, other: string): boolean {
  const words = categoryWordsOf(one)
  return one === other || (words !== '' && words === categoryWordsOf(other))
}

/**
 * Returns the category that a typed text means: the one whose name or label is spelled like that, or else the one with
 * the lowest number of those that the service regards as the same.
 */
export function categoryCalled(text: string): LabelledCategory | undefined {
  const wanted = text.trim()
  const namesOf = ({ label, name = label }: LabelledCategory) => [label, name]
  const found = list.value.filter((each) => namesOf(each).some((name) => isSameName(name, wanted)))
  const [lowest] = found.toSorted((one, other) => (one.categoryId < other.categoryId ? -1 : 1))
  return found.find((each) => namesOf(each).includes(wanted)) ?? lowest
}

/** Returns the categories with their labels. If several have the same name, the labels contain their numbers. */
function labelled(found: readonly CategoryInventory[]): LabelledCategory[] {
  const all = found.map((each) => ({ ...each, label: each.name ?? `Category ${each.categoryId}` }))
  const counts = Map.groupBy(all, ({ label }) => label)
  return all
    .map((each) =>
      counts.get(each.label)?.length === 1 ? each : { ...each, label: `${each.label} (${each.categoryId})` },
    )
    .sort((one, other) => byName.compare(one.label, other.label))
}

/** Reads the counts again. The answer to an earlier request is dropped. */
export async function loadInventory(): Promise<void> {
  const isLatest = totals.ask()
  const found = await petstore().inventory()
  if (isLatest()) total.value = found
}

/**
 * Reads the categories, and returns what was read. Afterwards the list of the page may still be older, if somebody else
 * has begun to read it again meanwhile.
 */
export async function loadCategories(): Promise<readonly LabelledCategory[]> {
  const isLatest = lists.ask()
  const found = labelled(await petstore().inventoryByCategory().toArray({ limit: categoriesMax }))
  if (isLatest()) list.value = found
  return found
}

export function forgetCatalogue(): void {
  batch(() => {
    total.value = null
    list.value = []
  })
}
