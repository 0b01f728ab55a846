/**
 * The event streams of this process. One loop writes to all streams, and reads a page only once for all streams at the
 * same position.
 */
import type { StreamBody, StreamOutput } from '../http/message.ts'
import { limits } from '../limits.ts'
import { type EventPosition, type EventType, positionText } from '../model/event.ts'
import { isLive } from '../model/key.ts'
import type { Log } from '../observe/log.ts'
import type { Sample } from '../observe/metrics.ts'
import type { EventTable, StoredEvent } from '../store/event-table.ts'
import type { KeyTable } from '../store/key-table.ts'
import { every, type Time, turn } from '../time.ts'

/** The number of events in a page. Reading and rendering a page takes 0.2 ms. */
const pageEvents = 100
/**
 * How many pages are read concurrently. When many clients reconnect at the same moment, other requests must still reach
 * the store.
 */
const readsMax = 4
/**
 * The number of streams that a page is written to in one turn of the event loop. This takes 0.4 ms, and requests are
 * handled between turns.
 */
const streamsPerTurn = 10
const keySeconds = 2
/** How long a client waits before it reconnects by itself. */
const retryMilliseconds = 2_000

interface Subscription {
  readonly keyId: number
  readonly types: readonly EventType[] | undefined
  readonly petId: bigint | undefined
  /** The first events to send, and the position after them. */
  readonly events: readonly StoredEvent[]
  readonly after: EventPosition
}

export interface Hub {
  /**
   * Why no stream can be opened: the service has too many streams or is shutting down, or the key has too many streams.
   */
  refusalOf(keyId: number): 'unavailable' | 'rate_limited' | undefined
  follow(subscription: Subscription): StreamBody
  samples(): Sample[]
  /** Ends all streams with the advice to reconnect, and opens no more streams. */
  close(): void
}

interface HubOptions {
  readonly events: EventTable
  readonly keys: KeyTable
  readonly time: Time
  readonly log: Log
}

interface Stream extends Omit<Subscription, 'events'> {
  readonly output: StreamOutput
  /** The stream gets a comment in each second that equals this number modulo `commentTime`. */
  readonly commentSecond: number
  /** All events up to this position were written, or do not match the filter. */
  after: EventPosition
  /** The value of `changes` at which the stream had every event, or -1 before that. */
  upToDateAt: number
  /** The second since which the client has not read what was sent. Undefined while more can be written. */
  stuckSince: number | undefined
}

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: the functions in it share the streams and the position
export function createHub({ events, keys, time, log }: HubOptions): Hub {
  const streams = new Set<Stream>()
  /** Counts hints that there may be new events. */
  let changes = 0
  let isRunning = false
  let isFailing = false
  let isClosed = false
  let stopWatching = () => {}
  let stopTimer = () => {}
  let seconds = 0
  let opened = 0
  let dropped = 0

  function refusalOf(keyId: number) {
    const { eventStreams, eventStreamsOfKey } = limits
    if (isClosed || streams.size >= eventStreams.max) return eventStreams.code
    // The streams are counted each time, which takes 50 µs for 10,000 streams.
    let ofKey = 0
    for (const stream of streams) if (stream.keyId === keyId) ofKey++
    return ofKey < eventStreamsOfKey.max ? undefined : eventStreamsOfKey.code
  }

  function add(stream: Stream): void {
    streams.add(stream)
    if (streams.size > 1) return
    stopWatching = events.watch(onChange)
    stopTimer = every(time, 1_000, tick)
  }

  function remove(stream: Stream): void {
    if (!streams.delete(stream) || streams.size > 0) return
    stopWatching()
    stopTimer()
  }

  /** Ends a stream. Its client reconnects and gets the error in the response. */
  function end(stream: Stream): void {
    remove(stream)
    stream.output.end(closing)
  }

  function send(stream: Stream, bytes: Uint8Array): void {
    if (bytes.length > 0 && !stream.output.write(bytes)) stream.stuckSince = seconds
  }

  const canTakeMore = (stream: Stream): boolean => stream.stuckSince === undefined && streams.has(stream)

  function onChange(): void {
    changes++
    run()
  }

  /** Called whenever a stream may be behind and can take more. */
  async function run(): Promise<void> {
    if (isRunning) return
    isRunning = true
    for (;;) {
      // A hint may come from within a commit; those of one turn are handled together.
      await turn(time)
      const groups = groupsBehind()
      if (groups.length === 0) break
      const waiting = groups.values()
      const readers = Array.from({ length: readsMax }, async () => {
        for (const group of waiting) await serve(group)
      })
      await Promise.all(readers)
    }
    isRunning = false
  }

  /**
   * The streams that may have new events and can accept them, grouped by position, because one page serves all streams
   * at the same position.
   */
  function groupsBehind(): Stream[][] {
    const behind = [...streams].filter((stream) => stream.upToDateAt !== changes && canTakeMore(stream))
    return [...Map.groupBy(behind, ({ after }) => positionText(after)).values()]
  }

  /** Sends a page to the streams of a group. Filters are applied here: streams share the page, whatever they filter. */
  async function serve(group: readonly Stream[]): Promise<void> {
    await turn(time)
    const { after } = group[0] as Stream
    const asked = changes
    try {
      // Pages end where the id is a multiple of their size. So streams with different beginnings reach the same
      // positions.
      const limit = pageEvents - (after.id % pageEvents)
      const page = await events.page({ after, limit })
      isFailing = false
      if (page === 'events_expired') return group.forEach(end)
      const unfiltered = framesOf(page.events)
      let served = 0
      for (const stream of group) {
        if (++served % streamsPerTurn === 0) await turn(time)
        if (!canTakeMore(stream)) continue
        stream.after = page.position
        if (page.events.length < limit) stream.upToDateAt = asked
        const isFiltered = stream.types !== undefined || stream.petId !== undefined
        send(stream, isFiltered ? framesOf(page.events.filter((event) => matches(event, stream))) : unfiltered)
      }
    } catch (error) {
      fail(error)
      // The group is tried again at the next hint or tick.
      for (const stream of group) stream.upToDateAt = asked
    }
  }

  function fail(err: unknown): void {
    if (!isFailing && !isClosed) log.warn({ err }, 'events cannot be read, so event streams wait')
    isFailing = true
  }

  function tick(): void {
    seconds++
    for (const stream of streams)
      if (stream.stuckSince === undefined) {
        if (stream.commentSecond === seconds % limits.commentTime.seconds) send(stream, positionFrame(stream.after))
      } else if (seconds - stream.stuckSince >= limits.stuckTime.seconds) {
        dropped++
        log.info({ keyId: stream.keyId }, 'an event stream was disconnected because its client did not read')
        remove(stream)
        stream.output.drop()
      }
    onChange()
    if (seconds % keySeconds === 0) endRevoked().catch(fail)
  }

  async function endRevoked(): Promise<void> {
    const revoked = new Set([...streams].map(({ keyId }) => keyId))
    for (const key of await keys.findAll([...revoked])) if (isLive(key, time.now())) revoked.delete(key.id)
    for (const stream of streams) if (revoked.has(stream.keyId)) end(stream)
  }

  return {
    refusalOf,
    follow:
      ({ events: firstEvents, ...subscription }): StreamBody =>
      (output) => {
        const stream: Stream = {
          ...subscription,
          output,
          commentSecond: opened++ % limits.commentTime.seconds,
          upToDateAt: -1,
          stuckSince: undefined,
        }
        // This is checked again, because other streams may have been opened since the request was accepted.
        if (refusalOf(stream.keyId)) end(stream)
        else {
          add(stream)
          send(stream, opening(firstEvents, subscription.after))
          run()
        }
        return {
          drained() {
            stream.stuckSince = undefined
            run()
          },
          closed: () => remove(stream),
        }
      },
    samples: () => [
      ['petstore_event_streams', streams.size],
      ['petstore_event_streams_dropped_total', dropped],
    ],
    close() {
      isClosed = true
      for (const stream of streams) end(stream)
    },
  }
}

// Formats server-sent events. An `id` sets the position from which a client resumes. Only events and position frames
// contain an `id`.

const encode = (text: string): Uint8Array => Buffer.from(text)
const eventFrame = (event: StoredEvent): string =>
  `id: ${positionText(event)}\nevent: ${event.type}\ndata: ${event.json}\n\n`

const framesOf = (events: readonly StoredEvent[]): Uint8Array => encode(events.map(eventFrame).join(''))

/** The first bytes of a stream, with the events until `position`, from which a client resumes if it is cut off. */
const opening = (events: readonly StoredEvent[], position: EventPosition): Uint8Array =>
  encode(`retry: ${retryMilliseconds}\n\n${events.map(eventFrame).join('')}id: ${positionText(position)}\n\n`)

/**
 * A comment and the position. Without the position, a stream whose filter matches nothing would resume at its
 * beginning.
 */
const positionFrame = (position: EventPosition): Uint8Array => encode(`:\nid: ${positionText(position)}\n\n`)

const closing = encode('event: closing\ndata: {}\n\n')

const matches = (event: StoredEvent, { types, petId }: Pick<Subscription, 'types' | 'petId'>): boolean =>
  (types === undefined || types.includes(event.type)) && (petId === undefined || event.petId === Number(petId))
