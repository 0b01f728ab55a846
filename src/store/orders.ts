/** Changes to an order that leave its animal alone, in SQL that both databases understand. */
import { changedBy, type Sql } from './shared-sql.ts'
import type { OrderTable } from './store.ts'

/** Whether an order is not held any more; `now` is the time as text, in SQL. */
export const isOver = (now: string): string => `(held_until IS NOT NULL AND held_until <= ${now})`

/** The statement changes nothing, and writes no event, if all is as it is to be; `at` is the time as text, in SQL. */
const update = (at: string): string => `
  UPDATE orders SET reference = coalesce(CAST($2 AS text), reference),
    held_until = CASE CAST($3 AS bigint) WHEN 1 THEN CAST($4 AS text) ELSE held_until END,
    updated_at = CASE
      WHEN updated_at < ${at} AND (
        CAST($2 AS text) <> coalesce(reference, '')
        OR (CAST($3 AS bigint) = 1 AND coalesce(CAST($4 AS text), '') <> coalesce(held_until, ''))
      ) THEN ${at}
      ELSE updated_at
    END, ${changedBy('$6')}
  WHERE id = $1 AND (CAST($7 AS text) IS NULL OR doc = CAST($7 AS text))
    AND (CAST($3 AS bigint) = 0 OR (
      status = 'placed' AND NOT ${isOver(at)} AND (CAST($4 AS text) IS NULL OR CAST($4 AS text) > ${at})
    ))
  RETURNING id, doc`

export function createUpdate({ read, write, nowText }: Sql): OrderTable['update'] {
  const givenOrNow = (place: string) => `coalesce(CAST(${place} AS text), ${nowText})`
  const text = update(givenOrNow('$5'))
  const isPast = `SELECT 1 AS past WHERE CAST($1 AS text) <= ${givenOrNow('$2')}`
  return async (id, { reference, heldUntil }, by, version, at) => {
    const isHeldUntil = Number(heldUntil !== undefined)
    const change = [reference ?? null, isHeldUntil, heldUntil ?? null]
    const [row] = await write([String(id), ...change, at ?? null, by ?? null, version ?? null], text)
    if (row) return { id: Number(id), json: (row as { doc: string }).doc, replayed: false }
    if (heldUntil && (await read(isPast, heldUntil, at ?? null)).length > 0) return 'invalid_field'
    const [found] = (await read('SELECT doc FROM orders WHERE id = $1', String(id))) as { doc: string }[]
    if (found && version !== undefined && found.doc !== version) return 'precondition_failed'
    return found && 'order_state_conflict'
  }
}
