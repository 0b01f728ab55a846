/** The event streams of this process: those that are up to date share one reader, the others catch up, each at the pace of its client. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Clock, onTimer } from '../clock.ts'
import type { Output, StreamBody } from '../http/message.ts'
import type { EventStreams, Following } from '../http/operation.ts'
import { limits } from '../limits.ts'
import type { Sample } from '../metrics.ts'
import { type EventPosition, isSamePosition } from '../model/event.ts'
import { isLive } from '../model/key.ts'
import type { Log } from '../observe/log.ts'
import type { EventQuery, EventTable, KeyTable, StoredEvent } from '../store/store.ts'
import { closing, framesOf, isOfInterest, opening, positionFrame } from './frames.ts'
import { Places } from './places.ts'
import { type Place, pageEvents, RecentPages } from './recent-pages.ts'

/** They take about 4 ms; then requests are answered. */
const streamsPerTurn = 250
/** Of streams that catch up: many that come back at once leave the store to others. */
const readersMax = 4
/** How often keys are looked up again. */
const keySeconds = 2

export interface Hub extends EventStreams {
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

interface Stream extends Following, Place {
  readonly output: Output
  /** In which second out of `commentTime` it gets a comment. */
  readonly beat: number
  /** All events up to here were written, or are not of interest. */
  after: EventPosition
  /** The second since which its client has not read what was written. */
  stuckSince: number | undefined
  isCatchingUp: boolean
}

export function createHub({ events, keys, clock, log, everySecond = onTimer }: HubOptions): Hub {
  const streams = new Set<Stream>()
  const places = new Places()
  /** Those that have all events up to `head`. */
  const live = new Set<Stream>()
  let head: EventPosition = { id: 0, at: 0 }
  const behind: Stream[] = []
  const recent = new RecentPages(readEvents)
  /** Pages that are being read for them. */
  let readers = 0
  let isReading = false
  let isChanged = false
  let isFailing = false
  let isClosed = false
  let stopWatching = () => {}
  let stopTimer = () => {}
  let seconds = 0
  let opened = 0
  let dropped = 0

  function remove(stream: Stream): void {
    live.delete(stream)
    if (!streams.delete(stream)) return
    places.leave(stream.keyId)
    if (streams.size > 0) return
    stopWatching()
    stopTimer()
    recent.clear()
  }

  /** Its client comes back, and is told what is wrong by the response to that. */
  function end(stream: Stream): void {
    remove(stream)
    stream.output.end(closing)
  }

  function send(stream: Stream, bytes: Uint8Array): void {
    if (bytes.length === 0 || stream.output.write(bytes)) return
    live.delete(stream)
    stream.stuckSince = seconds
  }

  function fail(err: unknown): undefined {
    if (!isFailing && !isClosed) log.warn({ err }, 'events cannot be read: streams wait')
    isFailing = true
  }

  async function readEvents(query: EventQuery) {
    const page = await events.page(query)
    isFailing = false
    // Pages that are kept may have events that were lost.
    if (page === 'events_expired') recent.clear()
    return page
  }

  /** Called whenever there may be new events. */
  async function read(): Promise<void> {
    isChanged = true
    if (isReading) return
    isReading = true
    try {
      while (isChanged) {
        // A hint may come from within a commit; all of one turn are one.
        await nextTurn()
        if (live.size === 0) return
        isChanged = false
        const from = head
        const page = await readEvents({ after: from, limit: pageEvents })
        // All may have gone meanwhile, and one that has come since begins elsewhere.
        if (head !== from || page === 'events_expired' || page.position.id > from.id) isChanged = true
        if (head !== from) continue
        if (page === 'events_expired') for (const stream of live) end(stream)
        else await dispatch(page.events, from, page.position)
      }
    } catch (error) {
      fail(error)
    } finally {
      isReading = false
    }
  }

  async function dispatch(page: readonly StoredEvent[], from: EventPosition, position: EventPosition): Promise<void> {
    const shared = new Map<string, Uint8Array>()
    let served = 0
    for (const stream of live) {
      const { after, filter } = stream
      const isAtHead = after.id === from.id
      let bytes = isAtHead ? shared.get(filter) : undefined
      if (!bytes) {
        bytes = framesOf(page.filter((event) => event.id > after.id && isOfInterest(event, stream)))
        if (isAtHead) shared.set(filter, bytes)
      }
      if (position.id > after.id) stream.after = position
      send(stream, bytes)
      if (++served % streamsPerTurn > 0) continue
      await nextTurn()
      if (head !== from) return
    }
    head = position
  }

  const isBehind = (stream: Stream): boolean =>
    streams.has(stream) && stream.stuckSince === undefined && !live.has(stream)

  /** One that is where the others are joins them. One that is ahead may be after an event that was lost, which reading tells. */
  function hasJoined(stream: Stream): boolean {
    if (live.size > 0 && isSamePosition(stream.after, head) && isBehind(stream)) live.add(stream)
    return live.has(stream)
  }

  function catchUp(stream: Stream): void {
    if (stream.isCatchingUp || hasJoined(stream)) return
    stream.isCatchingUp = true
    behind.push(stream)
    if (readers < readersMax) readBehind()
  }

  async function readBehind(): Promise<void> {
    readers++
    for (let stream = behind.shift(); stream; stream = behind.shift()) {
      const isRead = hasJoined(stream) || (await readPage(stream).catch(fail))
      stream.isCatchingUp = false
      if (isRead && isBehind(stream)) catchUp(stream)
    }
    readers--
  }

  async function readPage(stream: Stream): Promise<boolean> {
    await nextTurn()
    if (!isBehind(stream)) return true
    const page = await recent.at(stream)
    if (!isBehind(stream)) return true
    if (page === 'events_expired') end(stream)
    else if (page.position.id > stream.after.id) {
      stream.after = page.position
      send(stream, page.bytes)
    } else {
      if (live.size === 0) head = stream.after
      // Otherwise the others have got further meanwhile, or have lost their place.
      if (stream.after.id >= head.id) live.add(stream)
      read()
    }
    return true
  }

  function tick(): void {
    seconds++
    read()
    if (live.size === streams.size) recent.clear()
    for (const stream of streams)
      if (stream.stuckSince === undefined) {
        // If the store was not available.
        if (isBehind(stream)) catchUp(stream)
        if (stream.beat === seconds % limits.commentTime.seconds) send(stream, positionFrame(stream.after))
      } else if (seconds - stream.stuckSince >= limits.stuckTime.seconds) {
        dropped++
        log.info({ keyId: stream.keyId }, 'an event stream was dropped, as its client does not read')
        remove(stream)
        stream.output.drop()
      }
    if (seconds % keySeconds === 0) endRevoked().catch(fail)
  }

  async function endRevoked(): Promise<void> {
    const ids = places.keyIds
    for (const key of await keys.findAll([...ids])) if (isLive(key, clock())) ids.delete(key.id)
    for (const stream of streams) if (ids.has(stream.keyId)) end(stream)
  }

  const refusalOf = (keyId: number) => (isClosed ? 'unavailable' : places.refusalOf(keyId))

  return {
    refusalOf,
    follow:
      (following): StreamBody =>
      (output) => {
        const filter = `${following.types} ${following.petId}`
        const beat = opened++ % limits.commentTime.seconds
        const stream: Stream = { ...following, output, filter, beat, stuckSince: undefined, isCatchingUp: false }
        // Many may have been let in at once.
        if (refusalOf(stream.keyId)) end(stream)
        else {
          streams.add(stream)
          places.take(stream.keyId)
          if (streams.size === 1) {
            stopWatching = events.watch(read)
            stopTimer = everySecond(tick)
          }
          send(stream, opening(following.events, following.after))
          catchUp(stream)
        }
        return {
          drained() {
            stream.stuckSince = undefined
            catchUp(stream)
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
