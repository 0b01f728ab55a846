/** Adds the animals of a file to a store, some thousand in a transaction, or the names of categories. */
import type { Clock } from '../clock.ts'
import { CommandFailed } from '../errors.ts'
import type { NewPet } from '../model/pet.ts'
import type { CategoryTable, ImportedPet, ImportState, ImportTable } from '../store/store.ts'
import type { Rejected, Rows } from './rows.ts'
import type { Source } from './source.ts'

export interface Watcher {
  /** Called for each rejected row, before the next animals are added. */
  onReject(row: Rejected): void
  /** Called with the bytes and rows read so far. */
  onProgress(bytes: number, rows: number): void
  /** Whether to end after the animals that are under way. */
  isStopped(): boolean
}

/** Where the animals go. */
export interface Target {
  readonly table: Pick<ImportTable, 'add'>
  readonly state: ImportState
  readonly clock: Clock
}

/** They take about 70 ms on either database, which is how long a service that writes to SQLite has to wait for them. */
export const rowsPerBatch = 5_000
/** Fewer than the statements that may wait for a single connection. */
const namesAtOnce = 40

/** Names categories instead of adding animals. Repeating it changes nothing, so no progress is kept. */
export const categoriesTarget = (categories: CategoryTable, clock: Clock): Target => ({
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

/** Without a target, rows are only checked. */
export async function importRows(source: Source, rows: Rows, target: Target | undefined, watcher: Watcher) {
  const done = target?.state.rowsDone ?? 0
  /**
   * Rows that are animals, those of them that were in the store already, and whether the end of the file was reached: what
   * stops it after that comes too late.
   */
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
    if (target) adding = write(target, batch, isLast)
    adding.catch(() => {})
  }
  async function write({ table, state, clock }: Target, { pets, from, to }: Batch, isLast: boolean): Promise<void> {
    const current = { ...state, rowsDone: from, finishedAt: isLast ? clock() : undefined }
    if (!(await table.add(source.hash, current, pets, to - from)))
      throw new CommandFailed('Another process is importing the same file. If it has ended, run the command again.')
  }

  for await (const { block, bytes } of source.blocks()) {
    const full: Batch[] = []
    rows.read(block, bytes === source.bytes, (row) => {
      read++
      if (row.pet) {
        counts.valid++
        if (read <= done) counts.before++
        else if (target) pets.push(importedOf(row.pet, target.state.keepsIds ? Number(row.id) : undefined))
      } else {
        counts.rejected++
        watcher.onReject(row)
      }
      if (read - cutAt === rowsPerBatch) full.push(cut())
    })
    for (const batch of full) await add(batch, false)
    if (watcher.isStopped()) break
    watcher.onProgress(bytes, read)
  }
  counts.isWhole = !watcher.isStopped()
  if (counts.isWhole) await add(cut(), true)
  // They were read, but are not added.
  else counts.valid -= pets.length
  await adding
  return counts
}

const importedOf = ({ name, categoryId, status }: Required<NewPet>, id: number | undefined): ImportedPet =>
  id === undefined ? [name, String(categoryId), status] : [name, String(categoryId), status, id]
