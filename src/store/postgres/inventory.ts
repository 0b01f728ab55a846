/**
 * Counts of animals in PostgreSQL. Writers insert what they change into `inventory_changes`, and wait for nobody; instances
 * add it to the counts every few seconds. What is read is both together, in one statement and so in one snapshot.
 */
import { firstOf, pageOf } from '../int64-page.ts'
import { countsJson, differences, discrepancyOf, each } from '../inventory.ts'
import type { InventoryTable } from '../store.ts'
import type { Pool, Query } from './pool.ts'

/** Any number that only this program uses: of instances that fold at the same time, one does it. */
const foldLock = 7_738_753_971
/** Until the end of the transaction, nobody else folds. */
export const foldAlone = `SELECT pg_advisory_xact_lock(${foldLock})`
/** So many that a statement takes about 50 ms. */
const foldRows = 10_000

const counts = each((status) => status)
const sums = each((status) => `coalesce(sum(${status}), 0)::bigint AS ${status}`)
const total = `SELECT ${sums} FROM (
  SELECT ${counts} FROM inventory_total UNION ALL SELECT ${counts} FROM inventory_changes
) AS counts`
const categories = `SELECT category_id, ${sums} FROM (
  SELECT * FROM inventory UNION ALL SELECT category_id, ${counts} FROM inventory_changes
) AS counts GROUP BY category_id`

/**
 * All by increments, which are right whatever another instance has committed since the statement began. A category
 * without animals is removed; one that is left over is not shown.
 */
const fold = `
  WITH taken AS (
    DELETE FROM inventory_changes WHERE ctid = ANY (ARRAY(SELECT ctid FROM inventory_changes LIMIT ${foldRows}))
      AND (SELECT pg_try_advisory_xact_lock(${foldLock})) RETURNING *
  ), changed AS (
    SELECT category_id, ${sums} FROM taken GROUP BY category_id
  ), emptied AS (
    DELETE FROM inventory AS kept USING changed WHERE kept.category_id = changed.category_id
      AND kept.available + changed.available = 0 AND kept.pending + changed.pending = 0 AND kept.sold + changed.sold = 0
    RETURNING kept.category_id
  ), counted AS (
    INSERT INTO inventory AS kept SELECT * FROM changed
    WHERE category_id NOT IN (SELECT category_id FROM emptied) AND (${counts}) <> (0, 0, 0)
    ON CONFLICT (category_id) DO UPDATE SET ${each((status) => `${status} = kept.${status} + excluded.${status}`)}
  ), totalled AS (
    UPDATE inventory_total SET ${each((status) => `${status} = inventory_total.${status} + changed.${status}`)}
    FROM (SELECT ${sums} FROM changed HAVING count(*) > 0) AS changed
  ), dated AS (
    INSERT INTO sales AS kept SELECT to_char(day, 'YYYY-MM-DD'), sum(added), sum(bought) FROM taken
    GROUP BY day HAVING sum(added) + sum(bought) > 0
    ON CONFLICT (day) DO UPDATE SET added = kept.added + excluded.added, sold = kept.sold + excluded.sold
  )
  SELECT count(*) AS rows FROM taken`

/** Adds all changes to the counts, in portions. */
export async function foldAll(query: Query): Promise<void> {
  let rows: number
  do rows = Number((await query<{ rows: string }>(fold))[0]?.rows)
  while (rows === foldRows)
}

/**
 * The lists are read in the order of their index, and no further than the page, whatever the planner knows of them: hence
 * NOT IN, and the OFFSET. Categories that changed lately are few. Of a list that is cut off, the page needs no more.
 */
const page = `
  WITH recent AS MATERIALIZED (
    SELECT changed.category_id AS id, ${each((status) => `changed.${status} + coalesce(kept.${status}, 0) AS ${status}`)}
    FROM (SELECT category_id, ${sums} FROM inventory_changes WHERE category_id >= $1 GROUP BY category_id) AS changed
    LEFT JOIN LATERAL (SELECT * FROM inventory WHERE inventory.category_id = changed.category_id OFFSET 0) AS kept ON true
  ), counted AS (
    (SELECT category_id AS id, ${counts} FROM inventory
     WHERE category_id >= $1 AND category_id NOT IN (SELECT id FROM recent) AND available + pending + sold <> 0
     ORDER BY category_id LIMIT $2)
    UNION ALL SELECT id, ${counts} FROM recent WHERE available + pending + sold <> 0
  ), named AS (
    SELECT id, name FROM categories WHERE id >= $1 ORDER BY id LIMIT $2
  )
  SELECT id, '{"categoryId":' || id || coalesce(',"name":' || to_json(name)::text, '') || ',' ||
    ${countsJson((status) => `coalesce(${status}, 0)`)} AS json
  FROM counted FULL JOIN named USING (id) ORDER BY id LIMIT $2`

const sales = `SELECT day, sum(added) AS added, sum(sold) AS sold FROM (
    SELECT * FROM sales WHERE day >= $1
    UNION ALL SELECT to_char(day, 'YYYY-MM-DD'), added, bought FROM inventory_changes WHERE day >= $1::text::date
  ) AS days GROUP BY day HAVING sum(added) + sum(sold) > 0`

export function createInventory(pool: Pool, read: Query): InventoryTable {
  let folding: Promise<void> | undefined
  let foldedWrites = -1
  let isRead = false
  /** Whoever reads may come back, and then finds fewer changes to add up. */
  const readCounts: Query = (text, values) => {
    isRead = true
    return read(text, values)
  }

  return {
    async total() {
      const [row] = await readCounts<{ json: string }>(
        `SELECT '{' || ${countsJson((status) => status)} AS json FROM (${total}) AS total`,
      )
      return row?.json as string
    },
    async page(query) {
      const rows = await readCounts<{ id: string; json: string }>(page, [String(firstOf(query)), query.limit + 1])
      return pageOf(
        rows.map(({ id, json }) => [id, json]),
        query,
      )
    },
    async sales(since) {
      const rows = await readCounts<{ day: string; added: string; sold: string }>(sales, [since])
      return rows.map(({ day, added, sold }) => ({ day, added: Number(added), sold: Number(sold) }))
    },
    setSales: (days) =>
      pool.transaction(async ({ query }) => {
        await query(foldAlone)
        await foldAll(query)
        await query('DELETE FROM sales')
        await query('INSERT INTO sales SELECT * FROM json_populate_recordset(NULL::sales, $1::text::json)', [
          JSON.stringify(days),
        ])
      }),
    // In a transaction, which has no statement timeout: counting all animals takes long.
    discrepancies: () =>
      pool.transaction(async ({ query }) => {
        const rows = await query<Record<string, string | null>>(differences(categories, total))
        return rows.map((row) => discrepancyOf(Object.values(row)))
      }),
    // Each of them updates all categories that have changed, and there may be many instances.
    foldSeconds: 5,
    async fold() {
      const { writes } = pool.stats.commits
      // An instance that rests leaves the database at rest.
      if (!isRead && writes === foldedWrites) return
      isRead = false
      foldedWrites = writes
      folding ??= foldAll(pool.query)
        .catch((error) => {
          foldedWrites = -1
          throw error
        })
        .finally(() => {
          folding = undefined
        })
      await folding
    },
  }
}
