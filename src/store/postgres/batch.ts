/** Combines the calls of a few turns of the event loop into one statement. */
import type { Time } from '../../time.ts'
import { StoreUnavailable } from '../store.ts'
import { isLocked, Unreachable } from './errors.ts'
import type { Pool } from './pool.ts'

interface Call<In, Out> {
  readonly item: In
  readonly since: number
  readonly resolve: (value: Out) => void
  readonly reject: (error: unknown) => void
}

const halves = <T>(all: readonly T[]): readonly (readonly T[])[] => {
  const middle = Math.ceil(all.length / 2)
  return [all.slice(0, middle), all.slice(middle)]
}

function afterTurns(turns: number, time: Time, work: () => void): void {
  time.nextTurn(() => (turns > 1 ? afterTurns(turns - 1, time, work) : work()))
}

export interface Waiting {
  waiting(): number
}

interface Batcher<In, Out> extends Waiting {
  add(item: In): Promise<Out>
}

const batchMin = 32
const batchMax = 200
const waitingMax = 10_000
/**
 * The number of turns from the first call to its batch. Clients that were answered together send their next requests
 * within a few turns. With one turn, their batch falls apart, and four instances with commits of 5 ms need a sixth more
 * CPU per animal.
 */
const turns = 3

/**
 * `run` returns the results of a batch in order, all or none. At most `inFlightMax` batches run at a time; calls made
 * meanwhile form the next one. If the database rejects a batch, its halves run again, and theirs, so that a bad item
 * fails alone; after a lock timeout all run one by one, so that its wait is not repeated. Calls that have waited for
 * `timeoutMilliseconds` are rejected.
 */
export function createBatcher<In, Out>(
  inFlightMax: number,
  { time, timeoutMilliseconds }: Pick<Pool, 'time' | 'timeoutMilliseconds'>,
  run: (items: readonly In[]) => Promise<readonly Out[]>,
): Batcher<In, Out> {
  const waiting: Call<In, Out>[] = []
  let inFlight = 0
  let scheduled = false

  function schedule(): void {
    if (scheduled || waiting.length === 0 || inFlight >= inFlightMax) return
    scheduled = true
    afterTurns(turns, time, begin)
  }

  function begin(): void {
    scheduled = false
    // A batch takes half of the waiting calls, so that the database works on one half while the other half is answered.
    const size = Math.min(Math.max(Math.ceil(waiting.length / 2), batchMin), batchMax)
    inFlight++
    answer(waiting.splice(0, size)).finally(() => {
      inFlight--
      schedule()
    })
    schedule()
  }

  async function answer(all: readonly Call<In, Out>[]): Promise<void> {
    const calls = inTime(all)
    if (calls.length === 0) return
    try {
      const results = await run(calls.map(({ item }) => item))
      for (let i = 0; i < calls.length; i++) calls[i]?.resolve(results[i] as Out)
    } catch (error) {
      if (error instanceof StoreUnavailable && !isLocked(error)) {
        // It may have been committed, so it must not run again.
        for (const { reject } of calls) reject(error)
        if (error instanceof Unreachable) for (const { reject } of waiting.splice(0)) reject(error)
      } else if (calls.length === 1) calls[0]?.reject(error)
      else for (const part of isLocked(error) ? calls.map((call) => [call]) : halves(calls)) await answer(part)
    }
  }

  function inTime(calls: readonly Call<In, Out>[]): readonly Call<In, Out>[] {
    const oldest = time.ticks() - timeoutMilliseconds
    return calls.filter(({ since, reject }) => {
      if (since < oldest) reject(new StoreUnavailable('the database was busy for too long'))
      return since >= oldest
    })
  }

  return {
    waiting: () => waiting.length,
    add: (item) =>
      new Promise((resolve, reject) => {
        if (waiting.length >= waitingMax) {
          reject(new StoreUnavailable('too many requests are waiting for the database'))
          return
        }
        waiting.push({ item, since: time.ticks(), resolve, reject })
        schedule()
      }),
  }
}
