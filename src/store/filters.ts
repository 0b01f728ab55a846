/** The filters of a page, as both databases take them. */

/** Conditions, with `?` where the value goes; an undefined value means no condition. */
export type Filters<V> = readonly (readonly [sql: string, value: V | undefined])[]

/** The SQL that follows a first condition, and its values in their order. `place` names the place of each. */
export function conditionsOf<V>(filters: Filters<V>, place: (index: number) => string = () => '?') {
  const values: V[] = []
  let conditions = ''
  for (const [sql, value] of filters)
    if (value !== undefined) {
      conditions += ` AND ${sql.replace('?', place(values.length))}`
      values.push(value)
    }
  return { conditions, values }
}
