/** Pseudo-random numbers from a seed, so that a run can be repeated. */
import type { TestContext } from 'node:test'
import fc from 'fast-check'

/** Returns a generator of numbers from 0 up to, but not including, 1 (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Returns TEST_SEED, or a random seed. */
export function anySeed(): number {
  const { TEST_SEED: given } = process.env
  const seed = given ? Number(given) : Math.floor(Math.random() * 2 ** 31)
  if (!Number.isSafeInteger(seed)) throw new Error(`TEST_SEED must be an integer, not ${given}`)
  return seed
}

/** Returns the seed of a random test, which the runner prints. */
export function seedOf(t: Pick<TestContext, 'diagnostic'>): number {
  const seed = anySeed()
  t.diagnostic(`TEST_SEED=${seed} repeats this test`)
  return seed
}

/** How to run a check that can be made longer. */
export interface Run {
  readonly seed: number
  /** Receives the number of rounds that are done. */
  progress(done: number): void
}

/** Returns the run of a random test, whose seed the runner prints. */
export const runOf = (t: TestContext): Run => ({ seed: seedOf(t), progress() {} })

/**
 * Makes any Unicode character, for the `unit` of a string. The unit `binary` of fast-check takes a second of each
 * process that uses it.
 */
export const anyCharacter = fc
  .integer({ min: 0, max: 0x10ffff - 0x800 })
  .map((point) => String.fromCodePoint(point < 0xd800 ? point : point + 0x800))
