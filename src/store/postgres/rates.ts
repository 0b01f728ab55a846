/** What all instances have used of the rate limits of keys, by the clock of the database. */
import type { ShareRates } from '../store.ts'
import type { Pool } from './pool.ts'

/** The same throughout a statement. */
const now = '(extract(epoch FROM statement_timestamp()) * 1000000000)::bigint'
// In the order of keys, so that two instances never wait for each other.
const add = `INSERT INTO rate_usage AS known (key_id, used_until, ahead_max)
  SELECT (use ->> 0)::bigint, ${now} + sum((use ->> 1)::bigint), max((use ->> 2)::bigint)
  FROM json_array_elements($1::text::json) AS use GROUP BY 1 ORDER BY 1
  ON CONFLICT (key_id) DO UPDATE SET ahead_max = excluded.ahead_max,
    used_until = least(greatest(known.used_until, ${now}), ${now} + excluded.ahead_max) + excluded.used_until - ${now}
  RETURNING key_id, used_until - ${now} AS ahead`

export function shareRatesOn({ query }: Pool): ShareRates {
  return async (uses) => {
    const given = uses.map(({ keyId, nanoseconds, nanosecondsMax }) => [keyId, nanoseconds, nanosecondsMax])
    const rows = await query<{ key_id: string; ahead: string }>(add, [JSON.stringify(given)])
    const ahead = new Map(rows.map((row) => [Number(row.key_id), Number(row.ahead)]))
    return uses.map(({ keyId }) => ahead.get(keyId) ?? 0)
  }
}
