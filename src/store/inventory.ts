/** Counting animals, in SQL that both databases understand. */
import type { Discrepancy } from './store.ts'

export const statuses = ['available', 'pending', 'sold'] as const

/** An expression for each status. */
export const each = (text: (status: string) => string): string => statuses.map(text).join(', ')

/** The members of the JSON of counts, and its end; `value` is the expression of a count. */
export const countsJson = (value: (status: string) => string): string =>
  `${statuses.map((status) => `'"${status}":' || ${value(status)}`).join(" || ',' || ")} || '}'`

/** The counts of all animals of a FROM clause. */
export const countsIn = (from: string): string =>
  `SELECT ${each((status) => `count(CASE status WHEN '${status}' THEN 1 END) AS ${status}`)} FROM ${from}`

/** The counts of each category, from the animals themselves: all, or those of a FROM clause. */
export const recount = (from = 'pets'): string =>
  `${countsIn(from).replace('SELECT', 'SELECT category_id,')} GROUP BY category_id`

/** The counts of all animals, from those of the categories. */
export const totalOf = (categories: string): string =>
  `SELECT ${each((status) => `coalesce(sum(${status}), 0) AS ${status}`)} FROM ${categories}`

/**
 * Where the counts kept in `categories` and `total`, two queries, differ from a recount, in one statement and so in one
 * snapshot. The difference is that of two sums: a full join would need another statement in each database.
 */
export const differences = (categories: string, total: string): string => {
  const sums = (kind: string) => each((status) => `sum(${kind}_${status}) AS ${kind}_${status}`)
  const columns = `${each((status) => `kept_${status}`)}, ${each((status) => `counted_${status}`)}`
  const side = (kind: string, own: string) => each((status) => (kind === own ? status : '0'))
  const rows = (kind: string, category: string, from: string) =>
    `SELECT ${category}, ${side(kind, 'kept')}, ${side(kind, 'counted')} FROM (${from}) AS ${kind}`
  return `WITH recount AS (${recount()}), both_counts (category_id, ${columns}) AS (
      ${rows('kept', 'category_id', categories)} UNION ALL ${rows('counted', 'category_id', 'SELECT * FROM recount')}
      UNION ALL ${rows('kept', 'NULL', total)}
      UNION ALL ${rows('counted', 'NULL', totalOf('recount'))}
    ), sums AS (SELECT category_id, ${sums('kept')}, ${sums('counted')} FROM both_counts GROUP BY category_id)
    SELECT CAST(category_id AS text) AS category_id, ${columns} FROM sums
    WHERE ${statuses.map((status) => `kept_${status} <> counted_${status}`).join(' OR ')} ORDER BY sums.category_id`
}

/** A row of `differences`: numbers, or the same as text. */
export function discrepancyOf([categoryId, ...counts]: readonly (string | number | null)[]): Discrepancy {
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = counts.map(Number)
  return {
    categoryId: categoryId === null ? undefined : BigInt(categoryId as string),
    kept: { available: a, pending: b, sold: c },
    counted: { available: d, pending: e, sold: f },
  }
}
