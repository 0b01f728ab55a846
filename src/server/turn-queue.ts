/** Handles the requests of one turn of the event loop together. */
import { type Time, turn } from '../time.ts'

/**
 * More requests in a batch make no request cheaper, and with a thousand the garbage collector takes 12 % of the time
 * instead of 5 %.
 */
const batchMax = 128
/**
 * How long a batch should take. It contains as many requests as are done in this time, estimated from the previous
 * batch.
 */
const batchMilliseconds = 10
/**
 * How long the requests of one turn may take. After that, health checks are read, and new connections, of which Node
 * accepts one in each turn.
 */
const turnMilliseconds = 20
/** How much of the low-priority work is done in a turn. */
const lowItemsMax = 4
/** How much time low-priority work may take, for each millisecond that requests take. */
const lowShare = 0.25
/**
 * In turns without a request it may take this many milliseconds, times the number of such turns in a row: little at
 * first, so that the next request of a client that was just answered does not wait, and then all.
 */
const lowMillisecondsPerQuietTurn = 0.02

interface TurnQueue<T> {
  push(item: T): void
  /** Queues work for clients that do not wait for their answers, so that it does not delay clients that do. */
  pushLow(run: () => void): void
}

/**
 * Queues the requests of one turn of the event loop and handles them at its end, in batches; while many arrive, also
 * before. A system call between two requests, to read the next or to write a response, evicts the service's code and
 * data from the CPU caches; handled together, requests find the caches warm, and each costs about half
 * (docs/performance.md). What is not done within the time of a turn waits for the next one, in order of arrival.
 */
export function createTurnQueue<T>(handle: (item: T) => void, time: Time): TurnQueue<T> {
  const waiting: T[] = []
  const low: (() => void)[] = []
  let batchSize = batchMax
  /** How long batches have taken in this turn. */
  let used = 0
  let isTurn = false
  let isHandling = false
  /** The number of turns since the last turn with a request. */
  let quietTurns = 0
  /** How many milliseconds low-priority work has taken beyond its share. */
  let lowDebt = 0

  /**
   * Handles up to `countMax` requests of a queue, each as far as it gets without waiting. Resolves with their number.
   */
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

  /** Does some low-priority work, unless earlier work has taken more time than it may. */
  async function takeLow(hasRequests: boolean): Promise<void> {
    quietTurns = hasRequests ? 0 : quietTurns + 1
    lowDebt = Math.max(0, lowDebt - used * lowShare - quietTurns * lowMillisecondsPerQuietTurn)
    if (low.length === 0 || lowDebt > 0) return
    const before = used
    await takeBatch(low, lowItemsMax, (run) => run())
    lowDebt = used - before
  }

  async function takeTurns(): Promise<void> {
    isTurn = true
    do {
      await turn(time)
      used = 0
      // The requests that have arrived by now.
      const arrived = waiting.length
      let due = arrived
      while (due > 0 && used < turnMilliseconds) due -= await takeBatch(waiting, due, handle)
      await takeLow(arrived > 0)
      used = 0
    } while (waiting.length > 0 || low.length > 0)
    isTurn = false
  }

  return {
    push(item) {
      waiting.push(item)
      if (!isTurn) takeTurns()
      else if (!isHandling && used < turnMilliseconds && waiting.length >= batchMax)
        takeBatch(waiting, batchMax, handle)
    },
    pushLow(run) {
      low.push(run)
      if (!isTurn) takeTurns()
    },
  }
}
