/** Pages of events, alike on both databases. */
import type { EventType } from '../model/event.ts'
import type { EventPage, EventQuery, StoredEvent } from './store.ts'

/** The columns of an event, as each database has them. */
export type EventRow = readonly [
  id: number | string,
  type: EventType,
  petId: number | string | null,
  at: number | string,
  data: string,
]

/** How many events a page looks at, so that one with filters does not look at all there are; it takes up to 2 ms. */
export const lookedAtMax = 10_000

/** The page, from its rows, which end at the limit or at `bound`, the last event that was looked at. */
export function eventPageOf(rows: readonly EventRow[], { limit }: EventQuery, bound: number): EventPage {
  const events = rows.map(eventOf)
  return { events, position: events.length === limit ? (events.at(-1) as StoredEvent).id : bound }
}

const eventOf = ([id, type, petId, at, data]: EventRow): StoredEvent => ({
  id: Number(id),
  type,
  petId: petId === null ? undefined : Number(petId),
  json: `{"id":${id},"type":"${type}","at":"${new Date(Number(at)).toISOString()}","data":${data}}`,
})
