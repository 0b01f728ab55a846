/** Reading the events, which triggers write, in SQL that both databases understand. */
import type { EventPosition, EventType } from '../model/event.ts'
import type { Sql } from './sql.ts'
import type { EventPage, EventTable, StoredEvent } from './store.ts'

/** What differs between the databases. */
export interface EventSource extends Pick<EventTable, 'watch' | 'purge'> {
  /** An id up to which all events are visible, and none is still to come. */
  horizon(): Promise<number>
}

/** Integers are numbers, or texts. */
interface EventRow {
  readonly id: number | string
  readonly at: number | string
  readonly type: EventType | null
  readonly pet_id: number | string | null
  readonly data: string
}

/** How many events a page with filters looks at, of all there are; it takes up to 7 ms, so it first looks at a few for each that is wanted. */
const lookedAtMax = 10_000
const lookedAtFirst = 3

/**
 * Whether a position is that of an event that is there and after which none was removed, or was the last to be removed: where
 * times are not in order, as after a clock was off, PostgreSQL removes events from between others.
 */
const isKnown = `EXISTS (SELECT 1 FROM events_purged WHERE (id = $1 AND at = $2)
  OR (id < $1 AND EXISTS (SELECT 1 FROM events WHERE id = $1 AND at = $2)))`
const inRange = 'id > $1 AND id <= $3'

/** No rows at all if the position is not known: one statement sees both as they are at one moment. */
const page = `SELECT id, at, type, pet_id, data FROM events WHERE ${inRange} AND ${isKnown} ORDER BY id LIMIT $4`

/** Has a last row without a type: the last event that was looked at. */
const filteredPage = (conditions: readonly string[]): string => `
  WITH looked_at AS MATERIALIZED (
    SELECT id, at, type, pet_id FROM events WHERE ${inRange} AND ${isKnown} ORDER BY id LIMIT $5
  ), found AS (
    SELECT id, at FROM looked_at WHERE ${conditions.join(' AND ')} ORDER BY id LIMIT $4
  )
  SELECT events.id AS id, events.at AS at, type, pet_id, data FROM found JOIN events ON events.id = found.id AND events.at = found.at
  UNION ALL SELECT * FROM (SELECT id, at, NULL, CAST(NULL AS bigint), NULL FROM looked_at ORDER BY id DESC LIMIT 1) AS last_one
  ORDER BY 1`

export function createEvents({ read, oneOf }: Sql, { horizon, watch, purge }: EventSource): EventTable {
  const positionIn = (rows: readonly object[]): EventPosition | undefined => {
    const [row] = rows as readonly EventRow[]
    return row && { id: Number(row.id), at: Number(row.at) }
  }
  const oldest = async () => positionIn(await read('SELECT id, at FROM events_purged')) as EventPosition
  const lastUpTo = async (id: number) =>
    positionIn(
      await read(
        'SELECT id, at FROM events WHERE id <= $1 AND id > (SELECT id FROM events_purged) ORDER BY id DESC LIMIT 1',
        id,
      ),
    )

  async function isStillKnown({ id, at }: EventPosition): Promise<boolean> {
    return (await read(`SELECT 1 AS known WHERE ${isKnown}`, id, at)).length > 0
  }

  return {
    oldest,
    present: async () => (await lastUpTo(await horizon())) ?? oldest(),
    async positionOf(id) {
      const [last, purged] = [await horizon(), await oldest()]
      return id < purged.id || id > last ? 'events_expired' : ((await lastUpTo(id)) ?? purged)
    },
    async page({ after, limit, types, petId }) {
      const values: (string | number)[] = [after.id, after.at, await horizon(), limit]
      const others: string[] = []
      const conditions: string[] = []
      if (types) conditions.push(`type IN ${oneOf(`$${5 + others.push(JSON.stringify(types))}`)}`)
      if (petId !== undefined) conditions.push(`pet_id = $${5 + others.push(String(petId))}`)
      const look = async (count: number) =>
        (await read(filteredPage(conditions), ...values, count, ...others)) as readonly EventRow[]
      const few = limit * lookedAtFirst
      let rows = conditions.length > 0 ? await look(few) : ((await read(page, ...values)) as readonly EventRow[])
      // Not full, although so many were there: what matches is rare.
      const isRare = rows.length <= limit && Number(rows.at(-1)?.id ?? after.id) - after.id >= few
      if (conditions.length > 0 && isRare) rows = await look(lookedAtMax)
      if (rows.length === 0 && !(await isStillKnown(after))) return 'events_expired'
      return pageOf(rows, after, limit)
    },
    watch,
    purge,
  }
}

function pageOf(rows: readonly EventRow[], after: EventPosition, limit: number): EventPage {
  const events: StoredEvent[] = []
  for (const { id, at, type, pet_id, data } of rows) {
    if (type === null) continue
    const time = new Date(Number(at)).toISOString()
    events.push({
      id: Number(id),
      at: Number(at),
      type,
      petId: pet_id === null ? undefined : Number(pet_id),
      json: `{"id":${id},"type":"${type}","at":"${time}","data":${data}}`,
    })
  }
  // A page that is full ends with its last event, though more were looked at.
  const last = events.length === limit ? events.at(-1) : rows.at(-1)
  return { events, position: last ? { id: Number(last.id), at: Number(last.at) } : after }
}
