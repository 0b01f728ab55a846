/** What a page of a list shows, as both databases read it. */
import type { Int64Query, Page } from './store.ts'

/** Conditions that the rows of a page meet; an undefined value means no condition. */
export interface Filters<V> {
  /** Columns that equal a value, in the order of the index that has them. */
  readonly equal: readonly (readonly [column: string, value: V | undefined])[]
  /**
   * A column of the index that comes before the id and is not filtered, with all its possible values: the rows of each
   * are read in the order of their ids, no further than the page, and merged.
   */
  readonly between?: readonly [column: string, values: readonly string[]] | undefined
  /** A list of ids to choose from, in the database's own format. */
  readonly ids?: V | undefined
  /** Words of the name of an animal, of each its beginning. */
  readonly search?: readonly string[] | undefined
}

/** Where a page begins, and how many rows it has. */
export interface PageRange {
  /** The id after which it begins; undefined on the first page. */
  readonly after: number | undefined
  readonly limit: number
  /** From the highest id to the lowest. */
  readonly isDescending?: boolean | undefined
}

/** The id after which a page begins: below or above all ids on the first page. */
export const startOf = ({ after, isDescending }: PageRange): number =>
  after ?? (isDescending ? Number.MAX_SAFE_INTEGER : 0)

/** The compared columns, and their values in the same order. */
export function comparedBy<V>({ equal }: Filters<V>): { columns: string[]; values: V[] } {
  const columns: string[] = []
  const values: V[] = []
  for (const [column, value] of equal)
    if (value !== undefined) {
      columns.push(column)
      values.push(value)
    }
  return { columns, values }
}

const lowest = -(2n ** 63n)

/** The lowest id that the page may have, of a list whose ids clients choose: any int64, negative ones included. */
export const firstOf = ({ after }: Int64Query): bigint => (after === undefined ? lowest : after + 1n)

/** The page, from its rows and one more if there is one. The id is text, as it may not fit in a number. */
export function pageOf(rows: readonly (readonly [id: string, json: string])[], { limit }: Int64Query): Page<bigint> {
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  return {
    json: `[${shown.map(([, json]) => json).join()}]`,
    next: last && rows.length > limit ? BigInt(last[0]) : undefined,
  }
}
