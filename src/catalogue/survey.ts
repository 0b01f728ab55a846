/** What has to be known of a whole file before its first row is added: its ids, and the categories that it names. */
import { CommandFailed } from '../errors.ts'
import { type JsonObject, parseJson } from '../schema/json.ts'
import type { Store } from '../store/store.ts'
import type { CategoryOf, Rows } from './rows.ts'
import type { Source } from './source.ts'

export interface Survey {
  /** The last id, if all animals have ids in ascending order, as those of an export are; other ids mean something else, or nothing. */
  readonly lastId: number | undefined
  /** The names of categories, each as it is first written. */
  readonly categories: readonly string[]
  /** The highest of those that are given as numbers, or 0. */
  readonly highest: bigint
}

/** As many ids are left for new animals: a file must not use up those that JavaScript does not round. */
const idMax = 2n ** 52n

/** Of names that are the same for people, whatever their case and spaces. */
const folded = (name: string): string => name.normalize('NFKC').replace(/\s+/g, ' ').trim().toLowerCase()

export async function surveyOf(
  source: Source,
  rows: Rows,
  onProgress: (bytes: number, rows: number) => void,
): Promise<Survey> {
  const categories = new Map<string, string>()
  let highest = 0n
  let last = 0n
  let isAscending = true
  let read = 0
  for await (const { block, bytes } of source.blocks()) {
    rows.read(block, bytes === source.bytes, (row) => {
      read++
      if (!row.pet) return
      const { id, category, pet } = row
      isAscending &&= typeof id === 'bigint' && id > last && id <= idMax
      if (isAscending) last = id as bigint
      if (category === undefined) highest = higher(highest, pet.categoryId)
      else if (!categories.has(folded(category))) categories.set(folded(category), category)
    })
    if (!isAscending && !rows.namesCategories) break
    onProgress(bytes, read)
  }
  const lastId = isAscending && last > 0n ? Number(last) : undefined
  return { lastId, categories: [...categories.values()], highest }
}

const higher = (a: bigint, b: bigint): bigint => (b > a && b < idMax ? b : a)

/** More are probably another column. */
const newCategoriesMax = 1_000

/**
 * Gives the categories of a file that the store does not have a number each, after the highest in use, and returns them with how
 * to find all. Another process may do the same: what it took first is looked up again, so a name gets one number.
 */
export async function nameCategories(store: Store, { categories, highest }: Survey): Promise<[string[], CategoryOf]> {
  const added: string[] = []
  for (;;) {
    const known = new Map<string, { id: bigint; name: string }[]>()
    let last = highest
    for await (const { id, name } of categoriesOf(store)) {
      last = higher(last, id)
      if (name !== undefined) known.set(folded(name), [...(known.get(folded(name)) ?? []), { id, name }])
    }
    const missing = categories.filter((name) => !known.has(folded(name)))
    if (missing.length === 0) return [added, (name) => idOf(name, known.get(folded(name)) ?? [])]
    if (missing.length > newCategoriesMax)
      throw new CommandFailed(
        `The file names ${missing.length} categories that the store does not have, such as ${missing[0]}. If they are meant, add them first with "petstore import --categories".`,
      )
    for (const name of missing) {
      if (!(await store.categories.add(++last, name))) break
      added.push(`${name} (${last})`)
    }
  }
}

function idOf(name: string, found: readonly { id: bigint; name: string }[]): bigint | string {
  const exact = found.filter((each) => each.name === name)
  const [first, ...others] = exact.length > 0 ? exact : found
  if (!first) return 'is not known'
  if (others.length === 0) return first.id
  return `is the name of several (${[first, ...others].map(({ id }) => id).join(', ')}); write the number of one`
}

/** Those that have animals or a name. */
async function* categoriesOf({ inventory }: Store): AsyncGenerator<{ id: bigint; name: string | undefined }> {
  for (let after: bigint | undefined; ; ) {
    const { json, next } = await inventory.page({ after, limit: 1_000 })
    for (const each of parseJson(json).value as JsonObject[]) {
      const id = each.get('categoryId') as bigint
      yield { id, name: each.get('name') as string | undefined }
    }
    if (next === undefined) return
    after = next
  }
}
