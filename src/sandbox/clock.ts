/** The clock of a shop: the system's, moved. Its timers run in real time: who sets it then does what is due. */
import type { Time } from '../time.ts'

export interface ShopClock extends Time {
  set(now: number): void
}

export function createClock(system: Time): ShopClock {
  let aheadMilliseconds = 0
  return {
    ...system,
    now: () => system.now() + aheadMilliseconds,
    set(now) {
      aheadMilliseconds = now - system.now()
    },
  }
}
