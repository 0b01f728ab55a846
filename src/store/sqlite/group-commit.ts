/** Group commit: writes that arrive within two turns of the event loop share a transaction, and so one fsync. */
import type { DatabaseSync } from 'node:sqlite'
import type { Sample } from '../../observe/metrics.ts'
import type { Time } from '../../time.ts'
import { Commits } from '../commits.ts'
import { StoreUnavailable } from '../store.ts'
import type { OpenFiles } from './file.ts'
import type { Reader } from './reader.ts'
import { busyMilliseconds, isBusy, unavailable } from './statement.ts'

interface Job {
  /** Neighbouring jobs with the same `run` share one call. */
  readonly run: (items: readonly never[]) => readonly unknown[]
  readonly item: unknown
  readonly since: number
  readonly resolve: (value: never) => void
  readonly reject: (error: unknown) => void
  /** Whether the job is run again, in its own transaction, after a shared one failed. */
  readonly isRetried: boolean
  readonly isUpkeep: boolean
}

export interface Writer {
  /**
   * Runs `job` in a transaction and resolves after the commit. If it throws, nothing is written. Upkeep changes nothing
   * that lists of animals and orders show: it is not counted, and pages stay cached.
   */
  write<T>(job: () => T, isUpkeep?: boolean): Promise<T>
  /** Writes an item; neighbouring items in the queue are passed to one call of `job`. */
  writeItem<Item, T>(job: (items: readonly Item[]) => readonly T[], item: Item, isUpkeep?: boolean): Promise<T>
  /** Whether many writes are waiting, so that optional writes should be omitted. */
  isCrowded(): boolean
  /** Resolves when no write is waiting. */
  drained(): Promise<void>
  /** The commits, without those of upkeep. */
  readonly commits: Commits
  samples(): Sample[]
}

const writesWaitingMax = 10_000
/** With this many writes waiting, optional ones are left out, so that those of clients find room in the queue. */
const crowdedAt = 1_000
/**
 * How often the write lock is tried: often enough to get it beside a process that commits all the time. A try costs
 * about 5 µs.
 */
export const retryMilliseconds = 1

/** The files are checked after each commit, before its writes resolve; if that throws, they reject with the error. */
export function createWriter(
  db: DatabaseSync,
  reader: Pick<Reader, 'setChanged' | 'health'>,
  files: Pick<OpenFiles, 'check'>,
  time: Time,
  waitMilliseconds = busyMilliseconds,
): Writer {
  const begin = db.prepare('BEGIN IMMEDIATE')
  const commit = db.prepare('COMMIT')
  const rollback = db.prepare('ROLLBACK')
  const { health } = reader
  const commits = new Commits()
  let waiting: Job[] = []
  let onDrained: (() => void)[] = []

  function fail(job: Job, error: unknown): void {
    const reason = unavailable(error) ?? error
    health.failed(reason)
    job.reject(reason)
  }

  /** If another process has the write lock, retries on a timer: waiting would block the event loop. */
  function flush(): void {
    while (waiting.length > 0) {
      const started = time.ticks()
      try {
        begin.run()
      } catch (error) {
        waiting = waiting.filter((job) => {
          const isPatient = isBusy(error) && time.ticks() - job.since < waitMilliseconds
          if (!isPatient) fail(job, error)
          return isPatient
        })
        if (waiting.length > 0) {
          time.after(retryMilliseconds, flush)
          return
        }
        break
      }
      run(waiting.splice(0, waiting[0]?.isRetried ? 1 : waiting.length), started)
    }
    for (const resolve of onDrained) resolve()
    onDrained = []
  }

  /** Runs jobs in the transaction that was begun, and commits it. */
  function run(jobs: readonly Job[], started: number): void {
    let results: unknown[]
    try {
      results = resultsOf(jobs)
      commit.run()
    } catch (error) {
      if (db.isTransaction) rollback.run()
      // One bad job must not fail the others.
      if (jobs.length > 1) waiting.unshift(...jobs.map((job) => ({ ...job, isRetried: true })))
      else fail(jobs[0] as Job, error)
      return
    }
    let writes = 0
    for (const { isUpkeep } of jobs) if (!isUpkeep) writes++
    if (writes > 0) {
      reader.setChanged()
      commits.done(writes, time.ticks() - started)
    }
    try {
      files.check()
    } catch (error) {
      for (const job of jobs) fail(job, error)
      return
    }
    if (writes > 0) health.wrote()
    for (let i = 0; i < jobs.length; i++) jobs[i]?.resolve(results[i] as never)
  }

  function writeItem<Item, T>(run: (items: readonly Item[]) => readonly T[], item: Item, isUpkeep = false): Promise<T> {
    if (waiting.length >= writesWaitingMax)
      return Promise.reject(new StoreUnavailable('SQLite: too many writes are waiting'))
    // With one turn only, busy clients split into two groups, each waiting for the other's commit.
    if (waiting.length === 0) time.nextTurn(() => time.nextTurn(flush))
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    waiting.push({ run, item, since: time.ticks(), resolve, reject, isRetried: false, isUpkeep })
    return promise
  }

  return {
    commits,
    samples: () => commits.samples(waiting.length),
    isCrowded: () => waiting.length >= crowdedAt,
    drained: () => (waiting.length === 0 ? Promise.resolve() : new Promise((resolve) => onDrained.push(resolve))),
    write: (job, isUpkeep) => writeItem(() => [job()], undefined, isUpkeep),
    writeItem,
  }
}

function resultsOf(jobs: readonly Job[]): unknown[] {
  const results: unknown[] = []
  while (results.length < jobs.length) {
    const { run } = jobs[results.length] as Job
    const items: never[] = []
    for (let next = results.length; jobs[next]?.run === run; next++) items.push(jobs[next]?.item as never)
    results.push(...run(items))
  }
  return results
}
