/** Reads what is committed from the server that is the present primary. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Sql } from 'postgres'
import { inTime } from '../../harness/patience.ts'
import { type Observer, observePostgres } from '../../harness/simulation/observer.ts'
import { Violation } from '../../harness/simulation/world.ts'

/** A connection to a server that is gone may never report that. */
const lookMilliseconds = 5_000
const pauseMilliseconds = 200

/**
 * `connect` returns a connection to the present primary. After each failure, `compare` receives the events that exist,
 * before any new ones are shown.
 */
export function observePrimary(
  connect: () => Promise<Sql>,
  patience: number,
  compare: (there: ReadonlySet<string>) => void,
): Observer {
  let connected: { readonly sql: Sql; readonly observer: Observer } | undefined
  let hasFailed = false
  const present = async () => {
    const sql = connected?.sql ?? (await connect())
    connected ??= { sql, observer: observePostgres(sql) }
    return connected
  }
  const look: Observer['look'] = async (...known) => {
    const { sql, observer } = await present()
    if (hasFailed) compare(new Set((await sql`SELECT id, at FROM events`).map(({ id, at }) => `${id} ${at}`)))
    hasFailed = false
    return observer.look(...known)
  }
  const disconnect = () => {
    connected?.sql.end({ timeout: 0 }).catch(() => {})
    connected = undefined
    hasFailed = true
  }
  return {
    async look(...known) {
      for (const until = performance.now() + patience; ; await sleep(pauseMilliseconds))
        try {
          return await inTime(look(...known), 'the events of the primary', () => undefined, lookMilliseconds)
        } catch (error) {
          if (error instanceof Violation || performance.now() > until) throw error
          disconnect()
        }
    },
    rows: async (table) => (await present()).observer.rows(table),
    close: async () => connected?.sql.end({ timeout: 1 }),
  }
}
