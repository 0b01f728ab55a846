/** Compares the clock of this process with that of the database, by which all instances tell how old something is. */
import type { Log } from '../observe/log.ts'
import type { Sample } from '../observe/metrics.ts'
import type { Store } from '../store/store.ts'
import type { Time } from '../time.ts'

/** A difference up to this does no harm. */
const toleratedMilliseconds = 60_000

interface ClockCheck {
  /** Compares the clocks; false if they differ by more than a minute. True on SQLite, which has no clock of its own. */
  agree(): Promise<boolean>
  /** Time by the clock of the database, as of the last comparison. */
  readonly databaseTime: Time
  samples(): Sample[]
}

export function createClockCheck({ now }: Pick<Store, 'now'>, time: Time, log: Log): ClockCheck {
  /** How far the clock of this process is ahead, at least: the answer may have been under way for long. */
  let aheadMilliseconds = 0
  let didAgree = true

  return {
    async agree() {
      if (!now) return true
      const asked = time.now()
      const theirs = await now()
      aheadMilliseconds = Math.max(0, asked - theirs) + Math.min(0, time.now() - theirs)
      const doAgree = Math.abs(aheadMilliseconds) <= toleratedMilliseconds
      if (doAgree !== didAgree) {
        const aheadSeconds = Math.round(aheadMilliseconds / 1000)
        if (doAgree) log.info({ aheadSeconds }, 'the clocks of this machine and of the database agree again')
        else
          log.warn(
            { aheadSeconds },
            'the clocks of this machine and of the database differ: set them by NTP. Until then nothing old is removed',
          )
      }
      didAgree = doAgree
      return doAgree
    },
    databaseTime: { ...time, now: () => time.now() - aheadMilliseconds },
    samples: () => (now ? [['petstore_clock_skew_seconds', aheadMilliseconds / 1000]] : []),
  }
}
