/** Orders in SQLite. Only one transaction writes at a time, so what a job has read holds when it writes. */
import type { DatabaseSync } from 'node:sqlite'
import { effectOnPet, type OrderStatus, stateBefore } from '../../model/order.ts'
import { timeText } from '../../time.ts'
import { orderFilters } from '../filters.ts'
import { createUpdate } from '../orders.ts'
import { changedBy, type Sql } from '../shared-sql.ts'
import { expiredMax, type OrderTable } from '../store.ts'
import type { IdempotencyRecords, Writer } from './group-commit.ts'
import { createRows, type Reader, renderedOf, type Written } from './reader.ts'
import { nowText, prepare } from './statement.ts'

export function createOrders(
  db: DatabaseSync,
  writer: Writer,
  records: IdempotencyRecords,
  reader: Reader,
  sql: Sql,
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
    `INSERT INTO orders (pet_id, status, reference, held_until, created_at, updated_at, changed_by)
     VALUES (?, 'placed', ?, ?, ?, ?, ?) RETURNING id, doc`,
  )
  const move = prepare<Written>(
    db,
    `UPDATE orders SET status = ?1, updated_at = max(updated_at, ?2),
       completed_at = iif(?1 = 'completed', max(updated_at, ?2), completed_at), ${changedBy('?4')}
     WHERE id = ?3 RETURNING id, doc`,
  )
  const find = prepare<[...Written, status: OrderStatus, petId: number, heldUntil: string | null]>(
    db,
    'SELECT id, doc, status, pet_id, held_until FROM orders WHERE id = ?',
  )
  const findHeld = prepare<[id: number, petId: number, heldUntil: string]>(
    db,
    `SELECT id, pet_id, held_until FROM orders WHERE status = 'placed' AND held_until IS NOT NULL
     ORDER BY held_until LIMIT ? + 0`,
  )

  const clock = prepare<[now: string]>(db, `SELECT ${nowText}`)
  const nowOr = (at: string | undefined): string => at ?? (clock.get() as [string])[0]

  /** Ends the orders that are over. */
  function expire(): number {
    const now = nowOr(undefined)
    const over = findHeld.all(expiredMax).filter(([, , heldUntil]) => heldUntil <= now)
    const { status, held } = effectOnPet.expired
    for (const [id, petId, heldUntil] of over) {
      move.run('expired', heldUntil, id, null)
      movePet.run(status, held, null, petId)
    }
    return over.length
  }

  function nextIn(): number | undefined {
    const next = reader.read(() => findHeld.get(1))
    return next && Date.parse(next[2]) - Date.parse(nowOr(undefined))
  }

  return {
    place: ({ petId, reference, heldUntil, holdMilliseconds, at: given }, claim, by) =>
      writer.write(() =>
        records.runOnce(claim, () => {
          const { status, held } = effectOnPet.placed
          const at = nowOr(given)
          if (heldUntil !== undefined && heldUntil <= at) return 'invalid_field'
          if (hold.get(status, held, by ?? null, petId) === undefined)
            return isPet.get(petId) === undefined ? 'unknown_pet' : 'pet_not_available'
          const byDefault = holdMilliseconds === undefined ? null : timeText(Date.parse(at) + holdMilliseconds)
          return renderedOf(insert.get(petId, reference ?? null, heldUntil ?? byDefault, at, at, by ?? null) as Written)
        }),
      ),

    move: (id, to, by, given) =>
      writer.write(() => {
        const at = nowOr(given)
        const found = find.get(id)
        if (found === undefined) return undefined
        const [, , status, petId, heldUntil] = found
        if (status === to) return { ...renderedOf(found), replayed: true }
        if (status !== stateBefore[to]) return 'order_state_conflict'
        if (status === 'placed' && heldUntil !== null && heldUntil <= at) return 'order_state_conflict'
        const moved = move.get(to, at, id, by ?? null) as Written
        movePet.run(effectOnPet[to].status, effectOnPet[to].held, by ?? null, petId)
        return { ...renderedOf(moved), replayed: false }
      }),

    update: createUpdate(sql),
    async expire() {
      const left = nextIn()
      if (left === undefined || left > 0) return { expired: 0, nextIn: left }
      const expired = await writer.write(expire)
      return { expired, nextIn: nextIn() }
    },

    find: async (id) => rows.find(id),
    page: async (query) => rows.page(query, orderFilters(query)),
  }
}
