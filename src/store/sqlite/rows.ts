/** Reading rendered rows from SQLite: one by its id, or a page of them. */
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import type { Page, Rendered } from '../store.ts'
import type { PageCache } from './page-cache.ts'
import type { Snapshot } from './snapshot.ts'

/** Conditions of a page, each with the name its value is bound to; an undefined value means no condition. */
export type Filters = Readonly<Record<string, readonly [sql: string, value: SQLInputValue | undefined]>>

/** How rows are read: all of a turn at once, and pages from memory where nothing was written. */
export interface Reading {
  readonly snapshot: Snapshot
  readonly cache: PageCache
}

export interface Rows {
  find(id: bigint): string | undefined
  page(after: number, limit: number, filters: Filters): Page
}

export function createRows(db: DatabaseSync, table: 'pets' | 'orders', { snapshot, cache }: Reading): Rows {
  const find = prepare(db, `SELECT doc FROM ${table} WHERE id = ?`)
  const pages = new Map<string, StatementSync>()

  /** One statement for each set of filters in use; SQLite builds the whole page as one string. */
  function pageStatement(conditions: string): StatementSync {
    let statement = pages.get(conditions)
    if (!statement) {
      // `+ 0` keeps SQLite from preparing the statement anew for every value of the limit.
      statement = prepare(
        db,
        `SELECT docs, last, EXISTS (SELECT 1 FROM ${table} WHERE id > last${conditions})
         FROM (SELECT group_concat(doc, ',') AS docs, max(id) AS last
               FROM (SELECT id, doc FROM ${table} WHERE id > :after${conditions} ORDER BY id LIMIT :limit + 0))`,
      )
      pages.set(conditions, statement)
    }
    return statement
  }

  return {
    find: (id) => snapshot.read(() => (find.get(id) as unknown as [string] | undefined)?.[0]),
    page: (after, limit, filters) =>
      snapshot.read(() => {
        const values: Record<string, SQLInputValue> = { after, limit }
        let conditions = ''
        let key = `${table} ${after} ${limit}`
        for (const name in filters) {
          const [sql, value] = filters[name] as Filters[string]
          if (value === undefined) continue
          conditions += ` AND ${sql}`
          values[name] = value
          key += ` ${name} ${value}`
        }
        return cache.page(key, () => {
          const row = pageStatement(conditions).get(values) as unknown as [string | null, number | null, 0 | 1]
          const [docs, last, more] = row
          return { json: `[${docs ?? ''}]`, next: more && last !== null ? last : undefined }
        })
      }),
  }
}

/** A statement whose rows come as arrays, which are read twice as fast as objects. */
export function prepare(db: DatabaseSync, sql: string): StatementSync {
  const statement = db.prepare(sql)
  statement.setReturnArrays(true)
  return statement
}

/** The row of a `RETURNING id, doc`, where one was written. */
export function renderedOf(row: unknown): Rendered | undefined {
  if (row === undefined) return undefined
  const [id, json] = row as [number, string]
  return { id, json }
}
