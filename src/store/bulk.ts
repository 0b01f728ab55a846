/** Bulk operations in SQL that both databases understand: copies of whole tables, exports, and imports of files. */
import { storedWordsOf } from '../model/words.ts'
import type { Chunk, Counts, ImportedPet, ImportState, ImportTable } from './maintenance.ts'
import { type Migration, refuseNewer } from './migrations.ts'
import { createMembersOf, itemAt, type Sql } from './shared-sql.ts'
import { DatabaseUnusable } from './store.ts'
import { columnsOf, hasWords, type TableName, tableNames, tables, wordsFrom } from './tables.ts'

/** A copy would lack the tables and columns that this program does not know. */
export const refuseNewerSource = (version: number, all: readonly Migration[]): void =>
  refuseNewer(
    version,
    all,
    'The database to copy from',
    'Copy it with that version: this one would leave out what was added',
  )

/** Whether a database has no rows. A new one already has a row in events_purged. */
export const isEmpty = ({ events_purged, ...counts }: Counts): boolean =>
  Object.values(counts).every((count) => count === 0)

/** Whether the database is empty enough for an import: the `kept` tables may contain rows. */
export function requireEmpty(counts: Counts, kept: readonly TableName[] = []): void {
  if (!isEmpty({ ...counts, ...Object.fromEntries(kept.map((table) => [table, 0])) }))
    throw new DatabaseUnusable('The database to fill is not empty. Name a new one.')
}

export const rowsPerChunk = 1_000

const textsOf = (columns: readonly string[]): string => columns.map((column) => `CAST(${column} AS text)`).join()

export const selectAll = (table: TableName, from: string = table): string =>
  `SELECT ${textsOf(columnsOf(table))} FROM ${from}`

/** The columns of copied rows with their types, and the rows as JSON: with their words, where the table has them. */
export function writtenRows({ table, rows }: Chunk): { columns: string[]; types: string[]; json: string } {
  const columns = columnsOf(table)
  const types: string[] = Object.values(tables[table])
  if (!hasWords(table)) return { columns, types, json: JSON.stringify(rows) }
  const [column, wordsIn] = wordsFrom[table]
  const index = columns.indexOf(column)
  const json = JSON.stringify(rows.map((row) => [...row, wordsIn(row[index])]))
  return { columns: [...columns, 'words'], types: [...types, 'text'], json }
}

export const selectSome = (table: string, columns: readonly string[]): string =>
  `SELECT ${textsOf(columns)} FROM ${table} ORDER BY ${table}.id`

export const countAll = `SELECT ${tableNames.map((table) => `(SELECT count(*) FROM ${table}) AS ${table}`).join()}`

const columns = columnsOf('imports').join()
const membersOf = createMembersOf('imports')

/** Writes nothing if another process has advanced it. */
export const advanceImport = `
  UPDATE imports SET rows_done = rows_done + $3, finished_at = $4
  WHERE hash = $1 AND rows_done = $2 AND finished_at IS NULL RETURNING rows_done`

/** An item for each animal, as `insertPets` takes them, with its id where it has one. */
export const importedItems = (animals: readonly ImportedPet[], ids: readonly string[] = []): unknown[][] =>
  animals.map(([name, categoryId, status], i) => [name, categoryId, status, storedWordsOf(name), ids[i]])

export const insertPets = (id: string, listed: string): string => `
  INSERT INTO pets (id, name, words, category_id, status)
  SELECT ${id}, ${itemAt(0)}, ${itemAt(3)}, ${itemAt(1, 'bigint')}, ${itemAt(2)}
  FROM ${listed} ORDER BY listed.key`

/**
 * Runs calls that overlap. Each gets a promise of whether the call before it has committed, and must not commit if that
 * has failed: the rows before its own are missing. A call that begins after a failed one has ended may commit again.
 */
export function createSequence(): (work: (before: Promise<boolean>) => Promise<boolean>) => Promise<boolean> {
  let last: Promise<boolean> = Promise.resolve(true)
  return (work) => {
    const result = work(last)
    const committed = result.catch(() => false)
    last = committed
    committed.then((is) => {
      if (!is && last === committed) last = Promise.resolve(true)
    })
    return result
  }
}

export function createImports(
  { read, upkeep }: Pick<Sql, 'read' | 'upkeep'>,
  { add, bytesAtOnce }: Omit<ImportTable, 'begin'>,
): ImportTable {
  /** Writes nothing if the import was begun before, unless it is finished and wanted again. */
  const begin = (again: boolean) => `
    INSERT INTO imports (hash, rows_done) VALUES ($1, 0)
    ON CONFLICT (hash) DO UPDATE SET rows_done = 0, finished_at = NULL
    WHERE ${again} AND imports.finished_at IS NOT NULL RETURNING ${columns}`

  return {
    async begin(hash, again) {
      const [row] = await upkeep.write(begin(again), hash)
      return stateOf(row ?? (await read(`SELECT ${columns} FROM imports WHERE hash = $1`, hash))[0])
    },
    add,
    bytesAtOnce,
  }
}

function stateOf(row: object | undefined): ImportState {
  const { rowsDone, finishedAt } = membersOf(row ?? {})
  return { rowsDone: rowsDone as number, finishedAt: finishedAt as number | undefined }
}
