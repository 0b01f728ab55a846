/**
 * How much of the suite runs: CI sets TEST_SCOPE=full; without it `npm test` takes under three minutes on two cores.
 */
import { describe, test } from 'node:test'

export const isFull = process.env.TEST_SCOPE === 'full'

/** How often something random or slow is repeated. */
export const times = (full: number, quick: number): number => (isFull ? full : quick)

/** Of several alike, as the runtimes are, how many are tried: all in the full scope, else the first `quick`. */
export const some = <T>(all: readonly T[], quick = 1): readonly T[] => (isFull ? all : all.slice(0, quick))

const nothing = () => Promise.resolve()
/** For what takes long, or what another test covers for the most part. */
export const testInFull: typeof test = isFull ? test : (nothing as typeof test)
export const describeInFull: typeof describe = isFull ? describe : (nothing as typeof describe)
