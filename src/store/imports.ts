/** Imports of files, in SQL that both databases understand: each batch of animals is added with how far the file has come. */
import { createMembersOf, itemAt, type Sql } from './sql.ts'
import type { ImportState, ImportTable } from './store.ts'

/** How a database gives ids to animals. */
export interface PetIds {
  /** An expression. */
  readonly next: string
  /** The condition that none was ever given. */
  readonly isNew: string
  /** A statement that reserves all ids up to $2 for the file $1, if that keeps its own. */
  readonly reserve: string
}

const membersOf = createMembersOf('imports')

export function createImports({ read, write, upkeep, alone, ifFirst, listed }: Sql, ids: PetIds): ImportTable {
  /** Writes nothing for a file that was begun, unless it is finished and to be imported again. */
  const begin = (again: boolean) => `
    INSERT INTO imports (hash, rows_done, keeps_ids)
    SELECT $1, 0, CASE WHEN CAST($2 AS bigint) > 0 AND ${ids.isNew} THEN 1 ELSE 0 END WHERE true
    ON CONFLICT (hash) DO UPDATE SET rows_done = 0, keeps_ids = excluded.keeps_ids, finished_at = NULL
    WHERE ${again} AND imports.finished_at IS NOT NULL RETURNING *`

  /** Writes nothing where another process has come further. */
  const advance = `
    UPDATE imports SET rows_done = rows_done + $3, finished_at = $4
    WHERE hash = $1 AND rows_done = $2 AND finished_at IS NULL RETURNING rows_done`
  const insert = (id: string) => `
    INSERT INTO pets (id, name, category_id, status) SELECT ${id}, ${itemAt(0)}, ${itemAt(1, 'bigint')}, ${itemAt(2)}
    FROM ${listed('$5')} WHERE ${ifFirst} ORDER BY listed.key`
  const insertNew = insert(ids.next)
  const insertWithIds = insert(itemAt(3, 'bigint'))

  return {
    isNew: async () => (await read(`SELECT 1 WHERE ${ids.isNew}`)).length > 0,
    async begin(hash, again, lastId) {
      // Whoever adds an animal meanwhile has its id before those of the file are reserved, or gets one above them.
      const rows =
        lastId === undefined
          ? await upkeep([hash, null], begin(again))
          : await alone('pets')([hash, lastId], begin(again), ids.reserve)
      return stateOf(rows[0] ?? (await read('SELECT * FROM imports WHERE hash = $1', hash))[0])
    },
    async add(hash, { rowsDone, keepsIds, finishedAt = null }, pets, rows) {
      const advanced = await write(
        [hash, rowsDone, rows, finishedAt, JSON.stringify(pets)],
        advance,
        keepsIds ? insertWithIds : insertNew,
      )
      return advanced.length > 0
    },
  }
}

function stateOf(row: object | undefined): ImportState {
  const { rowsDone, keepsIds, finishedAt } = membersOf(row ?? {})
  return { rowsDone: rowsDone as number, keepsIds: keepsIds === 1, finishedAt: finishedAt as number | undefined }
}
