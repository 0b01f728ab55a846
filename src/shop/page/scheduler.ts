/**
 * Runs one task as often as it is requested, but never more often than the given interval, and never twice at the same
 * time.
 */

export interface Scheduler {
  /** Requests a run, which happens soon. It also serves all other requests until then. */
  want(): void
}

/** All requests within this time are served by one run. */
const gatherMs = 100

export function createScheduler(run: () => Promise<void>, everyMs: number): Scheduler {
  let isPlanned = false
  let isRunning = false
  let isWanted = false
  let earliest = 0

  async function start(): Promise<void> {
    isPlanned = isWanted = false
    isRunning = true
    earliest = performance.now() + everyMs
    try {
      await run()
    } finally {
      isRunning = false
      if (isWanted) plan()
    }
  }

  function plan(): void {
    if (isPlanned || isRunning) return
    isPlanned = true
    setTimeout(start, Math.max(gatherMs, earliest - performance.now()))
  }

  return {
    want() {
      isWanted = true
      plan()
    },
  }
}
