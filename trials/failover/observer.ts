/** Reads what is committed from the server that is the present primary. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Sql } from 'postgres'
import { inTime } from '../../harness/patience.ts'
import { type Observer, observePostgres } from '../../harness/simulation/observer.ts'
import { Violation } from '../../harness/simulation/world.ts'

/** A connection to a server that is gone may never report that. */
const lookMilliseconds = 5_000
const pauseMilliseconds = 200

/** After each failure, `compare` receives the events that exist, before any new ones are shown. */
export function observePrimary(
  connect: () => Sql,
  patience: number,
  compare: (there: ReadonlySet<string>) => void,
): Observer {
  let [sql, isSame] = [connect(), true]
  let observer = observePostgres(sql)
  const look: Observer['look'] = async (...known) => {
    if (!isSame) compare(new Set((await sql`SELECT id, at FROM events`).map(({ id, at }) => `${id} ${at}`)))
    isSame = true
    return observer.look(...known)
  }
  const connectAgain = () => {
    sql.end({ timeout: 0 }).catch(() => {})
    sql = connect()
    observer = observePostgres(sql)
    isSame = false
  }
  return {
    async look(...known) {
      for (const until = performance.now() + patience; ; await sleep(pauseMilliseconds))
        try {
          return await inTime(look(...known), 'the events of the primary', () => undefined, lookMilliseconds)
        } catch (error) {
          if (error instanceof Violation || performance.now() > until) throw error
          connectAgain()
        }
    },
    rows: (table) => observer.rows(table),
    close: () => sql.end({ timeout: 1 }),
  }
}
