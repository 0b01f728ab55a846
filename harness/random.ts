/** Numbers that look random and that a seed decides, so that a run can be repeated. */
import type { TestContext } from 'node:test'
import fc from 'fast-check'

/** Gives a number from 0 up to, but not including, 1 at each call (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** TEST_SEED, or any. */
export function anySeed(): number {
  const { TEST_SEED: given } = process.env
  const seed = given ? Number(given) : Math.floor(Math.random() * 2 ** 31)
  if (!Number.isSafeInteger(seed)) throw new Error(`TEST_SEED must be an integer, not ${given}`)
  return seed
}

/** The seed of a random test, which the runner prints. */
export function seedOf(t: Pick<TestContext, 'diagnostic'>): number {
  const seed = anySeed()
  t.diagnostic(`TEST_SEED=${seed} repeats this test`)
  return seed
}

/** How a check that can be made longer is run. */
export interface Run {
  readonly seed: number
  /** Told how many rounds are done. */
  progress(done: number): void
}

/** The run of a random test, whose seed the runner prints. */
export const runOf = (t: TestContext): Run => ({ seed: seedOf(t), progress() {} })

/**
 * Any character of Unicode. As the `unit` of a string: fast-check's own, `binary`, takes a second of each process that
 * uses it.
 */
export const anyCharacter = fc
  .integer({ min: 0, max: 0x10ffff - 0x800 })
  .map((point) => String.fromCodePoint(point < 0xd800 ? point : point + 0x800))
