/**
 * Reads rendered rows from SQLite. The reads of one callback of the event loop, from the second on, share a read
 * transaction, as taking its lock costs more than most reads. It ends before the next callback reads, before every
 * write of this process, and at the end of the turn at the latest: so no client is shown less than it knows.
 *
 * First pages are cached. Every commit of this process clears the cache; commits of other processes are detected before
 * the first cached page of each transaction.
 */

import type { DatabaseSync } from 'node:sqlite'
import type { Sample } from '../../observe/metrics.ts'
import type { Time } from '../../time.ts'
import { comparedBy, type Filters, startOf } from '../filters.ts'
import type { Page, PageRange } from '../store.ts'
import { createSearch } from './search.ts'
import { Faults, prepare, type Statement } from './statement.ts'

export interface Reader {
  /** Runs a query; throws transient errors as StoreUnavailable. One of several statements is given a transaction. */
  read<T>(query: () => T, isSeveral?: boolean): T
  readCached(key: string, query: () => Page): Page
  /** Ends the shared transaction, before each write. */
  end(): void
  clearCache(): void
  /** Of reads and writes. */
  readonly faults: Faults
  samples(): Sample[]
}

/** Enough for about a thousand ordinary pages. */
const cacheBytesMax = 8 * 1024 * 1024
/** Estimated overhead of the map entry, the page object, and its reply. */
const entryBytes = 1024
/** Two bytes per character; the key counts twice, as the reply's link has the same filters. */
const bytesOf = (key: string, { json }: Page): number => entryBytes + 2 * (2 * key.length + json.length)

export function createReader(db: DatabaseSync, time: Time): Reader {
  const begin = db.prepare('BEGIN')
  const commit = db.prepare('COMMIT')
  const rollback = db.prepare('ROLLBACK')
  // Its value changes with the commits of other connections only.
  const dataVersion = prepare<[version: number]>(db, 'PRAGMA data_version')
  const faults = new Faults()
  const done = Promise.resolve()
  let isOpen = false
  let isEnding = false
  /** Whether this callback of the event loop has read before. */
  let hasRead = false
  let version: number | undefined
  /** Whether `version` was read in this transaction. */
  let isChecked = false
  const pages = new Map<string, Page>()
  let [bytes, hits, misses] = [0, 0, 0]

  function end(): void {
    if (!isOpen) return
    isOpen = false
    try {
      commit.run()
    } catch {
      // A read failed, and was reported; it may have ended the transaction.
      if (db.isTransaction) rollback.run()
    }
  }

  function endTurn(): void {
    isEnding = false
    end()
  }

  function endCallback(): void {
    hasRead = false
  }

  function clearCache(): void {
    if (bytes === 0) return
    pages.clear()
    bytes = 0
  }

  function read<T>(query: () => T, isSeveral = false): T {
    try {
      const isFirst = !hasRead
      if (isFirst) {
        end()
        hasRead = true
        done.then(endCallback)
      }
      // A read inside a write is already in a transaction.
      if (!isOpen && !db.isTransaction) {
        isChecked = false
        // A lone statement is a transaction by itself.
        if (!isFirst || isSeveral) {
          begin.run()
          isOpen = true
          if (!isEnding) time.nextTurn(endTurn)
          isEnding = true
        }
      }
      return query()
    } catch (error) {
      throw faults.of(error)
    }
  }

  function cached(key: string, query: () => Page): Page {
    if (!isChecked) {
      isChecked = true
      const [now] = dataVersion.get() ?? []
      if (now !== version) clearCache()
      version = now
    }
    const known = pages.get(key)
    if (known) {
      hits++
      return known
    }
    misses++
    const page = query()
    pages.set(key, page)
    bytes += bytesOf(key, page)
    for (const [oldestKey, oldest] of pages) {
      if (bytes <= cacheBytesMax) break
      pages.delete(oldestKey)
      bytes -= bytesOf(oldestKey, oldest)
    }
    return page
  }

  return {
    read,
    readCached: (key, query) => read(() => cached(key, query)),
    end,
    clearCache,
    faults,
    samples: () => [
      ['petstore_page_cache_requests_total', hits, 'hit'],
      ['petstore_page_cache_requests_total', misses, 'miss'],
      ['petstore_page_cache_bytes', bytes],
    ],
  }
}

interface Rows {
  find(id: bigint | number): string | undefined
  page(range: PageRange, filters: Filters): Page
}

type PageRow = [docs: string | null, last: number | null, more: 0 | 1]

export function createRows(db: DatabaseSync, table: 'pets' | 'orders', { read, readCached }: Reader): Rows {
  const find = prepare<[doc: string]>(db, `SELECT doc FROM ${table} WHERE id = ?`)
  const pages = new Map<string, Statement<PageRow>>()
  const search = createSearch(db)

  /**
   * SQLite builds the whole page as one string. The rows of each part come in the order of an index; of several parts,
   * which are merged, only the rows that are on the page are read.
   */
  function pageStatement(parts: readonly string[], isDescending: boolean): Statement<PageRow> {
    const name = `${isDescending ? 'desc' : ''}${parts[0]}`
    const known = pages.get(name)
    if (known) return known
    const [order, after, end] = isDescending ? ['id DESC', 'id < ', 'min'] : ['id', 'id > ', 'max']
    const exists = parts.map((part) => `EXISTS (SELECT 1 FROM ${table} WHERE ${after}last${part})`)
    // `+ 0` keeps SQLite from preparing the statement again for every value of the limit.
    const rowsOf = (part: string, columns: string) =>
      `SELECT ${columns} FROM ${table} WHERE ${after}?${part} ORDER BY ${order} LIMIT ? + 0`
    const merged = parts.map((part) => `SELECT * FROM (${rowsOf(part, 'id')})`).join(' UNION ALL ')
    const first = `SELECT id FROM (${merged}) ORDER BY ${order} LIMIT ? + 0`
    const all =
      parts.length === 1
        ? rowsOf(parts[0] as string, 'id, doc')
        : `SELECT id, doc FROM (${first}) CROSS JOIN ${table} USING (id)`
    const statement = prepare<PageRow>(
      db,
      `SELECT docs, last, ${exists.join(' OR ')}
       FROM (SELECT group_concat(doc) AS docs, ${end}(id) AS last FROM (${all}))`,
    )
    pages.set(name, statement)
    return statement
  }

  return {
    find: (id) => read(() => find.get(id)?.[0]),
    page(range, filters) {
      const { columns, values } = comparedBy(filters)
      const { ids, search: words } = filters
      const { after, limit, isDescending = false } = range
      let conditions = ''
      // The plus sign keeps SQLite from the index of a whole category where ids are given.
      const plus = ids === undefined ? '' : '+'
      for (const column of columns) conditions += ` AND ${plus}${column} = ?`
      if (ids !== undefined) {
        conditions += ' AND id IN (SELECT value FROM json_each(?))'
        values.push(`[${ids.join()}]`)
        if (words) {
          conditions += ` AND NOT EXISTS (SELECT 1 FROM json_each(?) WHERE instr(' ' || words, ' ' || value) = 0)`
          values.push(JSON.stringify(words))
        }
      }
      const skipScan = ids === undefined ? filters.skipScan : undefined
      const parts = skipScan
        ? skipScan[1].map((value) => `${conditions} AND ${skipScan[0]} = '${value}'`)
        : [conditions]
      if (words && ids === undefined) return read(() => search(range, words, { columns, parts, values }), true)
      const query = (): Page => {
        const start = startOf(range)
        // Bound by position: binding by name takes 2 µs of 11.
        const given = skipScan
          ? [...parts.flatMap(() => values), ...parts.flatMap(() => [start, ...values, limit]), limit]
          : [...values, start, ...values, limit]
        const [docs, last, more] = pageStatement(parts, isDescending).get(...given) as PageRow
        return { json: `[${docs ?? ''}]`, next: more && last !== null ? last : undefined }
      }
      return after === undefined && !words
        ? readCached(`${table} ${limit}${isDescending ? ' desc' : ''}${conditions} ${values.join(' ')}`, query)
        : read(query)
    },
  }
}

/** The row of a `RETURNING id, doc`. */
export type Written = [id: number, doc: string]
