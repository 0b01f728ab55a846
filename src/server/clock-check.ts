/**
 * By which clock it is told how old something is: that of the database, with which that of this process is compared; on
 * SQLite that of this process, which is believed after a jump once it has stood for an hour.
 */
import type { Log } from '../observe/log.ts'
import type { Sample } from '../observe/metrics.ts'
import type { Store } from '../store/store.ts'
import type { Time } from '../time.ts'

/** A difference up to this does no harm. */
const toleratedMilliseconds = 60_000

/** How long the clock must have run evenly before something is removed on SQLite, and before a jump counts. */
const steadyMilliseconds = 60 * 60 * 1000

interface ClockCheck {
  /** Compares the clocks; false if they differ by more than a minute, or have jumped on SQLite. */
  agree(): Promise<boolean>
  /** Without a jump ahead that does not count yet: by it the age of an Idempotency-Key is told on SQLite. */
  readonly ageTime: Time
  /** Time by the clock of the database, as of the last comparison. */
  readonly databaseTime: Time
  samples(): Sample[]
}

export function createClockCheck(store: Pick<Store, 'now'>, time: Time, log: Log): ClockCheck {
  return store.now ? compareClocks(store.now, time, log) : watchClock(time, log)
}

/** The clock of a single machine, held against its ticks, which never jump. */
function watchClock(time: Time, log: Log): ClockCheck {
  let known = { now: time.now(), ticks: time.ticks() }
  let steadySince = known.ticks
  /** How far it has jumped ahead, as long as that does not count. */
  let aheadMilliseconds = 0

  function look(): boolean {
    const { now, ticks } = { now: time.now(), ticks: time.ticks() }
    const jumped = now - known.now - (ticks - known.ticks)
    known = { now, ticks }
    if (Math.abs(jumped) > toleratedMilliseconds) {
      aheadMilliseconds = Math.max(0, aheadMilliseconds + jumped)
      steadySince = ticks
      log.warn(
        { jumpedSeconds: Math.round(jumped / 1000) },
        'the clock of this machine has jumped: set it by NTP. Nothing old is removed until it has stood for an hour',
      )
    }
    const isSteady = ticks - steadySince >= steadyMilliseconds
    if (isSteady) aheadMilliseconds = 0
    return isSteady
  }

  return {
    agree: async () => look(),
    ageTime: {
      ...time,
      now() {
        look()
        return known.now - aheadMilliseconds
      },
    },
    databaseTime: time,
    samples: () => [],
  }
}

function compareClocks(now: NonNullable<Store['now']>, time: Time, log: Log): ClockCheck {
  /** How far the clock of this process is ahead, at least: the answer may have been under way for long. */
  let aheadMilliseconds = 0
  let didAgree = true

  return {
    async agree() {
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
    ageTime: time,
    databaseTime: { ...time, now: () => time.now() - aheadMilliseconds },
    samples: () => [['petstore_clock_skew_seconds', aheadMilliseconds / 1000]],
  }
}
