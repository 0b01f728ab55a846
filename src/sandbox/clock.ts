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
  cancel: () => void
}

export function createClock(system: Time): ShopClock {
  /** Milliseconds by which the time, and the ticks, are ahead of the system's. */
  let [ahead, ticksAhead] = [0, 0]
  const timers = new Set<Timer>()
  const ticks = () => system.ticks() + ticksAhead

  function cancel(timer: Timer): void {
    timer.cancel()
    timers.delete(timer)
  }

  /** Runs it if it is due, or else when it is. */
  function wait(timer: Timer): void {
    timer.cancel()
    if (timer.due > ticks()) timer.cancel = system.after(timer.due - ticks(), () => wait(timer))
    else if (timers.delete(timer)) timer.run()
  }

  return {
    now: () => system.now() + ahead,
    ticks,
    after(milliseconds, run) {
      const timer = { due: ticks() + milliseconds, run, cancel: system.after(milliseconds, () => wait(timer)) }
      timers.add(timer)
      return () => cancel(timer)
    },
    nextTurn: system.nextTurn,
    set(now) {
      const by = now - system.now() - ahead
      ahead += by
      if (by <= 0) return
      ticksAhead += by
      for (const timer of [...timers].sort((one, other) => one.due - other.due)) if (timers.has(timer)) wait(timer)
    },
    stop() {
      for (const timer of timers) cancel(timer)
    },
  }
}
