/** Reads events, which triggers write, in SQL that both databases understand. */
import type { EventPosition, EventType } from '../model/event.ts'
import type { Time } from '../time.ts'
import type { Commits } from './commits.ts'
import type { EventPage, EventTable, StoredEvent } from './event-table.ts'
import type { Sql } from './shared-sql.ts'

/** The parts that differ between the databases. */
export interface EventSource extends Pick<EventTable, 'purge'> {
  /** An id up to which all events are visible. */
  horizon(): Promise<number>
  /** The commits of this process. */
  readonly commits: Pick<Commits, 'watch'>
  /** Whether no other process can write. */
  readonly isPrivate?: boolean
}

/** How often to poll for events of other processes, which takes PostgreSQL 0.2 ms. */
const pollMilliseconds = 100

/** SQLite returns integers as numbers, PostgreSQL as texts. */
interface EventRow {
  readonly id: number | string
  readonly at: number | string
  readonly type: EventType | null
  readonly pet_id: number | string | null
  readonly data: string
  readonly by: string | null
}

/**
 * A page with filters examines three events for each that is wanted and, if too few match, 10,000, which takes up to 7
 * ms.
 */
const examinedPerEvent = 3
const examinedMax = 10_000

/** Transactions that run at the same time may give their events times that are not in the order of the ids. */
const disorderMilliseconds = 1_000

/**
 * Whether no event after the position was removed: it is the last that was removed, or an event above that. SQLite
 * would make a join of EXISTS alone, and sort all that follows.
 */
const isKnown = `EXISTS (SELECT 1 FROM events_purged WHERE (id = $1 AND at = $2)
  OR (id < $1 AND EXISTS (SELECT 1 FROM events WHERE id = $1 AND at = $2))) IS TRUE`
const inRange = 'id > $1 AND id <= $3'

/**
 * Returns no rows if the position is not known. That is one statement, so that no purge can come between the check and
 * the read.
 */
const page = `SELECT id, at, type, pet_id, data, by FROM events WHERE ${inRange} AND ${isKnown} ORDER BY id LIMIT $4`

/** The last row is the last event that was examined, without its type. */
const filteredPage = (conditions: readonly string[]): string => `
  WITH examined AS MATERIALIZED (
    SELECT id, at, type, pet_id FROM events WHERE ${inRange} AND ${isKnown} ORDER BY id LIMIT $5
  ), found AS (
    SELECT id FROM examined WHERE ${conditions.join(' AND ')} ORDER BY id LIMIT $4
  )
  SELECT events.id AS id, events.at AS at, type, pet_id, data, by
  FROM found JOIN events ON events.id = found.id
  UNION ALL
  SELECT * FROM (
    SELECT id, at, NULL, CAST(NULL AS bigint), NULL, NULL FROM examined ORDER BY id DESC LIMIT 1
  ) AS last_one
  ORDER BY 1`

const following = 'SELECT id, at FROM events WHERE id > $1 AND id <= $2'

export function createEvents({ read, oneOf }: Sql, source: EventSource, time: Time): EventTable {
  const { horizon, purge } = source
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
    /**
     * This is found by bisection, because times rise with the ids. An index of the times would slow down every write.
     */
    async positionBefore(time) {
      const last = await horizon()
      let before = await oldest()
      for (let end = last; before.id < end; ) {
        const middle = Math.floor((before.id + end) / 2)
        const next = positionIn(await read(`${following} ORDER BY id LIMIT 1`, middle, last))
        if (next && next.at < time - disorderMilliseconds) before = next
        else end = middle
      }
      const first = positionIn(await read(`${following} AND at >= $3 ORDER BY id LIMIT 1`, before.id, last, time))
      return (await lastUpTo(first ? first.id - 1 : last)) ?? before
    },
    async positionOf(id) {
      const [last, purged, found] = [await horizon(), await oldest(), await lastUpTo(id)]
      // Another instance may have shown an event that is beyond the horizon of this one.
      if (id < purged.id || (id > last && id !== found?.id)) return 'events_expired'
      return found ?? purged
    },
    async page({ after, limit, types, petId }) {
      const values: (string | number)[] = [after.id, after.at, await horizon(), limit]
      const others: string[] = []
      const conditions: string[] = []
      if (types) conditions.push(`type IN ${oneOf(`$${5 + others.push(JSON.stringify(types))}`)}`)
      if (petId !== undefined) conditions.push(`pet_id = $${5 + others.push(String(petId))}`)
      const examine = async (count: number) =>
        (await read(filteredPage(conditions), ...values, count, ...others)) as readonly EventRow[]
      const few = limit * examinedPerEvent
      let rows = conditions.length > 0 ? await examine(few) : ((await read(page, ...values)) as readonly EventRow[])
      // The page is not full though all of `few` events were examined: matching events are rare.
      const isRare = rows.length <= limit && Number(rows.at(-1)?.id ?? after.id) - after.id >= few
      if (conditions.length > 0 && isRare) rows = await examine(examinedMax)
      if (rows.length === 0 && !(await isStillKnown(after))) return 'events_expired'
      return eventPage(rows, after, limit)
    },
    watch: createWatch(source, time),
    purge,
  }
}

/**
 * Calls watchers after every commit of this process. While there are watchers, one loop polls for events of other
 * processes.
 */
function createWatch({ horizon, commits, isPrivate = false }: EventSource, time: Time): EventTable['watch'] {
  const watchers = new Set<() => void>()
  let stopPolling = () => {}

  function startPolling(): () => void {
    let known: number | undefined
    let cancel = () => {}
    let isStopped = false
    async function poll(): Promise<void> {
      // The next reader gets the error.
      const last = await horizon().catch(() => known)
      if (isStopped) return
      if (known !== undefined && last !== known) for (const onChange of watchers) onChange()
      known = last
      cancel = time.after(pollMilliseconds, poll)
    }
    poll()
    return () => {
      isStopped = true
      cancel()
    }
  }

  return (onChange) => {
    const stop = commits.watch(onChange)
    watchers.add(onChange)
    if (watchers.size === 1 && !isPrivate) stopPolling = startPolling()
    return () => {
      stop()
      if (watchers.delete(onChange) && watchers.size === 0) stopPolling()
    }
  }
}

function eventPage(rows: readonly EventRow[], after: EventPosition, limit: number): EventPage {
  const events: StoredEvent[] = []
  for (const { id, at, type, pet_id, data, by } of rows) {
    if (type === null) continue
    const time = new Date(Number(at)).toISOString()
    const byMember = by === null ? '' : `"by":${JSON.stringify(by)},`
    events.push({
      id: Number(id),
      at: Number(at),
      type,
      petId: pet_id === null ? undefined : Number(pet_id),
      json: `{"id":${id},"type":"${type}","at":"${time}",${byMember}"data":${data}}`,
    })
  }
  // A full page ends with its last event, though more were examined.
  const last = events.length === limit ? events.at(-1) : rows.at(-1)
  return { events, position: last ? { id: Number(last.id), at: Number(last.at) } : after }
}
