/** The event streams of this process. One loop writes to all of them: a page is read once for all streams at the same position. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Clock, onTimer } from '../clock.ts'
import type { StreamBody, StreamOutput } from '../http/message.ts'
import { limits } from '../limits.ts'
import { type EventPosition, type EventType, positionText } from '../model/event.ts'
import { isLive } from '../model/key.ts'
import type { Log } from '../observe/log.ts'
import type { Sample } from '../observe/metrics.ts'
import type { EventTable, KeyTable, StoredEvent } from '../store/store.ts'

/** Events in a page; to read and render it takes 0.2 ms. */
const pageEvents = 100
/** Pages that are read at the same time: when many clients reconnect at once, other requests get at the store, too. */
const readsMax = 4
/** Streams that a page is written to in one turn of the event loop, which takes 0.4 ms; requests are answered between turns. */
const streamsPerTurn = 10
/** About as many events as fit into the buffers of a connection when its client has read everything. */
const bufferedEvents = 20_000
/**
 * The most pages for which a stream waits for those behind it, each time its client has read everything: a stream that was
 * less than `bufferedEvents` behind has caught up by then.
 */
const waitsMax = bufferedEvents / pageEvents
/**
 * A stream whose client has read everything continues at the next multiple of this time, together with others; the longer
 * one is for clients that took seconds, whose buffers hold enough meanwhile.
 */
const regroupMilliseconds = { quick: 250, slow: 1_000 }
/** How often keys are looked up again. */
const keySeconds = 2
/** How soon a client connects again by itself. */
const retryMilliseconds = 2_000

/** What a client follows, and from where. */
interface Subscription {
  readonly keyId: number
  readonly types: readonly EventType[] | undefined
  readonly petId: bigint | undefined
  /** The first events to send, and the position after them. */
  readonly events: readonly StoredEvent[]
  readonly after: EventPosition
}

export interface Hub {
  /** Why no stream may be opened: the service has too many or is shutting down, or the key has too many. */
  refusalOf(keyId: number): 'unavailable' | 'rate_limited' | undefined
  follow(subscription: Subscription): StreamBody
  samples(): Sample[]
  /** Ends all streams, telling their clients to reconnect, and opens no more. */
  close(): void
}

export interface HubOptions {
  readonly events: EventTable
  readonly keys: KeyTable
  readonly clock: Clock
  readonly log: Log
  /** Calls a function once a second, until the returned one is called; a timer unless given. */
  readonly everySecond?: ((run: () => void) => () => void) | undefined
}

interface Stream extends Omit<Subscription, 'events'> {
  readonly output: StreamOutput
  /** The types and the animal as text: streams with the same text get the same events. */
  readonly filter: string
  /** It gets a comment in each second that equals this, modulo `commentTime`. */
  readonly commentSecond: number
  /** All events up to this position were written, or do not match the filter. */
  after: EventPosition
  /** The value of `changes` at which it had every event; undefined while it catches up. */
  upToDateAt: number | undefined
  /** How many pages it has waited for streams behind it. */
  waits: number
  /** The second since which its client is behind; undefined while more can be written. */
  stuckSince: number | undefined
}

/** Streams at one position. */
interface Group {
  readonly after: EventPosition
  readonly streams: Stream[]
}

export function createHub({ events, keys, clock, log, everySecond = onTimer }: HubOptions): Hub {
  const streams = new Set<Stream>()
  const streamsOfKeys = new Map<number, number>()
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
    return (streamsOfKeys.get(keyId) ?? 0) < eventStreamsOfKey.max ? undefined : eventStreamsOfKey.code
  }

  function add(stream: Stream): void {
    streams.add(stream)
    streamsOfKeys.set(stream.keyId, (streamsOfKeys.get(stream.keyId) ?? 0) + 1)
    if (streams.size > 1) return
    stopWatching = events.watch(onChange)
    stopTimer = everySecond(tick)
  }

  function remove(stream: Stream): void {
    if (!streams.delete(stream)) return
    const others = (streamsOfKeys.get(stream.keyId) ?? 0) - 1
    if (others > 0) streamsOfKeys.set(stream.keyId, others)
    else streamsOfKeys.delete(stream.keyId)
    if (streams.size > 0) return
    stopWatching()
    stopTimer()
  }

  /** Ends a stream; its client reconnects, and the response to that tells what is wrong. */
  function end(stream: Stream): void {
    remove(stream)
    stream.output.end(closing)
  }

  function send(stream: Stream, bytes: Uint8Array): void {
    if (bytes.length === 0 || stream.output.write(bytes)) return
    stream.stuckSince = seconds
    stream.upToDateAt = undefined
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
      await nextTurn()
      const groups = nextGroups()
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
   * The streams that are sent a page now, of those that may have events to get and can take them: those that were up to
   * date, and those without another less than `bufferedEvents` behind. The others wait for the streams behind them, so that
   * one page serves all; at most `waitsMax` times, as further streams may always come from behind.
   */
  function nextGroups(): Group[] {
    const groups = new Map<string, Group>()
    for (const stream of streams) {
      if (stream.upToDateAt === changes || !canTakeMore(stream)) continue
      const { after } = stream
      const name = positionText(after)
      const group = groups.get(name)
      if (group) group.streams.push(stream)
      else groups.set(name, { after, streams: [stream] })
    }
    const oldestFirst = [...groups.values()].sort((one, other) => one.after.id - other.after.id)
    let last = Number.NEGATIVE_INFINITY
    return oldestFirst.filter(({ after: { id }, streams: group }) => {
      const mustNotWait = group.some(({ upToDateAt, waits }) => upToDateAt !== undefined || waits >= waitsMax)
      if (id - last < bufferedEvents && !mustNotWait) {
        for (const stream of group) stream.waits++
        return false
      }
      last = id
      return true
    })
  }

  /** Sends a page to the streams of a group. */
  async function serve({ after, streams: group }: Group): Promise<void> {
    await nextTurn()
    const asked = changes
    try {
      // With one filter for the whole group, the store applies it and finds rare events sooner; otherwise all events are read.
      const [{ types, petId } = {}] = new Set(group.map(({ filter }) => filter)).size === 1 ? group : []
      const isFiltered = types !== undefined || petId !== undefined
      // Pages end where the id is a multiple of their size, so that streams that began anywhere come to the same positions.
      const limit = isFiltered ? pageEvents : pageEvents - (after.id % pageEvents)
      const page = await events.page({ after, limit, types, petId })
      isFailing = false
      if (page === 'events_expired') return group.forEach(end)
      const isLast = isFiltered ? page.position.id === after.id : page.events.length < limit
      const rendered = new Map<string, Uint8Array>()
      let served = 0
      for (const stream of group) {
        if (++served % streamsPerTurn === 0) await nextTurn()
        if (!canTakeMore(stream)) continue
        const bytes = rendered.get(stream.filter) ?? framesOf(page.events.filter((event) => matches(event, stream)))
        rendered.set(stream.filter, bytes)
        stream.after = page.position
        if (isLast) stream.upToDateAt = asked
        send(stream, bytes)
      }
    } catch (error) {
      fail(error)
      // The group is tried again at the next hint or tick.
      for (const stream of group) stream.upToDateAt = asked
    }
  }

  function fail(err: unknown): void {
    if (!isFailing && !isClosed) log.warn({ err }, 'events cannot be read: streams wait')
    isFailing = true
  }

  function tick(): void {
    seconds++
    for (const stream of streams)
      if (stream.stuckSince === undefined) {
        if (stream.commentSecond === seconds % limits.commentTime.seconds) send(stream, positionFrame(stream.after))
      } else if (seconds - stream.stuckSince >= limits.stuckTime.seconds) {
        dropped++
        log.info({ keyId: stream.keyId }, 'an event stream was dropped, as its client does not read')
        remove(stream)
        stream.output.drop()
      }
    onChange()
    if (seconds % keySeconds === 0) endRevoked().catch(fail)
  }

  async function endRevoked(): Promise<void> {
    const revoked = new Set(streamsOfKeys.keys())
    for (const key of await keys.findAll([...revoked])) if (isLive(key, clock())) revoked.delete(key.id)
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
          filter: `${subscription.types} ${subscription.petId}`,
          commentSecond: opened++ % limits.commentTime.seconds,
          upToDateAt: undefined,
          waits: 0,
          stuckSince: undefined,
        }
        // Checked again: other streams may have been opened since the request was accepted.
        if (refusalOf(stream.keyId)) end(stream)
        else {
          add(stream)
          send(stream, opening(firstEvents, subscription.after))
          run()
        }
        return {
          drained() {
            const { quick, slow } = regroupMilliseconds
            const interval = seconds - (stream.stuckSince ?? seconds) > 1 ? slow : quick
            // The client has read, so it is not dropped while the stream waits for the others.
            stream.stuckSince = seconds
            const goOn = () => {
              stream.stuckSince = undefined
              stream.waits = 0
              run()
            }
            setTimeout(goOn, interval - (performance.now() % interval))
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

// Server-sent events. An `id` sets the position from which a client resumes, so only events and position frames have one.

const encode = (text: string): Uint8Array => Buffer.from(text)
const eventFrame = (event: StoredEvent): string =>
  `id: ${positionText(event)}\nevent: ${event.type}\ndata: ${event.json}\n\n`

const framesOf = (events: readonly StoredEvent[]): Uint8Array => encode(events.map(eventFrame).join(''))

/** The first bytes of a stream, with the events until `position`: a client that loses the connection resumes from there. */
const opening = (events: readonly StoredEvent[], position: EventPosition): Uint8Array =>
  encode(`retry: ${retryMilliseconds}\n\n${events.map(eventFrame).join('')}id: ${positionText(position)}\n\n`)

/** A comment, and the position: a stream whose filter matches nothing would otherwise resume from where it began. */
const positionFrame = (position: EventPosition): Uint8Array => encode(`:\nid: ${positionText(position)}\n\n`)

const closing = encode('event: closing\ndata: {}\n\n')

const matches = (event: StoredEvent, { types, petId }: Pick<Subscription, 'types' | 'petId'>): boolean =>
  (types === undefined || types.includes(event.type)) && (petId === undefined || event.petId === Number(petId))
