/** Orders in PostgreSQL: one statement decides who gets an animal, or how an order ends. */
import { effectOnPet, type OrderEnd, type OrderStatus } from '../../model/order.ts'
import type { IdempotencyClaim, OrderTable, Outcome, Rendered } from '../store.ts'
import { createBatcher } from './batch.ts'
import { claimColumns, claimFields, claimValues, once, recordClaim } from './idempotency.ts'
import { createIds, nextId, taking } from './ids.ts'
import type { Pool, Query } from './pool.ts'
import { createRows, idsText, isOneOf, write, writeOne } from './rows.ts'

/**
 * Places the orders of a batch on animals that are free; of several on one animal the first gets it. A batch passes over
 * animals that another statement has locked, so that it waits for none; `wait` is for one order by itself. The first to
 * lock the animal's row finds it available; those who waited find it taken. Ids come last, since they keep others waiting.
 */
const place = (wait: boolean): string => `
  WITH wanted AS MATERIALIZED (
    SELECT DISTINCT ON (pet_id) r.* FROM json_to_recordset($1::text::json) AS r(ord bigint, pet_id bigint, at text, ${claimColumns})
    -- The OFFSET keeps it a search in the index for each key, whatever the planner knows of the table.
    WHERE NOT EXISTS (
      SELECT 1 FROM attempts AS a
      WHERE a.key_id = r.key_id AND a.route = r.route AND a.idempotency_key = r.idempotency_key OFFSET 0
    ) ORDER BY pet_id, ord
  ), free AS MATERIALIZED (
    SELECT id FROM pets WHERE id = ANY (ARRAY(SELECT pet_id FROM wanted))
      AND status IS NOT DISTINCT FROM 'available' AND sale IS NULL
    FOR NO KEY UPDATE ${wait ? '' : 'SKIP LOCKED'}
  ), held AS (
    UPDATE pets SET status = '${effectOnPet.placed.status}', sale = '${effectOnPet.placed.sale}'
    WHERE id = ANY (ARRAY(SELECT id FROM free)) RETURNING id AS pet_id
  ), ${taking('orders', '(SELECT count(*) FROM held) > 0')}, added AS (
    INSERT INTO orders (id, pet_id, status, created_at, updated_at)
    SELECT ${nextId('orders')}, pet_id, 'placed', at, at FROM taking, held JOIN wanted USING (pet_id) ORDER BY ord
    RETURNING id, pet_id, doc
  ), recorded AS (
    INSERT INTO attempts (key_id, route, idempotency_key, fingerprint, row_id, json, created_at)
    SELECT key_id, route, idempotency_key, fingerprint, id, doc, wanted.created_at
    FROM added JOIN wanted USING (pet_id) WHERE idempotency_key IS NOT NULL
  )
  SELECT ord, id, doc FROM added JOIN wanted USING (pet_id)`
const placeBatch = place(false)
const placeOne = place(true)

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

interface Placement {
  readonly petId: bigint
  readonly at: string
  readonly claim: IdempotencyClaim | undefined
}

export interface PostgresOrders extends OrderTable {
  /** Resolves when every order begun has been placed or refused. */
  drained(): Promise<void>
  /** Orders that wait for a batch. */
  waiting(): number
}

export function createOrders(pool: Pool, read: Query, writesInFlight: number): PostgresOrders {
  const ids = createIds(pool, 'orders')
  const rows = createRows(pool, read, 'orders', ids)

  async function placeAll(statement: string, items: readonly Placement[]): Promise<(Rendered | undefined)[]> {
    const wanted = items.map(({ petId, at, claim }, ord) => ({ ord, pet_id: String(petId), at, ...claimFields(claim) }))
    const placed = await write<{ ord: string; id: string; doc: string }>(pool, statement, [JSON.stringify(wanted)])
    const results = new Array<Rendered | undefined>(items.length)
    for (const { ord, id, doc } of placed) results[Number(ord)] = { id: Number(id), json: doc }
    return results
  }
  const batch = createBatcher<Placement, Rendered | undefined>(writesInFlight, pool, (items) =>
    placeAll(placeBatch, items),
  )
  /** Whether an order could be placed on an animal; undefined if there is none. */
  const isFree = createBatcher<bigint, boolean | undefined>(pool.connections, pool, async (petIds) => {
    const found = await pool.query<{ id: string; free: boolean }>(
      `SELECT id, status = 'available' AND sale IS NULL AS free FROM pets WHERE ${isOneOf('$1')}`,
      [idsText(petIds)],
    )
    const free = new Map(found.map((pet) => [pet.id, pet.free]))
    return petIds.map((id) => free.get(String(id)))
  })

  function placeOnce(item: Placement): Promise<Outcome> {
    let tries = 0
    return once(
      pool,
      item.claim,
      async () => (tries++ === 0 ? batch.add(item) : (await placeAll(placeOne, [item]))[0]),
      async () => {
        const free = await isFree.add(item.petId)
        if (free === undefined) return 'unknown_pet'
        // It was locked, by a buyer who may not get it.
        return free ? undefined : 'pet_not_available'
      },
    )
  }

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
    place: (petId, at, claim) => ids.shown(placeOnce({ petId, at, claim })),
    drained: ids.drained,
    waiting: () => batch.waiting,
    end,
    find: rows.find,
    async page({ after, limit, status, petId }) {
      if (petId === undefined) return rows.page(after, limit, { equal: [['status', status]] })
      const equal = [['pet_id', String(petId)]] as const
      // At most one order on an animal is not cancelled, and it has an index of its own.
      if (status === undefined) return rows.page(after, limit, { equal })
      if (status === 'cancelled') return rows.page(after, limit, { equal, also: `status = 'cancelled'` })
      const found = await read<{ doc: string }>(
        `SELECT doc FROM orders WHERE pet_id = $1 AND status = '${status}' AND id > $2`,
        [String(petId), after],
      )
      return { json: `[${found.map(({ doc }) => doc).join()}]`, next: undefined }
    },
  }
}
