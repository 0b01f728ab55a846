/** The names of categories in PostgreSQL. */
import { firstOf, pageOf } from '../int64-page.ts'
import type { CategoryTable } from '../store.ts'
import type { Pool, Query } from './pool.ts'
import { write } from './rows.ts'

/** Which of the two it was: the row version that an insert made has no `xmax`, one that an update made has the lock of it. */
const put = `INSERT INTO categories (id, name) VALUES ($1, $2)
  ON CONFLICT (id) DO UPDATE SET name = excluded.name RETURNING doc, xmax = 0 AS is_new`
const change = 'UPDATE categories SET name = $2 WHERE id = $1 AND doc = $3 RETURNING doc, false AS is_new'
const remove = 'DELETE FROM categories WHERE id = $1 AND ($2::text IS NULL OR doc = $2) RETURNING 1'

export function createCategories(pool: Pool, read: Query): CategoryTable {
  const find = async (query: Query, id: bigint): Promise<string | undefined> =>
    (await query<{ doc: string }>('SELECT doc FROM categories WHERE id = $1', [String(id)]))[0]?.doc

  return {
    find: (id) => find(read, id),
    async page(query) {
      const rows = await read<{ id: string; doc: string }>(
        'SELECT id, doc FROM categories WHERE id >= $1 ORDER BY id LIMIT $2',
        [String(firstOf(query)), query.limit + 1],
      )
      return pageOf(
        rows.map(({ id, doc }) => [id, doc]),
        query,
      )
    },
    async put(id, name, version) {
      const [row] = await write<{ doc: string; is_new: boolean }>(
        pool,
        version === undefined ? put : change,
        version === undefined ? [String(id), name] : [String(id), name, version],
      )
      return row ? { json: row.doc, isNew: row.is_new } : 'precondition_failed'
    },
    async remove(id, version) {
      const [row] = await write(pool, remove, [String(id), version ?? null])
      if (row) return true
      return version !== undefined && (await find(pool.query, id)) !== undefined ? 'precondition_failed' : undefined
    },
  }
}
