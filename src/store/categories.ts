/** The names of categories, in SQL that both databases understand. */
import { type HighestNumbers, rangeEnds } from '../model/category-numbers.ts'
import { categoryWordsOf } from '../model/words.ts'
import { firstOf, pageOf } from './int64-pages.ts'
import { changedBy, Outdated, query, type Sql, type Steps, setEventBy } from './shared-sql.ts'
import type { CategoryTable } from './store.ts'

interface CategoryRow {
  readonly id: string
  readonly doc: string
}

/** Writes nothing if there is a name already. */
const insert = `
  INSERT INTO categories (id, name, words, changed_by) VALUES ($1, $2, $3, $4) ON CONFLICT (id) DO NOTHING
  RETURNING doc`
const update = `UPDATE categories SET name = $2, words = $3, ${changedBy('$4')} WHERE id = $1 RETURNING doc`
/** Without words, only the same name is found. */
const findNamed = `
  SELECT CAST(id AS text) AS id, doc FROM categories WHERE words = $1 AND (name = $2 OR words <> '')
  ORDER BY CASE name WHEN $2 THEN 0 ELSE 1 END, categories.id LIMIT 1`

type DocRow = Pick<CategoryRow, 'doc'>

const numbered = ([row]: readonly CategoryRow[]) => row && { id: BigInt(row.id), json: row.doc }

export function createCategories(sql: Sql): CategoryTable {
  const { read, transaction } = sql
  const lock = `SELECT doc FROM categories WHERE id = $1 ${sql.forUpdate}`

  return {
    find: async (id) => (await read<DocRow>('SELECT doc FROM categories WHERE id = $1', String(id)))[0]?.doc,
    async page(query) {
      const rows = await read<CategoryRow>(
        'SELECT CAST(id AS text) AS id, doc FROM categories WHERE id >= $1 ORDER BY categories.id LIMIT $2',
        String(firstOf(query)),
        query.limit + 1,
      )
      return pageOf(
        rows.map(({ id, doc }) => [id, doc]),
        query,
      )
    },
    findNamed: async (name) => numbered(await read(findNamed, categoryWordsOf(name), name)),
    async create(name, by, others = new Map()) {
      const values = [categoryWordsOf(name), name] as const
      // Most names exist already, and then nobody has to wait for the lock.
      const known = numbered(await read(findNamed, ...values))
      if (known) return { ...known, isNew: false }
      return transaction(function* () {
        yield* sql.lockTable('categories')
        const found = numbered(yield* query(findNamed, ...values))
        if (found) return { ...found, isNew: false }
        const id = yield* nextNumber(others)
        const [named] = yield* query<DocRow>(insert, String(id), name, categoryWordsOf(name), by ?? null)
        return { id, json: (named as DocRow).doc, isNew: true }
      })
    },
    put: (id, name, version, by) =>
      transaction(function* () {
        const [before] = yield* query<DocRow>(lock, String(id))
        if (version !== undefined && version !== before?.doc) return 'precondition_failed'
        const [named] = yield* query<DocRow>(
          before ? update : insert,
          String(id),
          name,
          categoryWordsOf(name),
          by ?? null,
        )
        if (!named) throw new Outdated('another request has just named the category')
        return { json: named.doc, isNew: before === undefined }
      }),
    remove: (id, version, by) =>
      transaction(function* () {
        const [category] = yield* query<DocRow>(lock, String(id))
        if (!category) return undefined
        if (version !== undefined && version !== category.doc) return 'precondition_failed'
        yield* query('DELETE FROM categories WHERE id = $1', String(id))
        yield* setEventBy(sql, by)
        return true
      }),
  }
}

/** The highest number below $1 of a named category, and of an animal. Each is read from the end of an index. */
const findHighest = `
  SELECT CAST((SELECT max(id) FROM categories WHERE id < $1) AS text) AS named,
    CAST((SELECT max(category_id) FROM pets WHERE category_id < $1) AS text) AS used`

/** The lowest number that is free, for when the last number of every range is in use. */
const findGap = `
  WITH RECURSIVE tried (id) AS (
    SELECT CAST(1 AS bigint)
    UNION ALL SELECT id + 1 FROM tried
    WHERE EXISTS (SELECT 1 FROM categories WHERE categories.id = tried.id)
      OR EXISTS (SELECT 1 FROM pets WHERE category_id = tried.id)
  ) SELECT CAST(max(id) AS text) AS gap FROM tried`

/**
 * A number that no named category and no animal uses. In every range, it is also above the numbers in `others`. A gap
 * is searched only if all ranges are full, and that search ignores `others`.
 */
function* nextNumber(others: HighestNumbers): Steps<bigint> {
  for (const end of rangeEnds) {
    const [found] = yield* query<Record<'named' | 'used', string | null>>(findHighest, String(end))
    let highest = others.get(end) ?? 0n
    for (const text of Object.values(found ?? {})) if (BigInt(text ?? 0) > highest) highest = BigInt(text ?? 0)
    if (highest + 1n < end) return highest + 1n
  }
  const [found] = yield* query<{ gap: string }>(findGap)
  return BigInt((found as { gap: string }).gap)
}
