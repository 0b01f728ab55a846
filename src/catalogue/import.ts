/**
 * Imports a file into a store. It first collects the categories of the file, and then adds the rows, one block in each
 * transaction.
 */

import { CommandFailed } from '../errors.ts'
import { type HighestNumbers, noteNumber } from '../model/category-numbers.ts'
import { categoryWordsOf } from '../model/words.ts'
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
  /** How many rows of the file an earlier run has added. */
  readonly rowsDone: number
  /** How much of the file is added in one transaction. */
  readonly bytesAtOnce: number | undefined
  /** False, with nothing done, if another process has advanced the import. */
  add(state: ImportState, pets: readonly ImportedPet[], rows: number): Promise<boolean>
}

/** This is fewer than the number of statements that may wait for a single connection to PostgreSQL. */
const namesAtOnce = 40

/** Imports a file of categories. Naming them again changes nothing, so no progress is stored. */
export const categoryDestination = (categories: CategoryTable): Destination => ({
  rowsDone: 0,
  bytesAtOnce: undefined,
  async add(_state, rows) {
    // If the file names a category twice, the last name counts.
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
  /** The next rows are read while these are added. On PostgreSQL, they are also added meanwhile. */
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
      const added = add(state, pets, read - rowsDone)
      // Whoever awaits the promise gets the error. Nobody awaits it if the file cannot be read any more.
      added.catch(() => {})
      adding.push(added)
    }
    counts.valid += pets.length
    observer.onProgress(bytes, read)
  }
  for (const added of adding) await added
  return counts
}

/** The facts about the whole file that are needed before the first row is added. */
interface FileScan {
  /** The names of categories, each as it is first written. Names with the same words mean the same category. */
  readonly categories: readonly string[]
  /** All spellings in the file. */
  readonly spellings: ReadonlySet<string>
  /** The categories that are given as numbers. */
  readonly numbers: HighestNumbers
}

export async function scanFile(source: Source, reader: RowReader): Promise<FileScan> {
  const categories = new Map<string, string>()
  const spellings = new Set<string>()
  const numbers: HighestNumbers = new Map()
  const scan = () => ({ categories: [...categories.values()], spellings, numbers })
  if (!reader.namesCategories) return scan()
  for await (const { text, bytes } of source.blocks()) {
    reader.read(text, bytes === source.bytes, (row) => {
      if (!row.pet) return
      const { category, pet } = row
      if (category === undefined) return noteNumber(numbers, pet.categoryId)
      if (spellings.has(category)) return
      spellings.add(category)
      const words = categoryWordsOf(category) || category
      if (!categories.has(words)) categories.set(words, category)
    })
  }
  return scan()
}

/** If there are more names, the column probably does not contain categories. */
const newCategoriesMax = 1_000

/**
 * Adds the categories of a file that the store lacks, with numbers that the file does not use. Returns these
 * categories, and a function that finds every category.
 */
export async function addCategories(
  { categories: table }: Store,
  { categories, spellings, numbers }: FileScan,
): Promise<[added: string[], CategoryOf]> {
  let missing = 0
  for (const name of categories)
    if (!(await table.findNamed(name)) && ++missing > newCategoriesMax)
      throw new CommandFailed(
        `The file names more than ${newCategoriesMax} categories that the store does not have, such as ${name}. ` +
          'If that is what you want, add them first with "petstore import --categories".',
      )
  const added: string[] = []
  const ids = new Map<string, bigint>()
  for (const name of spellings) {
    const { id, isNew } = await table.create(name, undefined, numbers)
    if (isNew) added.push(`${name} (${id})`)
    ids.set(name, id)
  }
  return [added, (name) => ids.get(name) ?? 'is not known']
}
