/** Reads from the database what the processes of the service have committed, and in which order. */
import { DatabaseSync } from 'node:sqlite'
import type { Sql } from 'postgres'
import { type EventRow, newsText } from './ledger.ts'

export interface Observer {
  /**
   * Returns the events that became visible since the last poll. `lastId` is the highest id that was returned before.
   */
  look(lastId: number, isKnown: (id: number) => boolean): Promise<readonly EventRow[]>
  /** The JSON of each row, in the order of ids. */
  rows(table: 'pets' | 'orders' | 'categories'): Promise<string[]>
  close(): Promise<void>
}

const rowsText = (table: string): string => `SELECT doc FROM ${table} ORDER BY id`

export function observeSqlite(path: string): Observer {
  const db = new DatabaseSync(path, { readOnly: true, timeout: 60_000 })
  const news = db.prepare(newsText)
  return {
    look: async (lastId) => news.all(lastId) as unknown as EventRow[],
    rows: async (table) =>
      db
        .prepare(rowsText(table))
        .all()
        .map(({ doc }) => String(doc)),
    close: async () => db.close(),
  }
}

/**
 * If several transactions write, the one with the higher ids may commit first. So a poll begins at an id below which
 * nobody is writing any more: the last id at a time from which all transactions have ended.
 */
export function observePostgres(sql: Sql): Observer {
  let floor = 0
  let pending: { readonly last: number; readonly before: bigint } | undefined
  /** Returns the last id, and a transaction that is younger than all transactions that may have taken it. */
  const mark = async () => {
    const [sequence] = await sql`SELECT last_value::float8 AS last FROM event_ids`
    const [younger] = await sql`SELECT pg_current_xact_id()::text AS id`
    return { last: sequence?.last as number, before: BigInt(younger?.id) }
  }
  return {
    async look(_, isKnown) {
      const rows = await sql`
        SELECT pg_snapshot_xmin(snapshot)::text AS first,
          id::float8 AS id, at::float8 AS at, type, pet_id::float8 AS "petId", data, by, events.xmin::text AS change
        FROM pg_current_snapshot() AS snapshot LEFT JOIN events ON id > ${floor} ORDER BY id`
      if (pending && BigInt(rows[0]?.first) > pending.before) {
        floor = pending.last
        pending = undefined
      }
      pending ??= await mark()
      return rows.flatMap(({ first, ...row }) =>
        row.id === null || isKnown(row.id) ? [] : [row as unknown as EventRow],
      )
    },
    rows: async (table) => (await sql.unsafe(rowsText(table))).map(({ doc }) => doc),
    close: () => sql.end(),
  }
}
