/** Runs one thing as often as it is wanted, but never more often than agreed, and never twice at the same time. */

export interface Scheduler {
  /** Has it run soon; whatever wants it until then is done by the same run. */
  want(): void
}

/** What is wanted within this time is gathered into one run. */
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
