/** Events: the feed as a list, and the stream, with the feed in its place where it does not come through. */

import { isTransient } from './answer.ts'
import { PetStoreError } from './errors.ts'
import { parseJson } from './json.ts'
import { List, type PageOptions } from './list.ts'
import type { CallOptions } from './options.ts'
import type { Transport } from './transport.ts'
import type { Event, EventType } from './types.ts'

/** Which events, and where to begin. */
export interface EventFilter extends Pick<PageOptions, 'cursor'> {
  readonly type?: readonly EventType[] | undefined
  /** Of this animal, and of orders on it. */
  readonly petId?: bigint | undefined
  /**
   * Instead of a cursor: `positionOf` the last event that was handled, or what a stream has sent as its `id`. The `id`
   * of the event
   * alone will do, but does not tell whether the service has lost the event since, and given its id to another one.
   */
  readonly after?: bigint | string | undefined
}
export interface EventListFilter extends EventFilter, PageOptions {
  /**
   * Begin with what is to come: the page is empty, and its `next` is the present, for the same `type` and `petId` only:
   * to `follow` some types from there, name them here.
   */
  readonly from?: 'now' | undefined
  /** Begin with the first event at or after this time, in RFC 3339 such as `new Date().toISOString()`. */
  readonly since?: string | undefined
}
export interface FollowOptions extends CallOptions {
  /**
   * Told of each stream that was cut off, and each time that neither the stream nor the feed could be read; what it
   * throws ends the loop.
   */
  readonly onError?: ((error: PetStoreError) => void) | undefined
}
/** Where to continue; changed by every event. */
interface Place {
  start: Pick<EventListFilter, 'after' | 'cursor' | 'from'>
}

/** Where an event is in the feed; to go on after it, pass this as `after`. */
export const positionOf = ({ id, at }: Pick<Event, 'id' | 'at'>): string => `${id}-${Date.parse(at).toString(36)}`

/** How often the feed is asked, in about four minutes, until the stream is tried again. */
const pollsMax = 64

export class Events {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /**
   * All events that are kept, the oldest first: use `for await` for those until now, `.page()` for one page, which
   * always has a `next`.
   */
  list(filter?: EventListFilter, options?: CallOptions): List<Event> {
    return new List(this.#transport, '/events', { ...filter }, options)
  }

  /**
   * Events as they happen, each once and in order, from the present on unless told where to begin. It connects again by
   * itself, whatever lasts, until the loop is left or the signal is aborted. A `GoneError` with the code
   * `events_expired` means that
   * events after the beginning were removed: start over.
   */
  async *follow({ after, cursor, ...filter }: EventFilter = {}, options: FollowOptions = {}): AsyncGenerator<Event> {
    const place: Place = { start: { after, cursor } }
    for (let failures = 0; ; ) {
      const isAlive = yield* this.#stream(filter, place, options)
      failures = isAlive ? 0 : failures + 1
      // Why there is no stream does not matter: the feed does as well, or says why not.
      let polls = isAlive ? 0 : Math.min(pollsMax, 2 ** (failures - 1))
      do {
        if (polls > 0 && !(yield* this.#poll(filter, place, options))) polls = 0
        await this.#transport.pause(failures, options.signal)
      } while (--polls > 0)
    }
  }

  /** Returns whether more than the first block arrived: a proxy may cut every stream right after it. */
  async *#stream(filter: EventFilter, place: Place, options: FollowOptions): AsyncGenerator<Event, boolean> {
    const { after, cursor } = place.start
    const headers = { ...options.headers, ...(after !== undefined && { 'Last-Event-ID': String(after) }) }
    let isAlive = false
    let rest = ''
    const query = { ...filter, cursor }
    const onCut = (error: PetStoreError) => options.onError?.(error)
    for await (const piece of this.#transport.pieces('/events/stream', { ...options, headers, query }, onCut)) {
      const blocks = (rest + piece).split('\n\n')
      rest = blocks.pop() ?? ''
      for (const { id, data, '': comment } of blocks.map(fieldsOf)) {
        isAlive ||= data !== undefined || comment !== undefined
        // Not an event, but a message such as `closing`.
        if (id === undefined) continue
        place.start = { after: id }
        if (data !== undefined) yield parseJson(data) as Event
      }
    }
    return isAlive
  }

  /** Returns whether the service answered. */
  async *#poll(filter: EventFilter, place: Place, options: FollowOptions): AsyncGenerator<Event, boolean> {
    try {
      for (;;) {
        const { after, cursor } = place.start
        if (after === undefined && cursor === undefined) place.start = { from: 'now' }
        const { items, next } = await this.list({ limit: 100, ...filter, ...place.start }, options).page()
        yield* items
        place.start = { cursor: next }
        if (next === cursor) return true
      }
    } catch (error) {
      // Also what a gateway answers while the service is restarted.
      if (!(error instanceof PetStoreError && (isTransient(error) || (error.status ?? 0) >= 500))) throw error
      options.onError?.(error)
      return false
    }
  }
}

/** The fields of a block by their names; that of a comment is empty. */
const fieldsOf = (block: string): Record<string, string | undefined> =>
  Object.fromEntries(block.split('\n').map((line) => line.split(/: ?(.*)/s, 2)))
