/** Group commit: the writes that arrive within two turns of the event loop share a transaction, and so one wait for the disk. */
import type { DatabaseSync } from 'node:sqlite'
import { unavailable } from './errors.ts'

interface Job {
  readonly run: () => unknown
  readonly resolve: (value: unknown) => void
  readonly reject: (error: unknown) => void
}

export interface Writer {
  /** Runs `job` in a transaction and resolves after its commit. A job that throws leaves nothing behind. */
  write<T>(job: () => T): Promise<T>
  /** Commits what is waiting. */
  flush(): void
}

/** What must happen before each transaction begins, and after it has committed. */
export interface CommitHooks {
  beforeBegin(): void
  afterCommit(): void
}

export function createWriter(db: DatabaseSync, hooks: CommitHooks = { beforeBegin() {}, afterCommit() {} }): Writer {
  const begin = db.prepare('BEGIN IMMEDIATE')
  const commit = db.prepare('COMMIT')
  const rollback = db.prepare('ROLLBACK')
  let waiting: Job[] = []

  function transact(jobs: readonly Job[]): unknown[] {
    try {
      const results = jobs.map((job) => job.run())
      commit.run()
      hooks.afterCommit()
      return results
    } catch (error) {
      if (db.isTransaction) rollback.run()
      throw error
    }
  }

  function commitTogether(jobs: readonly Job[]): void {
    try {
      hooks.beforeBegin()
      begin.run()
    } catch (error) {
      // No fault of any job, and the wait for a lock is over: not once more for each.
      for (const job of jobs) job.reject(unavailable(error) ?? error)
      return
    }
    try {
      const results = transact(jobs)
      for (let i = 0; i < jobs.length; i++) jobs[i]?.resolve(results[i])
    } catch (error) {
      const [only, ...others] = jobs
      if (!only || others.length === 0) only?.reject(unavailable(error) ?? error)
      // One bad job must not fail its neighbours: the batch was undone, so each runs once more on its own.
      else for (const job of jobs) commitTogether([job])
    }
  }

  function flush(): void {
    const jobs = waiting
    waiting = []
    if (jobs.length > 0) commitTogether(jobs)
  }

  return {
    flush,
    write<T>(run: () => T): Promise<T> {
      return new Promise<T>((resolve, reject) => {
        // Within one turn only, busy clients fall into two halves, each of which waits for the other's commit.
        if (waiting.length === 0) setImmediate(() => setImmediate(flush))
        waiting.push({ run, resolve: resolve as Job['resolve'], reject })
      })
    },
  }
}
