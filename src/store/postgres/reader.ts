/** Reads rendered rows from PostgreSQL: one by its id, or a page. */
import { limits } from '../../limits.ts'
import { turn } from '../../time.ts'
import { comparedBy, type Filters, startOf } from '../filters.ts'
import type { Statement } from '../shared-sql.ts'
import type { Page, PageRange } from '../store.ts'
import { createBatcher } from './batch.ts'
import type { Pool } from './pool.ts'
import { idsPerBlock, petWords } from './schema.ts'

interface Rows {
  find(id: bigint): Promise<string | undefined>
  page(range: PageRange, filters: Filters): Promise<Page>
}

const startsMax = 32

const idsText = (ids: readonly bigint[]): string => ids.join()
const isOneOf = (place: string): string => `id = ANY (string_to_array(${place}, ',')::bigint[])`

type Table = 'pets' | 'orders'

/**
 * Reads pages that differ only in where they begin: $1 has the starts, $2 the limit, $3 and on the values of filters.
 */
function pageStatement(table: Table, filters: Filters, { limit, isDescending = false }: PageRange): Statement {
  if (filters.search && filters.ids === undefined) return searchStatement(filters, isDescending)
  const most = Math.max(limits.pageSize.max, limit) + 1
  const { rows, values } = filters.ids
    ? rowsById(table, filters, isDescending)
    : rowsInRange(table, filters, { isDescending, shown: 'id, doc', most, limit: limited })
  const [order, last] = isDescending ? ['id DESC', 'min'] : ['id', 'max']
  return {
    // One row beyond the page shows whether more follow; another query might scan the table from its start.
    text: `SELECT after, docs, last, more
       FROM unnest(string_to_array($1, ',')::bigint[]) AS starts (after), LATERAL (
         SELECT string_agg(doc, ',' ORDER BY ${order}) FILTER (WHERE place <= $2::bigint) AS docs,
                ${last}(id) FILTER (WHERE place <= $2::bigint) AS last, count(*) > $2::bigint AS more
         FROM (SELECT id, doc, row_number() OVER (ORDER BY ${order}) AS place FROM (${rows}) AS rows) AS page) AS page`,
    values,
  }
}

const limited = 'LIMIT $2::bigint + 1'
const typeOf = (column: string): string => (column.endsWith('_id') ? 'bigint' : 'text')

interface RangeOptions {
  readonly isDescending: boolean
  /** The columns of each row, the id among them. */
  readonly shown: string
  /** As many rows as the limit can be: the planner does not know its value. */
  readonly most: number
  readonly limit: string
}

/**
 * The rows that follow in the index of the filtered columns and the id; those beyond the filters are left out
 * afterwards. It reads no more than a page, whatever the planner knows: only that index has the order; before version
 * 18 an upper bound would not end the scan where a later column decides; and with the values out of sight in a subquery
 * it expects a third of the table, for which it would not sort. With equality it might scan the primary key through a
 * million sold animals to the first available one.
 */
function rowsInRange(table: Table, filters: Filters, { isDescending, shown, most, limit }: RangeOptions) {
  const { columns, ...compared } = comparedBy(filters)
  const values = compared.values.map(String)
  const given = columns.map((column, index) => `$${index + 3}::${typeOf(column)} AS given_${column}`)
  const givenColumns = columns.map((column) => `given_${column}`)
  const range = (key: readonly string[], start: readonly string[]): string => {
    const row = [...key, 'id']
    const order = row.map((column) => (isDescending ? `${column} DESC` : column))
    const conditions = [
      `(${row}) ${isDescending ? '<' : '>'} (${[...start, 'after']})`,
      ...(key.includes('reference') ? ['reference IS NOT NULL'] : []),
    ]
    const following = `SELECT ${key.map((column) => `${column}, `).join('')}${shown} FROM ${table}
      WHERE ${conditions.join(' AND ')} ORDER BY ${order} LIMIT ${most}`
    const inside = key.map((column, index) => `${column} = ${start[index]}`)
    return `SELECT ${shown} FROM (SELECT * FROM (${following}) AS following ${limit}) AS page
      WHERE ${inside.join(' AND ') || 'true'}`
  }
  const { skipScan } = filters
  const from = given.length > 0 ? `(SELECT ${given.join()} OFFSET 0) AS given, LATERAL ` : ''
  const parts = skipScan
    ? skipScan[1].map((value) => range([...columns, skipScan[0]], [...givenColumns, `'${value}'`]))
    : [range(columns, givenColumns)]
  const merged = parts.length > 1 ? ` ORDER BY ${isDescending ? 'id DESC' : 'id'} ${limit}` : ''
  return { rows: `SELECT ${shown} FROM ${from}(${parts.join(' UNION ALL ')}) AS parts${merged}`, values }
}

/** At most a hundred rows by their ids; the other filters are checked row by row, written so that no index fits. */
function rowsById(table: Table, filters: Filters, isDescending: boolean) {
  const { columns, ...compared } = comparedBy(filters)
  const values = compared.values.map(String)
  const others = columns.map((column, index) => ` AND ${column} IS NOT DISTINCT FROM $${index + 3}`)
  const ids = isOneOf(`$${values.push(idsText(filters.ids ?? [])) + 2}`)
  let search = ''
  if (filters.search) {
    const place = values.push(queryText(filters.search)) + 2
    search = ` AND array_to_tsvector(string_to_array(words, ' ')) @@ $${place}::text::tsquery`
  }
  const [after, order] = isDescending ? ['<', 'id DESC'] : ['>', 'id']
  const rows = `SELECT id, doc FROM ${table}
    WHERE id ${after} after AND ${ids}${others.join('')}${search} ORDER BY ${order} ${limited}`
  return { rows, values }
}

/** Words have only letters and digits, which need no escaping between quotes. */
const queryText = (words: readonly string[], before = ''): string =>
  words.map((word) => `'${before}${word}':*`).join(' & ')

/**
 * Blocks that a page of one word examines, which takes 2 ms if nobody has it. Words that share the animals and never
 * meet take 0.3 ms each in a block, so several words examine fewer: 48 divided by their number.
 */
const [blocksOfOne, blocksOfMore] = [128, 48]
/** With filters a page examines so many animals that have the words, or that fit the filters; then it ends short. */
const examinedMax = 300
/** Animals that fit the filters are sparse if so many of them span this many ids: then all of them are examined. */
const sparseIds = 16 * idsPerBlock

/**
 * Animals by their words, block by block through the index, no further than the page; or, where few animals fit the
 * other filters, by these. Conditions are written so that no other index fits them.
 */
function searchStatement(filters: Filters, isDescending: boolean): Statement {
  const { columns } = comparedBy(filters)
  const isFiltered = columns.length > 0
  const most = isFiltered ? examinedMax : 1
  const range = { isDescending, shown: 'id, doc, words', most, limit: `LIMIT ${most}` }
  const { rows: near, values: compared } = rowsInRange('pets', filters, range)
  const words = filters.search ?? []
  const values = [...compared, queryText(words, '/'), ...(isFiltered ? [queryText(words)] : [])]
  const query = `replace($${compared.length + 3}::text, '/', block || '/')::tsquery`
  const fits = columns.map((column, index) => `${column} IS NOT DISTINCT FROM $${index + 3}`).join(' AND ') || 'true'
  const blocks = words.length > 1 ? Math.max(1, Math.floor(blocksOfMore / words.length)) : blocksOfOne
  const [after, order, end, first, last, step] = isDescending
    ? ['<', 'id DESC', `greatest(first / ${idsPerBlock} - ${blocks - 1}, 0)`, 'max', 'min', -1]
    : [
        '>',
        'id',
        `least(first / ${idsPerBlock} + ${blocks - 1}, (SELECT max(id) FROM pets) / ${idsPerBlock})`,
        'min',
        'max',
        1,
      ]
  // A page that is not full ends with its last block; more follow unless that is the last of all.
  const [position, isMore] = isDescending
    ? [`final * ${idsPerBlock}`, 'final > 0']
    : [`(final + 1) * ${idsPerBlock} - 1`, `final < (SELECT max(id) FROM pets) / ${idsPerBlock}`]
  const sparse = isFiltered
    ? {
        is: `amount < ${examinedMax} OR abs(far - first) > ${sparseIds}`,
        found: `UNION ALL SELECT id, doc FROM bounds, near WHERE is_sparse
          AND array_to_tsvector(string_to_array(words, ' ')) @@ $${compared.length + 4}::text::tsquery`,
        limit: `LIMIT ${examinedMax}`,
      }
    : { is: 'false', found: '', limit: limited }
  return {
    text: `SELECT after, docs, CASE WHEN full_page THEN last ELSE reach END AS last, full_page OR is_more AS more
       FROM unnest(string_to_array($1, ',')::bigint[]) AS starts (after), LATERAL (
         WITH near AS MATERIALIZED (${near}),
         bounds AS MATERIALIZED (
           SELECT *, ${end} AS final, ${sparse.is} AS is_sparse
           FROM (SELECT count(*) AS amount, ${first}(id) AS first, ${last}(id) AS far FROM near) AS ends
         ), examined AS MATERIALIZED (
           SELECT found.* FROM bounds, generate_series(first / ${idsPerBlock}, final, ${step}) AS block, LATERAL (
             SELECT id, doc, ${fits} AS fits FROM pets WHERE ${petWords} @@ ${query} AND id + 0 ${after} after
             ORDER BY ${order} OFFSET 0
           ) AS found WHERE NOT is_sparse ${sparse.limit}
         ), reached AS MATERIALIZED (
           SELECT CASE WHEN is_sparse THEN far WHEN is_cut THEN latest ELSE ${position} END AS reach,
             CASE WHEN is_sparse THEN amount = ${examinedMax} ELSE is_cut OR coalesce(${isMore}, false) END AS is_more
           FROM bounds, (
             SELECT count(*) = ${isFiltered ? examinedMax : -1} AS is_cut, ${last}(id) AS latest FROM examined
           ) AS ends
         ), matching AS (
           SELECT id, doc FROM examined WHERE fits ${sparse.found} ORDER BY ${order} ${limited}
         )
         SELECT string_agg(doc, ',' ORDER BY ${order}) FILTER (WHERE place <= $2::bigint) AS docs,
                ${last}(id) FILTER (WHERE place <= $2::bigint) AS last, count(*) > $2::bigint AS full_page,
                (SELECT reach FROM reached), (SELECT is_more FROM reached)
         FROM (SELECT id, doc, row_number() OVER (ORDER BY ${order}) AS place FROM matching) AS page
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
