/** Commits, alike on both databases: counting them, telling watchers, and probing whether one succeeds. */
import { countBounds, durationBounds, Histogram, type Sample } from '../observe/metrics.ts'
import type { Time } from '../time.ts'
import { StoreUnavailable } from './store.ts'

export class Commits {
  readonly #seconds = new Histogram(durationBounds)
  readonly #writes = new Histogram(countBounds)
  readonly #watchers = new Set<() => void>()
  /** Writes that failed as the database was unavailable. */
  failures = 0

  done(writes: number, milliseconds: number): void {
    this.#seconds.observe(milliseconds / 1000)
    this.#writes.observe(writes)
    for (const onCommit of this.#watchers)
      try {
        onCommit()
      } catch (error) {
        // The committed writes must be answered all the same.
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

/** How long a successful write is trusted, so that frequent probes do not keep the disk busy. */
const trustMilliseconds = 1_000
/** A load balancer needs an answer, though a write may take longer. */
const patienceMilliseconds = 1_000

interface ProbeOptions {
  /** `isDoubtful` if writes have failed since the last probe that succeeded. */
  readonly write: (isDoubtful: boolean) => Promise<unknown>
  /** The reason if `write` does not end in time. */
  readonly late: string
  readonly commits: Pick<Commits, 'failures'>
  readonly time: Time
}

/**
 * Probes whether the database accepts writes: only a write reveals a full disk, a removed file or a read-only server.
 * Rejects if `write` does not succeed in time. Concurrent probes share one write.
 */
export function createProbe({ write, late, commits, time }: ProbeOptions): () => Promise<void> {
  let succeededAt = Number.NEGATIVE_INFINITY
  let failuresBefore = 0
  let underWay: Promise<void> | undefined

  async function probe(): Promise<void> {
    const { failures } = commits
    try {
      await write(failures > failuresBefore)
      succeededAt = time.ticks()
      failuresBefore = failures
    } finally {
      underWay = undefined
    }
  }

  return async () => {
    if (time.ticks() - succeededAt < trustMilliseconds && commits.failures === failuresBefore) return
    underWay ??= probe()
    const { promise, reject } = Promise.withResolvers<never>()
    const cancel = time.after(patienceMilliseconds, () => reject(new StoreUnavailable(late)))
    await Promise.race([underWay, promise]).finally(cancel)
  }
}
