/** The filters of a page, as SQL conditions for both databases. */

/** Conditions that the rows of a page meet; an undefined value means no condition. */
export interface Filters<V> {
  /** Columns that equal a value, in the order of the index that has them. */
  readonly equal: readonly (readonly [column: string, value: V | undefined])[]
  /** A list of ids to choose from, in the database's own format. */
  readonly ids?: V | undefined
}

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
