/** Runs the statements and transactions that both databases share, on PostgreSQL. */
import type { Sql, SqlValue, Steps } from '../shared-sql.ts'
import type { Pool } from './pool.ts'

/** The clock of the server in milliseconds. */
export const now = '(extract(epoch FROM statement_timestamp()) * 1000)::bigint'
/** A time of the server as text, as the times of an order are. */
export const timeTextOf = (time: string): string =>
  `to_char((${time}) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
export const nowText = timeTextOf('statement_timestamp()')

/** Counts what `work` commits; `countOf` says how many writes it was. */
export async function counted<T>(
  { time, health, stats: { commits } }: Pool,
  work: () => Promise<T>,
  countOf: (result: T) => number = () => 1,
): Promise<T> {
  const started = time.ticks()
  const result = await work()
  const count = countOf(result)
  if (count > 0) {
    health.wrote()
    commits.done(count, time.ticks() - started)
  }
  return result
}

/** Runs the steps of a transaction one after another. */
const run = <Result>(pool: Pool, steps: () => Steps<Result>): Promise<Result> =>
  pool.transaction(async (query) => {
    const all = steps()
    let step = all.next()
    while (!step.done) step = all.next(await query<object>(step.value.text, step.value.values))
    return step.value
  })

export function createSql(pool: Pool): Sql {
  return {
    read: (text, ...values) => pool.query(text, values),
    write: <Row extends object>(text: string, ...values: readonly SqlValue[]) =>
      counted(pool, () => pool.write<Row>(text, values)),
    transaction: (steps) => counted(pool, () => run(pool, steps)),
    upkeep: {
      write: (text, ...values) => pool.write(text, values),
      transaction: (steps) => run(pool, steps),
    },
    isCrowded: pool.isCrowded,
    now,
    nowText,
    tomorrowText: timeTextOf(`statement_timestamp() + interval '24 hours'`),
    nextId: (table) => `nextval('${table === 'pets' ? 'pet_ids' : 'order_ids'}')`,
    lastEventId: `currval('event_ids')`,
    forUpdate: 'FOR UPDATE',
    forUpdateSkipLocked: 'FOR UPDATE SKIP LOCKED',
    *lockTable(table) {
      yield { text: `LOCK TABLE ${table} IN SHARE ROW EXCLUSIVE MODE`, values: [] }
    },
    listed: (placeholder) => `jsonb_array_elements(${placeholder}::text::jsonb) WITH ORDINALITY AS listed (value, key)`,
    oneOf: (placeholder) => `(SELECT jsonb_array_elements_text(${placeholder}::text::jsonb))`,
  }
}
