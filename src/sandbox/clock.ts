/** The clock of a shop: the system's, moved. Its timers run in real time: who sets it then does what is due. */
import type { Time } from '../time.ts'

export interface ShopClock extends Time {
  set(now: number): void
}

export function createClock(system: Time): ShopClock {
  /** Milliseconds ahead of the system's; ticks as well, or the service would take it for a fault of the machine. */
  let [ahead, ticksAhead] = [0, 0]
  return {
    ...system,
    now: () => system.now() + ahead,
    ticks: () => system.ticks() + ticksAhead,
    set(now) {
      const by = now - system.now() - ahead
      ahead += by
      ticksAhead += Math.max(0, by)
    },
  }
}
