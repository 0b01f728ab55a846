/** Counts observations by size: an observation compares a few numbers, adds two, and allocates nothing (docs/decisions.md). */

export class Histogram {
  /** The upper bounds, ascending; what is above the last is counted, too. */
  readonly bounds: readonly number[]
  /** Observations of each range, one more than there are bounds. */
  readonly counts: number[]
  sum = 0

  constructor(bounds: readonly number[]) {
    this.bounds = bounds
    this.counts = bounds.map(() => 0)
    this.counts.push(0)
  }

  observe(value: number): void {
    const { bounds, counts } = this
    let range = 0
    // Beyond the last bound the comparison is with undefined, and false.
    while (value > (bounds[range] as number)) range++
    counts[range] = (counts[range] as number) + 1
    this.sum += value
  }

  /** Observes the time since `performance.now()` gave `started`. */
  observeSince(started: number): void {
    this.observe((performance.now() - started) / 1000)
  }
}

/** In seconds. */
export const durationBounds = [
  0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
] as const
/** In bytes, to the largest body that is taken and beyond. */
export const sizeBounds = [0, 128, 512, 2048, 8192, 32_768, 65_536, 1_048_576] as const
/** In writes. */
export const countBounds = [1, 2, 4, 8, 16, 32, 64, 128, 256, 1024] as const
