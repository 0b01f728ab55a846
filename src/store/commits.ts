/** Counts commits, alike on both databases. */
import { countBounds, durationBounds, Histogram, type Sample } from '../observe/metrics.ts'

export class Commits {
  readonly #seconds = new Histogram(durationBounds)
  readonly #writes = new Histogram(countBounds)
  readonly #watchers = new Set<() => void>()

  /** Counts a commit that began when `performance.now()` gave `started`. */
  done(writes: number, started: number): void {
    this.#seconds.observeSince(started)
    this.#writes.observe(writes)
    for (const onCommit of this.#watchers)
      try {
        onCommit()
      } catch (error) {
        // What was committed has to be answered, whatever a watcher does.
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
