/** The names of categories, and the counts of animals, which triggers keep, in SQL that both databases understand. */
import type { DaySales, Inventory } from '../model/pet.ts'
import { storedWordsOf } from '../model/words.ts'
import { nextNumber } from './category-numbers.ts'
import { changedBy, createMembersOf, Outdated, query, type Sql, setEventBy } from './shared-sql.ts'
import type { CategoryTable, Int64Query, InventoryTable, Page } from './store.ts'

const lowest = -(2n ** 63n)

const firstOf = ({ after }: Int64Query): bigint => (after === undefined ? lowest : after + 1n)

/** `rows` are those of the page, and one more if more follow. An id is text, as it may not fit in a number. */
function pageOf(rows: readonly (readonly [id: string, json: string])[], { limit }: Int64Query): Page<bigint> {
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  return {
    json: `[${page.map(([, json]) => json).join()}]`,
    next: last && rows.length > limit ? BigInt(last[0]) : undefined,
  }
}

interface CategoryRow {
  readonly id: string
  readonly doc: string
}

/** Writes nothing if there is a name already. */
const insert = `
  INSERT INTO categories (id, name, words, changed_by) VALUES ($1, $2, $3, $4) ON CONFLICT (id) DO NOTHING
  RETURNING doc`
const update = `UPDATE categories SET name = $2, words = $3, ${changedBy('$4')} WHERE id = $1 RETURNING doc`
/** Names without words, such as an emoji, are compared as they are. */
const findNamed = `
  SELECT CAST(id AS text) AS id, doc FROM categories WHERE words = $1 AND (words <> '' OR name = $2)
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
    findNamed: async (name) => numbered(await read(findNamed, storedWordsOf(name), name)),
    async create(name, by, others = new Map()) {
      const words = storedWordsOf(name)
      // Most names are there already, and then nobody has to wait for the lock.
      const known = numbered(await read(findNamed, words, name))
      if (known) return { ...known, isNew: false }
      return transaction(function* () {
        yield* sql.lockTable('categories')
        const found = numbered(yield* query(findNamed, words, name))
        if (found) return { ...found, isNew: false }
        const id = yield* nextNumber(others)
        const [named] = yield* query<DocRow>(insert, String(id), name, words, by ?? null)
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
          storedWordsOf(name),
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

/** PostgreSQL has several rows for each count. */
const sums =
  'coalesce(sum(available), 0) AS available, coalesce(sum(pending), 0) AS pending, coalesce(sum(sold), 0) AS sold'

/**
 * Both lists are read in the order of their index, no further than the page. The rows of an empty category may cancel
 * out.
 */
const countsPage = `
  WITH counted AS (
    SELECT category_id AS id, ${sums} FROM inventory WHERE category_id >= $1 GROUP BY category_id
    HAVING sum(available) <> 0 OR sum(pending) <> 0 OR sum(sold) <> 0 ORDER BY category_id LIMIT $2
  ), named AS (
    SELECT id, name FROM categories WHERE id >= $1 ORDER BY id LIMIT $2
  )
  SELECT CAST(id AS text) AS category, name, available, pending, sold
  FROM counted FULL JOIN named USING (id) ORDER BY id LIMIT $2`

const salesMembers = createMembersOf('sales')

type Counts = Readonly<Record<keyof Inventory, number | string | null>>
interface CountsRow extends Counts {
  readonly category: string
  readonly name: string | null
}

const members = ({ available, pending, sold }: Counts): string =>
  `"available":${available ?? 0},"pending":${pending ?? 0},"sold":${sold ?? 0}}`

export function createInventory({ read }: Pick<Sql, 'read'>): InventoryTable {
  return {
    async total() {
      const [row] = await read<Counts>(`SELECT ${sums} FROM inventory_total`)
      return `{${members(row as Counts)}`
    },
    async page(query) {
      const rows = await read<CountsRow>(countsPage, String(firstOf(query)), query.limit + 1)
      return pageOf(
        rows.map(({ category, name, ...counts }) => [
          category,
          `{"categoryId":${category},${name === null ? '' : `"name":${JSON.stringify(name)},`}${members(counts)}`,
        ]),
        query,
      )
    },
    async sales(since) {
      const rows = await read(
        `SELECT day, sum(added) AS added, sum(sold) AS sold, sum(returned) AS returned
         FROM sales WHERE day >= $1 GROUP BY day`,
        since,
      )
      return rows.map((row) => salesMembers(row) as unknown as DaySales)
    },
  }
}
