/** Reads rendered rows from PostgreSQL: one by its id, or a page. */
import { limits } from '../../limits.ts'
import { turn } from '../../time.ts'
import { type Filters, startOf } from '../filters.ts'
import type { Statement } from '../shared-sql.ts'
import type { Page, PageRange } from '../store.ts'
import { createBatcher } from './batch.ts'
import type { Pool } from './pool.ts'

interface Rows {
  find(id: bigint): Promise<string | undefined>
  page(range: PageRange, filters: Filters): Promise<Page>
}

const startsMax = 32

export const idsText = (ids: readonly (bigint | string)[]): string => ids.join()
export const isOneOf = (placeholder: string): string => `id = ANY (string_to_array(${placeholder}, ',')::bigint[])`

/**
 * A condition on names that contain, for each word, a word that begins with it. Words contain no special characters of
 * a pattern.
 */
export const matches = (words: string, patterns: string): string => `' ' || ${words} LIKE ALL (${patterns})`
export const patternsText = (words: readonly string[]): string => `{${words.map((word) => `"% ${word}%"`)}}`

type Table = 'pets' | 'orders'

const typeOf = (column: string): string => (column.endsWith('_id') ? 'bigint' : 'text')

interface FollowingOptions {
  readonly isDescending: boolean
  /** The columns of each row besides those of the filters. */
  readonly shown: string
  /** The id after which the rows begin. */
  readonly after: string
  readonly rowsMax: number
  /** The number of the first placeholder for the values of the filters. */
  readonly firstValue: number
}

interface Following {
  readonly rows: string
  readonly order: string
  /** Whether a row passes the filters. */
  readonly isInside: string
}

/**
 * The rows that follow in the index of the filters, whose last column is the id. Rows beyond the filters are to be left
 * out afterwards, by `isInside`.
 *
 * Plain equality would let the planner walk the primary key, through a million sold animals to the first available one.
 * A comparison of whole rows with this order fits one index alone. An upper bound would not end the scan before
 * PostgreSQL 18. Each value is hidden in a subquery: without the values the planner expects a third of the table, which
 * it does not sort.
 */
export function followingRows(table: Table, columns: readonly string[], options: FollowingOptions): Following {
  const { isDescending, shown, after, rowsMax, firstValue } = options
  const key = [...columns, 'id']
  const order = key.map((column) => (isDescending ? `${column} DESC` : column)).join()
  const values = columns.map((column, index) => `(SELECT $${firstValue + index}::${typeOf(column)})`)
  // Partial indexes have only rows with a reference.
  const hasReference = columns.includes('reference') ? ' AND reference IS NOT NULL' : ''
  const isFollowing = `(${key}) ${isDescending ? '<' : '>'} (${[...values, after]})${hasReference}`
  return {
    rows: `SELECT ${[...columns, shown]} FROM ${table} WHERE ${isFollowing} ORDER BY ${order} LIMIT ${rowsMax}`,
    order,
    isInside: columns.map((column, index) => `${column} = ${values[index]}`).join(' AND ') || 'true',
  }
}

/** The filters as conditions that no index fits, for rows that are found by their ids. */
export const plainFilters = (columns: readonly string[], firstValue: number): string =>
  columns.map((column, index) => ` AND ${column} IS NOT DISTINCT FROM $${firstValue + index}`).join('')

/**
 * Reads pages that differ only in where they begin: $1 has the starts, $2 the limit, $3 and on the values of filters.
 */
function pageStatement(table: Table, filters: Filters, { limit, isDescending = false }: PageRange): Statement {
  const { columns, ids, search } = filters
  const values = filters.values.map(String)
  const [order, after, last] = isDescending ? ['id DESC', '<', 'min'] : ['id', '>', 'max']
  let rows: string
  if (ids) {
    const isListed = isOneOf(`$${values.push(idsText(ids)) + 2}`)
    const isFound = search ? ` AND ${matches('words', `$${values.push(patternsText(search)) + 2}::text[]`)}` : ''
    rows = `SELECT id, doc FROM ${table}
      WHERE id ${after} after AND ${isListed}${plainFilters(columns, 3)}${isFound} ORDER BY ${order}`
  } else {
    // The planner does not know the limit, so the statement contains the largest one.
    const rowsMax = Math.max(limits.pageSize.max, limit) + 1
    const options = { isDescending, shown: 'id, doc', after: 'after', rowsMax, firstValue: 3 }
    const following = followingRows(table, columns, options)
    rows = `SELECT id, doc FROM (SELECT * FROM (${following.rows}) AS following LIMIT $2::bigint + 1) AS following
      WHERE ${following.isInside}`
  }
  return {
    // One row beyond the page shows whether more follow; another query might scan the table from its start.
    text: `SELECT after, docs, last, more
       FROM unnest(string_to_array($1, ',')::bigint[]) AS starts (after), LATERAL (
         SELECT string_agg(doc, ',' ORDER BY ${order}) FILTER (WHERE number <= $2::bigint) AS docs,
                ${last}(id) FILTER (WHERE number <= $2::bigint) AS last, count(*) > $2::bigint AS more
         FROM (
           SELECT id, doc, row_number() OVER (ORDER BY ${order}) AS number FROM (${rows} LIMIT $2::bigint + 1) AS rows
         ) AS numbered
       ) AS page`,
    values,
  }
}

interface PageRow {
  readonly after: string
  readonly docs: string | null
  readonly last: string | null
  readonly more: boolean
}

export function createRows(pool: Pool, table: Table): Rows {
  const find = createBatcher<bigint, string | undefined>(pool.connections, pool, async (ids) => {
    const rows = await pool.query<{ id: string; doc: string }>(`SELECT id, doc FROM ${table} WHERE ${isOneOf('$1')}`, [
      idsText(ids),
    ])
    const docs = new Map(rows.map(({ id, doc }) => [id, doc]))
    return ids.map((id) => docs.get(String(id)))
  })

  async function readPages(starts: Iterable<number>, limit: number, { text, values }: Statement) {
    const rows = await pool.query<PageRow>(text, [[...starts].join(), limit, ...values])
    return new Map<number, Page>(
      rows.map(({ after, docs, last, more }) => [
        Number(after),
        { json: `[${docs ?? ''}]`, next: more ? Number(last) : undefined },
      ]),
    )
  }

  /**
   * Pages requested in one turn of the event loop that differ only in where they begin are read by one statement. No
   * client can have learnt of a later write within the turn.
   */
  const groups = new Map<string, { starts: Set<number>; pages: Promise<Map<number, Page>> }>()

  return {
    find: find.add,
    async page(range, filters) {
      const statement = pageStatement(table, filters, range)
      const kind = [range.limit, statement.text, ...statement.values].join('\0')
      let group = groups.get(kind)
      if (!group) {
        const starts = new Set<number>()
        const pages = turn(pool.time).then(() => {
          if (groups.get(kind)?.starts === starts) groups.delete(kind)
          return readPages(starts, range.limit, statement)
        })
        groups.set(kind, (group = { starts, pages }))
      }
      const start = startOf(range)
      group.starts.add(start)
      // Two smaller statements run in parallel.
      if (group.starts.size >= startsMax) groups.delete(kind)
      return (await group.pages).get(start) as Page
    },
  }
}
