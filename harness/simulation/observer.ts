/** Sees in the database itself what the processes of the service have committed, and in which order. */
import { DatabaseSync } from 'node:sqlite'
import type { Sql } from 'postgres'
import { type EventRow, newsText } from './ledger.ts'

export interface Observer {
  /** The events that became visible since the last look; `lastId` is the highest id that it has shown. */
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
 * Of several writers, the one with the higher ids may commit first. So a look begins at an id below which nobody is
 * writing any more: what was the last id at a time of which all transactions have ended.
 */
export function observePostgres(sql: Sql): Observer {
  let floor = 0
  let pending: { readonly last: number; readonly before: bigint } | undefined
  /** The last id, and a transaction that is younger than all that may have taken it. */
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
