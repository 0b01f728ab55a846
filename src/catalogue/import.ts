/** Imports a file: looks through it for ids and for categories to add, then adds its rows to a store, some thousand in a transaction. */
import type { Clock } from '../clock.ts'
import { CommandFailed } from '../errors.ts'
import type { NewPet } from '../model/pet.ts'
import { foldedName } from '../model/text.ts'
import { type JsonObject, parseJson } from '../schema/json.ts'
import type { CategoryTable, ImportedPet, ImportState, ImportTable, Store } from '../store/store.ts'
import type { CategoryOf, RejectedRow, RowReader } from './row-reader.ts'
import type { Source } from './source.ts'

interface ImportObserver {
  /** Called for each rejected row, before the next animals are added. */
  onReject(row: RejectedRow): void
  /** Called with the bytes and rows read so far. */
  onProgress(bytes: number, rows: number): void
  /** Whether to end after the animals that are under way. */
  isStopped(): boolean
}

/** Where the rows are added. */
export interface Destination {
  readonly table: Pick<ImportTable, 'add'>
  readonly state: ImportState
  readonly clock: Clock
}

/** A batch takes about 70 ms on either database: as long a service has to wait before it can write to SQLite. */
const rowsPerBatch = 5_000
/** Fewer than the statements that may wait for a single connection to PostgreSQL. */
const namesAtOnce = 40

/** For a file of categories. Naming them again changes nothing, so no progress is kept. */
export const categoryDestination = (categories: CategoryTable, clock: Clock): Destination => ({
  clock,
  state: { rowsDone: 0, keepsIds: false, finishedAt: undefined },
  table: {
    async add(_hash, _state, rows) {
      // Of two names of one category, the last counts.
      const names = [...new Map(rows.map(([name, id]) => [id, name]))]
      for (let i = 0; i < names.length; i += namesAtOnce)
        await Promise.all(
          names.slice(i, i + namesAtOnce).map(([id, name]) => categories.put(BigInt(id), name, undefined)),
        )
      return true
    },
  },
})

/** Rows that are added together, and where in the file they stand. */
interface Batch {
  readonly pets: readonly ImportedPet[]
  readonly from: number
  readonly to: number
}

/** Without a destination, rows are only checked. */
export async function importRows(
  source: Source,
  reader: RowReader,
  destination: Destination | undefined,
  observer: ImportObserver,
) {
  const done = destination?.state.rowsDone ?? 0
  /** `before`: valid rows that an earlier run has added; `isWhole`: the end of the file was reached before it was stopped. */
  const counts = { valid: 0, before: 0, rejected: 0, isWhole: false }
  let read = 0
  let cutAt = done
  let pets: ImportedPet[] = []
  let adding: Promise<void> = Promise.resolve()

  function cut(): Batch {
    const batch = { pets, from: cutAt, to: read }
    pets = []
    cutAt = read
    return batch
  }
  /** Returns once it has begun: the next rows are read meanwhile. */
  async function add(batch: Batch, isLast: boolean): Promise<void> {
    await adding
    if (destination) adding = write(destination, batch, isLast)
    adding.catch(() => {})
  }
  async function write(
    { table, state, clock }: Destination,
    { pets, from, to }: Batch,
    isLast: boolean,
  ): Promise<void> {
    const current = { ...state, rowsDone: from, finishedAt: isLast ? clock() : undefined }
    if (!(await table.add(source.hash, current, pets, to - from)))
      throw new CommandFailed('Another process is importing the same file. If it has ended, run the command again.')
  }

  for await (const { block, bytes } of source.blocks()) {
    const full: Batch[] = []
    reader.read(block, bytes === source.bytes, (row) => {
      read++
      if (row.pet) {
        counts.valid++
        if (read <= done) counts.before++
        else if (destination) pets.push(importedOf(row.pet, destination.state.keepsIds ? Number(row.id) : undefined))
      } else {
        counts.rejected++
        observer.onReject(row)
      }
      if (read - cutAt === rowsPerBatch) full.push(cut())
    })
    for (const batch of full) await add(batch, false)
    if (observer.isStopped()) break
    observer.onProgress(bytes, read)
  }
  counts.isWhole = !observer.isStopped()
  if (counts.isWhole) await add(cut(), true)
  // Those that were read last are not added.
  else counts.valid -= pets.length
  await adding
  return counts
}

const importedOf = ({ name, categoryId, status }: Required<NewPet>, id: number | undefined): ImportedPet =>
  id === undefined ? [name, String(categoryId), status] : [name, String(categoryId), status, id]

/** What has to be known of a whole file before its first row is added. */
export interface FileScan {
  /** The last id, if all animals have ids in ascending order as in an export. Other ids are ignored: they may not be ids of animals at all. */
  readonly lastId: number | undefined
  /** The names of categories, each as it is first written. */
  readonly categories: readonly string[]
  /** The highest category that is given as a number, or 0. */
  readonly highestCategory: bigint
}

/** Higher ids are ignored: JavaScript rounds integers beyond 2⁵³, and half of them are left for what is added later. */
const idMax = 2n ** 52n

export async function scanFile(
  source: Source,
  reader: RowReader,
  onProgress: (bytes: number, rows: number) => void,
): Promise<FileScan> {
  const categories = new Map<string, string>()
  let highestCategory = 0n
  let last = 0n
  let isAscending = true
  let read = 0
  for await (const { block, bytes } of source.blocks()) {
    reader.read(block, bytes === source.bytes, (row) => {
      read++
      if (!row.pet) return
      const { id, category, pet } = row
      isAscending &&= typeof id === 'bigint' && id > last && id <= idMax
      if (isAscending) last = id as bigint
      if (category === undefined) highestCategory = higher(highestCategory, pet.categoryId)
      else if (!categories.has(foldedName(category))) categories.set(foldedName(category), category)
    })
    if (!isAscending && !reader.namesCategories) break
    onProgress(bytes, read)
  }
  const lastId = isAscending && last > 0n ? Number(last) : undefined
  return { lastId, categories: [...categories.values()], highestCategory }
}

const higher = (a: bigint, b: bigint): bigint => (b > a && b < idMax ? b : a)

/** With more, the column is probably not one of categories. */
const newCategoriesMax = 1_000

/**
 * Adds the categories of a file that the store does not have, with the numbers after the highest in use; returns them, and the
 * function that finds all. Another process may add categories at the same time: if a number was taken, all are read again, so
 * that a name gets one number.
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

/** The categories that have animals or a name. */
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
