/** Reading rendered rows from PostgreSQL: one by its id, or a page of them. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { conditionsOf, type Filters } from '../filters.ts'
import type { Page, Rendered } from '../store.ts'
import { createBatcher } from './batch.ts'
import type { Pool, Value } from './connection.ts'

export interface Rows {
  find(id: bigint): Promise<string | undefined>
  page(after: number, limit: number, filters: Filters<Value>): Promise<Page>
}

const startsMax = 32

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

  /** Reads pages that differ in nothing but where they begin. */
  async function readPages(
    starts: Iterable<number>,
    limit: number,
    conditions: string,
    values: readonly Value[],
  ): Promise<Map<number, Page>> {
    const rows = await pool.query<{ after: string; docs: string | null; last: string; more: boolean }>(
      // One row beyond the page tells whether more follow: a second look for it might scan the table from its start.
      `SELECT after, docs, last, more
       FROM unnest(string_to_array($1, ',')::bigint[]) AS starts (after), LATERAL (
         SELECT string_agg(doc, ',' ORDER BY id) FILTER (WHERE place <= $2::bigint) AS docs,
                max(id) FILTER (WHERE place <= $2::bigint) AS last, count(*) > $2::bigint AS more
         FROM (SELECT id, doc, row_number() OVER (ORDER BY id) AS place
               FROM (SELECT id, doc FROM ${table} WHERE id > after${conditions} ORDER BY id LIMIT $2::bigint + 1) AS rows) AS page) AS page`,
      [[...starts].join(), limit, ...values],
    )
    return new Map(
      rows.map(({ after, docs, last, more }) => [
        Number(after),
        { json: `[${docs ?? ''}]`, next: more ? Number(last) : undefined },
      ]),
    )
  }

  /**
   * Pages asked for in this turn of the event loop that differ in nothing but where they begin go in one statement, and
   * who asks for the same one gets the same. No client can have learnt of a later write within the turn.
   */
  const groups = new Map<string, { readonly starts: Set<number>; readonly pages: Promise<Map<number, Page>> }>()

  return {
    find: find.add,
    async page(after, limit, filters) {
      const { conditions, values } = conditionsOf(filters, (index) => `$${index + 3}`)
      const kind = [limit, conditions, ...values].join('\0')
      let group = groups.get(kind)
      if (!group) {
        const starts = new Set<number>()
        const pages = nextTurn().then(() => {
          if (groups.get(kind)?.starts === starts) groups.delete(kind)
          return readPages(starts, limit, conditions, values)
        })
        groups.set(kind, (group = { starts, pages }))
      }
      group.starts.add(after)
      // Two statements of half the size are worked on side by side.
      if (group.starts.size >= startsMax) groups.delete(kind)
      return (await group.pages).get(after) as Page
    },
  }
}

/** Runs a statement that writes at most one row and returns its id and doc. */
export async function writeOne(pool: Pool, text: string, values: readonly Value[]): Promise<Rendered | undefined> {
  const [row] = await pool.query<{ id: string; doc: string }>(text, values)
  return row && { id: Number(row.id), json: row.doc }
}
