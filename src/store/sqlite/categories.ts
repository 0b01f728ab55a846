/** The names of categories in SQLite. */
import type { DatabaseSync } from 'node:sqlite'
import { firstOf, pageOf } from '../int64-page.ts'
import type { CategoryTable } from '../store.ts'
import type { Writer } from './commit.ts'
import type { Snapshot } from './snapshot.ts'
import { prepare } from './statement.ts'

export function createCategories(db: DatabaseSync, writer: Writer, snapshot: Snapshot): CategoryTable {
  const find = prepare<[doc: string]>(db, 'SELECT doc FROM categories WHERE id = ?')
  const page = prepare<[id: string, doc: string]>(
    db,
    'SELECT CAST(id AS TEXT), doc FROM categories WHERE id >= ? ORDER BY id LIMIT ?',
  )
  const put = prepare(
    db,
    'INSERT INTO categories (id, name) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET name = excluded.name',
  )
  const remove = prepare(db, 'DELETE FROM categories WHERE id = ?')
  const docOf = (id: bigint): string | undefined => find.get(id)?.[0]

  return {
    find: (id) => snapshot.read(() => docOf(id)),
    page: (query) => snapshot.read(() => pageOf(page.all(firstOf(query), query.limit + 1), query)),
    put: (id, name, version) =>
      writer.write(() => {
        const before = docOf(id)
        if (version !== undefined && version !== before) return 'precondition_failed'
        put.run(id, name)
        return { json: docOf(id) as string, isNew: before === undefined }
      }),
    remove: (id, version) =>
      writer.write(() => {
        const before = docOf(id)
        if (before === undefined) return undefined
        if (version !== undefined && version !== before) return 'precondition_failed'
        remove.run(id)
        return true
      }),
  }
}
