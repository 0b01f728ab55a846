/** The time in milliseconds since 1970, passed as an argument so that a test can set it. */
export type Clock = () => number
export const systemClock: Clock = Date.now
