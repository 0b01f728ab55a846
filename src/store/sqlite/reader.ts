/**
 * Reads rendered rows from SQLite. The reads of one callback of the event loop share a read transaction, because taking
 * its lock costs more than most reads. The transaction ends before the next callback, and each write is a callback of
 * its own. So every client sees the writes that it knows about.
 */
import type { DatabaseSync } from 'node:sqlite'
import { type Filters, startOf } from '../filters.ts'
import { Health } from '../health.ts'
import type { Page, PageRange } from '../store.ts'
import { prepare, type Statement, unavailable } from './statement.ts'

export interface Reader {
  /** Runs a query in the shared transaction; throws transient errors as StoreUnavailable. */
  read<T>(query: () => T): T
  /** Ends the shared transaction, before the database is closed. */
  end(): void
  /** The same as `Store.version`. */
  version(): number
  /** Gives the store another version, after each commit of this process that clients can see. */
  setChanged(): void
  /** The statistics of reads and writes. */
  readonly health: Health
}

export function createReader(db: DatabaseSync): Reader {
  const begin = db.prepare('BEGIN')
  const commit = db.prepare('COMMIT')
  const rollback = db.prepare('ROLLBACK')
  // Its value changes with the commits of other connections only.
  const dataVersion = prepare<[value: number]>(db, 'PRAGMA data_version')
  const health = new Health()
  const done = Promise.resolve()
  let isOpen = false
  let version = 0
  let dataVersionBefore: number | undefined
  /** Whether the shared transaction has looked for commits of other connections. */
  let isCompared = false

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

  function read<T>(query: () => T): T {
    try {
      // A read inside a write is already in a transaction.
      if (!isOpen && !db.isTransaction) {
        begin.run()
        isOpen = true
        isCompared = false
        // Microtasks run at the end of a callback.
        done.then(end)
      }
      return query()
    } catch (error) {
      const reason = unavailable(error) ?? error
      health.failed(reason)
      throw reason
    }
  }

  function compare(): void {
    if (isCompared) return
    isCompared = true
    const [now] = dataVersion.get() ?? []
    if (now !== dataVersionBefore) version++
    dataVersionBefore = now
  }

  return {
    read,
    end,
    version() {
      read(compare)
      return version
    },
    setChanged() {
      version++
    },
    health,
  }
}

interface Rows {
  find(id: bigint | number): string | undefined
  page(range: PageRange, filters: Filters): Page
}

type PageRow = [docs: string | null, last: number | null, more: 0 | 1]

export function createRows(db: DatabaseSync, table: 'pets' | 'orders', { read }: Reader): Rows {
  const find = prepare<[doc: string]>(db, `SELECT doc FROM ${table} WHERE id = ?`)
  const pages = new Map<string, Statement<PageRow>>()

  /** SQLite builds the whole page as one string. */
  function pageStatement(conditions: string, isDescending: boolean): Statement<PageRow> {
    const name = `${isDescending ? 'desc' : ''}${conditions}`
    const known = pages.get(name)
    if (known) return known
    const [order, after, end] = isDescending ? ['id DESC', '<', 'min'] : ['id', '>', 'max']
    // `+ 0` keeps SQLite from preparing the statement again for every value of the limit.
    const statement = prepare<PageRow>(
      db,
      `SELECT docs, last, EXISTS (SELECT 1 FROM ${table} WHERE id ${after} last${conditions})
       FROM (
         SELECT group_concat(doc) AS docs, ${end}(id) AS last
         FROM (SELECT id, doc FROM ${table} WHERE id ${after} ?${conditions} ORDER BY ${order} LIMIT ? + 0)
       )`,
    )
    pages.set(name, statement)
    return statement
  }

  return {
    find: (id) => read(() => find.get(id)?.[0]),
    page(range, { columns, values, ids, search }) {
      const { limit, isDescending = false } = range
      // The plus sign keeps SQLite from the index of a whole category where ids are given.
      const plus = ids === undefined ? '' : '+'
      let conditions = ''
      for (const column of columns) conditions += ` AND ${plus}${column} = ?`
      const given: (string | bigint)[] = [...values]
      if (ids) {
        conditions += ' AND id IN (SELECT value FROM json_each(?))'
        given.push(`[${ids.join()}]`)
      }
      if (search) {
        conditions += ` AND NOT EXISTS (SELECT 1 FROM json_each(?) WHERE instr(' ' || words, ' ' || value) = 0)`
        given.push(JSON.stringify(search))
      }
      return read(() => {
        // Bound by position: binding by name takes 2 µs of 11.
        const row = pageStatement(conditions, isDescending).get(...given, startOf(range), ...given, limit) as PageRow
        const [docs, last, more] = row
        return { json: `[${docs ?? ''}]`, next: more && last !== null ? last : undefined }
      })
    },
  }
}

/** The row of a `RETURNING id, doc`. */
export type Written = [id: number, doc: string]
