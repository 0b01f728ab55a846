/**
 * The clock of a shop: the system's, moved or stopped. Its timers run in real time: who sets it then does what is due.
 */
import type { Time } from '../time.ts'

export interface ShopClock extends Time {
  /** From then on it has this time, and stands still there if it is to. */
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
