/** Orders in PostgreSQL: one statement decides who gets an animal, or how an order ends. */
import { effectOnPet, type OrderEnd, type OrderStatus } from '../../model/order.ts'
import type { IdempotencyClaim, OrderTable, Outcome } from '../store.ts'
import type { Pool } from './connection.ts'
import { claimValues, once, recordClaim } from './idempotency.ts'
import { createRows, writeOne } from './rows.ts'

/** The first to lock the animal's row finds it available; those who waited find it taken and write nothing. */
const place = `
  WITH held AS (
    UPDATE pets SET status = '${effectOnPet.placed.status}', sale = '${effectOnPet.placed.sale}'
    WHERE id = $1 AND status = 'available' AND sale IS NULL RETURNING id
  ), counter AS (
    UPDATE counters SET last = last + 1 WHERE name = 'orders' AND EXISTS (SELECT 1 FROM held) RETURNING last
  ), added AS (
    INSERT INTO orders (id, pet_id, status, created_at, updated_at)
    SELECT counter.last, held.id, 'placed', $2, $2 FROM held, counter RETURNING id, doc
  ), recorded AS (${recordClaim(3, 'added')})
  SELECT id, doc FROM added`

/** The order's row decides, and the animal follows; an order already in that state is returned and recorded. */
const endAs = (end: OrderEnd): string => `
  WITH ended AS (
    UPDATE orders SET status = '${end}', updated_at = greatest(created_at, $2) WHERE id = $1 AND status = 'placed' RETURNING id, doc, pet_id
  ), moved AS (
    UPDATE pets SET status = '${effectOnPet[end].status}', sale = ${effectOnPet[end].sale === null ? 'NULL' : `'${effectOnPet[end].sale}'`}
    FROM ended WHERE pets.id = ended.pet_id
  ), standing AS (
    SELECT id, doc FROM ended UNION ALL SELECT id, doc FROM orders WHERE id = $1 AND status = '${end}'
  ), recorded AS (${recordClaim(3, 'standing')})
  SELECT id, doc FROM standing`
const ends = { completed: endAs('completed'), cancelled: endAs('cancelled') }

export function createOrders(pool: Pool, readsInFlight: number): OrderTable {
  const rows = createRows(pool, 'orders', readsInFlight)

  async function end(
    id: bigint,
    status: OrderEnd,
    at: string,
    claim: IdempotencyClaim | undefined,
  ): Promise<Outcome | undefined> {
    let isGone = false
    const outcome = await once(
      pool,
      claim,
      () => writeOne(pool, ends[status], [String(id), at, ...claimValues(claim)]),
      async () => {
        const [row] = await pool.query<{ status: OrderStatus }>('SELECT status FROM orders WHERE id = $1', [String(id)])
        isGone = row === undefined
        // A concurrent request ended it the same way: the next try finds it.
        return row?.status === status ? undefined : 'order_state_conflict'
      },
    )
    return isGone ? undefined : outcome
  }

  return {
    place: (petId, at, claim) =>
      once(
        pool,
        claim,
        () => writeOne(pool, place, [String(petId), at, ...claimValues(claim)]),
        async () => {
          const [pet] = await pool.query('SELECT 1 FROM pets WHERE id = $1', [String(petId)])
          return pet ? 'pet_not_available' : 'unknown_pet'
        },
      ),
    end,
    find: rows.find,
    async page({ after, limit, status, petId }) {
      if (petId === undefined) return rows.page(after, limit, { equal: [['status', status]] })
      const equal = [['pet_id', String(petId)]] as const
      // At most one order on an animal is not cancelled, and it has an index of its own.
      if (status === undefined) return rows.page(after, limit, { equal })
      if (status === 'cancelled') return rows.page(after, limit, { equal, also: `status = 'cancelled'` })
      const found = await pool.query<{ doc: string }>(
        `SELECT doc FROM orders WHERE pet_id = $1 AND status = '${status}' AND id > $2`,
        [String(petId), after],
      )
      return { json: `[${found.map(({ doc }) => doc).join()}]`, next: undefined }
    },
  }
}
