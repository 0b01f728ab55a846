/** The clock of a shop: the system's, moved. Its timers are kept here, so that they move with it. */
import type { Time } from '../time.ts'

export interface ShopClock extends Time {
  /**
   * Sets the time. What was due in between runs now, in its order and once, as on a computer that has slept: what runs
   * again and again begins anew from here.
   */
  set(now: number): void
  /** Cancels all timers. */
  stop(): void
}

interface Timer {
  readonly due: number
  readonly run: () => void
}

export function createClock(system: Time): ShopClock {
  /** Milliseconds by which the time, and the ticks, are ahead of the system's. */
  let [ahead, ticksAhead] = [0, 0]
  const timers = new Set<Timer>()
  let cancel = () => {}

  const ticks = () => system.ticks() + ticksAhead
  /** The one that is due first; of those due at the same time, the one that was set first. */
  function first(): Timer | undefined {
    let found: Timer | undefined
    for (const timer of timers) if (!found || timer.due < found.due) found = timer
    return found
  }

  /** One timer of the system, for the first of the shop. */
  function arm(): void {
    cancel()
    const next = first()
    cancel = next ? system.after(Math.max(0, next.due - ticks()), runDue) : () => {}
  }

  /** Timers that those set are not due before the next turn, so this ends. */
  function runDue(): void {
    const due = [...timers].filter((timer) => timer.due <= ticks()).sort((one, other) => one.due - other.due)
    for (const timer of due) if (timers.delete(timer)) timer.run()
    arm()
  }

  return {
    now: () => system.now() + ahead,
    ticks,
    after(milliseconds, run) {
      const timer = { due: ticks() + milliseconds, run }
      timers.add(timer)
      arm()
      return () => {
        if (timers.delete(timer)) arm()
      }
    },
    nextTurn: system.nextTurn,
    set(now) {
      const by = now - system.now() - ahead
      ahead += by
      if (by <= 0) return
      ticksAhead += by
      runDue()
    },
    stop() {
      timers.clear()
      arm()
    },
  }
}
