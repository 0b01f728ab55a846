/** Waiting with a time limit. A test that waits for too long fails, and says what it saw last. */
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { inspect, isDeepStrictEqual } from 'node:util'
import type { Store } from '../src/store/store.ts'

/** How long a test waits for anything. It is several times what a busy machine needs. */
const patienceMilliseconds = 60_000
/** The longest pause between two polls. */
const pauseMillisecondsMax = 50

const impatience = (awaited: unknown, seen: unknown): Error =>
  new Error(`waited too long for ${awaited}; it was still ${inspect(seen)}`)

/**
 * Resolves with the value of a promise. If that takes too long, the error says what was awaited, and what `seen`
 * returns.
 */
export async function inTime<T>(
  promise: Promise<T>,
  awaited: unknown,
  seen: () => unknown,
  milliseconds = patienceMilliseconds,
): Promise<T> {
  const end = new AbortController()
  const late = sleep(milliseconds, undefined, { signal: end.signal, ref: false })
  try {
    return await Promise.race([promise, late.then(() => Promise.reject(impatience(awaited, seen())))])
  } finally {
    end.abort()
  }
}

/** Polls until `isRight` holds, and returns the last value. */
export function eventually<T>(
  ask: () => Promise<T>,
  isRight: (answer: T) => boolean,
  expected?: T,
  milliseconds = patienceMilliseconds,
): Promise<T> {
  const awaited = expected === undefined ? `${ask} to fulfil ${isRight}` : inspect(expected)
  const until = performance.now() + milliseconds
  let answer: T | undefined
  const asking = async () => {
    for (let pause = 1; ; pause = Math.min(2 * pause, pauseMillisecondsMax)) {
      answer = await ask()
      if (isRight(answer)) return answer
      if (performance.now() > until) throw impatience(awaited, answer)
      await sleep(pause)
    }
  }
  return inTime(asking(), awaited, () => answer, milliseconds)
}

/**
 * Polls until the value is the expected one. It is for things that follow in a moment, such as what a page shows after
 * a click.
 */
export async function becomes<T>(ask: () => Promise<T>, expected: NoInfer<T>): Promise<void> {
  await eventually(ask, (answer) => isDeepStrictEqual(answer, expected), expected)
}

/** Resolves once a store accepts writes. Each poll makes it try a write. */
export const untilReady = (store: Pick<Store, 'fault' | 'tryWrite'>): Promise<void> =>
  becomes<unknown>(async () => {
    await store.tryWrite().catch(() => {})
    return store.fault()
  }, undefined)

/** Lets turns of the event loop pass until a condition holds. `turn` runs in each of them. */
export async function turnsUntil(
  isSo: () => boolean,
  turn: () => Promise<unknown> = nextTurn,
  milliseconds = patienceMilliseconds,
): Promise<void> {
  for (const until = performance.now() + milliseconds; !isSo(); await turn())
    if (performance.now() > until) throw impatience(isSo, false)
}
