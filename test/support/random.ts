/** Numbers that look random and that a seed decides, so that a run can be repeated. */
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

export const anySeed = (): number => Math.floor(Math.random() * 2 ** 31)

/** How a check that can be made longer is run. */
export interface Run {
  readonly seed: number
  /** Told how many rounds are done. */
  progress(done: number): void
}

export const anyRun = (): Run => ({ seed: anySeed(), progress() {} })

/**
 * Any character of Unicode. As the `unit` of a string: fast-check's own, `binary`, takes a second of each process that
 * uses it.
 */
export const anyCharacter = fc
  .integer({ min: 0, max: 0x10ffff - 0x800 })
  .map((point) => String.fromCodePoint(point < 0xd800 ? point : point + 0x800))
