/** Reads rendered rows from PostgreSQL: one by its id, or a page. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { comparedBy, type Filters } from '../filters.ts'
import type { Page, Rendered } from '../store.ts'
import { createBatcher } from './batch.ts'
import type { Ids } from './ids.ts'
import type { Pool, Query, Value } from './pool.ts'

export interface Rows {
  find(id: bigint): Promise<string | undefined>
  page(after: number, limit: number, filters: PageFilters): Promise<Page>
}

const startsMax = 32

export const idsText = (ids: readonly bigint[]): string => ids.join()
export const isOneOf = (place: string): string => `id = ANY (string_to_array(${place}, ',')::bigint[])`

type Table = 'pets' | 'orders'

export interface PageFilters extends Filters<Value> {
  /** An index column between the filtered ones and the id, with all its possible values. */
  readonly between?: readonly [column: string, values: readonly string[]]
  /** A further condition, met by almost all rows of the range. */
  readonly also?: string
}

/** Reads pages that differ only in where they begin: $1 has the starts, $2 the limit, $3 the highest id, the others are the values. */
function pageStatement(table: Table, filters: PageFilters): { text: string; values: readonly Value[] } {
  const { rows, values } = filters.ids === undefined ? rowsInRange(table, filters) : rowsById(table, filters)
  return {
    // One row beyond the page shows whether more follow; a separate query might scan the table from its start.
    text: `SELECT after, docs, last, highest, more
       FROM unnest(string_to_array($1, ',')::bigint[]) AS starts (after), LATERAL (
         SELECT string_agg(doc, ',' ORDER BY id) FILTER (WHERE place <= $2::bigint) AS docs,
                max(id) FILTER (WHERE place <= $2::bigint) AS last, max(id) AS highest, count(*) > $2::bigint AS more
         FROM (SELECT id, doc, row_number() OVER (ORDER BY id) AS place FROM (${rows}) AS rows) AS page) AS page`,
    values,
  }
}

const limited = 'LIMIT $2::bigint + 1'
const places = (values: readonly Value[]): string[] => values.map((_, index) => `$${index + 4}`)

/**
 * A range of the index that has the filtered columns and the id. With equality the planner might scan the primary key
 * instead, through a million sold animals to the first available one.
 */
function rowsInRange(table: Table, filters: PageFilters) {
  const { columns, values } = comparedBy(filters)
  const range = (key: readonly string[], start: readonly string[]): string => {
    const order = [...key, 'id'].join(', ')
    const bounds = `(${order}) > (${[...start, 'after'].join(', ')}) AND (${order}) <= (${[...start, '$3::bigint'].join(', ')})`
    return `SELECT id, doc FROM ${table} WHERE ${bounds}${filters.also ? ` AND ${filters.also}` : ''} ORDER BY ${order} ${limited}`
  }
  const { between } = filters
  if (!between) return { rows: range(columns, places(values)), values }
  const [column, all] = between
  const parts = all.map((value) => `(${range([...columns, column], [...places(values), `'${value}'`])})`)
  return { rows: `SELECT id, doc FROM (${parts.join(' UNION ALL ')}) AS parts ORDER BY id ${limited}`, values }
}

/** At most a hundred rows by their ids; the other filters are checked row by row. */
function rowsById(table: Table, filters: PageFilters) {
  const { columns, values } = comparedBy(filters)
  const others = columns.map((column, index) => ` AND ${column} = $${index + 4}`)
  const ids = isOneOf(`$${columns.length + 4}`)
  const rows = `SELECT id, doc FROM ${table} WHERE id > after AND id <= $3::bigint AND ${ids}${others.join('')} ORDER BY id ${limited}`
  return { rows, values: [...values, filters.ids as Value] }
}

interface PageRow {
  readonly after: string
  readonly docs: string | null
  readonly last: string | null
  /** The highest id looked at: of the row beyond the page, if there is one. */
  readonly highest: string | null
  readonly more: boolean
}

export function createRows(pool: Pool, read: Query, table: Table, ids: Ids): Rows {
  const find = createBatcher<bigint, string | undefined>(pool.connections, pool, async (ids) => {
    const rows = await read<{ id: string; doc: string }>(`SELECT id, doc FROM ${table} WHERE ${isOneOf('$1')}`, [
      idsText(ids),
    ])
    const docs = new Map(rows.map(({ id, doc }) => [id, doc]))
    return ids.map((id) => docs.get(String(id)))
  })

  /** A page that reaches beyond the horizon, where ids are still to come, is read again up to it. */
  async function readPages(
    starts: Iterable<number>,
    limit: number,
    { text, values }: ReturnType<typeof pageStatement>,
  ): Promise<Map<number, Page>> {
    const select = (from: Iterable<number>, idMax: number) =>
      read<PageRow>(text, [[...from].join(), limit, idMax, ...values])
    const pages = new Map<number, Page>()
    const keep = ({ after, docs, last, more }: PageRow) =>
      pages.set(Number(after), { json: `[${docs ?? ''}]`, next: more ? Number(last) : undefined })

    const horizon = ids.known()
    const beyond: number[] = []
    for (const row of await select(starts, Number.MAX_SAFE_INTEGER))
      if (Number(row.highest) > horizon) beyond.push(Number(row.after))
      else keep(row)
    if (beyond.length > 0) for (const row of await select(beyond, await ids.read())) keep(row)
    return pages
  }

  /**
   * Pages requested in one turn of the event loop that differ only in where they begin are read by one statement, and
   * equal requests share a page. No client can have learnt of a later write within the turn.
   */
  const groups = new Map<string, { starts: Set<number>; pages: Promise<Map<number, Page>> }>()

  return {
    find: find.add,
    async page(after, limit, filters) {
      const statement = pageStatement(table, filters)
      const kind = [limit, statement.text, ...statement.values].join('\0')
      let group = groups.get(kind)
      if (!group) {
        const starts = new Set<number>()
        const pages = nextTurn().then(() => {
          if (groups.get(kind)?.starts === starts) groups.delete(kind)
          return readPages(starts, limit, statement)
        })
        groups.set(kind, (group = { starts, pages }))
      }
      group.starts.add(after)
      // Two smaller statements run in parallel.
      if (group.starts.size >= startsMax) groups.delete(kind)
      return (await group.pages).get(after) as Page
    },
  }
}

/** Runs a statement that returns the rows it writes; if there are any, it was a commit. */
export async function write<Row>(pool: Pool, text: string, values: readonly Value[]): Promise<Row[]> {
  const started = performance.now()
  const rows = await pool.query<Row>(text, values)
  if (rows.length > 0) pool.stats.commits.done(rows.length, started)
  return rows
}

/** Runs a statement that writes at most one row and returns its id and doc. */
export async function writeOne(pool: Pool, text: string, values: readonly Value[]): Promise<Rendered | undefined> {
  const [row] = await write<{ id: string; doc: string }>(pool, text, values)
  return row && { id: Number(row.id), json: row.doc }
}
