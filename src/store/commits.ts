/** Counts and times the commits of this process, and calls listeners after each commit. */
import { countBounds, durationBounds, Histogram, type Sample } from '../observe/metrics.ts'

export class Commits {
  readonly #seconds = new Histogram(durationBounds)
  readonly #writes = new Histogram(countBounds)
  readonly #watchers = new Set<() => void>()

  done(writes: number, milliseconds: number): void {
    this.#seconds.observe(milliseconds / 1000)
    this.#writes.observe(writes)
    for (const onCommit of this.#watchers)
      try {
        onCommit()
      } catch (error) {
        // The committed writes must be answered nevertheless.
        process.emitWarning(error as Error)
      }
  }

  /** Calls `onCommit` after each commit from now on; returns how to stop. */
  watch(onCommit: () => void): () => void {
    this.#watchers.add(onCommit)
    return () => this.#watchers.delete(onCommit)
  }

  samples(waiting: number): Sample[] {
    return [
      ['petstore_commit_duration_seconds', this.#seconds],
      ['petstore_commit_writes', this.#writes],
      ['petstore_writes_waiting', waiting],
    ]
  }
}
