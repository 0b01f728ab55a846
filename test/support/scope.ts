/** How much of the suite runs: CI sets TEST_SCOPE=full; without it `npm test` takes under three minutes on two cores. */
export const isFull = process.env.TEST_SCOPE === 'full'

/** How often something random or slow is repeated. */
export const times = (full: number, quick: number): number => (isFull ? full : quick)
