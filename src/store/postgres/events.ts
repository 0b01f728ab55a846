/** Events in PostgreSQL, which triggers write (see migrations.ts). They are read from the primary, up to the horizon of their ids. */
import { type EventRow, eventPageOf, lookedAtMax } from '../events.ts'
import type { EventTable } from '../store.ts'
import { createIds } from './ids.ts'
import type { Pool } from './pool.ts'

/** Any number that only this program uses: of instances that purge at the same time, one does it. */
const purgeLock = 7_738_753_972
/** So many that a statement takes about 50 ms. */
const purgeRows = 10_000

const purgedTo = 'coalesce((SELECT purged_to FROM events_purged), 0)'

/**
 * In one snapshot with what was purged: $1 is the start, $2 the end, $3 the types, $4 the animal, $5 the limit. The inner
 * limit keeps it a scan of the index that ends with the page, whatever the planner knows of the table.
 */
const page = `
  SELECT ${purgedTo} AS purged_to, event_ids.last_value AS last, page.*
  FROM event_ids LEFT JOIN (
    SELECT id, type, pet_id, at, data
    FROM (SELECT * FROM events WHERE id > $1::bigint ORDER BY id LIMIT ${lookedAtMax}) AS events
    WHERE id <= $2::bigint
      AND ($3::text IS NULL OR type = ANY (string_to_array($3, ','))) AND ($4::bigint IS NULL OR pet_id = $4)
    ORDER BY id LIMIT $5::bigint
  ) AS page ON true ORDER BY id`

/** Only what comes before every event that is kept: of times that are not in order, the later ones keep the earlier. */
const purge = `
  WITH portion AS MATERIALIZED (
    SELECT id, at FROM events WHERE id > ${purgedTo} AND id <= $2::bigint AND (SELECT pg_try_advisory_xact_lock(${purgeLock}))
    ORDER BY id LIMIT ${purgeRows}
  ), cut AS MATERIALIZED (
    SELECT coalesce(min(id) FILTER (WHERE at >= $1::bigint) - 1, max(id)) AS last FROM portion
  ), removed AS (
    DELETE FROM events WHERE id > ${purgedTo} AND id <= (SELECT last FROM cut) RETURNING id
  ), noted AS (
    INSERT INTO events_purged AS kept (purged_to) SELECT max(id) FROM removed HAVING count(*) > 0
    ON CONFLICT (id) DO UPDATE SET purged_to = greatest(kept.purged_to, excluded.purged_to)
  )
  SELECT count(*) AS rows FROM removed`

interface PageRow {
  readonly purged_to: string
  readonly last: string
  readonly id: string | null
  readonly type: EventRow[1]
  readonly pet_id: string | null
  readonly at: string
  readonly data: string
}

export function createEvents(pool: Pool, watch: EventTable['watch']): EventTable {
  const ids = createIds(pool, 'events')

  return {
    present: ids.read,
    async oldest() {
      const [row] = await pool.query<{ purged_to: string }>(`SELECT ${purgedTo} AS purged_to`)
      return Number(row?.purged_to)
    },
    async page(query) {
      const { after, limit, types, petId } = query
      const end = after + lookedAtMax
      const horizon = ids.known() >= end ? end : await ids.read()
      // What another instance has shown may be ahead of what this one knows.
      const bound = Math.max(after, Math.min(end, horizon))
      const rows = await pool.query<PageRow>(page, [
        after,
        bound,
        types?.join() ?? null,
        petId === undefined ? null : String(petId),
        limit,
      ])
      const [first] = rows
      if (after < Number(first?.purged_to) || after > Number(first?.last)) return 'events_expired'
      const found = rows.flatMap(({ id, type, pet_id, at, data }): EventRow[] =>
        id === null ? [] : [[id, type, pet_id, at, data]],
      )
      return eventPageOf(found, query, bound)
    },
    watch,
    async purge(before) {
      const horizon = await ids.read()
      let rows: number
      do rows = Number((await pool.query<{ rows: string }>(purge, [before, horizon]))[0]?.rows)
      while (rows === purgeRows)
    },
  }
}
