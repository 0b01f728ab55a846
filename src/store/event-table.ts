/** The part of a store for events. */
import type { EventPosition, EventType } from '../model/event.ts'

interface EventQuery {
  readonly after: EventPosition
  readonly limit: number
  readonly types?: readonly EventType[] | undefined
  /** Events of this animal and of orders on it. */
  readonly petId?: bigint | undefined
}

export interface StoredEvent extends EventPosition {
  readonly json: string
  readonly type: EventType
  /** The animal of an order. */
  readonly petId: number | undefined
}

export interface EventPage {
  readonly events: readonly StoredEvent[]
  /** Where the next page begins: after the last event that was examined. Never before `after`. */
  readonly position: EventPosition
}

/**
 * Every change of an animal, an order or the name of a category, written by the database in the transaction of the
 * change. No event appears later below an id that was read.
 */
export interface EventTable {
  /** The last event. All events before it are visible. */
  present(): Promise<EventPosition>
  /** The position before the oldest event that is kept. */
  oldest(): Promise<EventPosition>
  /** The position before the first event at or after a time, in milliseconds since 1970; the last if all are older. */
  positionBefore(time: number): Promise<EventPosition>
  /** The position of an event, found by only its id. After a restore, the id may have belonged to another event. */
  positionOf(id: number): Promise<EventPosition | 'events_expired'>
  /**
   * Examines a limited number of events: with filters, a page may be short or empty though more follow; there are none
   * if its position is `after`. Code: events_expired if events after `after` were removed, or if `after` is no event of
   * this database.
   */
  page(query: EventQuery): Promise<EventPage | 'events_expired'>
  /**
   * Calls `onChange` soon after a commit. There may be needless calls, and commits of other processes may cause no
   * call. Returns a function that ends this.
   */
  watch(onChange: () => void): () => void
  /** Removes events that are older, by the clock of the database, and their deliveries. */
  purge(olderThanMilliseconds: number): Promise<void>
}
