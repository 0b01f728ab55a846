/** Orders in PostgreSQL: one statement decides who gets an animal, or how an order ends. */
import { effectOnPet, type OrderMove, type OrderStatus, stateBefore } from '../../model/order.ts'
import { orderFilters } from '../filters.ts'
import { createUpdate, isOver } from '../orders.ts'
import { changedBy } from '../shared-sql.ts'
import {
  expiredMax,
  type IdempotencyClaim,
  type OrderTable,
  type Outcome,
  type Placement,
  type Rendered,
} from '../store.ts'
import { createBatcher, type Waiting } from './batch.ts'
import { claimColumns, claimFields, forAcknowledgement, writeOnce } from './idempotency.ts'
import type { Pool } from './pool.ts'
import { createRows, idsText, isOneOf } from './reader.ts'
import { createSql, now, nowText, timeTextOf, write, writeOne } from './sql.ts'

const nowOr = (at: string): string => `coalesce(${at}::text, ${nowText})`

/**
 * Places the orders of a batch on animals that are free; of several on one animal the first gets it. An order that
 * would be over already is left out, as is one whose Idempotency-Key was used. A batch skips animals that another
 * statement has locked; `wait` is for one order by itself. Whoever locks the row first finds the animal available;
 * those who waited find it taken.
 */
const place = (wait: boolean): string => `
  WITH wanted AS MATERIALIZED (
    SELECT DISTINCT ON (pet_id) r.*, ${nowOr('r.at')} AS placed_at, coalesce(r.held_until,
      ${timeTextOf(`statement_timestamp() + r.hold_milliseconds * interval '1 ms'`)}) AS ends_at
    FROM json_to_recordset($1::text::json)
      AS r(ord bigint, pet_id bigint, reference text, held_until text, hold_milliseconds bigint, at text,
        changed_by text, ${claimColumns})
    -- The OFFSET keeps it a search in the index for each key, whatever the planner knows of the table.
    WHERE NOT EXISTS (
      SELECT 1 FROM idempotency_records AS a
      WHERE a.key_id = r.key_id AND a.route = r.route AND a.idempotency_key = r.idempotency_key OFFSET 0
    ) AND (r.held_until IS NULL OR r.held_until > ${nowOr('r.at')})
    ORDER BY pet_id, ord
  ), free AS MATERIALIZED (
    SELECT id FROM pets WHERE id = ANY (ARRAY(SELECT pet_id FROM wanted))
      AND status IS NOT DISTINCT FROM 'available' AND held = 0
    FOR NO KEY UPDATE ${wait ? '' : 'SKIP LOCKED'}
  ), held AS (
    UPDATE pets SET status = '${effectOnPet.placed.status}', held = ${effectOnPet.placed.held},
      ${changedBy('wanted.changed_by')}
    FROM wanted WHERE pets.id = ANY (ARRAY(SELECT id FROM free)) AND pets.id = wanted.pet_id RETURNING pet_id
  ), added AS (
    INSERT INTO orders (id, pet_id, status, reference, held_until, created_at, updated_at, changed_by)
    SELECT nextval('order_ids'), pet_id, 'placed', reference, ends_at, placed_at, placed_at, changed_by
    FROM held JOIN wanted USING (pet_id) ORDER BY ord
    RETURNING id, pet_id, doc
  ), recorded AS (
    INSERT INTO idempotency_records (key_id, route, idempotency_key, fingerprint, row_id, json, created_at)
    SELECT key_id, route, idempotency_key, fingerprint, id, doc, ${now}
    FROM added JOIN wanted USING (pet_id) WHERE idempotency_key IS NOT NULL
  )
  SELECT ord, id, doc FROM added JOIN wanted USING (pet_id)`
const placeBatch = place(false)
const placeOne = place(true)

/** The order's row decides, and the animal follows. */
const moveTo = (to: OrderMove): string => `
  WITH moved AS (
    UPDATE orders SET status = '${to}', updated_at = greatest(updated_at, ${nowOr('$2')})${
      to === 'completed' ? `, completed_at = greatest(updated_at, ${nowOr('$2')})` : ''
    }, ${changedBy('$3')}
    WHERE id = $1 AND status = '${stateBefore[to]}'
      ${stateBefore[to] === 'placed' ? `AND NOT ${isOver(nowOr('$2'))}` : ''}
    RETURNING id, doc, pet_id
  ), of_pet AS (
    UPDATE pets SET status = '${effectOnPet[to].status}', held = ${effectOnPet[to].held}, ${changedBy('$3')}
    FROM moved WHERE pets.id = moved.pet_id
  )
  SELECT id, doc FROM moved`
const moves = { completed: moveTo('completed'), cancelled: moveTo('cancelled'), returned: moveTo('returned') }

/** An order that another statement is about to change is left to that one, and to the next call. */
const expire = `
  WITH over AS (
    UPDATE orders SET status = 'expired', updated_at = greatest(updated_at, held_until)
    WHERE id = ANY (ARRAY(
      SELECT id FROM orders WHERE status = 'placed' AND ${isOver(nowText)}
      ORDER BY held_until LIMIT ${expiredMax} FOR NO KEY UPDATE SKIP LOCKED
    )) RETURNING pet_id
  ), of_pet AS (
    UPDATE pets SET status = '${effectOnPet.expired.status}', held = ${effectOnPet.expired.held}
    WHERE id = ANY (ARRAY(SELECT pet_id FROM over))
  )
  SELECT pet_id FROM over`
const nextExpiry = `
  SELECT (extract(epoch FROM held_until::timestamptz) * 1000)::bigint - ${now} AS next_in FROM orders
  WHERE status = 'placed' AND held_until IS NOT NULL ORDER BY held_until LIMIT 1`

interface Wanted extends Placement {
  readonly claim: IdempotencyClaim | undefined
  readonly by: string | undefined
}

export function createOrders(pool: Pool, writesInFlight: number): OrderTable & Waiting {
  const rows = createRows(pool, 'orders')

  async function placeAll(statement: string, items: readonly Wanted[]): Promise<(Rendered | undefined)[]> {
    const wanted = items.map(({ petId, reference, heldUntil, holdMilliseconds, at, claim, by }, ord) => ({
      ord,
      pet_id: String(petId),
      reference,
      held_until: heldUntil,
      hold_milliseconds: holdMilliseconds,
      at,
      changed_by: by,
      ...claimFields(claim),
    }))
    const placed = await write<{ ord: string; id: string; doc: string }>(pool, statement, [JSON.stringify(wanted)])
    const results = new Array<Rendered | undefined>(items.length)
    for (const { ord, id, doc } of placed) results[Number(ord)] = { id: Number(id), json: doc }
    return results
  }
  const batch = createBatcher<Wanted, Rendered | undefined>(writesInFlight, pool, (items) =>
    placeAll(placeBatch, items),
  )
  /** Whether an order could be placed on an animal; undefined if there is none. */
  const isFree = createBatcher<bigint, boolean | undefined>(pool.connections, pool, async (petIds) => {
    const found = await pool.query<{ id: string; free: boolean }>(
      `SELECT id, status = 'available' AND held = 0 AS free FROM pets WHERE ${isOneOf('$1')}`,
      [idsText(petIds)],
    )
    const free = new Map(found.map((pet) => [pet.id, pet.free]))
    return petIds.map((id) => free.get(String(id)))
  })

  async function isPast({ heldUntil, at }: Wanted): Promise<boolean> {
    if (heldUntil === undefined) return false
    return (await pool.query(`SELECT WHERE $1::text <= ${nowOr('$2')}`, [heldUntil, at ?? null])).length > 0
  }

  function placeOnce(item: Wanted): Promise<Outcome> {
    let tries = 0
    return writeOnce(
      pool,
      item.claim,
      async () => (tries++ === 0 ? batch.add(item) : (await placeAll(placeOne, [item]))[0]),
      async () => {
        if (await isPast(item)) return 'invalid_field'
        const free = await isFree.add(item.petId)
        if (free === undefined) return 'unknown_pet'
        // It was locked by another order, which may yet fail.
        return free ? undefined : 'pet_not_available'
      },
    )
  }

  return {
    place: (order, claim, by) => placeOnce({ ...order, claim, by }),
    waiting: batch.waiting,
    async move(id, to, by, at) {
      const moved = await writeOne(pool, moves[to], [String(id), at ?? null, by ?? null])
      if (moved) return { ...moved, replayed: false }
      const [found] = await pool.query<{ doc: string; status: OrderStatus }>(
        `SELECT doc, status FROM orders WHERE id = $1 ${forAcknowledgement}`,
        [String(id)],
      )
      if (!found) return undefined
      return found.status === to ? { id: Number(id), json: found.doc, replayed: true } : 'order_state_conflict'
    },
    update: createUpdate(createSql(pool)),
    async expire() {
      const next = async () => {
        const [row] = await pool.query<{ next_in: string }>(nextExpiry)
        return row && Number(row.next_in)
      }
      const nextIn = await next()
      if (nextIn === undefined || nextIn > 0) return { expired: 0, nextIn }
      const expired = await write(pool, expire, [])
      return { expired: expired.length, nextIn: await next() }
    },
    find: rows.find,
    page: (query) => rows.page(query, orderFilters(query)),
  }
}
