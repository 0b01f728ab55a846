/** Time, passed as an argument so that a test can set it and let it pass. */
export interface Time {
  /** Milliseconds since 1970. It jumps when the system's clock is set. */
  readonly now: () => number
  /** Milliseconds that only rise, for durations. */
  readonly ticks: () => number
  /** Runs a function once after this time. The returned function cancels that. Until then, the process does not end. */
  readonly after: (milliseconds: number, run: () => void) => () => void
  readonly nextTurn: (run: () => void) => void
}

export const systemTime: Time = {
  now: Date.now,
  ticks: () => performance.now(),
  after(milliseconds, run) {
    const timer = setTimeout(run, milliseconds)
    return () => clearTimeout(timer)
  },
  nextTurn: (run) => void setImmediate(run),
}

/** Whether a database can read the same clock by itself. */
export const isSystem = (time: Time): boolean => time === systemTime

export const turn = (time: Pick<Time, 'nextTurn'>): Promise<void> => new Promise((resolve) => time.nextTurn(resolve))

export const sleep = (time: Time, milliseconds: number): Promise<void> =>
  new Promise((resolve) => time.after(milliseconds, resolve))

/** Calls a function at an interval of this many milliseconds. The returned function ends that. */
export function every(time: Time, milliseconds: number, run: () => void): () => void {
  let cancel = time.after(milliseconds, again)
  function again(): void {
    cancel = time.after(milliseconds, again)
    run()
  }
  return () => cancel()
}

/** A time in milliseconds since 1970 as text, as clients see it. */
export const timeText = (time: number): string => new Date(time).toISOString()
