/** Reading rendered rows from PostgreSQL: one by its id, or a page of them. */
import { conditionsOf, type Filters } from '../filters.ts'
import type { Page, Rendered } from '../store.ts'
import { createBatcher } from './batch.ts'
import type { Pool, Value } from './connection.ts'

export interface Rows {
  find(id: bigint): Promise<string | undefined>
  page(after: number, limit: number, filters: Filters<Value>): Promise<Page>
}

export const idsText = (ids: readonly bigint[]): string => ids.join()
export const isOneOf = "id = ANY (string_to_array(?, ',')::bigint[])"

export function createRows(pool: Pool, table: 'pets' | 'orders', readsInFlight: number): Rows {
  const find = createBatcher<bigint, string | undefined>(readsInFlight, pool.timeoutMilliseconds, async (ids) => {
    const rows = await pool.query<{ id: string; doc: string }>(
      `SELECT id, doc FROM ${table} WHERE ${isOneOf.replace('?', '$1')}`,
      [idsText(ids)],
    )
    const docs = new Map(rows.map(({ id, doc }) => [id, doc]))
    return ids.map((id) => docs.get(String(id)))
  })

  async function readPage(conditions: string, values: readonly Value[]): Promise<Page> {
    const [row] = await pool.query<{ docs: string | null; last: string; more: boolean }>(
      // One row beyond the page tells whether more follow: a second look for it might scan the table from its start.
      `SELECT string_agg(doc, ',' ORDER BY id) FILTER (WHERE place <= $2::bigint) AS docs,
              max(id) FILTER (WHERE place <= $2::bigint) AS last, count(*) > $2::bigint AS more
       FROM (SELECT id, doc, row_number() OVER (ORDER BY id) AS place
             FROM (SELECT id, doc FROM ${table} WHERE id > $1${conditions} ORDER BY id LIMIT $2::bigint + 1) AS rows) AS page`,
      values,
    )
    return { json: `[${row?.docs ?? ''}]`, next: row?.more ? Number(row.last) : undefined }
  }

  /**
   * Pages asked for in this turn of the event loop: who asks for the same one gets the same. No client can have learnt
   * of a later write within the turn.
   */
  const pages = new Map<string, Promise<Page>>()

  return {
    find: find.add,
    page(after, limit, filters) {
      const { conditions, values: filtered } = conditionsOf(filters, (index) => `$${index + 3}`)
      const values: Value[] = [after, limit, ...filtered]
      const key = `${values.join('\0')}${conditions}`
      let page = pages.get(key)
      if (!page) {
        page = readPage(conditions, values)
        if (pages.size === 0) setImmediate(() => pages.clear())
        pages.set(key, page)
      }
      return page
    },
  }
}

/** Runs a statement that writes at most one row and returns its id and doc. */
export async function writeOne(pool: Pool, text: string, values: readonly Value[]): Promise<Rendered | undefined> {
  const [row] = await pool.query<{ id: string; doc: string }>(text, values)
  return row && { id: Number(row.id), json: row.doc }
}
