/** Imports a file: looks through it for categories to add, then adds its rows to a store, a block in a transaction. */

import { CommandFailed } from '../errors.ts'
import { foldedName } from '../model/text.ts'
import { type JsonObject, parseJson } from '../schema/json.ts'
import type { ImportedPet, ImportState } from '../store/maintenance.ts'
import type { CategoryTable, Store } from '../store/store.ts'
import type { Time } from '../time.ts'
import type { CategoryOf, RejectedRow, RowReader } from './row-reader.ts'
import type { Source } from './source.ts'

interface ImportObserver {
  onReject(row: RejectedRow): void
  onProgress(bytes: number, rows: number): void
}

export interface Destination {
  /** How many rows of the file an earlier run has done. */
  readonly rowsDone: number
  /** How much of the file is added at once. */
  readonly bytesAtOnce: number | undefined
  /** False, with nothing done, if another process has advanced the import. */
  add(state: ImportState, pets: readonly ImportedPet[], rows: number): Promise<boolean>
}

/** Fewer than the statements that may wait for a single connection to PostgreSQL. */
const namesAtOnce = 40

/** For a file of categories. Naming them again changes nothing, so no progress is kept. */
export const categoryDestination = (categories: CategoryTable): Destination => ({
  rowsDone: 0,
  bytesAtOnce: undefined,
  async add(_state, rows) {
    // Of two names of one category, the last counts.
    const names = [...new Map(rows.map(([name, id]) => [id, name]))]
    for (let i = 0; i < names.length; i += namesAtOnce)
      await Promise.all(
        names.slice(i, i + namesAtOnce).map(([id, name]) => categories.put(BigInt(id), name, undefined)),
      )
    return true
  },
})

/** Without a destination, rows are only checked. */
export async function importRows(
  source: Source,
  reader: RowReader,
  destination: Destination | undefined,
  time: Time,
  observer: ImportObserver,
) {
  const done = destination?.rowsDone ?? 0
  /** `before`: valid rows that an earlier run has added. */
  const counts = { valid: 0, before: 0, rejected: 0 }
  let read = 0
  async function add(state: ImportState, pets: readonly ImportedPet[], rows: number): Promise<void> {
    if (!(await destination?.add(state, pets, rows)))
      throw new CommandFailed('Another process is importing the same file. If it has ended, run the command again.')
  }
  /** The next rows are read, and on PostgreSQL added, while these are. */
  const adding: Promise<void>[] = []
  for await (const { text, bytes } of source.blocks(destination?.bytesAtOnce)) {
    const isLast = bytes === source.bytes
    const rowsDone = Math.max(read, done)
    const pets: ImportedPet[] = []
    reader.read(text, isLast, (row) => {
      read++
      if (!row.pet) {
        counts.rejected++
        observer.onReject(row)
      } else if (read <= done) counts.before++
      else pets.push([row.pet.name, String(row.pet.categoryId), row.pet.status])
    })
    if (adding.length === 2) await adding.shift()
    if (destination && (read > rowsDone || isLast)) {
      const state = { rowsDone, finishedAt: isLast ? time.now() : undefined }
      const added = add(state, pets, Math.max(read - rowsDone, 0))
      // Whoever awaits it gets the error; nobody does if the file cannot be read any more.
      added.catch(() => {})
      adding.push(added)
    }
    counts.valid += pets.length
    observer.onProgress(bytes, read)
  }
  for (const added of adding) await added
  return counts
}

/** What has to be known of a whole file before its first row is added. */
interface FileScan {
  /** The names of categories, each as it is first written. */
  readonly categories: readonly string[]
  /** The highest category that is given as a number, or 0. */
  readonly highestCategory: bigint
}

/** Higher ids are ignored: JavaScript rounds integers beyond 2⁵³, and half are left for what is added later. */
const idMax = 2n ** 52n

export async function scanFile(source: Source, reader: RowReader): Promise<FileScan> {
  const categories = new Map<string, string>()
  let highestCategory = 0n
  if (!reader.namesCategories) return { categories: [], highestCategory }
  for await (const { text, bytes } of source.blocks()) {
    reader.read(text, bytes === source.bytes, (row) => {
      if (!row.pet) return
      const { category, pet } = row
      if (category === undefined) highestCategory = higher(highestCategory, pet.categoryId)
      else if (!categories.has(foldedName(category))) categories.set(foldedName(category), category)
    })
  }
  return { categories: [...categories.values()], highestCategory }
}

const higher = (a: bigint, b: bigint): bigint => (b > a && b < idMax ? b : a)

/** With more, the column is probably not one of categories. */
const newCategoriesMax = 1_000

/**
 * Adds the categories of a file that the store does not have, with the numbers after the highest in use; returns them,
 * and the function that finds all. Another process may add categories at the same time: if a number was taken, all are
 * read again, so that a name gets one number.
 */
export async function addCategories(
  store: Store,
  { categories, highestCategory }: FileScan,
): Promise<[added: string[], CategoryOf]> {
  const added: string[] = []
  for (;;) {
    const known = new Map<string, { id: bigint; name: string }[]>()
    let last = highestCategory
    for await (const { id, name } of categoriesOf(store)) {
      last = higher(last, id)
      if (name !== undefined) known.set(foldedName(name), [...(known.get(foldedName(name)) ?? []), { id, name }])
    }
    const missing = categories.filter((name) => !known.has(foldedName(name)))
    if (missing.length === 0) return [added, (name) => idOf(name, known.get(foldedName(name)) ?? [])]
    if (missing.length > newCategoriesMax)
      throw new CommandFailed(
        `The file names ${missing.length} categories that the store does not have, such as ${missing[0]}. ` +
          'If they are meant, add them first with "petstore import --categories".',
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
