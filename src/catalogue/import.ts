/** Adds the animals of a file to a store, some thousand in a transaction, or the names of categories. */
import type { Clock } from '../clock.ts'
import { CommandFailed } from '../failure.ts'
import { ImportBatch, type ImportedPet } from '../store/import-batch.ts'
import type { CategoryTable, ImportState, ImportTable } from '../store/store.ts'
import type { Row, Rows } from './rows.ts'
import type { Source } from './source.ts'

export interface Watcher {
  /** Called for each rejected row, before the next animals are added. */
  onReject(row: Row): void
  /** Called with the bytes and rows read so far. */
  onProgress(bytes: number, rows: number): void
  /** Whether to end after the animals that are under way. */
  isStopped(): boolean
}

/** Where the animals go. */
export interface Target {
  readonly table: Pick<ImportTable, 'rowsPerBatch' | 'atOnce' | 'add'>
  readonly state: ImportState
  readonly clock: Clock
}

/** Of text: animals with long names are fewer in a transaction, for the sake of memory. */
const batchLengthMax = 4 * 1024 * 1024
/** Fewer than the statements that may wait for a single connection. */
const namesAtOnce = 40

/** Names categories instead of adding animals. Repeating it changes nothing, so no progress is kept. */
export const categoriesTarget = (categories: CategoryTable, clock: Clock): Target => ({
  clock,
  state: { rowsDone: 0, keepsIds: false, finishedAt: undefined },
  table: {
    rowsPerBatch: 1_000,
    atOnce: 1,
    async add(_hash, _state, batch) {
      // Of two names of one category, the last counts.
      const names = [...new Map((JSON.parse(batch.pets()) as ImportedPet[]).map(([name, id]) => [id, name]))]
      for (let i = 0; i < names.length; i += namesAtOnce)
        await Promise.all(
          names.slice(i, i + namesAtOnce).map(([id, name]) => categories.put(BigInt(id), name, undefined)),
        )
      return true
    },
  },
})

/** Without a target, rows are only checked. */
export async function importRows(source: Source, rows: Rows, target: Target | undefined, watcher: Watcher) {
  const done = target?.state.rowsDone ?? 0
  /**
   * Rows that are animals, those of them that were in the store already, how long each transaction took, and whether the
   * end of the file was reached: what stops it after that comes too late.
   */
  const counts = { valid: 0, before: 0, rejected: 0, milliseconds: [] as number[], isWhole: false }
  let added = done
  let read = 0
  let batch = new ImportBatch()
  const adding: Promise<void>[] = []

  /** The next rows are read while these are written. */
  async function add(isLast: boolean): Promise<void> {
    if (!target) return
    if (adding.length >= target.table.atOnce) await adding.shift()
    adding.push(write(target, isLast))
    adding.at(-1)?.catch(() => {})
    batch = new ImportBatch()
    added = read
  }
  async function write({ table, state, clock }: Target, isLast: boolean): Promise<void> {
    const started = performance.now()
    const next = { ...state, rowsDone: added, finishedAt: isLast ? clock() : undefined }
    if (!(await table.add(source.hash, next, batch, read - added)))
      throw new CommandFailed('Another process is importing the same file. If it has ended, run the command again.')
    counts.milliseconds.push(performance.now() - started)
  }

  for await (const { text: block, bytes } of source.texts()) {
    const pets: ImportedPet[] = []
    rows.read(block, bytes === source.bytes, (row) => {
      read++
      if (!row.pet) {
        counts.rejected++
        watcher.onReject(row)
        return
      }
      counts.valid++
      const { name, categoryId, status } = row.pet
      if (read <= done) counts.before++
      else if (target?.state.keepsIds) pets.push([name, String(categoryId), status, Number(row.id)])
      else if (target) pets.push([name, String(categoryId), status])
    })
    batch.add(pets)
    if (target && (read - added >= target.table.rowsPerBatch || batch.length > batchLengthMax)) await add(false)
    if (watcher.isStopped()) break
    watcher.onProgress(bytes, read)
  }
  counts.isWhole = !watcher.isStopped()
  if (counts.isWhole) await add(true)
  for (const each of adding) await each
  return counts
}

/** As many ids are left for new animals: a file must not use up those that JavaScript does not round. */
const lastIdMax = 2n ** 52n

/**
 * The last id of a file all of whose animals have ids, in ascending order, as those of an export are. Undefined for any
 * other file: its ids mean something else, or nothing.
 */
export async function lastIdOf(source: Source, rows: Rows): Promise<number | undefined> {
  let last = 0n
  let isAscending = true
  for await (const { text, bytes } of source.texts()) {
    rows.read(text, bytes === source.bytes, ({ pet, id }) => {
      if (!pet) return
      isAscending &&= typeof id === 'bigint' && id > last && id <= lastIdMax
      if (isAscending) last = id as bigint
    })
    if (!isAscending) return undefined
  }
  return last === 0n ? undefined : Number(last)
}
