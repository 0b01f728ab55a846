/** Checks that a database accepts writes, by writing: only that reveals a full disk, a removed file or a read-only server. */
import { StoreUnavailable } from './store.ts'

/** How long a successful write counts, so that frequent probes do not keep the disk busy. */
const trustMilliseconds = 1_000
/** A load balancer needs an early answer; a write may take longer than this. */
const patienceMilliseconds = 1_000

/** Rejects if `write` does not succeed in time, with `late` as the reason. Concurrent probes share one write. */
export function createProbe(
  write: () => Promise<unknown>,
  late: string,
  now: () => number = () => performance.now(),
): () => Promise<void> {
  let succeededAt = Number.NEGATIVE_INFINITY
  let underWay: Promise<void> | undefined

  async function probe(): Promise<void> {
    try {
      await write()
      succeededAt = now()
    } finally {
      underWay = undefined
    }
  }

  return async () => {
    if (now() - succeededAt < trustMilliseconds) return
    underWay ??= probe()
    const { promise, reject } = Promise.withResolvers<never>()
    const timer = setTimeout(() => reject(new StoreUnavailable(late)), patienceMilliseconds)
    await Promise.race([underWay, promise]).finally(() => clearTimeout(timer))
  }
}
