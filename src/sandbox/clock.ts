/**
 * The clock of a shop, which is the system clock, moved or stopped. Its timers run in real time, so whoever sets the
 * clock then does what is due.
 */
import type { Time } from '../time.ts'

export interface ShopClock extends Time {
  /** Sets the time, from which the clock runs unless it is stopped. */
  set(now: number, isStopped: boolean): void
  isStopped(): boolean
}

export function createClock(system: Time): ShopClock {
  let aheadMilliseconds = 0
  let stoppedAt: number | undefined
  return {
    ...system,
    now: () => stoppedAt ?? system.now() + aheadMilliseconds,
    set(now, isStopped) {
      aheadMilliseconds = now - system.now()
      stoppedAt = isStopped ? now : undefined
    },
    isStopped: () => stoppedAt !== undefined,
  }
}
