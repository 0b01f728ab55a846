/** The names of categories, and the counts of animals, which triggers keep, in SQL that both databases understand. */
import type { DaySales, Inventory } from '../model/pet.ts'
import { changedBy, createMembersOf, itemAt, type Sql } from './shared-sql.ts'
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
const insert =
  'INSERT INTO categories (id, name, changed_by) VALUES ($1, $2, $3) ON CONFLICT (id) DO NOTHING RETURNING doc'
const isVersion = (place: string): string => `(CAST(${place} AS text) IS NULL OR doc = CAST(${place} AS text))`
const update = `UPDATE categories SET name = $2, ${changedBy('$3')} WHERE id = $1 AND ${isVersion('$4')} RETURNING doc`

export function createCategories({ read, write, deleteRow }: Sql): CategoryTable {
  const remove = deleteRow('categories', isVersion('$2'), '$3')
  const docIn = (rows: readonly object[]) => (rows as readonly CategoryRow[])[0]?.doc
  const find = async (id: bigint) => docIn(await read('SELECT doc FROM categories WHERE id = $1', String(id)))

  return {
    find,
    async page(query) {
      const rows = await read(
        'SELECT CAST(id AS text) AS id, doc FROM categories WHERE id >= $1 ORDER BY categories.id LIMIT $2',
        ...[String(firstOf(query)), query.limit + 1],
      )
      return pageOf(
        (rows as readonly CategoryRow[]).map(({ id, doc }) => [id, doc]),
        query,
      )
    },
    add: async (id, name) => (await write([String(id), name, null], insert)).length > 0,
    async put(id, name, version, by) {
      const values = [String(id), name, by ?? null]
      for (;;) {
        const added = version === undefined ? docIn(await write(values, insert)) : undefined
        if (added !== undefined) return { json: added, isNew: true }
        const changed = docIn(await write([...values, version ?? null], update))
        if (changed !== undefined) return { json: changed, isNew: false }
        if (version !== undefined) return 'precondition_failed'
        // It had a name, which was removed since.
      }
    },
    async remove(id, version, by) {
      if ((await write([String(id), version ?? null, by ?? null], ...remove)).length > 0) return true
      return version !== undefined && (await find(id)) !== undefined ? 'precondition_failed' : undefined
    },
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

const members = ({ available, pending, sold }: Counts): string =>
  `"available":${available ?? 0},"pending":${pending ?? 0},"sold":${sold ?? 0}}`

export function createInventory({ read, write, listed }: Sql): InventoryTable {
  return {
    async total() {
      const [row] = await read(`SELECT ${sums} FROM inventory_total`)
      return `{${members(row as Counts)}`
    },
    async page(query) {
      const rows = await read(countsPage, String(firstOf(query)), query.limit + 1)
      return pageOf(
        (rows as (Counts & { category: string; name: string | null })[]).map(({ category, name, ...counts }) => [
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
    async setSales(days) {
      await write([], 'DELETE FROM sales')
      await write(
        [JSON.stringify(days.map(({ day, added, sold, returned }) => [day, added, sold, returned]))],
        `INSERT INTO sales (day, added, sold, returned)
         SELECT ${itemAt(0)}, ${itemAt(1, 'bigint')}, ${itemAt(2, 'bigint')}, ${itemAt(3, 'bigint')}
         FROM ${listed('$1')}`,
      )
    },
  }
}
