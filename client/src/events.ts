/** Events: the list, and the stream, for which the list is the fallback where a stream does not get through. */
import { isTransient } from './answer.ts'
import { PetStoreError } from './errors.ts'
import { parseJson } from './json.ts'
import { List, type PageOptions } from './list.ts'
import type { CallOptions } from './options.ts'
import type { Transport } from './transport.ts'
import type { Event, EventType } from './types.ts'

/** Which events to return, and where to begin. */
export interface EventFilter extends Pick<PageOptions, 'cursor'> {
  readonly type?: readonly EventType[] | undefined
  /** Only events of this animal and of its orders. */
  readonly petId?: bigint | undefined
  /**
   * Instead of a cursor: the `positionOf` the last event that you handled, or an `id` that a stream has sent. The `id`
   * of the event also works. But with it the service cannot notice that the event was lost when a backup was restored,
   * and that another event now has its id.
   */
  readonly after?: bigint | string | undefined
}
export interface EventListFilter extends EventFilter, PageOptions {
  /**
   * Begin after the latest event. The page is empty, and its `next` is the present position. It is valid only with the
   * same `type` and `petId`: to `follow` only some types from there, name them here.
   */
  readonly from?: 'now' | undefined
  /** Begin at the first event at or after this time, in RFC 3339, such as `new Date().toISOString()`. */
  readonly since?: string | undefined
}
export interface FollowOptions extends CallOptions {
  /**
   * Called with the error of every stream that was cut off, and whenever neither the stream nor the list could be read.
   * If it throws, the loop ends with that error.
   */
  readonly onError?: ((error: PetStoreError) => void) | undefined
}
/** Where to continue. Every event changes it. */
interface Position {
  start: Pick<EventListFilter, 'after' | 'cursor' | 'from'>
}

/** The position of an event. To continue after this event, pass it as `after`. */
export const positionOf = ({ id, at }: Pick<Event, 'id' | 'at'>): string => `${id}-${Date.parse(at).toString(36)}`

/** How often the list is requested, in about four minutes, before the stream is tried again. */
const pollsMax = 64

export class Events {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /**
   * Lists all events that are kept, the oldest first. Use `for await` for all events until now, or `.page()` for one
   * page, which always has a `next`.
   */
  list(filter?: EventListFilter, options?: CallOptions): List<Event> {
    return new List(this.#transport, '/events', { ...filter }, options)
  }

  /**
   * Returns events as they happen, each exactly once and in order. It begins with the next event unless `after` or
   * `cursor` is given. It reconnects by itself until the loop is left or the signal is aborted. A `GoneError` with the
   * code `events_expired` means that events after that position were removed: list everything again.
   */
  async *follow({ after, cursor, ...filter }: EventFilter = {}, options: FollowOptions = {}): AsyncGenerator<Event> {
    const position: Position = { start: { after, cursor } }
    for (let failures = 0; ; ) {
      const isAlive = yield* this.#stream(filter, position, options)
      failures = isAlive ? 0 : failures + 1
      // It does not matter why there is no stream: the list returns the same events, or the error.
      let polls = isAlive ? 0 : Math.min(pollsMax, 2 ** (failures - 1))
      do {
        if (polls > 0 && !(yield* this.#poll(filter, position, options))) polls = 0
        await this.#transport.pause(failures, options.signal)
      } while (--polls > 0)
    }
  }

  /** Returns whether more than the first block arrived. A proxy may cut every stream right after the first block. */
  async *#stream(filter: EventFilter, position: Position, options: FollowOptions): AsyncGenerator<Event, boolean> {
    const { after, cursor } = position.start
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
        // This is not an event but a message such as `closing`.
        if (id === undefined) continue
        position.start = { after: id }
        if (data !== undefined) yield parseJson(data) as Event
      }
    }
    return isAlive
  }

  /** Returns whether the service answered. */
  async *#poll(filter: EventFilter, position: Position, options: FollowOptions): AsyncGenerator<Event, boolean> {
    try {
      for (;;) {
        const { after, cursor } = position.start
        if (after === undefined && cursor === undefined) position.start = { from: 'now' }
        const { items, next } = await this.list({ limit: 100, ...filter, ...position.start }, options).page()
        yield* items
        position.start = { cursor: next }
        if (next === cursor) return true
      }
    } catch (error) {
      // A gateway may also respond so while the service is restarted.
      if (!(error instanceof PetStoreError && (isTransient(error) || (error.status ?? 0) >= 500))) throw error
      options.onError?.(error)
      return false
    }
  }
}

/** The fields of a block by their names. The name of a comment is empty. */
const fieldsOf = (block: string): Record<string, string | undefined> =>
  Object.fromEntries(block.split('\n').map((line) => line.split(/: ?(.*)/s, 2)))
