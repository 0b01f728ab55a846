/** The names of categories, in SQL that both databases understand. */
import { firstOf, pageOf } from './filters.ts'
import type { Sql } from './sql.ts'
import type { CategoryTable } from './store.ts'

interface Row {
  readonly id: string
  readonly doc: string
}

/** Writes nothing where there is a name already. */
const insert = 'INSERT INTO categories (id, name) VALUES ($1, $2) ON CONFLICT (id) DO NOTHING RETURNING doc'
const update = `UPDATE categories SET name = $2
  WHERE id = $1 AND (CAST($3 AS text) IS NULL OR doc = CAST($3 AS text)) RETURNING doc`
const remove = `DELETE FROM categories
  WHERE id = $1 AND (CAST($2 AS text) IS NULL OR doc = CAST($2 AS text)) RETURNING doc`

export function createCategories({ read, write }: Sql): CategoryTable {
  const docIn = (rows: readonly object[]) => (rows as readonly Row[])[0]?.doc
  const find = async (id: bigint) => docIn(await read('SELECT doc FROM categories WHERE id = $1', String(id)))

  return {
    find,
    async page(query) {
      const rows = await read(
        // As text, as it may not fit in a number.
        'SELECT CAST(id AS text) AS id, doc FROM categories WHERE id >= $1 ORDER BY categories.id LIMIT $2',
        ...[String(firstOf(query)), query.limit + 1],
      )
      return pageOf(
        (rows as readonly Row[]).map(({ id, doc }) => [id, doc]),
        query,
      )
    },
    add: async (id, name) => (await write([String(id), name], insert)).length > 0,
    async put(id, name, version) {
      for (;;) {
        const added = version === undefined ? docIn(await write([String(id), name], insert)) : undefined
        if (added !== undefined) return { json: added, isNew: true }
        const changed = docIn(await write([String(id), name, version ?? null], update))
        if (changed !== undefined) return { json: changed, isNew: false }
        if (version !== undefined) return 'precondition_failed'
        // It had a name, which another has removed since.
      }
    },
    async remove(id, version) {
      if ((await write([String(id), version ?? null], remove)).length > 0) return true
      return version !== undefined && (await find(id)) !== undefined ? 'precondition_failed' : undefined
    },
  }
}
