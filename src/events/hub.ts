/** The event streams of this process. One loop writes to all of them: a page is read once for those that stand at the same position. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Clock, onTimer } from '../clock.ts'
import type { StreamBody, StreamOutput } from '../http/message.ts'
import { limits } from '../limits.ts'
import { type EventPosition, type EventType, positionText } from '../model/event.ts'
import { isLive } from '../model/key.ts'
import type { Log } from '../observe/log.ts'
import type { Sample } from '../observe/metrics.ts'
import type { EventTable, KeyTable, StoredEvent } from '../store/store.ts'

/** To read and render them takes 0.2 ms. */
const pageEvents = 100
/** Pages that are read at a time: many streams that come back at once leave the store to others. */
const readsMax = 4
/** To write a page to so many takes 0.4 ms; then requests are answered. */
const streamsPerTurn = 10
/** How many events a client can take about, when the system has room for it again. */
const reach = 20_000
/** For so many pages a stream waits for those behind it, each time its client has read on: who was within reach has come up by then. */
const waitsMax = reach / pageEvents
/** Clients that read on go on together, at multiples of this; the system holds enough for those that took seconds. */
const regroupMilliseconds = { quick: 250, slow: 1_000 }
/** How often keys are looked up again. */
const keySeconds = 2
/** How soon a client connects again by itself. */
const retryMilliseconds = 2_000

/** A client that follows events, and the position from which it does. */
export interface Follower {
  readonly keyId: number
  readonly types: readonly EventType[] | undefined
  readonly petId: bigint | undefined
  /** The first events to send, and the position after them. */
  readonly events: readonly StoredEvent[]
  readonly after: EventPosition
}

export interface Hub {
  /** Why there is no place for a stream: the service is full or shutting down, or the key has too many. */
  refusalOf(keyId: number): 'unavailable' | 'rate_limited' | undefined
  follow(follower: Follower): StreamBody
  samples(): Sample[]
  /** Ends all streams, whose clients are told to come back, and opens no more. */
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

interface Stream extends Omit<Follower, 'events'> {
  readonly output: StreamOutput
  /** Streams with the same text get the same events. */
  readonly filter: string
  /** In which second out of `commentTime` it gets a comment. */
  readonly commentSecond: number
  /** All events up to here were written, or are not of interest. */
  after: EventPosition
  /** The last change after which it had everything; undefined while it catches up. */
  upToDateAt: number | undefined
  /** How often it has waited for streams behind it. */
  waits: number
  /** The second since which its client has not read what was written; undefined if it can take more. */
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

  /** Its client comes back, and is told what is wrong by the response to that. */
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
      // A hint may come from within a commit; all of one turn are one.
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
   * Of the streams that may be behind and can take more, those that go on now: who was up to date, and who has nobody
   * within reach behind. The others wait until those have come to their position, and one page will do for all, but
   * not for ever: clients may keep coming from behind.
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
    const fromBehind = [...groups.values()].sort((one, other) => one.after.id - other.after.id)
    let last = Number.NEGATIVE_INFINITY
    return fromBehind.filter(({ after: { id }, streams: group }) => {
      const isHurried = group.some(({ upToDateAt, waits }) => upToDateAt !== undefined || waits >= waitsMax)
      if (id - last < reach && !isHurried) {
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
      // Read with their filter if they have the same, which finds sooner what is rare; otherwise one page is for all.
      const [{ types, petId } = {}] = new Set(group.map(({ filter }) => filter)).size === 1 ? group : []
      const isFiltered = types !== undefined || petId !== undefined
      // Streams that begin anywhere come to the same positions: where the id is a multiple, unless filters leave events out.
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
        const bytes =
          rendered.get(stream.filter) ?? framesOf(page.events.filter((event) => isOfInterest(event, stream)))
        rendered.set(stream.filter, bytes)
        stream.after = page.position
        if (isLast) stream.upToDateAt = asked
        send(stream, bytes)
      }
    } catch (error) {
      fail(error)
      // They wait for the next hint or second.
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
      ({ events: firstEvents, ...follower }): StreamBody =>
      (output) => {
        const stream: Stream = {
          ...follower,
          output,
          filter: `${follower.types} ${follower.petId}`,
          commentSecond: opened++ % limits.commentTime.seconds,
          upToDateAt: undefined,
          waits: 0,
          stuckSince: undefined,
        }
        // Many may have been let in at once.
        if (refusalOf(stream.keyId)) end(stream)
        else {
          add(stream)
          send(stream, opening(firstEvents, follower.after))
          run()
        }
        return {
          drained() {
            const { quick, slow } = regroupMilliseconds
            const interval = seconds - (stream.stuckSince ?? seconds) > 1 ? slow : quick
            // It has read.
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

// Server-sent events. What is no event carries no `id`, or nothing else: it sets where the client would resume.

const encode = (text: string): Uint8Array => Buffer.from(text)
const textOf = (event: StoredEvent): string =>
  `id: ${positionText(event)}\nevent: ${event.type}\ndata: ${event.json}\n\n`

const framesOf = (events: readonly StoredEvent[]): Uint8Array => encode(events.map(textOf).join(''))

/** The first bytes of a stream, with the events until `position`: a client that loses the connection resumes from there. */
const opening = (events: readonly StoredEvent[], position: EventPosition): Uint8Array =>
  encode(`retry: ${retryMilliseconds}\n\n${events.map(textOf).join('')}id: ${positionText(position)}\n\n`)

/** A comment, and how far the stream has come: without it, one whose filter matches nothing would resume from where it began. */
const positionFrame = (position: EventPosition): Uint8Array => encode(`:\nid: ${positionText(position)}\n\n`)

const closing = encode('event: closing\ndata: {}\n\n')

const isOfInterest = (event: StoredEvent, { types, petId }: Pick<Follower, 'types' | 'petId'>): boolean =>
  (types === undefined || types.includes(event.type)) && (petId === undefined || event.petId === Number(petId))
