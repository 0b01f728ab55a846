/** Orders in SQLite. Writers queue, so what a job reads still holds when it writes. */
import type { DatabaseSync } from 'node:sqlite'
import { effectOnPet, type OrderStatus } from '../../model/order.ts'
import type { OrderTable, Rendered } from '../store.ts'
import type { Writer } from './commit.ts'
import type { IdempotencyRecords } from './idempotency.ts'
import { createRows, prepare, type Reading, renderedOf } from './rows.ts'

export function createOrders(
  db: DatabaseSync,
  writer: Writer,
  records: IdempotencyRecords,
  reading: Reading,
): OrderTable {
  const rows = createRows(db, 'orders', reading)
  const hold = prepare(
    db,
    `UPDATE pets SET status = :status, sale = :sale WHERE id = :id AND status = 'available' AND sale IS NULL RETURNING id, doc`,
  )
  const move = prepare(db, 'UPDATE pets SET status = ?, sale = ? WHERE id = ?')
  const isPet = prepare(db, 'SELECT 1 FROM pets WHERE id = ?')
  const insert = prepare(
    db,
    `INSERT INTO orders (pet_id, status, created_at, updated_at) VALUES (?, 'placed', ?, ?) RETURNING id, doc`,
  )
  const end = prepare(
    db,
    `UPDATE orders SET status = ?, updated_at = ? WHERE id = ? AND status = 'placed' RETURNING id, doc, pet_id`,
  )
  const find = prepare(db, 'SELECT id, doc, status FROM orders WHERE id = ?')

  return {
    place: (petId, at, claim) =>
      writer.write(() =>
        records.once(claim, () => {
          const { status, sale } = effectOnPet.placed
          if (hold.get({ id: petId, status, sale }) === undefined)
            return isPet.get(petId) === undefined ? 'unknown_pet' : 'pet_not_available'
          return renderedOf(insert.get(petId, at, at)) as Rendered
        }),
      ),

    end: (id, status, at, claim) =>
      writer.write(() => {
        const found = find.get(id) as unknown as [number, string, OrderStatus] | undefined
        if (found === undefined) return undefined
        return records.once(claim, () => {
          if (found[2] !== 'placed')
            return found[2] === status ? { id: found[0], json: found[1] } : 'order_state_conflict'
          const ended = end.get(status, at, id) as unknown as [number, string, number]
          const effect = effectOnPet[status]
          move.run(effect.status, effect.sale, ended[2])
          return renderedOf(ended) as Rendered
        })
      }),

    find: rows.find,
    page: ({ after, limit, status, petId }) =>
      rows.page(after, limit, [
        ['status = ?', status],
        ['pet_id = ?', petId],
      ]),
  }
}
