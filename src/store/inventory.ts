/** Reading the counts of animals, which triggers keep, in SQL that both databases understand. */
import type { DaySales, Inventory } from '../model/inventory.ts'
import { firstOf, pageOf } from './filters.ts'
import { itemAt, type Sql } from './sql.ts'
import type { InventoryTable } from './store.ts'

/** PostgreSQL has several rows for each of them, and a sum of none is no number. */
const sums =
  'coalesce(sum(available), 0) AS available, coalesce(sum(pending), 0) AS pending, coalesce(sum(sold), 0) AS sold'

/** Both lists are read in the order of their index, and no further than the page. A category without animals may have rows that cancel out. */
const page = `
  WITH counted AS (
    SELECT category_id AS id, ${sums} FROM inventory WHERE category_id >= $1 GROUP BY category_id
    HAVING sum(available) <> 0 OR sum(pending) <> 0 OR sum(sold) <> 0 ORDER BY category_id LIMIT $2
  ), named AS (
    SELECT id, name FROM categories WHERE id >= $1 ORDER BY id LIMIT $2
  )
  SELECT CAST(id AS text) AS category, name, available, pending, sold FROM counted FULL JOIN named USING (id) ORDER BY id LIMIT $2`

/** Integers are numbers, or texts. */
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
      const rows = await read(page, String(firstOf(query)), query.limit + 1)
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
        'SELECT day, sum(added) AS added, sum(sold) AS sold FROM sales WHERE day >= $1 GROUP BY day',
        since,
      )
      return (rows as Record<keyof DaySales, string>[]).map(({ day, added, sold }) => ({
        day,
        added: Number(added),
        sold: Number(sold),
      }))
    },
    async setSales(days) {
      await write([], 'DELETE FROM sales')
      await write(
        [JSON.stringify(days.map(({ day, added, sold }) => [day, added, sold]))],
        `INSERT INTO sales (day, added, sold) SELECT ${itemAt(0)}, ${itemAt(1, 'bigint')}, ${itemAt(2, 'bigint')} FROM ${listed('$1')}`,
      )
    },
  }
}
