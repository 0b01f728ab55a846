/** Finds a number for a category that is made by name alone. */
import { type HighestNumbers, rangeEnds } from '../model/category-numbers.ts'
import { query, type Steps } from './shared-sql.ts'

/** Each is read at the end of an index. */
const findHighest = `
  SELECT CAST((SELECT max(id) FROM categories WHERE id < $1) AS text) AS named,
    CAST((SELECT max(category_id) FROM pets WHERE category_id < $1) AS text) AS used`

/** Where the last number of each range is in use, there is still a gap: this finds the lowest. */
const findGap = `
  WITH RECURSIVE tried (id) AS (
    SELECT CAST(1 AS bigint)
    UNION ALL SELECT id + 1 FROM tried
    WHERE EXISTS (SELECT 1 FROM categories WHERE categories.id = tried.id)
      OR EXISTS (SELECT 1 FROM pets WHERE category_id = tried.id)
  ) SELECT CAST(max(id) AS text) AS gap FROM tried`

/** A number that no name and no animal has, nor `others`. */
export function* nextNumber(others: HighestNumbers): Steps<bigint> {
  for (const end of rangeEnds) {
    const [found] = yield* query<Record<'named' | 'used', string | null>>(findHighest, String(end))
    let highest = others.get(end) ?? 0n
    for (const text of Object.values(found ?? {})) if (BigInt(text ?? 0) > highest) highest = BigInt(text ?? 0)
    if (highest + 1n < end) return highest + 1n
  }
  const [found] = yield* query<{ gap: string }>(findGap)
  return BigInt((found as { gap: string }).gap)
}
