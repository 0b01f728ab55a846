/** Orders in SQLite. Only one transaction writes at a time, so what a job has read still holds when it writes. */
import type { DatabaseSync } from 'node:sqlite'
import { effectOnPet, type OrderStatus } from '../../model/order.ts'
import type { OrderTable } from '../store.ts'
import type { Writer } from './commit.ts'
import type { IdempotencyRecords } from './idempotency.ts'
import { createRows, type Reading, renderedOf, type Written } from './rows.ts'
import { prepare } from './statement.ts'

export function createOrders(
  db: DatabaseSync,
  writer: Writer,
  records: IdempotencyRecords,
  reading: Reading,
): OrderTable {
  const rows = createRows(db, 'orders', reading)
  const hold = prepare<Written>(
    db,
    `UPDATE pets SET status = :status, sale = :sale WHERE id = :id AND status = 'available' AND sale IS NULL RETURNING id, doc`,
  )
  const move = prepare(db, 'UPDATE pets SET status = ?, sale = ? WHERE id = ?')
  const isPet = prepare<[1]>(db, 'SELECT 1 FROM pets WHERE id = ?')
  const insert = prepare<Written>(
    db,
    `INSERT INTO orders (pet_id, status, created_at, updated_at) VALUES (?, 'placed', ?, ?) RETURNING id, doc`,
  )
  const end = prepare<[...Written, petId: number]>(
    db,
    `UPDATE orders SET status = ?, updated_at = max(created_at, ?) WHERE id = ? AND status = 'placed' RETURNING id, doc, pet_id`,
  )
  const find = prepare<[...Written, OrderStatus]>(db, 'SELECT id, doc, status FROM orders WHERE id = ?')

  return {
    place: (petId, at, claim) =>
      writer.write(() =>
        records.once(claim, () => {
          const { status, sale } = effectOnPet.placed
          if (hold.get({ id: petId, status, sale }) === undefined)
            return isPet.get(petId) === undefined ? 'unknown_pet' : 'pet_not_available'
          return renderedOf(insert.get(petId, at, at) as Written)
        }),
      ),

    end: (id, status, at, claim) =>
      writer.write(() => {
        const found = find.get(id)
        if (found === undefined) return undefined
        return records.once(claim, () => {
          if (found[2] !== 'placed') return found[2] === status ? renderedOf(found) : 'order_state_conflict'
          const ended = end.get(status, at, id) as [...Written, number]
          const effect = effectOnPet[status]
          move.run(effect.status, effect.sale, ended[2])
          return renderedOf(ended)
        })
      }),

    find: rows.find,
    page: ({ after, limit, status, petId }) =>
      rows.page(after, limit, {
        equal: [
          ['pet_id', petId],
          ['status', status],
        ],
      }),
  }
}
