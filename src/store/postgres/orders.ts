/** Orders in PostgreSQL. New ones are placed in batches. */
import { statusOfPet } from '../../model/order.ts'
import { storedWordsOf } from '../../model/words.ts'
import { orderFilters } from '../filters.ts'
import { createOrderChanges, createOrderCounts, createPlace } from '../orders.ts'
import type { SearchLimits } from '../search.ts'
import { changedBy } from '../shared-sql.ts'
import type { IdempotencyClaim, OrderTable, Outcome, Placement, Rendered } from '../store.ts'
import { createBatcher, type Waiting } from './batch.ts'
import { isTaken } from './errors.ts'
import { claimColumns, claimFields, claimKey, inProgress, once } from './idempotency.ts'
import type { Pool } from './pool.ts'
import { createRows } from './reader.ts'
import { createSearch } from './search.ts'
import { counted, createSql, now, nowText, timeTextOf } from './sql.ts'

/**
 * Places the orders of a batch on animals that are available; of several on one animal the first gets it. `ord` is the
 * position in the batch. Left out are orders on animals that another transaction has locked, orders whose time has
 * passed, and those whose Idempotency-Key was used before.
 */
const placeBatch = `
  WITH wanted AS MATERIALIZED (
    SELECT DISTINCT ON (pet_id) r.*, ${nowText} AS placed_at, coalesce(r.held_until,
      ${timeTextOf(`statement_timestamp() + r.hold_milliseconds * interval '1 ms'`)}
    ) AS ends_at
    FROM json_to_recordset($1::text::json)
      AS r(ord bigint, pet_id bigint, reference text, words text, held_until text, hold_milliseconds bigint,
        changed_by text, ${claimColumns})
    -- The OFFSET keeps it a search in the index for each key, whatever the planner knows of the table.
    WHERE NOT EXISTS (
      SELECT 1 FROM idempotency_records AS a
      WHERE a.key_id = r.key_id AND a.route = r.route AND a.idempotency_key = r.idempotency_key OFFSET 0
    ) AND (r.held_until IS NULL OR r.held_until > ${nowText})
    ORDER BY pet_id, ord
  ), available AS MATERIALIZED (
    SELECT id FROM pets WHERE id = ANY (ARRAY(SELECT pet_id FROM wanted)) AND status IS NOT DISTINCT FROM 'available'
    FOR NO KEY UPDATE SKIP LOCKED
  ), reserved AS (
    UPDATE pets SET status = '${statusOfPet.placed}', ${changedBy('wanted.changed_by')}
    FROM wanted WHERE pets.id = ANY (ARRAY(SELECT id FROM available)) AND pets.id = wanted.pet_id RETURNING pet_id
  ), added AS (
    INSERT INTO orders (id, pet_id, status, reference, words, held_until, created_at, updated_at, changed_by)
    SELECT nextval('order_ids'), pet_id, 'placed', reference, words, ends_at, placed_at, placed_at, changed_by
    FROM reserved JOIN wanted USING (pet_id) ORDER BY ord
    RETURNING id, pet_id, doc
  ), recorded AS (
    INSERT INTO idempotency_records (key_id, route, idempotency_key, fingerprint, row_id, json, created_at)
    SELECT key_id, route, idempotency_key, fingerprint, id, doc, ${now}
    FROM added JOIN wanted USING (pet_id) WHERE idempotency_key IS NOT NULL ORDER BY ${claimKey}
  )
  SELECT ord, id, doc FROM added JOIN wanted USING (pet_id)`

interface Wanted extends Placement {
  readonly claim: IdempotencyClaim | undefined
  readonly by: string | undefined
}

export function createOrders(pool: Pool, writesInFlight: number, limits?: SearchLimits): OrderTable & Waiting {
  const rows = createRows(pool, 'orders')
  const search = createSearch(pool, 'orders', limits)
  const sql = createSql(pool)
  const place = createPlace(sql)
  /** Undefined if the order was left out. */
  const batch = createBatcher<Wanted, Rendered | undefined>(writesInFlight, pool, async (items) => {
    const wanted = items.map(({ petId, reference, heldUntil, holdMilliseconds, claim, by }, ord) => ({
      ord,
      pet_id: String(petId),
      reference,
      words: storedWordsOf(reference),
      held_until: heldUntil,
      hold_milliseconds: holdMilliseconds,
      changed_by: by,
      ...claimFields(claim),
    }))
    const placed = await counted(
      pool,
      () => pool.write<{ ord: string; id: string; doc: string }>(placeBatch, [JSON.stringify(wanted)]),
      ({ length }) => length,
    )
    const results = new Array<Rendered | undefined>(items.length)
    for (const { ord, id, doc } of placed) results[Number(ord)] = { id: Number(id), json: doc }
    return results
  })

  /** An order that its batch left out is placed in its own transaction, which waits for locks, and knows the reason. */
  async function placeOnce(item: Wanted): Promise<Outcome> {
    const placed = await batch.add(item).catch((error) => {
      // Another request has just used its Idempotency-Key, or placed an order on its animal.
      if (isTaken(error)) return undefined
      throw error
    })
    if (placed) return { ...placed, replayed: false }
    return sql.transaction(() => once(item.claim, () => place(item, item.by)))
  }

  return {
    ...createOrderChanges(sql),
    ...createOrderCounts(sql),
    place: (order, claim, by) => placeOnce({ ...order, claim, by }).catch(inProgress),
    waiting: batch.waiting,
    find: rows.find,
    page(query) {
      const filters = orderFilters(query)
      return query.search ? search(query, query.search, filters) : rows.page(query, filters)
    },
  }
}
