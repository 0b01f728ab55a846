/**
 * Warns at the start if the clock of this machine differs from the clock of the database, which decides what is old.
 */
import type { Pool } from './pool.ts'
import { now } from './sql.ts'

/** A difference up to this does no harm. */
const toleratedMilliseconds = 60_000

export async function compareClocks({ query, time }: Pool, warn: (message: string) => void): Promise<void> {
  const asked = time.now()
  const [server] = await query<{ now: string }>(`SELECT ${now} AS now`)
  const theirs = Number(server?.now)
  // The response may have been delayed.
  const apart = Math.max(asked - theirs, theirs - time.now())
  if (apart <= toleratedMilliseconds) return
  warn(
    `the clocks of this machine and of the database differ by ${Math.round(apart / 1000)} s: let NTP set both. ` +
      "The database's clock decides when events, Idempotency-Keys and reservations expire",
  )
}
