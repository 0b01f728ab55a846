/**
 * Counts of animals in SQLite. Triggers keep those of the animals that were counted once (see migrations.ts); newer ones are
 * added about once a second. What is read is both together, in one statement and so in one snapshot.
 */
import type { DatabaseSync } from 'node:sqlite'
import { firstOf, pageOf } from '../int64-page.ts'
import { countsIn, countsJson, differences, discrepancyOf, each, recount } from '../inventory.ts'
import type { InventoryTable } from '../store.ts'
import type { Writer } from './commit.ts'
import type { Snapshot } from './snapshot.ts'
import { prepare } from './statement.ts'

/** Takes about 2 ms, during which no request is answered. */
const foldRows = 1_000

// By their ids: otherwise all animals are read from an index, in the order of their category.
const newPets = 'pets NOT INDEXED WHERE id > (SELECT counted_to FROM inventory_total)'
const counts = each((status) => status)
const sums = each((status) => `coalesce(sum(${status}), 0) AS ${status}`)
const total = `SELECT ${sums} FROM (SELECT ${counts} FROM inventory_total UNION ALL SELECT ${counts} FROM (${recount(newPets)}))`
const categories = `SELECT category_id, ${sums} FROM (SELECT * FROM inventory UNION ALL ${recount(newPets)}) GROUP BY category_id`

export interface SqliteInventory extends InventoryTable {
  /** Folds so many animals, 1,000 unless given, within a transaction. True if there may be more. */
  foldSome(rows?: number): boolean
}

export function createInventory(db: DatabaseSync, writer: Writer, snapshot: Snapshot): SqliteInventory {
  const totalJson = prepare<[json: string]>(db, `SELECT '{' || ${countsJson((status) => status)} FROM (${total})`)
  // The lists are read in the order of their ids, and no further than the page.
  const page = prepare<[id: string, json: string]>(
    db,
    `WITH recent AS MATERIALIZED (${recount(newPets)})
     SELECT CAST(listed.id AS TEXT), '{"categoryId":' || listed.id || iif(name IS NULL, '', ',"name":' || json_quote(name)) || ',' ||
       ${countsJson((status) => `(coalesce(kept.${status}, 0) + coalesce(recent.${status}, 0))`)}
     FROM (SELECT category_id AS id FROM inventory WHERE category_id >= ? UNION SELECT category_id FROM recent WHERE category_id >= ?
           UNION SELECT id FROM categories WHERE id >= ? ORDER BY id LIMIT ?) AS listed
     LEFT JOIN categories USING (id) LEFT JOIN inventory AS kept ON kept.category_id = listed.id
     LEFT JOIN recent ON recent.category_id = listed.id ORDER BY listed.id`,
  )
  const sales = prepare<[day: string, added: number, sold: number]>(
    db,
    `SELECT day, sum(added), sum(sold) FROM (
       SELECT * FROM sales WHERE day >= ? UNION ALL SELECT date('now'), count(*), 0 FROM ${newPets}
     ) GROUP BY day HAVING sum(added) + sum(sold) > 0`,
  )
  const compare = prepare<readonly (string | number | null)[]>(db, differences(categories, total))

  const newAnimals = prepare<[count: number, last: number | null]>(
    db,
    `SELECT count(*), max(id) FROM (SELECT id FROM ${newPets} ORDER BY id LIMIT ? + 0)`,
  )
  const portion = `${newPets} AND id <= ?`
  const addTo = `ON CONFLICT DO UPDATE SET ${each((status) => `${status} = ${status} + excluded.${status}`)}`
  const addCategories = prepare(db, `INSERT INTO inventory SELECT * FROM (${recount(portion)}) WHERE true ${addTo}`)
  const addTotal = prepare(
    db,
    `UPDATE inventory_total SET ${each((status) => `${status} = inventory_total.${status} + added.${status}`)}, counted_to = ?
     FROM (${countsIn(portion)}) AS added`,
  )
  const addSales = prepare(
    db,
    `INSERT INTO sales VALUES (date('now'), ?, 0) ON CONFLICT DO UPDATE SET added = added + excluded.added`,
  )
  const insertSales = prepare(
    db,
    `INSERT INTO sales SELECT value ->> 'day', value ->> 'added', value ->> 'sold' FROM json_each(?)`,
  )

  function foldSome(rows = foldRows): boolean {
    const [count, last] = newAnimals.get(rows) as [number, number | null]
    if (last === null) return false
    addCategories.run(last)
    addTotal.run(last, last)
    addSales.run(count)
    return count === rows
  }

  return {
    foldSome,
    foldSeconds: 1,
    total: () => snapshot.read(() => (totalJson.get() as [string])[0]),
    page(query) {
      const first = firstOf(query)
      return snapshot.read(() => pageOf(page.all(first, first, first, query.limit + 1), query))
    },
    sales: (since) => snapshot.read(() => sales.all(since).map(([day, added, sold]) => ({ day, added, sold }))),
    setSales: (days) =>
      writer.write(() => {
        while (foldSome());
        db.exec('DELETE FROM sales')
        insertSales.run(JSON.stringify(days))
      }),
    discrepancies: async () => snapshot.read(() => compare.all().map(discrepancyOf)),
    async fold() {
      if (snapshot.read(() => newAnimals.get(1)?.[0])) while (await writer.write(() => foldSome(), true));
    },
  }
}
