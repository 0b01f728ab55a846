/** The time in milliseconds since 1970, passed as an argument so that a test can set it. */
export type Clock = () => number
export const systemClock: Clock = Date.now

/** Milliseconds since the process started, for durations: setting the system's clock does not affect it. */
export const monotonicClock: Clock = () => performance.now()

/** A time in milliseconds since 1970 as text, as clients see it. */
export const timeText = (time: number): string => new Date(time).toISOString()

/** Calls a function once a second; the returned function ends that. */
export function onTimer(run: () => void): () => void {
  const timer = setInterval(run, 1_000)
  return () => clearInterval(timer)
}
