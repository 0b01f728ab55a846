/** The filters of a page, as both databases take them. */

/** What the rows of a page have in common; an undefined value means no condition. */
export interface Filters<V> {
  /** Columns that equal a value, in the order of the index that has them. */
  readonly equal: readonly (readonly [column: string, value: V | undefined])[]
  /** The ids to choose from, as each database writes a list of them. */
  readonly ids?: V | undefined
}

/** The columns that are compared, and their values in the same order. */
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
