/** The counts of animals, which triggers keep, in SQL that both databases understand. */
import type { DaySales, Inventory } from '../model/pet.ts'
import { firstOf, pageOf } from './int64-pages.ts'
import { createMembersOf, type Sql } from './shared-sql.ts'
import type { InventoryTable } from './store.ts'

/** PostgreSQL has several rows for each count. */
const sums =
  'coalesce(sum(available), 0) AS available, coalesce(sum(pending), 0) AS pending, coalesce(sum(sold), 0) AS sold'

/**
 * Both lists are read in the order of their index, and only up to the end of the page. The rows of an empty category
 * may add up to zero.
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
