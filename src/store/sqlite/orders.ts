/** Orders in SQLite. */
import type { DatabaseSync } from 'node:sqlite'
import { orderFilters } from '../filters.ts'
import { createOrderChanges, createOrderCounts, createPlace } from '../orders.ts'
import type { OrderTable } from '../store.ts'
import type { Writer } from './group-commit.ts'
import type { IdempotencyRecords } from './idempotency.ts'
import { createRows, type Reader } from './reader.ts'
import type { Search } from './search.ts'
import type { SqliteSql } from './sql.ts'

export function createOrders(
  db: DatabaseSync,
  writer: Writer,
  records: IdempotencyRecords,
  reader: Reader,
  sql: SqliteSql,
  search: Search,
): OrderTable {
  const rows = createRows(db, 'orders', reader)
  const place = createPlace(sql)
  return {
    ...createOrderChanges(sql),
    ...createOrderCounts(sql),
    place: (order, claim, by) => writer.write(() => records.runOnce(claim, () => sql.run(place(order, by)))),
    find: async (id) => rows.find(id),
    async page(query) {
      const filters = orderFilters(query)
      return query.search ? search(query, query.search, filters) : rows.page(query, filters)
    },
  }
}
