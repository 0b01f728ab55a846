/** Pages of categories. Their ids may be any int64, which a number of JavaScript cannot always hold. */
import type { Int64Query, Page } from './store.ts'

const lowest = -(2n ** 63n)

export const firstOf = ({ after }: Int64Query): bigint => (after === undefined ? lowest : after + 1n)

/** `rows` are those of the page, and one more if more follow. An id is text. */
export function pageOf(rows: readonly (readonly [id: string, json: string])[], { limit }: Int64Query): Page<bigint> {
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  return {
    json: `[${page.map(([, json]) => json).join()}]`,
    next: last && rows.length > limit ? BigInt(last[0]) : undefined,
  }
}
