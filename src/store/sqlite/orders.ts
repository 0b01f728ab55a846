/** Orders in SQLite. Only one transaction writes at a time, so what a job has read holds when it writes. */
import type { DatabaseSync } from 'node:sqlite'
import { effectOnPet, type OrderStatus, stateBefore } from '../../model/order.ts'
import { orderFilters } from '../filters.ts'
import { changedBy } from '../shared-sql.ts'
import type { OrderTable } from '../store.ts'
import type { IdempotencyRecords, Writer } from './group-commit.ts'
import { createRows, type Reader, renderedOf, type Written } from './reader.ts'
import { prepare } from './statement.ts'

export function createOrders(
  db: DatabaseSync,
  writer: Writer,
  records: IdempotencyRecords,
  reader: Reader,
): OrderTable {
  const rows = createRows(db, 'orders', reader)
  const hold = prepare<Written>(
    db,
    `UPDATE pets SET status = ?, held = ?, ${changedBy('?')}
     WHERE id = ? AND status = 'available' AND held = 0 RETURNING id, doc`,
  )
  const movePet = prepare(db, `UPDATE pets SET status = ?, held = ?, ${changedBy('?')} WHERE id = ?`)
  const isPet = prepare<[1]>(db, 'SELECT 1 FROM pets WHERE id = ?')
  const insert = prepare<Written>(
    db,
    `INSERT INTO orders (pet_id, status, created_at, updated_at, changed_by)
     VALUES (?, 'placed', ?, ?, ?) RETURNING id, doc`,
  )
  const move = prepare<Written>(
    db,
    `UPDATE orders SET status = ?, updated_at = max(updated_at, ?), ${changedBy('?')} WHERE id = ? RETURNING id, doc`,
  )
  const find = prepare<[...Written, status: OrderStatus, petId: number]>(
    db,
    'SELECT id, doc, status, pet_id FROM orders WHERE id = ?',
  )

  return {
    place: (petId, at, claim, by) =>
      writer.write(() =>
        records.runOnce(claim, () => {
          const { status, held } = effectOnPet.placed
          if (hold.get(status, held, by ?? null, petId) === undefined)
            return isPet.get(petId) === undefined ? 'unknown_pet' : 'pet_not_available'
          return renderedOf(insert.get(petId, at, at, by ?? null) as Written)
        }),
      ),

    move: (id, to, at, by) =>
      writer.write(() => {
        const found = find.get(id)
        if (found === undefined) return undefined
        const [, , status, petId] = found
        if (status === to) return { ...renderedOf(found), replayed: true }
        if (status !== stateBefore[to]) return 'order_state_conflict'
        const moved = move.get(to, at, by ?? null, id) as Written
        movePet.run(effectOnPet[to].status, effectOnPet[to].held, by ?? null, petId)
        return { ...renderedOf(moved), replayed: false }
      }),

    find: async (id) => rows.find(id),
    page: async (query) => rows.page(query, orderFilters(query)),
  }
}
