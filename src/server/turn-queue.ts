/** Handles the requests of one turn of the event loop together. */
import { type Time, turn } from '../time.ts'

/**
 * More at a time make no request cheaper, and with a thousand the garbage collector takes 12 % of the time instead of
 * 5.
 */
const batchMax = 128
/** What a batch should take: as many requests as are done in this time, by what the batch before it took. */
const batchMilliseconds = 10
/**
 * What the requests of one turn may take. Then others are read: health checks, and new connections, of which Node
 * accepts one a turn.
 */
const turnMilliseconds = 20
/** With so many requests waiting, new connections no longer come first: pipelining clients would queue without end. */
const requestsMax = 2_048
/**
 * Requests wait for one connection per so many of them; if fewer did, clients that reconnect for each request would
 * take most of the time.
 */
const waitingPerConnection = 4
/**
 * Work of low priority that is done per turn: one item for every four requests, or, in turns without a request, one
 * item, slowly rising to eight. The next request of a client that was just answered then finds a short turn.
 */
const requestsPerLowItem = 4
const quietTurnsPerLowItem = 8
const lowItemsMax = 8

interface TurnQueue<T> {
  push(item: T): void
  /** Queues work for clients that do not wait for their answers, so that it does not delay clients that do. */
  pushLow(run: () => void): void
  connected(): void
}

/**
 * Queues the requests of one turn of the event loop and handles them at its end, in batches; while many arrive, also
 * before. A system call between two requests, to read the next or to write a response, evicts the service's code and
 * data from the CPU caches; handled together, requests find the caches warm, and each costs about half
 * (docs/performance.md). What is not done within the time of a turn waits for the next one, in order of arrival.
 *
 * Node accepts one connection per turn. While `connected` is called and enough requests wait, the batch is postponed,
 * so that turns are short: otherwise a thousand busy clients make each turn so long that a new one waits for seconds.
 */
export function createTurnQueue<T>(handle: (item: T) => void, time: Time): TurnQueue<T> {
  const waiting: T[] = []
  const low: (() => void)[] = []
  let batchSize = batchMax
  /** How long batches have taken in this turn. */
  let used = 0
  let isTurn = false
  let isHandling = false
  let hasConnected = false
  let turnsPostponed = 0
  /** Turns since the last one in which a request of `push` was handled. */
  let quietTurns = 0

  /** Handles up to `countMax` of a queue, as far as they can go at once; resolves with their number. */
  async function takeBatch<I>(queue: I[], countMax: number, work: (item: I) => void): Promise<number> {
    isHandling = true
    const items = queue.splice(0, Math.min(batchSize, countMax))
    const began = time.ticks()
    for (const item of items) work(item)
    // Microtasks do the work. A tick that one of them asks for comes when none is left; a second, when its responses
    // are sent.
    await undefined
    await new Promise<void>((resolve) => process.nextTick(process.nextTick, resolve))
    const took = time.ticks() - began
    used += took
    batchSize = Math.max(1, Math.min(batchMax, Math.floor((batchMilliseconds * items.length) / took)))
    isHandling = false
    return items.length
  }

  const lowCount = (arrived: number): number =>
    arrived > 0
      ? Math.ceil(arrived / requestsPerLowItem)
      : Math.min(lowItemsMax, Math.ceil(quietTurns / quietTurnsPerLowItem))

  async function takeTurns(): Promise<void> {
    isTurn = true
    do {
      await turn(time)
      const isPostponed =
        hasConnected && turnsPostponed * waitingPerConnection < waiting.length && waiting.length < requestsMax
      hasConnected = false
      turnsPostponed = isPostponed ? turnsPostponed + 1 : 0
      used = 0
      // Those that have arrived by now.
      const arrived = isPostponed ? 0 : waiting.length
      quietTurns = arrived > 0 ? 0 : quietTurns + 1
      let due = arrived
      while (due > 0 && used < turnMilliseconds) due -= await takeBatch(waiting, due, handle)
      if (low.length > 0 && !isPostponed) await takeBatch(low, lowCount(arrived), (run) => run())
      used = 0
    } while (waiting.length > 0 || low.length > 0)
    isTurn = false
  }

  return {
    push(item) {
      waiting.push(item)
      if (!isTurn) takeTurns()
      else if (
        !isHandling &&
        used < turnMilliseconds &&
        waiting.length >= (turnsPostponed > 0 ? requestsMax : batchMax)
      )
        takeBatch(waiting, batchMax, handle)
    },
    pushLow(run) {
      low.push(run)
      if (!isTurn) takeTurns()
    },
    connected() {
      hasConnected = true
      if (!isTurn) takeTurns()
    },
  }
}
