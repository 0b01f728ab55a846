/** The life of an order, in SQL that both databases understand. */
import { OrderStatus, stateBefore, statusOfPet } from '../model/order.ts'
import { storedWordsOf } from '../model/words.ts'
import { timeText } from '../time.ts'
import { changedBy, itemAt, query, type Sql, type Steps } from './shared-sql.ts'
import { expiredMax, type OrderTable, type Placement, type Refusal, type Rendered } from './store.ts'

/** SQLite returns integers as numbers, PostgreSQL as texts. */
interface Row {
  readonly id: number | string
  readonly doc: string
}

interface LockedRow extends Row {
  readonly status: OrderStatus
  readonly pet_id: number | string
  readonly reference: string | null
  readonly held_until: string | null
}

const renderedOf = ({ id, doc }: Row): Rendered => ({ id: Number(id), json: doc })

/** The later of two times. */
const later = (one: string, other: string): string => `CASE WHEN ${one} < ${other} THEN ${other} ELSE ${one} END`

const setPetStatus = `UPDATE pets SET status = $2, ${changedBy('$3')} WHERE id = $1`

/** The time by the clock of the database. */
function* timeOf({ nowText }: Sql): Steps<string> {
  const [clock] = yield* query<{ now: string }>(`SELECT ${nowText} AS now`)
  return (clock as { now: string }).now
}

const isHeld = `orders.status = 'placed' AND held_until IS NOT NULL`

/** This is one statement, so all counts are of one moment. PostgreSQL stores several rows for each count. */
export function createOrderCounts({ read, nowText, tomorrowText }: Sql): Pick<OrderTable, 'counts'> {
  const states = OrderStatus.enum.map((status) => `coalesce(sum(${status}), 0) AS ${status}`)
  const dueToday = `
    SELECT count(*) FROM orders WHERE ${isHeld} AND held_until > ${nowText} AND held_until <= ${tomorrowText}`
  const select = `SELECT ${states.join()}, (${dueToday}) AS "dueToday" FROM order_counts`
  return {
    async counts() {
      const [row] = await read<Record<string, number | string>>(select)
      return `{${Object.entries(row ?? {}).map(([name, count]) => `"${name}":${count}`)}}`
    },
  }
}

/** Places an order on an animal that is available: the steps of a transaction. */
export function createPlace(sql: Sql) {
  // One statement decides who gets the animal. It waits for whoever else is changing it.
  const reserve = `
    UPDATE pets SET status = '${statusOfPet.placed}', ${changedBy('$2')}
    WHERE id = $1 AND status = 'available' AND (CAST($3 AS text) IS NULL OR $3 > ${sql.nowText})
    RETURNING ${sql.nowText} AS now`
  const findReason = `SELECT ${sql.nowText} AS now, (SELECT id FROM pets WHERE id = $1) AS pet`
  const insert = `
    INSERT INTO orders (id, pet_id, status, reference, words, held_until, created_at, updated_at, changed_by)
    VALUES (${sql.nextId('orders')}, $1, 'placed', $2, $6, $3, $4, $4, $5) RETURNING id, doc`

  return function* place(order: Placement, by: string | undefined): Steps<Rendered | Refusal> {
    const { heldUntil, holdMilliseconds } = order
    const id = String(order.petId)
    const [reserved] = yield* query<{ now: string }>(reserve, id, by ?? null, heldUntil ?? null)
    if (!reserved) {
      const [reason] = yield* query<{ now: string; pet: number | string | null }>(findReason, id)
      if (heldUntil !== undefined && heldUntil <= (reason?.now ?? '')) return 'invalid_field'
      return reason?.pet === null ? 'unknown_pet' : 'pet_not_available'
    }
    const at = reserved.now
    const byDefault = holdMilliseconds === undefined ? null : timeText(Date.parse(at) + holdMilliseconds)
    const values = [id, order.reference ?? null, heldUntil ?? byDefault, at, by ?? null]
    const [placed] = yield* query<Row>(insert, ...values, storedWordsOf(order.reference))
    return renderedOf(placed as Row)
  }
}

export function createOrderChanges(sql: Sql): Pick<OrderTable, 'move' | 'update' | 'expire'> {
  const lock = `SELECT id, doc, status, pet_id, reference, held_until FROM orders WHERE id = $1 ${sql.forUpdate}`
  const changedAt = later('updated_at', 'CAST($3 AS text)')
  const move = `
    UPDATE orders SET status = $2, updated_at = ${changedAt},
      completed_at = CASE WHEN $2 = 'completed' THEN ${changedAt} ELSE completed_at END, ${changedBy('$4')}
    WHERE id = $1 RETURNING id, doc`
  const update = `
    UPDATE orders SET reference = $2, words = $6, held_until = $5, ${changedBy('$4')},
      updated_at = CASE
        WHEN reference IS NOT DISTINCT FROM $2 AND held_until IS NOT DISTINCT FROM $5 THEN updated_at
        ELSE ${changedAt}
      END
    WHERE id = $1 RETURNING id, doc`
  /**
   * Locks orders whose time has passed, together with their animals. Orders that others have locked are left for later.
   */
  const lockDue = `
    SELECT orders.id AS id, pet_id FROM orders JOIN pets ON pets.id = pet_id
    WHERE ${isHeld} AND held_until <= ${sql.nowText}
    ORDER BY held_until LIMIT ${expiredMax} ${sql.forUpdateSkipLocked}`
  /** The items of the list are the ids of an order and its animal. */
  const isListed = (index: 0 | 1): string => `id IN (SELECT ${itemAt(index, 'bigint')} FROM ${sql.listed('$1')})`
  const endOrders = `
    UPDATE orders SET status = 'expired', updated_at = ${later('updated_at', 'held_until')}, ${changedBy('NULL')}
    WHERE ${isListed(0)}`
  const freePets = `UPDATE pets SET status = '${statusOfPet.expired}', ${changedBy('NULL')} WHERE ${isListed(1)}`
  const findNextDue = `SELECT held_until, ${sql.nowText} AS now FROM orders WHERE ${isHeld} ORDER BY held_until LIMIT 1`

  async function nextIn(): Promise<number | undefined> {
    const [next] = await sql.read<{ held_until: string; now: string }>(findNextDue)
    return next && Date.parse(next.held_until) - Date.parse(next.now)
  }

  const isPlacedAt = ({ status, held_until }: LockedRow, at: string): boolean =>
    status === 'placed' && (held_until === null || held_until > at)

  return {
    move: (id, to, by) =>
      sql.transaction(function* () {
        const [order] = yield* query<LockedRow>(lock, String(id))
        if (!order) return undefined
        // This is checked after the wait for the lock, during which its time may have passed.
        const at = yield* timeOf(sql)
        if (order.status === to) return { ...renderedOf(order), replayed: true }
        const isPossible = stateBefore[to] === 'placed' ? isPlacedAt(order, at) : order.status === stateBefore[to]
        if (!isPossible) return 'order_state_conflict'
        const [moved] = yield* query<Row>(move, String(id), to, at, by ?? null)
        yield* query(setPetStatus, order.pet_id, statusOfPet[to], by ?? null)
        return { ...renderedOf(moved as Row), replayed: false }
      }),

    update: (id, { reference, heldUntil }, by, version) =>
      sql.transaction(function* () {
        const [order] = yield* query<LockedRow>(lock, String(id))
        const at = yield* timeOf(sql)
        if (typeof heldUntil === 'string' && heldUntil <= at) return 'invalid_field'
        if (!order) return undefined
        if (version !== undefined && version !== order.doc) return 'precondition_failed'
        if (heldUntil !== undefined && !isPlacedAt(order, at)) return 'order_state_conflict'
        const until = heldUntil === undefined ? order.held_until : heldUntil
        const named = reference ?? order.reference
        const values = [String(id), named, at, by ?? null, until, storedWordsOf(named)]
        const [changed] = yield* query<Row>(update, ...values)
        return { ...renderedOf(changed as Row), replayed: false }
      }),

    async expire() {
      const next = await nextIn()
      if (next === undefined || next > 0) return { expired: 0, nextIn: next }
      const expired = await sql.transaction(function* () {
        const due = yield* query<Pick<LockedRow, 'id' | 'pet_id'>>(lockDue)
        if (due.length === 0) return 0
        const ids = JSON.stringify(due.map(({ id, pet_id }) => [String(id), String(pet_id)]))
        yield* query(endOrders, ids)
        yield* query(freePets, ids)
        return due.length
      })
      return { expired, nextIn: await nextIn() }
    },
  }
}
